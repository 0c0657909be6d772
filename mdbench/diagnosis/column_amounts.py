"""The amounts of a column, for asking how a number looks among the others."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable

_NEIGHBOURS = 2


class Amounts:
    """The different positive amounts of a column, in order; every question takes a moment."""

    def __init__(self, amounts: Iterable[float]) -> None:
        self._counts = Counter(amount for amount in amounts if amount > 0)
        self._sorted = sorted(self._counts)

    def count_without(self, printed: float | None) -> int:
        """How many different amounts there are beside one that is printed once."""
        return len(self._sorted) - self._is_single(printed)

    def range_without(self, printed: float | None) -> tuple[float, float]:
        """The least and the largest of the others."""
        single = self._is_single(printed)
        first = 1 if single and printed == self._sorted[0] else 0
        last = -2 if single and printed == self._sorted[-1] else -1
        return self._sorted[first], self._sorted[last]

    def has_near(self, amount: float, printed: float | None) -> bool:
        """Whether one of the others is this amount, but for noise."""
        single = self._is_single(printed)
        at = bisect_left(self._sorted, amount)
        around = self._sorted[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
        return any(math.isclose(amount, one) for one in around if not (single and one == printed))

    def _is_single(self, printed: float | None) -> bool:
        return printed is not None and self._counts.get(printed) == 1
