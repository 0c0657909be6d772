"""Totals and means: a column that is the sum of others, found by trying which ones.

Tried are any two columns of its kind, the run of such columns just before or behind it, and these
times a count that has a column of its own. Enough rows must follow, and show that it is no chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import Agreement
from mdbench.diagnosis.laws.instances import Sum
from mdbench.diagnosis.laws.products import Verdict, compare
from mdbench.diagnosis.numbers import RunNumbers, Variable, by_sheet, measured_variable
from mdbench.diagnosis.thresholds import (
    COARSEST_SUM,
    FEWEST_ROWS,
    MOST_COUNTS,
    MOST_SUM_COLUMNS,
    NEAR_SUM,
    SUM_SAMPLE,
    SURE_SHARE,
)
from mdbench.relations.catalogue import Relation
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import Amount
from mdbench.vocabulary.quantities import COUNT, Quantity, Role

_PLAIN = Quantity("number", COUNT, Role.MEASUREMENT)
_MEANS = ("avg", "average", "mean", "平均", "overall")
# A median, a least and a largest value do not add up.
_SUMMABLE = frozenset(("", "mean", "total"))
_TOKENS = "token"
# Of the settings, powers of two add up by chance.
_ADDED = frozenset((Role.MEASUREMENT, Role.SCORE))
# A number and how much more another is add up to that one: it is the difference that is derived.
_COMPARED = frozenset(("change", "difference"))


class _Plan(NamedTuple):
    total: int
    parts: tuple[int, ...]
    each: int
    mean: bool


class Total(NamedTuple):
    """A law: one column is the sum or the mean of others."""

    plan: _Plan
    sheet: Sheet
    relation: Relation
    constant: Agreement

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to the law."""
        own = row.cells
        total, *parts = (
            _read(own.get(at), self.sheet) for at in (self.plan.total, *self.plan.parts)
        )
        each = _read(own.get(self.plan.each), self.sheet) if self.plan.each >= 0 else None
        known = [one for one in parts if one is not None and one.low >= 0]
        if total is None or len(known) < len(self.plan.parts) or total.low <= 0:
            return None
        if self.plan.each >= 0 and (each is None or each.low <= 0):
            return None
        times = () if each is None else (each,)
        return compare(Sum(self.relation, total, tuple(known), times), self.constant)


def _read(one: Measurement | None, sheet: Sheet) -> Variable | None:
    """The number of a cell, whether or not it is known what it is of."""
    if one is None or one.numeral.value is None or one.numeral.quantum is None:
        return None
    if one.quantity is None:
        amount = Amount(one.numeral.value, one.numeral.quantum, COUNT)
        one = one._replace(quantity=_PLAIN, amount=amount)
    return measured_variable(one, sheet) if one.single else None


def find_totals(rows: Sequence[RunNumbers]) -> tuple[Total, ...]:
    """The sum that each column is, where enough rows follow it."""
    sheets = by_sheet(row for row in rows if not row.sheet.layout.transposed)
    found: list[Total] = []
    for members in sheets.values():
        if len(members) >= FEWEST_ROWS:
            found += _find(members)
    return tuple(found)


def _find(rows: Sequence[RunNumbers]) -> Iterator[Total]:
    sheet = rows[0].sheet
    best: dict[int, tuple[int, Total]] = {}
    sample = _Sample(sheet)
    for plan in _plans(sheet):
        if not sample.may_follow(plan):
            continue
        law = _law(plan, sheet)
        verdicts = [one for row in rows if (one := law.test(row)) is not None]
        telling = {_numbers(one) for one in verdicts if not one.fails and _tells(one)}
        held = sum(not one.fails for one in verdicts)
        enough = len(telling) >= FEWEST_ROWS and held >= SURE_SHARE * len(verdicts)
        if enough and (plan.total not in best or held > best[plan.total][0]):
            best[plan.total] = held, law
    parts = {at for _, law in best.values() for at in law.plan.parts}
    # `a = b + c` and `b = a - c` are one thing to say: it is the total that is derived.
    return (law for at, (_, law) in best.items() if at not in parts)


