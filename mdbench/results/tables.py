"""What the columns of a table of results mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mdbench.numerals.units import Unit, parse_unit
from mdbench.results.best_words import named_statistic
from mdbench.vocabulary.amounts import UNIT_NEEDED
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Quantity, Vocabulary

# Names that say less than what stands before them: `ttft.value`.
_GENERAL = frozenset(("value", "score", "configuration"))


class Meaning(NamedTuple):
    """What a tool says about a column: the names of a quantity, a unit and a statistic."""

    quantity: str = ""
    unit: str = ""
    statistic: str = ""


Meanings = Mapping[str, Meaning]


class ResultColumn(NamedTuple):
    """One column of a table of results."""

    name: str
    """As SQL calls it."""
    quantity: Quantity | None
    unit: Unit | None
    """The unit of its values; None: the quantity's own unit, or none."""
    statistic: str
    """`mean`, `p99`, `std` … as headers have them; empty if the name says none."""
    is_number: bool
    candidates: tuple[Quantity, ...] = ()
    """What it may mean if its name leaves that open: `time_ms`."""
    is_bare: bool = False
    """Whether it needs a unit, and neither its name nor its tool says which: `elapsed`."""


class ResultTable(NamedTuple):
    """A table of results."""

    name: str
    columns: tuple[ResultColumn, ...]
    files: tuple[str, ...]
    """Its files, as paths below the folder of the configuration."""


def read_column(
    name: str, is_number: bool, meaning: Meaning | None, vocabulary: Vocabulary
) -> ResultColumn:
    """What a column means: what its tool says, else what its name says."""
    if meaning is not None:
        return ResultColumn(
            name,
            vocabulary.quantities.get(meaning.quantity),
            parse_unit(meaning.unit) if meaning.unit else None,
            meaning.statistic,
            is_number,
        )
    known = vocabulary.quantities.get(name)
    if known is not None:
        return ResultColumn(name, known, known.unit, "", is_number)
    header = _read_name(name, vocabulary)
    meant = header.quantity or next(iter(header.candidates), None)
    dimension = meant.unit.dimension if meant is not None else ""
    return ResultColumn(
        name,
        header.quantity,
        header.unit,
        header.statistic or named_statistic(name, dimension),
        is_number,
        header.candidates,
        is_bare=header.unit is None and dimension in UNIT_NEEDED,
    )


def _read_name(name: str, vocabulary: Vocabulary) -> Header:
    """`metrics.step_time_ms` is a step time, `latency.p99` a percentile of the latency."""
    last = name.rpartition(".")[2]
    header = read_header(last, vocabulary)
    if last == name:
        return header
    known = header.quantity or next(iter(header.candidates), None)
    if known is not None and known.name not in _GENERAL:
        return header
    whole = read_header(name.replace(".", " "), vocabulary)
    return whole if whole.quantity or whole.candidates else header
