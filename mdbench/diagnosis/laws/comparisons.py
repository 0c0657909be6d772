"""A column compared with another, or with a baseline row: how the numbers of a run enter."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import ONE, Agreement
from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.products import Verdict, compare
from mdbench.diagnosis.numbers import RunNumbers, Variable, measured_variable, signed_variable
from mdbench.relations.catalogue import Relation
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet

COMPARED = frozenset(("speedup", "relative", "efficiency", "change"))


class Way(StrEnum):
    """What a result is compared with."""

    COLUMNS = "columns"
    LARGER = "columns, the larger by the smaller"
    ABOVE = "the baseline row, more is better"
    BELOW = "the baseline row, less is better"
    RATE_PER_DEVICE = "the baseline row, by the rate of a device"
    TIME_PER_DEVICE = "the baseline row, by the time of all devices"


# The powers of the source and of the devices in the constant, beside that of the result.
_POWERS = {
    Way.ABOVE: (1, -1, 0),
    Way.BELOW: (1, 1, 0),
    Way.RATE_PER_DEVICE: (1, -1, -1),
    Way.TIME_PER_DEVICE: (1, 1, 1),
}


BY_COLUMNS = (Way.COLUMNS, Way.LARGER)


class ComparisonPlan(NamedTuple):
    """How one column may be computed from others: columns by their number and header."""

    result: int
    above: int
    below: int
    way: Way
    titles: tuple[tuple[str, int], ...]
    saved: bool = False
    """Whether a change says how much less it is, and not how much more."""

    @property
    def signature(self) -> tuple[object, ...]:
        """What tables must have in common for a plan to be the same."""
        return *self.titles, self.way, self.saved


class Comparison(NamedTuple):
    """A law: the column that `plan` computes is the ratio of two others, or of two rows."""

    plan: ComparisonPlan
    sheet: Sheet
    relation: Relation
    baselines: tuple[int, ...] = ()
    constants: Mapping[int, Agreement] | None = None
    inverted: frozenset[int] = frozenset()
    """The rows that say `faster` where others say `slower`: their ratios go the other way."""
    spread: int = -1
    """The column that says how far the ratios of a run differ, if there is one."""

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to the law."""
        instance = self.instance(row)
        if instance is None:
            return None
        if self.plan.way in BY_COLUMNS:
            return compare(instance, ONE)
        constant = (self.constants or {}).get(self.group(row))
        return None if constant is None else compare(instance, constant)

    def group(self, row: RunNumbers) -> int:
        """The baseline row that a row is compared with: the last one that is not below it."""
        above = bisect_right(self.baselines, row.run.number)
        return self.baselines[max(above - 1, 0)]

    def instance(self, row: RunNumbers) -> Instance | None:
        """The numbers of a row that are compared."""
        if self.plan.way not in BY_COLUMNS:
            return self._against_baseline(row)
        result = self._own(row, self.plan.result)
        above, below = self._find(row, self.plan.above), self._find(row, self.plan.below)
        if result is None or above is None or below is None:
            return None
        if min(result.low, above.low, below.low) <= 0:
            return None
        if self.plan.way is Way.LARGER and above.value < below.value:
            above, below = below, above
        turned = row.run.number in self.inverted and self.plan.way is not Way.LARGER
        power = 1 if turned else -1
        return Instance(self.relation, ((result, power), (above, 1), (below, -1)))

    def _against_baseline(self, row: RunNumbers) -> Instance | None:
        source = self._own(row, self.plan.above)
        if source is None or source.low <= 0:
            return None
        power, by_result, by_devices = _POWERS[self.plan.way]
        factors = [(source, power)]
        if by_devices:
            world = row.variables.get("devices") or row.variables.get("nodes")
            if world is None:
                return None
            factors.append((world, by_devices))
        result = self._own(row, self.plan.result)
        if result is not None and result.low > 0:
            turned = row.run.number in self.inverted
            factors.append((result, -by_result if turned else by_result))
        elif row.run.number not in self.baselines:
            return None
        return Instance(self.relation, tuple(factors))

    def _own(self, row: RunNumbers, at: int) -> Variable | None:
        one = row.cells.get(at)
        if one is not None and is_change(one):
            return self._variable(one)
        variable = row.numbers.get(at)
        return variable if at != self.plan.result else self._widen(variable, row)

    def _widen(self, ratio: Variable | None, row: RunNumbers) -> Variable | None:
        """A mean of ratios is near the ratio of the means, but not equal to it."""
        spread = row.cells.get(self.spread)
        if ratio is None or spread is None or spread.amount is None:
            return ratio
        half = float((spread.amount.value + spread.amount.quantum / 2) * spread.amount.unit.scale)
        return ratio._replace(low=ratio.low - half, high=ratio.high + half)

    def _find(self, row: RunNumbers, at: int) -> Variable | None:
        if at in row.cells:
            return self._own(row, at)
        # In a pivot, another variant of the row may have it.
        one = self.sheet.columns[at].find(row.run.number)
        return None if one is None else self._variable(one)

    def _variable(self, one: Measurement) -> Variable | None:
        if not one.single:
            return None
        if not is_change(one):
            return measured_variable(one, self.sheet)
        variable = signed_variable(_negate(one) if self.plan.saved else one, self.sheet)
        if variable is None:
            return None
        return variable._replace(
            value=variable.value + 1,
            low=variable.low + 1,
            high=variable.high + 1,
            cut=variable.cut + 1,
            offset=1.0,
        )


def _negate(one: Measurement) -> Measurement:
    """What was saved, as the change that it is."""
    if one.amount is None or one.numeral.value is None:
        return one
    amount = one.amount._replace(value=-one.amount.value)
    return one._replace(amount=amount, numeral=one.numeral._replace(value=-one.numeral.value))


def is_change(one: Measurement) -> bool:
    """Whether a number says how much more it is, as `+20.0%` does, and not how many times."""
    if one.quantity is None or one.quantity.name not in COMPARED:
        return False
    return one.quantity.name == "change" or (
        one.numeral.unit == "%" and one.numeral.text.lstrip()[:1] in "+-−"
    )