class _Sample:
    """The numbers of the first rows, by which most plans are seen to be none."""

    def __init__(self, sheet: Sheet) -> None:
        self._values: dict[int, list[float]] = {}
        for column in sheet.columns:
            numbers = (_read(one, sheet) for one in column.mains[:SUM_SAMPLE])
            self._values[column.index] = [one.value if one else 0.0 for one in numbers]

    def may_follow(self, plan: _Plan) -> bool:
        """Whether more than half of the rows are near enough."""
        near = tested = 0
        each = self._values.get(plan.each) or [1.0] * SUM_SAMPLE
        columns = [self._values[at] for at in plan.parts]
        for total, times, *parts in zip(self._values[plan.total], each, *columns, strict=False):
            if total > 0 and times > 0 and all(parts):
                together = times * sum(parts) / (len(parts) if plan.mean else 1)
                tested += 1
                near += abs(together - total) <= NEAR_SUM * total
        return 2 * near > tested


def _numbers(verdict: Verdict) -> tuple[float, ...]:
    return tuple(one.value for one in verdict.instance.variables)


def _tells(verdict: Verdict) -> bool:
    """Whether the numbers are fine enough, and no part so small, that agreeing means something."""
    instance = verdict.instance
    if not isinstance(instance, Sum):
        return False
    low, high = instance.constant()
    values = [one.value for one in instance.parts]
    width = high - low
    return width < COARSEST_SUM and min(values) > width * sum(values) and len(set(values)) > 1


def _law(plan: _Plan, sheet: Sheet) -> Total:
    count = len(plan.parts)
    name = "mean" if plan.mean else "total"
    header = sheet.columns[plan.total].header
    result = header.quantity.name if header.quantity is not None else _PLAIN.name
    constant = 1 / count if plan.mean else 1.0
    relation = Relation(name, f"{result} = parts")
    return Total(plan, sheet, relation, Agreement(constant, constant, 0))


def _plans(sheet: Sheet) -> Iterator[_Plan]:
    groups: dict[str, list[int]] = defaultdict(list)
    counts: list[int] = []
    for column in sheet.columns:
        at, header = column.index, column.header
        numbers = [one for one in column.mains if one.numeral.value is not None]
        if 2 * len(numbers) < len(column.mains) or not numbers or header.statistic not in _SUMMABLE:
            continue
        quantity = header.quantity
        if quantity is not None and quantity.name in _COMPARED:
            continue
        dimension = quantity.unit.dimension if quantity is not None else "?"
        if quantity is None or quantity.role in _ADDED or dimension == _TOKENS:
            groups[dimension].append(at)
        if quantity is not None and quantity.name in ("batch", "devices", "nodes"):
            counts.append(at)
    for members in groups.values():
        few = members[:MOST_SUM_COLUMNS]
        for total in few:
            yield from _plans_of(total, few, counts[:MOST_COUNTS], sheet)


def _plans_of(
    total: int, columns: Sequence[int], counts: Sequence[int], sheet: Sheet
) -> Iterator[_Plan]:
    title = sheet.columns[total].header.text.casefold()
    before = [at for at in columns if at < total]
    behind = [at for at in columns if at > total]
    runs = {tuple(run) for run in (before, behind, [*before, *behind]) if len(run) > 1}
    if any(word in title for word in _MEANS):
        runs = {run for run in runs if not any(sheet.columns[at].header.statistic for at in run)}
        yield from (_Plan(total, run, -1, mean=True) for run in sorted(runs))
        return
    pairs = set(combinations((at for at in columns if at != total), 2))
    for parts in sorted(pairs | runs):
        yield _Plan(total, parts, -1, mean=False)
        for each in counts:
            if each not in (total, *parts):
                yield _Plan(total, parts, each, mean=False)
