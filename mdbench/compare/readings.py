"""The measurements of one run in two versions, side by side."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping

from mdbench.compare.profiles import MeasuredValue, Profile, Slot
from mdbench.numerals.cell import Status

Pair = tuple[MeasuredValue | None, MeasuredValue | None]
_Key = Callable[[MeasuredValue], Hashable]

_NOISE = 10**12


def same(old: MeasuredValue, new: MeasuredValue) -> bool:
    """Whether both are equal up to rounding: 0.858 is 0.86 with one more digit."""
    if old.status is not new.status or (old.value is None) != (new.value is None):
        return False
    if old.value is None or new.value is None:
        return old.status is not Status.OK or old.text.casefold() == new.text.casefold()
    if (old.unit, old.bound) != (new.unit, new.bound) or not _same_spread(old, new):
        return False
    noise = max(abs(old.value), abs(new.value)) / _NOISE
    if abs(old.quantum - new.quantum) <= noise:
        return abs(old.value - new.value) <= noise
    return abs(old.value - new.value) <= max(old.quantum, new.quantum) / 2 + noise


def _same_spread(old: MeasuredValue, new: MeasuredValue) -> bool:
    if old.spread is None or new.spread is None:
        return True
    return abs(old.spread - new.spread) <= max(old.spread, new.spread) / _NOISE


def pair_readings(old: Profile, new: Profile) -> Iterator[Pair]:
    """Pair the measurements of a run in both versions; None if it is missing in one.

    Measurements are paired by header; then by quantity, if the header was rewritten; then by value,
    if the header is unknown.
    """
    olds, news = dict(old.readings), dict(new.readings)
    for key in (_by_slot, _by_quantity, _by_value):
        for one, other in _join(olds, news, key):
            del olds[one.slot], news[other.slot]
            yield one, other
    yield from ((one, None) for one in olds.values())
    yield from ((None, other) for other in news.values())


def count_same(old: Profile, new: Profile) -> int:
    """The number of equal measurements of two runs."""
    return sum(
        one is not None and other is not None and same(one, other)
        for one, other in pair_readings(old, new)
    )


def _join(
    olds: Mapping[Slot, MeasuredValue], news: Mapping[Slot, MeasuredValue], key: _Key
) -> list[tuple[MeasuredValue, MeasuredValue]]:
    """Pair the readings that share a key which is unique on both sides."""
    lefts, rights = _unique(olds, key), _unique(news, key)
    return [(one, rights[shared]) for shared, one in lefts.items() if shared in rights]


def _unique(readings: Mapping[Slot, MeasuredValue], key: _Key) -> dict[Hashable, MeasuredValue]:
    found: dict[Hashable, MeasuredValue | None] = {}
    for one in readings.values():
        shared = key(one)
        if shared is not None:
            found[shared] = None if shared in found else one
    return {shared: one for shared, one in found.items() if one is not None}


def _by_slot(reading: MeasuredValue) -> Hashable:
    return reading.slot


def _by_quantity(reading: MeasuredValue) -> Hashable:
    name, statistic, _, part = reading.slot
    return (name, statistic, part) if name else None


def _by_value(reading: MeasuredValue) -> Hashable:
    return reading.said if reading.value is not None else None
