"""MB306: statistics in an impossible order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mdbench.diagnosis.confidence import weigh_definition
from mdbench.diagnosis.slips import with_number
from mdbench.diagnosis.thresholds import ROWS_IF_NAMED
from mdbench.numerals.numeral import Form
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement, Run
from mdbench.sheets.sheet import Sheet
from mdbench.sheets.statistics import whole_quantity
from mdbench.source import Edit, Span
from mdbench.vocabulary.quantities import Quantity
from mdbench.vocabulary.statistics import statistic_of, take_statistic

_PERCENTILES = ("min", "p50", "p75", "p80", "p90", "p95", "p99", "p99.9", "max")
_MEANS = ("min", "mean", "max")
# Far above nearly all of the others, a mean is possible, but hardly ever meant.
_TAILS = (("mean", "p99"), ("mean", "p99.9"))
_SURE_OF_TAIL = 0.7
# The slowest hundredth must take ten times as long as the percentile for a mean so far above it.
_FAR_ABOVE = 0.1
_Pair = tuple[Measurement, Measurement]


class _Failing(NamedTuple):
    wrong: Sequence[_Pair]
    every: Sequence[_Pair]
    sure: float


_Kind = tuple[Quantity | None, str, tuple[tuple[str, str], ...], str]
"""What a statistic is of: a quantity in some dimension, with settings and words of its own."""


@rule("MB306", "order-violation", Severity.ERROR)
def order_violation(context: Context) -> Iterator[Violation]:
    """A percentile, minimum or maximum is on the wrong side of another.

    The 99th percentile of a latency is never below its median, and a mean is never below the
    minimum. For rates, where more is better, many tools count percentiles from the other end, so
    only minimum, mean and maximum are compared. A mean above the 99th percentile, by more than
    10 %, is a warning, once for its column, because a few very slow runs can cause it.

    ```bad
    | Batch | Latency p50 (ms) | Latency p99 (ms) |
    |------:|-----------------:|-----------------:|
    |     1 |             12.1 |             15.0 |
    |     2 |             «21.3 |             20.9» |
    ```

    ```good
    | Batch | Latency p50 (ms) | Latency p99 (ms) |
    |------:|-----------------:|-----------------:|
    |     1 |             12.1 |             15.0 |
    |     2 |             20.3 |             20.9 |
    ```
    """
    for sheet in context.sheets:
        if not any(column.header.statistic for column in sheet.columns):
            continue
        stated = {_statistic(one) for run in sheet.runs for one in run.measurements}
        blamed: set[Span] = set()
        for failing in _compare(sheet, stated):
            blamed.update(lower.cell.span for lower, _ in failing.wrong)
            yield from _tell(failing)
        for tail in _TAILS:
            if not stated.issuperset(tail):
                continue
            tails = [pair for run in sheet.runs for pair in _list_pairs(run, tail)]
            most = {one.run: one for run in sheet.runs for one in run.measurements if _is_max(one)}
            above = [
                pair
                for pair in tails
                if pair[0].cell.span not in blamed and _is_above(pair, most.get(pair[0].run))
            ]
            if above:
                yield _tail(above, len(tails))


def _compare(sheet: Sheet, stated: set[str]) -> Iterator[_Failing]:
    """The rows with statistics in a wrong order."""
    every: dict[int, list[_Pair]] = defaultdict(list)
    wrong: dict[int, list[_Pair]] = defaultdict(list)
    sure: dict[int, float] = defaultdict(float)
    for order in (_PERCENTILES, _MEANS):
        if len(stated.intersection(order)) < 2:
            continue
        columns: dict[tuple[int, int], list[_Pair]] = defaultdict(list)
        for run in sheet.runs:
            pairs = [*_list_pairs(run, order)]
            every[run.number] += pairs
            for lower, upper in pairs:
                columns[lower.column, upper.column].append((lower, upper))
        for compared in columns.values():
            failing = [pair for pair in compared if not _is_in_order(pair)]
            # If most rows disagree, it is the headers that mean something else.
            if 2 * len(failing) <= len(compared) and _is_sure(compared, len(failing)):
                weight = weigh_definition(len(compared) - len(failing), len(failing))
                for pair in failing:
                    wrong[pair[0].run].append(pair)
                    sure[pair[0].run] = max(sure[pair[0].run], weight)
    for row, failing in sorted(wrong.items()):
        yield _Failing(failing, every[row], sure[row])


def _tell(failing: _Failing) -> Iterator[Violation]:
    """What is wrong in a row: two cells in each other's place, one cell, or each pair."""
    wrong, every, sure = failing
    exchanged = next((pair for pair in every if _are_exchanged(pair, wrong, every)), None)
    common = [one for one in wrong[0] if all(one in pair for pair in wrong)]
    if exchanged is not None:
        found = [_exchange(*exchanged)]
    elif len(wrong) > 1 and common:
        found = [_misplaced(common[0], wrong)]
    else:
        found = [_violation(*pair) for pair in wrong]
    yield from (one._replace(confidence=sure) for one in found)


