"""Bare numbers of what needs a unit: the one that stands beside them, or that their size leaves."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.statistics import whole_quantity
from mdbench.vocabulary.amounts import UNIT_NEEDED
from mdbench.vocabulary.headers import Header

_CORNER = lazy(r"(?:[Uu]nits?|单位)\b.{1,24}")
# Numbers of one quantity in two units differ by more.
_MOST_TIMES = 30
# That many megabytes would be ten terabytes.
_ONLY_BYTES = 10**7
_BYTE = parse_unit("byte")


def share_units(headers: Sequence[Header], columns: Sequence[Cells]) -> tuple[Header, ...]:
    """The headers, with a unit for bare numbers that others of the table tell.

    `Units: MB` in the corner is the unit of all columns that it fits. Two columns of one quantity,
    of which one states its unit, are in the same if their numbers are of the same size.
    """
    lacking = [at for at, header in enumerate(headers) if _lacks_unit(header, columns[at])]
    if not lacking:
        return tuple(headers)
    shared = list(headers)
    for at in lacking:
        unit = _in_corner(headers, at) or _beside(headers, columns, at) or _by_size(columns[at])
        one = headers[at].quantity
        if unit is not None and one is not None and one.fits(unit):
            shared[at] = headers[at]._replace(unit=unit)
    return tuple(shared)


def _lacks_unit(header: Header, cells: Cells) -> bool:
    one = header.quantity
    if one is None or header.unit is not None or one.unit.dimension not in UNIT_NEEDED:
        return False
    numbers = cells.numbers
    return "count" not in one.dimensions and bool(numbers) and not any(c.unit for c in numbers)


def _in_corner(headers: Sequence[Header], at: int) -> Unit | None:
    corner = headers[0].said
    return corner.unit if at and _CORNER.fullmatch(corner.text.strip()) else None


def _beside(headers: Sequence[Header], columns: Sequence[Cells], at: int) -> Unit | None:
    """The unit that all columns of the same quantity state, if the numbers are of their size."""
    one, size = whole_quantity(headers[at].quantity), _size(columns[at])
    stated = {
        other.said.unit
        for place, other in enumerate(headers)
        if other.said.unit is not None
        and whole_quantity(other.quantity) == one
        and size < _MOST_TIMES * _size(columns[place])
        and _size(columns[place]) < _MOST_TIMES * size
    }
    return stated.pop() if len(stated) == 1 else None


def _by_size(cells: Cells) -> Unit | None:
    """Bytes, if the numbers are too large for any other unit of a memory or a file."""
    values = cells.values
    return _BYTE if min(values) >= _ONLY_BYTES else None


def _size(cells: Cells) -> float:
    values = [float(abs(cell.value)) for cell in cells if cell.value]
    return median(values) if values else 0.0
