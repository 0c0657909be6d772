"""Parts of several files as one: the same columns in the same units."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from mdbench.numerals.units import Unit, parse_unit
from mdbench.results.shapes.shape import Part, Record, is_number
from mdbench.results.tables import Meaning


def join_parts(parts: Iterable[Part]) -> Part:
    """All records, each column in the unit in which it comes first.

    A column whose units are of different dimensions has none, nor a quantity.
    """
    kept = list(parts)
    meanings: dict[str, Meaning] = {}
    for part in kept:
        for name, meaning in part.meanings.items():
            first = meanings.setdefault(name, meaning)
            if first != meaning:
                meanings[name] = _agree(first, meaning)
    records = [record for part in kept for record in _convert(part, meanings)]
    return Part(records, meanings)


def _agree(first: Meaning, other: Meaning) -> Meaning:
    """What two meanings have in common."""
    had, has = _unit(first), _unit(other)
    fits = had is not None and has is not None and had.dimension == has.dimension
    if first.unit != other.unit and not fits:
        return Meaning(statistic=first.statistic if first.statistic == other.statistic else "")
    return Meaning(
        first.quantity if first.quantity == other.quantity else "",
        first.unit,
        first.statistic if first.statistic == other.statistic else "",
    )


def _convert(part: Part, meanings: dict[str, Meaning]) -> Iterable[Record]:
    factors = {}
    for name, meaning in part.meanings.items():
        has, wanted = _unit(meaning), _unit(meanings[name])
        if has is not None and wanted is not None and has.scale != wanted.scale:
            factors[name] = has.scale / wanted.scale
    if not factors:
        return part.records
    return [
        {name: _times(value, factors.get(name)) for name, value in record.items()}
        for record in part.records
    ]


def _times(value: Any, factor: Decimal | None) -> Any:
    if factor is None or not is_number(value):
        return value
    # Through decimals: 0.1 s are 100 ms, not 100.00000000000001.
    return float(Decimal(repr(value)) * factor)


def _unit(meaning: Meaning) -> Unit | None:
    return parse_unit(meaning.unit) if meaning.unit else None
