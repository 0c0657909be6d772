"""Columns of comparisons: how many times as much, how much more, or a share of the best."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from mdbench.numerals.numeral import Numeral
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import quantity

_PERCENT = Unit("%", "ratio", Decimal("0.01"))
_SLOWER = lazy(r"slow|overhead|reduc|worse|larger|bigger|relative|ratio", re.IGNORECASE)
_FASTER = lazy(r"(?:times )?(?:faster|quicker|speed-?up)\b", re.IGNORECASE)
_SIZED = lazy(r"(?:times )?(?:smaller|larger|bigger|fewer)\b", re.IGNORECASE)
_REDUCED = lazy(r"reduc|r[eé]duc|decreas|sav(?:ed|ing)|减|降|省|감소|削減", re.IGNORECASE)
_RATIO = lazy(r"\bratio\b", re.IGNORECASE)
_WHOLE = 100
_SIGNS = "+-\u2212\u2013"
_COMPARED = frozenset(("change", "speedup", "relative", "compression_ratio"))
_FASTER_OR_NOT = frozenset(("change", "speedup"))
_ENOUGH = 0.6
_HALF = 0.5
_FEWEST = 2
_FEWEST_FACTORS = 3
_NEARLY_ALL = 0.8


def name_comparison(header: Header, cells: Cells) -> Header:
    """The header of a comparison, by what its numbers look like.

    `1.4x` says how many times as much, and `+40%` how much more. Per cents of which one is 100 and
    none has a sign are ratios to that one.
    """
    name = header.quantity.name if header.quantity is not None else ""
    if name not in _COMPARED or not (numbers := cells.numbers):
        return header
    if name in _FASTER_OR_NOT and _are_factors(header, numbers) and _are_of_sizes(numbers):
        return header._replace(quantity=quantity("relative"), why="its cells are factors of sizes")
    return _by_numbers(header, name, numbers)


def name_factors(cells: Cells) -> str:
    """What `1.4x` in nearly all cells is under a header that does not say it.

    `30x faster` is a speed-up. Where all are `1x`, nothing is compared.
    """
    numbers = cells.numbers
    if len(numbers) > 1 and all(cell.value == 1 for cell in numbers):
        return ""
    faster = _share(_FASTER.match(cell.note) is not None for cell in numbers)
    return "speedup" if faster > _HALF else "relative"


def as_speedups(settled: list[Header], columns: Sequence[Cells]) -> list[Header]:
    """The headers; several columns of `2.4x` that only name what was run tell how much faster."""
    factors = [
        at
        for at, one in enumerate(settled)
        if one.why == BY_CELLS and one.quantity is not None and one.quantity.name == "relative"
    ]
    numbers = [cell for at in factors for cell in columns[at] if cell.value is not None]
    faster = sum(cell.value is not None and cell.value > 1 for cell in numbers)
    few = len(factors) < _FEWEST_FACTORS or faster < _NEARLY_ALL * len(numbers)
    if few or _are_of_sizes(numbers):
        return settled
    for at in factors:
        settled[at] = settled[at]._replace(quantity=quantity("speedup"))
    return settled


def _are_of_sizes(numbers: Sequence[Numeral]) -> bool:
    """Whether most numbers are such as `2.3x smaller`: what is smaller need not be faster."""
    return _share(_SIZED.match(cell.note) is not None for cell in numbers) > _HALF


def _by_numbers(header: Header, name: str, numbers: Sequence[Numeral]) -> Header:
    if name == "change" and (_are_factors(header, numbers) or _are_near_one(header, numbers)):
        slower = _SLOWER.search(header.text) or any("slower" in cell.note for cell in numbers)
        meant = "relative" if slower else "speedup"
        return header._replace(quantity=quantity(meant), why="its cells are factors")
    if _share(cell.unit == "%" for cell in numbers) < _ENOUGH:
        return header
    signed = any(map(_is_signed, numbers))
    sized = _by_size(header, name, numbers, signed)
    if sized is not None:
        return sized
    values = {cell.value for cell in numbers if cell.value is not None}
    # Nothing more than the baseline is 0 %; nothing at all, where the best is 100 %.
    unchanged = 0 in values and max(values) != _WHOLE
    if name != "change" and (signed or unchanged):
        return header._replace(
            quantity=quantity("change"), unit=_PERCENT, why="its cells tell how much more"
        )
    whole = sum(cell.value == _WHOLE for cell in numbers)
    reduced = _REDUCED.search(header.text) is not None
    if name == "change" and not (signed or reduced) and whole == 1 and len(numbers) >= _FEWEST:
        return header._replace(quantity=quantity("relative"), why="one of its cells is 100 %")
    return header


def _by_size(header: Header, name: str, numbers: Sequence[Numeral], signed: bool) -> Header | None:
    """What per cents are by how large they are; None if that does not tell."""
    if name == "compression_ratio":
        return header._replace(quantity=quantity("relative"), why="its cells are in percent")
    values = [cell.value for cell in numbers if cell.value is not None]
    if signed:
        return None
    if name == "relative" and min(values) == 0 and _RATIO.search(header.text):
        return header._replace(quantity=quantity("share"), why="parts of a whole")
    if name == "speedup" and max(values) < _WHOLE:
        # A speed-up of 30 % is that much more, not a third.
        return header._replace(quantity=quantity("change"), why="its cells tell how much more")
    return None


def _are_factors(header: Header, numbers: Sequence[Numeral]) -> bool:
    """Whether nearly all numbers are `1.4x`, or the header says so."""
    if any(cell.unit for cell in numbers):
        return _share(is_times(parse_unit(cell.unit)) for cell in numbers) >= _ENOUGH
    return is_times(header.unit)


def _are_near_one(header: Header, numbers: Sequence[Numeral]) -> bool:
    """Whether one number is 1 and all are positive, without a sign or a unit: ratios to that."""
    values = [cell.value for cell in numbers if cell.value is not None]
    bare = header.unit is None and not any(cell.unit or _is_signed(cell) for cell in numbers)
    ones = values.count(Decimal(1))
    # Each group of rows may have its baseline first.
    once = ones == 1 or (bool(values) and values[0] == 1 and 0 < ones <= _HALF * len(values))
    return bare and len(values) >= _FEWEST and once and min(values) > 0


def _is_signed(cell: Numeral) -> bool:
    return cell.text.lstrip()[:1] in _SIGNS


def is_times(unit: Unit | None) -> bool:
    """Whether a unit says how many times as much: `x`, `×`, `倍`."""
    return unit is not None and unit.dimension == "ratio" and unit.scale == 1


def _share(found: Iterable[bool]) -> float:
    flags = list(found)
    return sum(flags) / len(flags) if flags else 0.0
