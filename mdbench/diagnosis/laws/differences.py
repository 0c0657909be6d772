"""Absolute differences, against another column or a baseline row: `Δ (ms)`, `Saved (GB)`.

What is tested is the sum `above = below + difference`, with as much added to both sides as keeps
a difference that may be negative above zero.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import ONE, Agreement
from mdbench.diagnosis.laws.instances import Instance, Sum
from mdbench.diagnosis.laws.products import Verdict, compare
from mdbench.diagnosis.numbers import RunNumbers, Variable, signed_variable
from mdbench.numerals.cell import Form
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import Amount
from mdbench.vocabulary.comparisons import COMPARING, baseline_of
from mdbench.vocabulary.quantities import COUNT, Quantity, Role

_BASELINE = lazy(
    r"\b(?:base|baseline|ref|reference|original|vanilla)\b|基线|基準|ベースライン", re.IGNORECASE
)
_PLAIN = Quantity("number", COUNT, Role.MEASUREMENT)


class DifferencePlan(NamedTuple):
    """Which column may be the difference of what: of two columns, or of one and its baseline."""

    result: int
    value: int
    base: int
    """The column of the baselines: that of the values where the baseline is another row."""
    unit: Unit | None
    """What numbers without a unit are in."""
    baselines: tuple[int, ...] = ()
    """The rows that others are compared with; none where columns are compared."""
    marked: str = ""
    """By what these are known."""
    saved: bool = False
    """Whether the value is taken from the baseline: what was saved is counted."""
    unsigned: bool = False
    """Whether the column has no signs, so that the smaller is taken from the larger."""


class Difference(NamedTuple):
    """A law: the column that `plan` computes is the difference of two others, or of two rows."""

    plan: DifferencePlan
    sheet: Sheet
    relation: Relation
    bases: Mapping[int, Measurement] = MappingProxyType({})
    """What each baseline row has."""
    agreed: Mapping[int, Agreement] = MappingProxyType({})
    """The baseline that the rows of each baseline row lead to, where enough of them agree."""

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to the law."""
        if row.run.number in self.plan.baselines:
            return self._test_baseline(row)
        numbers = self.numbers(row)
        return None if numbers is None else self.judge(*numbers)

    def numbers(self, row: RunNumbers) -> tuple[Variable, Variable, Variable] | None:
        """The difference, what it is taken from, and what is taken."""
        result, value = self.compared(row)
        base = self._base(row)
        if result is None or value is None or base is None:
            return None
        if min(value.value, base.value) < 0:
            return None
        turned = base.value > value.value if self.plan.unsigned else self.plan.saved
        return (result, base, value) if turned else (result, value, base)

    def compared(self, row: RunNumbers) -> tuple[Variable | None, Variable | None]:
        """The difference and the value of a row."""
        return self.read(row.cells.get(self.plan.result)), self.read(_find(row, self.plan.value))

    def _base(self, row: RunNumbers) -> Variable | None:
        if not self.plan.baselines:
            return self.read(_find(row, self.plan.base))
        number = baseline_of(row.run.number, self.plan.baselines)
        printed, agreed = self.printed(number), self.agreed.get(number)
        if printed is None or agreed is None:
            return printed
        if _admits(agreed, printed):
            value = min(max(printed.value, agreed.low), agreed.high)
            return printed._replace(value=value, low=agreed.low, high=agreed.high, cut=value)
        middle = (agreed.low + agreed.high) / 2
        quantity = printed.quantity._replace(name="baseline")
        return Variable(quantity, middle, agreed.low, agreed.high, middle, printed.scale)

    def printed(self, number: int) -> Variable | None:
        """What a baseline row has."""
        return self.read(self.bases.get(number))

    def disowns(self, number: int) -> bool:
        """Whether the rows agree on another baseline than their baseline row has."""
        printed, agreed = self.printed(number), self.agreed.get(number)
        return printed is not None and agreed is not None and not _admits(agreed, printed)

    def read(self, one: Measurement | None) -> Variable | None:
        """The number of a cell, whether or not it is known what it is of."""
        if one is None or one.numeral.value is None or one.numeral.form is not Form.NUMBER:
            return None
        unit = self._unit(one)
        if unit is None:
            return None
        if one.quantity is None or one.amount is None or one.amount.unit is not unit:
            value, quantum, _ = one.amount or (one.numeral.value, one.numeral.quantum, None)
            amount = Amount(value, quantum or COUNT.scale, unit)
            one = one._replace(quantity=one.quantity or _PLAIN, amount=amount)
        return signed_variable(one, self.sheet)

    def _unit(self, one: Measurement) -> Unit | None:
        """The unit of a cell; that of the others where it has none, and none of another kind."""
        usual = self.plan.unit
        unit = one.amount.unit if one.amount is not None else None
        if unit is None and one.numeral.unit:
            unit = parse_unit(one.numeral.unit) if one.quantity is None else None
        elif unit is None or not unit.text:
            return usual or COUNT
        if unit is None or usual is None or unit.dimension == usual.dimension:
            return unit
        if one.quantity is None or one.quantity.name in COMPARING:
            return None
        return unit if one.quantity.fits(usual) else None

    def judge(self, result: Variable, above: Variable, below: Variable) -> Verdict:
        """Whether a difference is that of two numbers."""
        verdict = self._compare(result, above, below)
        if not verdict.fails or not self.plan.unsigned:
            return verdict
        # Of two numbers that are nearly equal, either may have been the larger one.
        other = self._compare(result, below, above)
        return verdict if other.fails else other

    def _compare(self, result: Variable, above: Variable, below: Variable) -> Verdict:
        room = 2 * (abs(result.value) + above.value + below.value)
        parts = below, _shift(result, room)
        return compare(Sum(self.relation, _shift(above, room), parts), ONE)

    def _test_baseline(self, row: RunNumbers) -> Verdict | None:
        """A baseline row against what the others were compared with."""
        agreed = self.agreed.get(row.run.number)
        value = self.read(row.cells.get(self.plan.value))
        if agreed is None or value is None or value.value <= 0:
            return None
        relation = Relation(self.relation.name, f"{value.quantity.name} = k", Constant.ANY)
        verdict = compare(Instance(relation, ((value, 1),)), agreed)
        return None if verdict.fails and not self._is_baseline(row) else verdict

    def _is_baseline(self, row: RunNumbers) -> bool:
        """Whether a row is a baseline for certain: it lacks a difference, but not by accident."""
        first = self.sheet.columns[self.plan.result].mains[0].run
        own = row.cells.get(self.plan.result)
        if row.run.number == first or (own is not None and own.numeral.value == 0):
            return True
        return any(_BASELINE.search(one.cell.raw) for one in row.run.measurements)


def _find(row: RunNumbers, column: int) -> Measurement | None:
    """The cell of the row in a column, or the one that another variant of a pivot has."""
    return row.cells.get(column) or row.sheet.columns[column].find(row.run.number)


def _admits(agreed: Agreement, printed: Variable) -> bool:
    low, high = min(printed.low, printed.cut), max(printed.high, printed.cut)
    return agreed.admits(low, high)


def _shift(variable: Variable, room: float) -> Variable:
    return variable._replace(
        value=variable.value + room,
        low=variable.low + room,
        high=variable.high + room,
        cut=variable.cut + room,
        offset=variable.offset + room,
    )
