"""Which columns are differences, and of what: found by trying which two most rows follow.

Tried are every two columns of a kind, and every column with its baseline rows; each both ways, as
`saved` counts the other way than `Δ`. What is found in one table of a report counts for the others
with the same headers. Enough rows must follow, and to so many digits that it is no chance.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import Agreement, agree
from mdbench.diagnosis.laws.differences import Difference
from mdbench.diagnosis.laws.gaps import candidates, width
from mdbench.diagnosis.numbers import RunKey, RunNumbers, Variable, by_sheet
from mdbench.diagnosis.thresholds import (
    DIGITS_IF_ALL_FOLLOW,
    DIGITS_IF_SOME_FAIL,
    FEWEST_ROWS,
    SURE_DIGITS,
    SURE_SHARE,
    TELLING_DIFFERENCE,
)
from mdbench.vocabulary.comparisons import baseline_of

_Pair = tuple[float, float]


class _DifferenceSupport(NamedTuple):
    """The rows that follow a law and those that do not, and how unlikely that is by chance."""

    holding: int = 0
    failing: frozenset[RunKey] = frozenset()
    telling: int = 0
    digits: float = 0.0
    disowned: int = 0
    """How many baselines are not what the rows agree on."""

    def with_rows_of(self, other: _DifferenceSupport) -> _DifferenceSupport:
        return _DifferenceSupport(
            self.holding + other.holding,
            self.failing | other.failing,
            self.telling + other.telling,
            self.digits + other.digits,
            self.disowned + other.disowned,
        )

    @property
    def tested(self) -> int:
        return self.holding + len(self.failing)

    @property
    def quality(self) -> tuple[int, int]:
        return self.holding - self.disowned, -len(self.failing)

    def is_enough(self, pairs: int) -> bool:
        """Whether it is no chance, so many pairs having been tried: many rows, or many digits."""
        digits = self.digits - math.log10(pairs)
        if self.telling >= FEWEST_ROWS and self.holding >= SURE_SHARE * self.tested:
            # Where all rows follow, nobody is blamed.
            return digits >= (DIGITS_IF_SOME_FAIL if self.failing else DIGITS_IF_ALL_FOLLOW)
        return digits >= SURE_DIGITS and self.holding > len(self.failing)


class _Tried(NamedTuple):
    law: Difference
    support: _DifferenceSupport

    @property
    def is_known_here(self) -> bool:
        """Whether the sheet itself follows it, or has a single row, which others speak for."""
        return bool(self.support.holding) or len(self.support.failing) == 1


def find_differences(rows: Sequence[RunNumbers]) -> tuple[Difference, ...]:
    """The difference that each such column is, where enough rows follow it."""
    sheets = by_sheet(row for row in rows if not row.sheet.layout.transposed)
    found: dict[tuple[int, int], list[_Tried]] = defaultdict(list)
    totals: dict[tuple[object, ...], _DifferenceSupport] = defaultdict(_DifferenceSupport)
    for members in sheets.values():
        for candidate in candidates(members[0].sheet):
            law = _with_baselines(candidate, members)
            support = _support(law, members)
            signature = _signature(law)
            totals[signature] = totals[signature].with_rows_of(support)
            found[law.sheet.number, law.plan.result].append(_Tried(law, support))
    chosen = (_choose(tried, totals) for tried in found.values())
    return tuple(law for law in chosen if law is not None)


def _signature(law: Difference) -> tuple[object, ...]:
    """What tables must have in common for a law to be the same."""
    plan = law.plan
    titles = (law.sheet.columns[at].title for at in (plan.result, plan.value, plan.base))
    return *titles, plan.marked, plan.saved, plan.unsigned


def _choose(
    tried: Sequence[_Tried], totals: Mapping[tuple[object, ...], _DifferenceSupport]
) -> Difference | None:
    """The law that the most rows follow, of those that enough of them follow."""
    pairs: dict[tuple[int, int], list[_Tried]] = defaultdict(list)
    for one in tried:
        pairs[one.law.plan.value, one.law.plan.base].append(one)
    likely: list[_Tried] = []
    tested = sum(any(one.support.tested for one in members) for members in pairs.values())
    for members in pairs.values():
        # Of the ways to take two numbers from each other one is meant: the best, sure or not.
        best = _best(members, totals)
        known = best is not None and best.is_known_here
        if best is not None and known and totals[_signature(best.law)].is_enough(tested):
            likely.append(best)
    chosen = _best(likely, totals) if likely else None
    return chosen.law if chosen is not None else None


def _best(
    tried: Sequence[_Tried], totals: Mapping[tuple[object, ...], _DifferenceSupport]
) -> _Tried | None:
    """What explains the most rows; nothing where others explain as many and blame other rows."""
    qualities = [totals[_signature(one.law)].quality for one in tried]
    most = max(qualities)
    best = [one for one, quality in zip(tried, qualities, strict=True) if quality == most]
    tied = any(one.support.failing != best[0].support.failing for one in best[1:])
    return None if tied else best[0]


def _with_baselines(law: Difference, rows: Sequence[RunNumbers]) -> Difference:
    """The law with the baseline that the rows of each group agree on, where enough do."""
    if not law.plan.baselines or law.plan.unsigned:
        return law
    # Equal rows count once: they agree on anything.
    groups: dict[int, dict[_Pair, tuple[Variable, Variable]]] = defaultdict(dict)
    for row in rows:
        number = row.run.number
        result, value = law.compared(row)
        if result is not None and value is not None and number not in law.plan.baselines:
            group = groups[baseline_of(number, law.plan.baselines)]
            group[result.value, value.value] = result, value
    agreed: dict[int, Agreement] = {}
    for number, members in groups.items():
        # A printed baseline that suits if numbers were cut is not the one that is wrong.
        known = list(members.values())
        found = [_agreement(law, number, known, ends) for ends in (_rounded, _rounded_or_cut)]
        best = max(filter(None, found), key=lambda one: one.support, default=None)
        if best is not None and best.support >= FEWEST_ROWS:
            agreed[number] = best
    return law._replace(agreed=agreed)


def _agreement(
    law: Difference,
    number: int,
    members: Sequence[tuple[Variable, Variable]],
    ends: Callable[[Variable], tuple[float, float]],
) -> Agreement | None:
    """Where the baseline must lie for the most rows, its own among them."""
    intervals = []
    for result, value in members:
        (low, high), (least, most) = ends(result), ends(value)
        saved = law.plan.saved
        intervals.append((least + low, most + high) if saved else (least - high, most - low))
    printed = law.printed(number)
    return agree(intervals if printed is None else [*intervals, ends(printed)])


def _rounded(one: Variable) -> tuple[float, float]:
    return one.low, one.high


def _rounded_or_cut(one: Variable) -> tuple[float, float]:
    return min(one.low, one.cut), max(one.high, one.cut)


def _support(law: Difference, rows: Sequence[RunNumbers]) -> _DifferenceSupport:
    """Which rows follow a law; a baseline agrees with itself anyway."""
    failing: set[RunKey] = set()
    telling: dict[tuple[float, ...], float] = {}
    holding = rivals = 0
    for row in rows:
        numbers = law.numbers(row) if row.run.number not in law.plan.baselines else None
        if numbers is None:
            continue
        rivals += _is_ratio(law, *numbers)
        if law.judge(*numbers).fails:
            failing.add(row.key)
            continue
        holding += 1
        digits = 2 * abs(numbers[0].value) / (width(*numbers) or math.inf)
        if digits > TELLING_DIFFERENCE:
            telling[tuple(one.value for one in numbers)] = math.log10(digits)
    if rivals >= holding:
        return _DifferenceSupport(0, frozenset(failing))
    disowned = sum(map(law.disowns, law.plan.baselines))
    # Where the baseline was chosen to suit, one of the rows is used up for it.
    sure = sum(telling.values()) - disowned * max(telling.values(), default=0.0)
    return _DifferenceSupport(holding, frozenset(failing), len(telling), sure, disowned)


def _is_ratio(law: Difference, result: Variable, above: Variable, below: Variable) -> bool:
    """Whether a number in per cent says how much more in relation to the baseline."""
    if result.quantity.name != "change":
        return False
    base, value = (above, below) if law.plan.saved else (below, above)
    sign = -1 if law.plan.saved else 1
    if base.low <= 0:
        return False
    low, high = value.low / base.high - 1, value.high / base.low - 1
    ends = sorted((sign * low, sign * high))
    return ends[0] <= max(result.high, result.cut) and min(result.low, result.cut) <= ends[1]
