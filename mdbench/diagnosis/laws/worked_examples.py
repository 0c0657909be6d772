"""A calculation in the text that was worked for one run of a table: a formula for all of them.

`perl -le '$ng=64; $ms=52; $gbs=1024; $sp=146; print $ms*8*1024*$gbs/($sp*$ng*1e3)'` has the numbers
of a row, and prints another one of it: each of its variables is the column with its number.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import FEWEST_EXAMPLE_NUMBERS
from mdbench.numerals.intervals import Interval
from mdbench.prose.expressions import evaluate, names
from mdbench.prose.formulas import Formula, quantity_named
from mdbench.vocabulary.quantities import Role, Vocabulary


class WorkedExample(NamedTuple):
    """Which quantity each variable of a calculation is, and which one it computes."""

    left: str
    meanings: Mapping[str, str]
    units: tuple[tuple[str, float], ...]
    """The units that the run prints them in, as multiples of the base units."""


def find_example(
    formula: Formula, rows: Sequence[RunNumbers], vocabulary: Vocabulary
) -> WorkedExample | None:
    """The run that a calculation was worked for, if its numbers name one quantity each."""
    wanted = names(formula.expression)
    known = all(name in formula.bindings for name in wanted)
    if not known or len(wanted) < FEWEST_EXAMPLE_NUMBERS:
        return None
    for row in rows:
        found = _meanings(formula, row, vocabulary)
        left = _result(formula, row, found) if found is not None else None
        if found is not None and left is not None:
            used = (left, *found.values())
            units = tuple((name, _unit(row.variables[name])) for name in used)
            return WorkedExample(left, found, units)
    return None


def _meanings(
    formula: Formula, row: RunNumbers, vocabulary: Vocabulary
) -> Mapping[str, str] | None:
    """The quantity of each variable; None unless every one is told by its name or its number."""
    found: dict[str, str] = {}
    unnamed: dict[str, list[str]] = {}
    for name in names(formula.expression):
        alike = list(_with_value(row, formula.bindings[name]))
        named = quantity_named(formula, name, vocabulary)
        if named is not None and named.name in alike:
            found[name] = named.name
        else:
            unnamed[name] = alike
    for name, alike in unnamed.items():
        left = [one for one in alike if one not in found.values()]
        if len(left) != 1:
            return None
        found[name] = left[0]
    cells = sum(row.variables[one].measurement is not None for one in found.values())
    distinct = len(set(found.values())) == len(found)
    return found if distinct and cells >= FEWEST_EXAMPLE_NUMBERS else None


def _with_value(row: RunNumbers, value: Decimal) -> Iterator[str]:
    for name, one in row.variables.items():
        if _printed(one) == value:
            yield name


def _printed(one: Number) -> Decimal | None:
    """The number as it is printed: 52 of `52B`."""
    place = one.measurement or one.fact
    return place.numeral.value if place is not None else None


def _unit(one: Number) -> float:
    """How much of the base unit the printed number counts, with its letter: `B` is 1e9."""
    printed = _printed(one)
    return one.value / float(printed) if printed else one.scale


def _result(formula: Formula, row: RunNumbers, found: Mapping[str, str]) -> str | None:
    """The measured quantity of the run that the calculation prints."""
    values = {name: Interval(float(one), float(one)) for name, one in formula.bindings.items()}
    printed = evaluate(formula.expression, values)
    if printed is None:
        return None
    alike = [
        name
        for name, one in row.variables.items()
        if _is_measured(one) and name not in found.values() and _prints(one, float(printed.low))
    ]
    return alike[0] if len(alike) == 1 else None


def _is_measured(one: Number) -> bool:
    return one.measurement is not None and one.quantity.role is Role.MEASUREMENT


def _prints(one: Number, value: float) -> bool:
    value *= _unit(one)
    return min(one.low, one.cut) <= value <= max(one.high, one.cut)
