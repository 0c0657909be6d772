"""Units that the text around a table tells for the columns that it names: `BW in MiB/s`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.meaning import settle
from mdbench.sheets.statistics import whole_quantity
from mdbench.vocabulary.amounts import UNIT_NEEDED
from mdbench.vocabulary.header_parts import is_measure
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity, Vocabulary

_TOLD = lazy(
    r"(?P<name>(?:[\w-]{1,30} ){0,4}[\w-]{1,30}),? in (?P<unit>[^\s(),;]{1,16}?)"
    r"(?=[\s(),;]|\.(?:\s|$)|$)",
    re.IGNORECASE,
)
# What may stand between a name and its unit.
_BETWEEN = frozenset(
    """column columns value values numbers cells is are was were all given measured reported shown
    printed""".split()
)
_PLURALS = (("ies", "y"), ("s", ""), ("es", ""))


class Told(NamedTuple):
    """What a text says: the unit of some quantities, and where it says so."""

    meant: tuple[Quantity, ...]
    unit: Unit
    span: tuple[int, int]


def tell_units(
    headers: Sequence[Header],
    columns: Sequence[Cells],
    texts: Sequence[str],
    vocabulary: Vocabulary,
) -> tuple[tuple[Header, ...], tuple[str, ...]]:
    """The headers with the units that texts tell for them, and what else the texts say."""
    told_of, left = list(headers), []
    lacking = {at for at, header in enumerate(headers) if _lacks_unit(header, columns[at])}
    for text in texts:
        plain = plain_text(text) if lacking and " in " in text else ""
        rest = text
        for told in reversed(list(_read(plain, vocabulary))):
            named = {at for at in lacking if _is_of(headers[at], told)}
            for at in named:
                told_of[at] = _with_unit(headers, at, columns[at], told.unit, vocabulary)
            if named:
                rest = plain = plain[: told.span[0]] + plain[told.span[1] :]
            lacking -= named
        left.append(rest)
    return tuple(told_of), tuple(left)


def _read(plain: str, vocabulary: Vocabulary) -> Iterator[Told]:
    for match in _TOLD.finditer(plain) if plain else ():
        unit = parse_unit(match["unit"])
        if unit is None or not ("/" in unit.dimension or is_measure(unit)):
            continue
        words = [word for word in match["name"].split() if word.casefold() not in _BETWEEN]
        for start in range(len(words)):
            meant = _find(" ".join(words[start:]), vocabulary)
            fitting = tuple(one for one in meant if one.fits(unit))
            if fitting:
                yield Told(fitting, unit, match.span())
                break


def _find(name: str, vocabulary: Vocabulary) -> tuple[Quantity, ...]:
    singular = (name.removesuffix(end) + one for end, one in _PLURALS if name.endswith(end))
    return next(filter(None, map(vocabulary.find, (name, *singular))), ())


def _lacks_unit(header: Header, cells: Cells) -> bool:
    meant = header.candidates if header.quantity is None else (header.quantity,)
    return bool(meant) and header.unit is None and bool(cells.numbers) and not cells.has_units


def _is_of(header: Header, told: Told) -> bool:
    """Whether a column holds what a text speaks of, or a kind of it: the bandwidth of a bus."""
    meant = header.candidates if header.quantity is None else (whole_quantity(header.quantity),)
    return any(
        one is not None and one.fits(told.unit) and (one in told.meant or _is_kind(one, told.meant))
        for one in meant
    )


def _is_kind(one: Quantity, meant: Sequence[Quantity]) -> bool:
    needed = one.unit.dimension in UNIT_NEEDED
    return needed and any(one.words.endswith(f" {other.words}") for other in meant)


def _with_unit(
    headers: Sequence[Header], at: int, cells: Cells, unit: Unit, vocabulary: Vocabulary
) -> Header:
    header = headers[at]
    if header.quantity is None:
        return settle(header, cells, vocabulary, headers, unit)
    return header._replace(unit=unit)
