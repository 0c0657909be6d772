"""Speed-ups, efficiencies and changes in per cent, against another column or a baseline row.

Which columns are compared is found by trying: the pair that most rows follow. What is found in one
table of a report counts for the others with the same headers. A baseline row is not taken for
granted: where the other rows agree on another baseline, it is the baseline that is wrong.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mdbench.diagnosis.laws.comparisons import (
    BY_COLUMNS,
    COMPARED,
    Comparison,
    ComparisonPlan,
    Way,
    is_change,
)
from mdbench.diagnosis.laws.constants import Agreement, agree
from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.products import Outcome
from mdbench.diagnosis.numbers import (
    RunNumbers,
    by_sheet,
)
from mdbench.diagnosis.thresholds import (
    DIGITS_IF_ALL_FOLLOW,
    FEWEST_ROWS,
    MANY_ROWS,
    MOST_COMPARED_COLUMNS,
    MOST_PLANS,
    PROMISING,
    SURE_DIGITS,
    SURE_SHARE,
)
from mdbench.regex import lazy
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.columns import Column
from mdbench.sheets.proofs import BY_ROW_BEST
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import can_be_compared, direction
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Role
from mdbench.vocabulary.statistics import SPREADS

_SCATTER = 2654435761
_RATIO_WORDS = lazy(r"\b(?:ratio|relative|speed-?up|change|overhead|x|to|vs)\b", re.IGNORECASE)


def find_comparisons(rows: Sequence[RunNumbers]) -> tuple[Comparison, ...]:
    """The comparison that each such column makes, where enough rows follow it."""
    sheets = by_sheet(row for row in rows if not row.sheet.layout.transposed)
    tried = [
        (law, _follow(law, members))
        for members in sheets.values()
        for candidate in candidates(members[0].sheet)
        for either in _both_ways(candidate)
        if (law := _with_constants(either, members)) is not None
    ]
    totals: dict[tuple[object, ...], _RatioSupport] = defaultdict(_RatioSupport)
    for law, support in tried:
        totals[law.plan.signature] = totals[law.plan.signature].with_rows_of(support)
    best: dict[tuple[int, int], tuple[tuple[int, int], Comparison]] = {}
    for law, support in tried:
        total = totals[law.plan.signature]
        enough = total.is_enough or (_is_only_choice(law) and total.is_unchallenged)
        if (support.holding or support.tested == 1) and support.tested and enough:
            place = law.sheet.number, law.plan.result
            known = best.get(place)
            if known is None or total.quality > known[0]:
                best[place] = total.quality, law
    return tuple(law for _, law in best.values())


def _both_ways(law: Comparison) -> Iterator[Comparison]:
    """The law, and for a change also with what was saved counted."""
    yield law
    header = law.sheet.columns[law.plan.result].header
    if header.quantity is not None and header.quantity.name == "change":
        yield law._replace(plan=law.plan._replace(saved=True))


def _with_constants(law: Comparison, rows: Sequence[RunNumbers]) -> Comparison | None:
    """The law with the baseline that the rows of each group agree on, else the printed one."""
    if law.plan.way in BY_COLUMNS:
        return law
    groups: dict[int, list[tuple[RunNumbers, Instance]]] = defaultdict(list)
    for row in rows:
        instance = law.instance(row)
        if instance is not None:
            groups[law.group(row)].append((row, instance))
    constants: dict[int, Agreement] = {}
    for number, members in groups.items():
        # Equal rows agree on anything. Where more rows agree if numbers were cut, none is wrong.
        distinct = {tuple(v.value for v in one.variables): one for _, one in members}.values()
        found = (
            agree([one.constant() for one in distinct]),
            agree([one.constant_if_cut() for one in distinct]),
        )
        agreed = max(filter(None, found), key=lambda one: one.support, default=None)
        printed = next((one for row, one in members if row.run.number == number), None)
        if agreed is not None and agreed.support >= FEWEST_ROWS:
            constants[number] = agreed
        elif printed is not None:
            constants[number] = Agreement(*printed.constant_if_cut(), 1)
    return law._replace(constants=constants) if constants else None


class _RatioSupport(NamedTuple):
    """How many rows follow a comparison, of how many, and how unlikely that is by chance."""

    holding: int = 0
    tested: int = 0
    surety: float = 0.0
    cut: int = 0
    """How many hold only if a number was cut."""
    disowned: int = 0
    """How many baselines are not what the rows agree on."""

    def with_rows_of(self, other: _RatioSupport) -> _RatioSupport:
        return _RatioSupport(
            self.holding + other.holding,
            self.tested + other.tested,
            self.surety + other.surety,
            self.cut + other.cut,
            self.disowned + other.disowned,
        )

    @property
    def quality(self) -> tuple[int, int]:
        return self.holding - self.disowned, -self.cut

    @property
    def is_unchallenged(self) -> bool:
        """Whether no row contradicts it, so that nobody is blamed by it."""
        return 0 < self.holding == self.tested and self.surety >= DIGITS_IF_ALL_FOLLOW

    @property
    def is_enough(self) -> bool:
        """Whether it is no chance: many rows, or a few that agree to many digits."""
        if self.holding >= FEWEST_ROWS and self.holding >= SURE_SHARE * self.tested:
            return True
        return self.surety >= SURE_DIGITS and 2 * self.holding >= self.tested


def _is_only_choice(law: Comparison) -> bool:
    """Whether only two columns can be compared, and the first is in the title of the result."""
    if law.plan.way is not Way.COLUMNS:
        return False
    result, above, below = (
        law.sheet.columns[at] for at in (law.plan.result, law.plan.above, law.plan.below)
    )
    alike = [
        one
        for one in law.sheet.columns
        if _is_source(one.header) and _comparable(one.header, above.header)
    ]
    said = result.header.text.split(" ")[0]
    return len(alike) == 2 and above.header.text.startswith(said) and above.index > below.index


def _follow(law: Comparison, rows: Sequence[RunNumbers]) -> _RatioSupport:
    """How many rows follow a law, of all or of some that show that no more will."""
    few = some_of(rows)
    if len(few) < len(rows):
        some = _ask(law, few)
        if some.holding < PROMISING * some.tested:
            return some
    return _ask(law, rows)


def some_of(rows: Sequence[RunNumbers]) -> Sequence[RunNumbers]:
    """Rows from all over a long table, of a short one all.

    They are not equally far from each other: tables repeat themselves, and so would the sample.
    """
    stride = len(rows) // MANY_ROWS
    if stride < 2:
        return rows
    return [rows[at * stride + (at * _SCATTER >> 16) % stride] for at in range(MANY_ROWS)]


def _ask(law: Comparison, rows: Iterable[RunNumbers]) -> _RatioSupport:
    """How many rows follow a law; a baseline agrees with itself anyway."""
    holding = tested = cut = disowned = 0
    surety = 0.0
    for row in rows:
        verdict = law.test(row)
        if row.run.number in law.baselines and law.plan.way not in BY_COLUMNS:
            disowned += verdict is not None and verdict.fails
            continue
        if verdict is not None:
            tested += 1
            holding += not verdict.fails
            cut += verdict.outcome is Outcome.CUT
            low, high = verdict.instance.constant()
            surety += 0.0 if verdict.fails else -math.log10(min(1.0, (high - low) / high))
    return _RatioSupport(holding, tested, surety, cut, disowned)


def candidates(sheet: Sheet) -> Iterator[Comparison]:
    """Every comparison that the columns of a sheet allow, as long as they are not too many."""
    inverted: dict[int, frozenset[int]] = {}
    for law in islice(_list_candidates(sheet), MOST_PLANS):
        result = sheet.columns[law.plan.result]
        if result.index not in inverted:
            inverted[result.index] = _inverted(result)
        spread = _spread_beside(result, sheet.columns)
        yield law._replace(inverted=inverted[result.index], spread=spread)


def _list_candidates(sheet: Sheet) -> Iterator[Comparison]:
    columns = sheet.columns
    sources = [column for column in columns if _is_source(column.header)][:MOST_COMPARED_COLUMNS]
    for result in columns:
        quantity = result.header.quantity
        name = quantity.name if quantity is not None else ""
        if name not in COMPARED or (name == "change" and result.header.unit is None):
            continue
        if result.header.statistic in SPREADS or result.header.why == BY_ROW_BEST:
            continue
        by_columns = Relation("comparison", f"{name} = above / below")
        by_rows = Relation("comparison", f"{name} = row * k", Constant.ANY)
        baselines = _baselines(result)
        about = [one for one in sources if _can_be_about(result.header, one.header, sheet)]
        for above in about:
            ways = (Way.ABOVE, Way.BELOW)
            if name == "efficiency":
                ways = (Way.RATE_PER_DEVICE, Way.TIME_PER_DEVICE)
            for way in ways if baselines else ():
                titles = result.title, above.title
                plan = ComparisonPlan(result.index, above.index, above.index, way, titles)
                yield Comparison(plan, sheet, by_rows, baselines)
            for below in about:
                if below is not above and _comparable(above.header, below.header):
                    by_title = result.title, above.title, below.title
                    plan = ComparisonPlan(
                        result.index, above.index, below.index, Way.COLUMNS, by_title
                    )
                    yield Comparison(plan, sheet, by_columns)
                    if above.index < below.index and _tells_larger(result):
                        yield Comparison(plan._replace(way=Way.LARGER), sheet, by_columns)


def _can_be_about(result: Header, source: Header, sheet: Sheet) -> bool:
    """Whether a ratio may be of a column: `Mem Ratio` is one of sizes, and `Alloc Ratio` too."""
    rest = _RATIO_WORDS.sub(" ", result.text).strip()
    named = read_header(rest, sheet.vocabulary).quantity if rest else None
    if named is None or source.quantity is None or not _is_source(Header(rest, named)):
        return True
    return bool(named.dimensions & source.quantity.dimensions)


def _tells_larger(result: Column) -> bool:
    """Whether a column may say how many times as much the larger one is, whichever that is."""
    quantity = result.header.quantity
    numbers = [one.amount for one in result.mains if one.amount is not None]
    return (
        quantity is not None
        and quantity.name in ("speedup", "relative")
        and all(amount.value * amount.unit.scale >= 1 for amount in numbers)
    )


def _is_source(header: Header) -> bool:
    """Whether a column may be compared: what is measured, and sizes that are given."""
    quantity = header.quantity
    return (
        quantity is not None
        and quantity.role is not Role.SCORE
        and can_be_compared(quantity)
        and quantity.name not in COMPARED
        and header.statistic not in SPREADS
    )


def _comparable(one: Header, other: Header) -> bool:
    if one.quantity is None or other.quantity is None:
        return False
    return bool(one.quantity.dimensions & other.quantity.dimensions)


def _spread_beside(result: Column, columns: Sequence[Column]) -> int:
    """The next column, if it has the deviations of the ratios; else -1."""
    for column in columns[result.index + 1 : result.index + 2]:
        header = column.header
        if header.quantity == result.header.quantity and header.statistic in SPREADS:
            return column.index
    return -1


def _inverted(column: Column) -> frozenset[int]:
    """The rows that say less where others say more: `6.6x faster` beside `1.2x slower`."""
    told = {one.run: direction(one.numeral.note) for one in column.mains if one.numeral.note}
    if not {1, -1} <= set(told.values()):
        return frozenset()
    return frozenset(run for run, way in told.items() if way < 0)


def _baselines(column: Column) -> tuple[int, ...]:
    """The rows that others are compared with: they have nothing there, or say 1 or no change."""
    quantity = column.header.quantity
    neutral = 0 if quantity is not None and quantity.name == "change" else 1
    found: list[int] = []
    for one in column.mains:
        value = one.amount.value * one.amount.unit.scale if one.amount is not None else None
        blank = one.numeral.value is None and not found
        if blank or value == (0 if is_change(one) else neutral):
            found.append(one.run)
    return tuple(found)
