"""Columns of comparisons: how many times as much, how much more, or a share of the best."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from mdbench.numerals.numeral import Numeral
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import quantity

_PERCENT = Unit("%", "ratio", Decimal("0.01"))
_SLOWER = lazy(r"slow|overhead|reduc|worse|larger|bigger|relative|ratio", re.IGNORECASE)
_SIGNS = "+-\u2212\u2013"
_ENOUGH = 0.6
_FEWEST = 2


def name_comparison(header: Header, cells: Sequence[Numeral]) -> Header:
    """The header of a comparison, by what its numbers look like.

    `1.4x` says how many times as much, and `+40%` how much more. Per cents of which one is 100 and
    none has a sign are ratios to that one.
    """
    name = header.quantity.name if header.quantity is not None else ""
    numbers = [cell for cell in cells if cell.value is not None]
    if name not in {"change", "speedup", "relative"} or not numbers:
        return header
    if name == "change" and _are_factors(header, numbers):
        meant = "relative" if _SLOWER.search(header.text) else "speedup"
        return header._replace(quantity=quantity(meant), why="its cells are factors")
    if _share(cell.unit == "%" for cell in numbers) < _ENOUGH:
        return header
    signed = any(cell.text.lstrip()[:1] in _SIGNS for cell in numbers)
    if name != "change" and (signed or any(cell.value == 0 for cell in numbers)):
        return header._replace(
            quantity=quantity("change"), unit=_PERCENT, why="its cells tell how much more"
        )
    whole = sum(cell.value == 100 for cell in numbers)
    if name == "change" and not signed and whole == 1 and len(numbers) >= _FEWEST:
        return header._replace(quantity=quantity("relative"), why="one of its cells is 100 %")
    return header


def _are_factors(header: Header, numbers: Sequence[Numeral]) -> bool:
    """Whether nearly all numbers are `1.4x`, or the header says so."""
    if any(cell.unit for cell in numbers):
        return _share(_is_times(parse_unit(cell.unit)) for cell in numbers) >= _ENOUGH
    return _is_times(header.unit)


def _is_times(unit: Unit | None) -> bool:
    return unit is not None and unit.dimension == "ratio" and unit.scale == 1


def _share(found: Iterable[bool]) -> float:
    flags = list(found)
    return sum(flags) / len(flags) if flags else 0.0
