"""An equation that is no product, over one run: which numbers take part, and how far it is off.

Every number of such an equation makes its quotient only larger, or only smaller.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import Numbers
from mdbench.diagnosis.thresholds import SEARCH_FACTOR, SEARCH_STEPS
from mdbench.numerals.intervals import Interval
from mdbench.prose.expressions import Expression, evaluate, names
from mdbench.relations.catalogue import Relation

_ANYTHING = (0.0, float("inf"))


class Computed(NamedTuple):
    """Both sides of an equation with the numbers in it: `k` is the left over the right one."""

    relation: Relation
    left: Expression
    right: Expression
    operands: tuple[tuple[str, Number], ...]
    usual: tuple[tuple[str, Interval], ...] = ()
    """What is put in for names that nobody states."""

    @property
    def variables(self) -> tuple[Number, ...]:
        """The numbers that take part."""
        return tuple(variable for _, variable in self.operands)

    def constant(self) -> tuple[float, float]:
        """The interval of `k` that the printed numbers allow."""
        return self._quotient({name: (one.low, one.high) for name, one in self.operands})

    def constant_if_cut(self, which: Number | None = None) -> tuple[float, float]:
        """The same if one number was cut instead of rounded; with None, if any of them may be."""
        bounds = {}
        for name, one in self.operands:
            if which is None:
                bounds[name] = min(one.low, one.cut), max(one.high, one.cut)
            elif one is which:
                bounds[name] = min(one.value, one.cut), max(one.value, one.cut)
            else:
                bounds[name] = one.low, one.high
        return self._quotient(bounds)

    def solve(self, wanted: Number, low: float, high: float) -> tuple[float, float] | None:
        """The interval that one number must lie in for `k` to lie between `low` and `high`."""
        name = next(name for name, one in self.operands if one is wanted)
        least, most = (
            self._at(name, wanted.value / SEARCH_FACTOR),
            self._at(name, wanted.value * SEARCH_FACTOR),
        )
        if least[0] < most[0]:
            return self._search(name, wanted, 1, low), self._search(name, wanted, 0, high)
        return self._search(name, wanted, 0, high), self._search(name, wanted, 1, low)

    def _search(self, name: str, wanted: Number, end: int, goal: float) -> float:
        """The value of a number at which one end of `k` reaches a goal, by halving."""
        low, high = wanted.value / SEARCH_FACTOR, wanted.value * SEARCH_FACTOR
        rising = self._at(name, low)[end] < self._at(name, high)[end]
        for _ in range(SEARCH_STEPS):
            middle = math.sqrt(low * high)
            if (self._at(name, middle)[end] < goal) == rising:
                low = middle
            else:
                high = middle
        return math.sqrt(low * high)

    def _at(self, name: str, value: float) -> tuple[float, float]:
        bounds = {other: (one.low, one.high) for other, one in self.operands}
        return self._quotient({**bounds, name: (value, value)})

    def _quotient(self, bounds: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
        scales = {name: one.scale if self.relation.printed else 1.0 for name, one in self.operands}
        values = dict(self.usual)
        for name, (low, high) in bounds.items():
            values[name] = Interval(low / scales[name], high / scales[name])
        left, right = evaluate(self.left, values), evaluate(self.right, values)
        if left is None or right is None or left.low <= 0 or right.low <= 0:
            return _ANYTHING
        slack = self.relation.slack
        quotient = left / right
        return float(quotient.low) * (1 - slack), float(quotient.high) * (1 + slack)


def compute(
    relation: Relation,
    sides: tuple[Expression, Expression],
    variables: Numbers,
    usual: Mapping[str, Interval],
) -> Computed | None:
    """The equation over one run, or None where the run lacks a number for it."""
    wanted = dict.fromkeys((*names(sides[0]), *names(sides[1])))
    operands = tuple((name, variables[name]) for name in wanted if name in variables)
    given = tuple((name, usual[name]) for name in wanted if name in usual and name not in variables)
    measured = [one for _, one in operands if one.measurement is not None]
    if len(operands) + len(given) < len(wanted) or len(measured) < 2:
        return None
    if any(one.low <= 0 for _, one in operands):
        return None
    computed = Computed(relation, *sides, operands, given)
    return None if computed.constant() == _ANYTHING else computed
