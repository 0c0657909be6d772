"""Constants that nobody states, from the rows that agree on them."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import MOST_DEVICES_PER_NODE, MOST_WHOLE_CANDIDATES, NOISE


class Agreement(NamedTuple):
    """The values from `low` to `high` on which the most rows agree, and how many do."""

    low: float
    high: float
    support: int
    rows: tuple[RunNumbers, ...] = ()
    """A few of the rows that agree, to point at."""
    shared: frozenset[tuple[str, float]] = frozenset()
    """The counts that all rows that agree have in common, by quantity."""

    def admits(self, low: float, high: float) -> bool:
        """Whether a row's interval for the constant meets the agreed one."""
        return low <= self.high * (1 + NOISE) and self.low <= high * (1 + NOISE)


ONE = Agreement(1.0, 1.0, 0)


def agree(intervals: Sequence[tuple[float, float]]) -> Agreement | None:
    """The stretch that lies in the most intervals; None where two stretches tie."""
    openings = sorted([low for low, _ in intervals])
    closings = sorted([high for _, high in intervals])
    closings.append(math.inf)
    low = high = 0.0
    support = closed = 0
    tied = False
    for opened, start in enumerate(openings, 1):
        while closings[closed] < start:
            closed += 1
        inside = opened - closed
        if inside > support:
            low, high, support, tied = start, closings[closed], inside, False
        elif inside == support and start > high:
            tied = True
    return None if tied or not support else Agreement(low, high, support)


def agree_on_whole(intervals: Sequence[tuple[float, float]]) -> Agreement | None:
    """The same for a constant that can only be a whole number."""
    counts: dict[int, int] = {}
    for low, high in intervals:
        first, last = math.ceil(low * (1 - NOISE)), math.floor(high * (1 + NOISE))
        for whole in range(
            max(first, 1), min(last, first + MOST_WHOLE_CANDIDATES, MOST_DEVICES_PER_NODE) + 1
        ):
            counts[whole] = counts.get(whole, 0) + 1
    if not counts:
        return None
    most = max(counts.values())
    best = [whole for whole, count in counts.items() if count == most]
    return Agreement(best[0], best[0], most) if len(best) == 1 else None
