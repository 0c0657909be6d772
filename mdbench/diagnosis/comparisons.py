"""Speed-ups, efficiencies and changes in per cent, against another column or a baseline row.

Which columns are compared is found by trying: the pair that most rows follow. What is found in one
table of a report counts for the others with the same headers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from mdbench.diagnosis.constants import ONE
from mdbench.diagnosis.instances import Instance
from mdbench.diagnosis.laws import Row, Verdict, compare
from mdbench.diagnosis.variables import Digits, Variable, column_digits, measured_variable
from mdbench.headers import Header
from mdbench.quantities import Role
from mdbench.records import Measurement
from mdbench.relations import Relation
from mdbench.sheet import Sheet

_COMPARED = frozenset(("speedup", "efficiency", "change"))
_FEWEST_ROWS = 3
_SURE = 0.7
_MOST_COLUMNS = 24


class Way(StrEnum):
    """What a result is compared with."""

    COLUMNS = "columns"
    ABOVE = "the baseline row, more is better"
    BELOW = "the baseline row, less is better"


@dataclass(frozen=True, slots=True)
class _Plan:
    """How one column may be computed from others."""

    result: Header
    above: Header
    below: Header
    way: Way

    @property
    def signature(self) -> tuple[str, str, str, Way]:
        return self.result.text, self.above.text, self.below.text, self.way


@dataclass(frozen=True)
class Comparison:
    """A law: the column that `plan` computes is the ratio of two others, or of two rows."""

    plan: _Plan
    sheet: Sheet
    digits: Digits
    cells: dict[tuple[int, int], Measurement] = field(repr=False)
    baseline: int

    @property
    def relation(self) -> Relation:
        """The comparison as a relation, for what is said about it."""
        name = self.plan.result.quantity.name if self.plan.result.quantity is not None else "ratio"
        return Relation("comparison", f"{name} = above / below")

    def test(self, row: Row) -> Verdict | None:
        """How a row stands to the law."""
        if row.record.number == self.baseline and self.plan.way is not Way.COLUMNS:
            return None
        own = {id(one.header): one for one in row.record.measurements if one.part == 0}
        if id(self.plan.result) not in own:
            return None
        result = self._variable(own.get(id(self.plan.result)))
        above = self._variable(self._cell(self.plan.above, row, own, Way.BELOW))
        below = self._variable(self._cell(self.plan.below, row, own, Way.ABOVE))
        if result is None or above is None or below is None:
            return None
        if min(result.low, above.low, below.low) <= 0:
            return None
        instance = Instance(self.relation, ((result, -1), (above, 1), (below, -1)))
        return compare(instance, ONE)

    def _cell(
        self, header: Header, row: Row, own: dict[int, Measurement], from_baseline: Way
    ) -> Measurement | None:
        if self.plan.way is from_baseline:
            return self.cells.get((self.baseline, id(header)))
        found = own.get(id(header))
        return found if found is not None else self.cells.get((row.record.number, id(header)))

    def _variable(self, one: Measurement | None) -> Variable | None:
        variable = measured_variable(one, self.digits) if one is not None and one.single else None
        if one is None or variable is None or not _is_change(one):
            return variable
        return replace(
            variable,
            value=variable.value + 1,
            low=variable.low + 1,
            high=variable.high + 1,
            cut=variable.cut + 1,
            offset=1.0,
        )


def _is_change(one: Measurement) -> bool:
    """Whether a number says how much more it is, as `+20.0%` does, and not how many times."""
    if one.quantity is None or one.quantity.name not in _COMPARED:
        return False
    return one.quantity.name == "change" or (
        one.numeral.unit == "%" and one.numeral.text.lstrip()[:1] in "+-−"
    )


def find_comparisons(rows: Sequence[Row]) -> tuple[Comparison, ...]:
    """The comparison that each such column makes, where enough rows follow it."""
    sheets: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if not row.sheet.layout.transposed:
            sheets[id(row.sheet)].append(row)
    tried = [
        (law, *_count(law, members))
        for members in sheets.values()
        for law in _candidates(members[0].sheet)
    ]
    totals: dict[tuple[str, str, str, Way], list[int]] = defaultdict(lambda: [0, 0])
    for law, holding, tested in tried:
        totals[law.plan.signature][0] += holding
        totals[law.plan.signature][1] += tested
    best: dict[int, tuple[int, Comparison]] = {}
    for law, holding, tested in tried:
        held, of = totals[law.plan.signature]
        if tested and held >= _FEWEST_ROWS and held >= _SURE * of:
            known = best.get(id(law.plan.result))
            if known is None or held > known[0]:
                best[id(law.plan.result)] = held, law
    return tuple(law for _, law in best.values())


def _count(law: Comparison, rows: Sequence[Row]) -> tuple[int, int]:
    verdicts = [verdict for row in rows if (verdict := law.test(row)) is not None]
    return sum(not verdict.fails for verdict in verdicts), len(verdicts)


def _candidates(sheet: Sheet) -> Iterator[Comparison]:
    results = [one for one in sheet.headers if one.quantity and one.quantity.name in _COMPARED]
    if not results:
        return
    sources = [one for one in sheet.headers if _is_source(one)][:_MOST_COLUMNS]
    digits = column_digits(sheet)
    cells = {
        (one.record, id(one.header)): one for one in reversed(sheet.measurements) if one.part == 0
    }
    for result in results:
        baseline = _baseline(sheet, result, cells)
        for above in sources:
            for way in (Way.ABOVE, Way.BELOW) if baseline is not None else ():
                plan = _Plan(result, above, above, way)
                yield Comparison(plan, sheet, digits, cells, -1 if baseline is None else baseline)
            for below in sources:
                if below is not above and _comparable(above, below):
                    plan = _Plan(result, above, below, Way.COLUMNS)
                    yield Comparison(plan, sheet, digits, cells, -1)


def _is_source(header: Header) -> bool:
    quantity = header.quantity
    return (
        quantity is not None
        and quantity.role is Role.MEASUREMENT
        and quantity.name not in _COMPARED
    )


def _comparable(one: Header, other: Header) -> bool:
    if one.quantity is None or other.quantity is None:
        return False
    return bool(one.quantity.dimensions & other.quantity.dimensions)


def _baseline(
    sheet: Sheet, result: Header, cells: dict[tuple[int, int], Measurement]
) -> int | None:
    """The row that the others are compared with: it has nothing there, or says 1 or no change."""
    neutral = 0 if result.quantity is not None and result.quantity.name == "change" else 1
    for row in sheet.layout.rows:
        one = cells.get((row, id(result)))
        if one is None or one.numeral.value is None:
            return row
        value = one.amount.value * one.amount.unit.scale if one.amount is not None else None
        if value == neutral:
            return row
    return None
