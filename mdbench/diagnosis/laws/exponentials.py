"""A number that is e to the power of another: a perplexity, of a loss."""

import math
from collections.abc import Callable
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.relations.catalogue import Relation

# No text has a perplexity of e ^ 64.
_GREATEST = 64.0


class Exponential(NamedTuple):
    """`power = e ^ exponent` over one run; `k` is the left over the right side."""

    relation: Relation
    power: Number
    exponent: Number

    @property
    def variables(self) -> tuple[Number, ...]:
        """The numbers that take part."""
        return self.power, self.exponent

    def constant(self) -> tuple[float, float]:
        """The interval of `k` that the printed numbers allow."""
        return self._quotient(lambda one: (one.low, one.high))

    def constant_if_cut(self, which: Number | None = None) -> tuple[float, float]:
        """The same if one number was cut instead of rounded; with None, if any of them may be."""

        def bounds(one: Number) -> tuple[float, float]:
            if which is None:
                return min(one.low, one.cut), max(one.high, one.cut)
            if one is which:
                return min(one.value, one.cut), max(one.value, one.cut)
            return one.low, one.high

        return self._quotient(bounds)

    def solve(self, wanted: Number, low: float, high: float) -> tuple[float, float] | None:
        """The interval that one number must lie in for `k` to lie between `low` and `high`."""
        if wanted is self.power:
            return low * _exp(self.exponent.low), high * _exp(self.exponent.high)
        if low <= 0 or self.power.low <= 0:
            return None
        return math.log(self.power.low / high), math.log(self.power.high / low)

    def _quotient(self, bounds: Callable[[Number], tuple[float, float]]) -> tuple[float, float]:
        (low, high), (least, most) = bounds(self.power), bounds(self.exponent)
        return low / _exp(most), high / _exp(least)


def _exp(value: float) -> float:
    return math.exp(min(value, _GREATEST))