def _are_exchanged(pair: _Pair, wrong: Sequence[_Pair], every: Sequence[_Pair]) -> bool:
    """Whether all would be in order if two cells changed places, with another one between them."""
    lower, upper = pair
    between = any((lower, one) in wrong and (one, upper) in wrong for _, one in wrong)
    return between and all(_is_in_order(one, pair) for one in every)


def _is_in_order(pair: _Pair, exchanged: _Pair | None = None) -> bool:
    """Whether two cells are in order; with `exchanged`, if these two change places."""
    places = dict((exchanged, exchanged[::-1])) if exchanged is not None else {}
    lower, upper = (places.get(one, one) for one in pair)
    return _low(lower) <= _high(upper)


def _exchange(lower: Measurement, upper: Measurement) -> Violation:
    """Two cells that put everything in order if they change places."""
    texts = [
        with_number(one, other.typed) if other.typed else None
        for one, other in ((lower, upper), (upper, lower))
    ]
    edits = [
        Edit(one.cell.span, text)
        for one, text in zip((lower, upper), texts, strict=True)
        if text is not None
    ]
    title = f"swap {lower.header.text} and {upper.header.text}"
    fixes = (Fix(title, tuple(edits), Safety.UNSAFE),) if len(edits) > 1 else ()
    found = _violation(lower, upper)
    why = "every number of the row is in order if the two change places"
    return found._replace(evidence=(Evidence(why),), fixes=fixes)


def _misplaced(one: Measurement, wrong: Sequence[_Pair]) -> Violation:
    """A cell that is on the wrong side of several others."""
    below = wrong[0][0] is one
    others = [pair[1 if below else 0] for pair in wrong]
    told = " and ".join(f"{each.header.text} {each.numeral.text}" for each in others)
    side = "above" if below else "below"
    return Violation(
        one.cell.span,
        f"{one.header.text} {one.numeral.text} is {side} {told}",
        (Evidence("it may be mistyped"),),
        cells=(one.cell.span, *(each.cell.span for each in others)),
    )


def _is_sure(compared: Sequence[_Pair], wrong: int) -> bool:
    """Whether the order is known: of what has no known quantity, other rows must show it."""
    unknown = any(one.quantity is None for pair in compared for one in pair)
    return not unknown or len(compared) - wrong >= ROWS_IF_NAMED


def _is_max(one: Measurement) -> bool:
    return one.header.statistic == "max" and _is_single(one)


def _is_above(pair: _Pair, most: Measurement | None) -> bool:
    """Whether a mean is above a percentile, and the slowest runs cannot be the reason."""
    mean, percentile = pair
    if _low(mean) <= (1 + _FAR_ABOVE) * _high(percentile):
        return False
    if most is None or most.quantity is None or mean.quantity is None:
        return True
    if whole_quantity(most.quantity) != whole_quantity(mean.quantity):
        return True
    share = float(percentile.header.statistic.removeprefix("p")) / 100
    return _low(mean) > share * _high(percentile) + (1 - share) * _high(most)


