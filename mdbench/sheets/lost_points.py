"""Numbers without the decimal point that all others of their column have: `2708` below `2.612`."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from mdbench.numerals.digits import count_decimals
from mdbench.numerals.numeral import Form
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement

_FEWEST = 4
"""So many other numbers must have the same decimals. With fewer, a column has no habit."""
_PLACES = 3
"""Between two units of a kind are usually three decimal places."""
_ROOM = Decimal("1.5")
"""So far from the least or the greatest of the others the number may be, once it has its point."""
_DECIMAL = {"s", "byte", "W", "J"}


class LostPoint(NamedTuple):
    """A number, and what it would be among the others."""

    measurement: Measurement
    wanted: Decimal
    least: Decimal
    most: Decimal


def find_lost_points(column: Column) -> Iterator[LostPoint]:
    """The numbers that fit their column if their point is moved by three places, to the digit."""
    unit = column.header.unit
    if unit is None or unit.dimension.split("/")[0] not in _DECIMAL:
        return
    numbers = [one for one in column.mains if _is_plain(one)]
    counts = {count_decimals(one.typed or "") for one in numbers}
    if len(numbers) <= _FEWEST or len(counts) != 2:
        return
    usual = max(counts)
    odd = [one for one in numbers if count_decimals(one.typed or "") == usual - _PLACES]
    others = [one.numeral.value for one in numbers if one not in odd and one.numeral.value]
    if len(odd) != 1 or len(others) < _FEWEST or odd[0].numeral.value is None:
        return
    wanted = odd[0].numeral.value.scaleb(-_PLACES)
    least, most = min(others), max(others)
    if least / _ROOM <= wanted <= most * _ROOM and odd[0].numeral.value > most * _ROOM:
        yield LostPoint(odd[0], wanted, least, most)


def _is_plain(one: Measurement) -> bool:
    return one.numeral.form is Form.NUMBER and one.amount is not None and one.typed is not None
