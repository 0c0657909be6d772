"""A known relation in one row: how the row stands to it, and what each number must be."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import NamedTuple

from mdbench.diagnosis.checks import Interval, Operand, Stand
from mdbench.diagnosis.laws.constants import Agreement
from mdbench.diagnosis.laws.instances import AnyInstance, Instance, apply
from mdbench.diagnosis.numbers import Number, Place
from mdbench.diagnosis.thresholds import DEAD_ZONE
from mdbench.diagnosis.typical import median
from mdbench.relations.catalogue import Constant, Relation
from mdbench.source import Span


class _VerdictFields(NamedTuple):
    instance: AnyInstance
    constant: Agreement
    stand: Stand
    cut: Number | None = None


class Verdict(_VerdictFields):
    """One law over one row."""

    @property
    def relation(self) -> Relation:
        """The relation."""
        return self.instance.relation

    @property
    def holds(self) -> bool:
        """Whether the row follows the relation."""
        return self.stand not in (Stand.FAILS, Stand.CLOSE)

    @property
    def fails(self) -> bool:
        """Whether the printed numbers contradict each other."""
        return self.stand is Stand.FAILS

    @property
    def law(self) -> Hashable:
        """What tells the law from others."""
        return self.relation

    @property
    def bounded(self) -> bool:
        """Whether a bound or an estimate takes part."""
        return any(one.bounded for one in self.instance.variables)

    @property
    def rough(self) -> bool:
        """Whether the relation is a model, which confirms no number."""
        return self.relation.model

    @property
    def cells(self) -> Iterator[Span]:
        """The cells of the numbers that take part."""
        measured = (one.measurement for one in self.instance.variables)
        return (one.cell.span for one in measured if one is not None)

    @property
    def told_by_rows(self) -> bool:
        """Whether the relation has a constant that nothing but other rows tells."""
        return self.relation.constant is Constant.ANY

    @cached_property
    def operands(self) -> tuple[Operand, ...]:
        """The result, and the numbers that it is computed from."""
        if not isinstance(self.instance, Instance):
            return tuple(Operand(one, 0 if not at else 1) for at, one in enumerate(self._ranked()))
        result, power = find_derived(self.instance)
        others = [(one, -p * power) for one, p in self.instance.factors if one is not result]
        return (Operand(result, 0), *(Operand(one, p) for one, p in others))

    @property
    def multiplier(self) -> float:
        """What the others are multiplied with to give the result, in base units."""
        if not isinstance(self.instance, Instance):
            return 1.0
        _, power = find_derived(self.instance)
        low, high = self.constant.low, self.constant.high
        return float(((low + high) / 2 / self.instance.factor) ** power)

    def _ranked(self) -> list[Number]:
        """The numbers of an equation that is no product, first what it computes."""
        result = self.relation.result
        return sorted(self.instance.variables, key=lambda one: one.quantity.name != result)

    def solve(self, place: Place) -> Interval | None:
        """What a number must be for the relation to hold, as it is printed."""
        mine = self._find(place)
        if mine is None:
            return None
        solved = self.instance.solve(mine, self.constant.low, self.constant.high)
        return None if solved is None else (solved[0] - mine.offset, solved[1] - mine.offset)

    def compute(self, place: Place) -> float | None:
        """What a person would compute: by the formula, or by what other rows have."""
        mine, instance = self._find(place), self.instance
        if mine is None or not isinstance(instance, Instance):
            return None
        power = next(p for one, p in instance.factors if one is mine)
        constant, rest = self._printed_constant(), instance.printed(mine)
        if constant is None or rest <= 0 or abs(power) != 1:
            return None
        return (constant / rest) ** power - mine.offset

    def _find(self, place: Place) -> Number | None:
        return next((one for one in self.instance.variables if one.place == place), None)

    def _printed_constant(self) -> float | None:
        """The constant itself, or the middle one of those that the rows which agree have."""
        low, high = self.constant.low, self.constant.high
        if low == high:
            return low
        found = [one for one in self._constants() if low <= one <= high]
        return median(found) if found else None

    def _constants(self) -> Iterator[float]:
        for row in self.constant.rows:
            instance = apply(self.relation, row.variables)
            if instance is not None:
                yield instance.printed()


def find_derived(instance: Instance) -> tuple[Number, int]:
    """The number to put on the left: the relation's result, else one that is alone on its side."""
    result = instance.relation.result
    for variable, power in instance.factors:
        if variable.quantity.name == result and abs(power) == 1:
            return variable, power
    for sign in (-1, 1):
        alone = [(one, power) for one, power in instance.factors if power * sign > 0]
        if len(alone) == 1 and abs(alone[0][1]) == 1:
            return alone[0]
    return instance.factors[0]


def _stand_off(instance: AnyInstance, constant: Agreement) -> Stand:
    """How far a row is off: what other rows tell may have been computed from hidden digits.

    And means of rates and of times hardly ever give each other to the last digit.
    """
    low, high = instance.constant()
    told = instance.relation.constant is Constant.ANY
    measured = (one.measurement for one in instance.variables)
    rough = told or any(one is not None and one.header.statistic == "mean" for one in measured)
    near = constant.admits(low * (1 - DEAD_ZONE), high * (1 + DEAD_ZONE))
    return Stand.CLOSE if rough and near else Stand.FAILS


def contradicts(instance: AnyInstance, constant: Agreement) -> bool:
    """Whether a row's numbers do not allow the constant, even if they were cut."""
    if constant.admits(*instance.constant()) or constant.admits(*instance.constant_if_cut()):
        return False
    return _stand_off(instance, constant) is Stand.FAILS


def compare(instance: AnyInstance, constant: Agreement) -> Verdict:
    """How a row's numbers stand to the constant: rounded, cut, or not at all."""
    if constant.admits(*instance.constant()):
        return Verdict(instance, constant, Stand.HOLDS)
    if not constant.admits(*instance.constant_if_cut()):
        return Verdict(instance, constant, _stand_off(instance, constant))
    result = instance.relation.result
    for variable in sorted(instance.variables, key=lambda one: one.quantity.name != result):
        if not variable.exact and constant.admits(*instance.constant_if_cut(variable)):
            return Verdict(instance, constant, Stand.CUT, variable)
    return Verdict(instance, constant, Stand.HOLDS)