def _tail(above: Sequence[_Pair], count: int) -> Violation:
    """A column of means above nearly all of what they are the means of."""
    cells = tuple(one.cell.span for pair in above for one in pair)
    first = _violation(*above[0])
    more = f" in {len(above)} of {count} rows" if count > 1 else ""
    why = "a few very slow runs can cause it, or it is the mean of something else"
    return Violation(
        Span(min(one.start for one in cells), max(one.end for one in cells)),
        f"{first.message}{more}",
        (Evidence(why),),
        cells=cells,
        severity=Severity.WARNING,
        confidence=_SURE_OF_TAIL,
    )


def _statistic(one: Measurement) -> str:
    return "p50" if one.header.statistic == "median" else one.header.statistic


def _list_pairs(run: Run, order: Sequence[str]) -> Iterator[_Pair]:
    groups: dict[_Kind, dict[str, Measurement]] = {}
    for one in run.measurements:
        statistic = _statistic(one)
        if statistic in order and _is_single(one) and (order is _MEANS or not _is_rate(one)):
            stem = _stem(one.header.text, one.header.statistic)
            kind = whole_quantity(one.quantity), _dimension(one), one.header.settings, stem
            groups.setdefault(kind, {}).setdefault(statistic, one)
    _join_bare(groups)
    for found in groups.values():
        yield from pairwise(found[name] for name in order if name in found)


def _stem(title: str, statistic: str) -> str:
    """The header without its statistic: TTFT p50 is not compared with TPOT p99."""
    words = _WORD.findall(take_statistic(title)[0].casefold().replace("_", " "))
    named = [word for word in words if not _is_of_statistic(word) and statistic not in word]
    return " ".join(named)


def _is_of_statistic(word: str) -> bool:
    """Whether a word only says which statistic it is, in any language, or in what unit."""
    return word in _STATISTIC_WORDS or bool(statistic_of(word))


def _join_bare(groups: dict[_Kind, dict[str, Measurement]]) -> None:
    """Put headers that name a statistic alone with the only quantity that others name."""
    for kind in [kind for kind in groups if not kind[-1]]:
        named = [other for other in groups if other[-1] and other[:-1] == kind[:-1]]
        if len(named) == 1 and groups[named[0]].keys().isdisjoint(groups[kind]):
            groups[named[0]].update(groups.pop(kind))


_WORD = lazy(r"[^\W\d_]+")
_STATISTIC_WORDS = frozenset(
    "avg average mean median min max minimum maximum peak p s ms us µs ns sec th percentile".split()
)


def _low(one: Measurement) -> float:
    value, doubt = _printed(one)
    return value - doubt


def _high(one: Measurement) -> float:
    value, doubt = _printed(one)
    return value + doubt


def _printed(one: Measurement) -> tuple[float, float]:
    """The number in base units, or as it is if nobody says in which unit it is."""
    if one.amount is not None:
        scale = one.amount.unit.scale
        return float(one.amount.value * scale), float(one.amount.quantum * scale)
    return float(one.numeral.value or 0), float(one.numeral.quantum or 0)


def _is_single(one: Measurement) -> bool:
    """Whether it is the one number of its cell."""
    return not one.part and one.numeral.value is not None and one.numeral.form is Form.NUMBER


def _dimension(one: Measurement) -> str:
    return "" if one.amount is None else one.amount.unit.dimension


def _is_rate(one: Measurement) -> bool:
    """Whether it is known to be no time, so that its percentiles may count from the other end."""
    return one.quantity is not None and one.quantity.unit.dimension.partition("/")[0] != "s"


def _violation(lower: Measurement, upper: Measurement) -> Violation:
    first, second = sorted((lower.cell.span, upper.cell.span))
    return Violation(
        Span(first.start, second.end),
        f"{lower.header.text} {lower.numeral.text} is above "
        f"{upper.header.text} {upper.numeral.text}",
        (Evidence("the two may be swapped, or one of them mistyped"),),
        cells=(lower.cell.span, upper.cell.span),
    )
