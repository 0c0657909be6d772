"""Sentences that sum up a column: its mean, its total, what holds in all rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log

from mdbench.diagnosis.claims.columns import Column
from mdbench.diagnosis.claims.tables import Table
from mdbench.diagnosis.claims.verdicts import HOLDS, Verdict, is_near, misquoted, shown
from mdbench.diagnosis.claims.words import (
    ABOUT,
    ALL,
    MEANS,
    stems,
)
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.typical import median
from mdbench.prose.figures import Bound, Figure
from mdbench.prose.sentences import Sentence
from mdbench.regex import lazy
from mdbench.source import Span

_TOTAL = lazy(r"(?i)\btotal\b|\bcombined\b|\baltogether\b|\bsum of\b|\bwhole (?:run|suite)\b")
_Ends = tuple[float, float]
TOTALS = stems("total combined altogether sum whole")
RANGING = stems("range ranged ranging vary varies varied varying span spanned")
_RANGES = lazy(r"(?i)\b(?:rang(?:e|es|ed|ing)|var(?:y|ies|ied|ying)|span(?:s|ned)?)\b")
_ADDED = frozenset(("s", "byte", "J", "usd", "eur", "token", "count", "sample", "item", "flop", ""))


def _of(table: Table, number: Number) -> str:
    return f", of {table.name_of(number)}"


def check_mean(sentence: Sentence, table: Table) -> Verdict:
    """`Average speedup: 3.64x`, `on average, it is 3.6x faster`."""
    words = sentence.words
    column, figure = _only_column(sentence, table, words - MEANS)
    if column is None or figure is None:
        return None
    pooled = [*_pooled(table, column)] if "overall" in words and column.percent else []
    return _judge_mean(sentence, table, column, figure, pooled) if MEANS & words or pooled else None


def _judge_mean(
    sentence: Sentence, table: Table, column: Column, figure: Figure, pooled: Sequence[_Ends]
) -> Verdict:
    if any(column.fits(figure, one) for one in column.line.numbers.values()):
        return HOLDS
    if any(column.meets(figure, end) for end in pooled):
        return HOLDS
    if any(column.meets(figure, end) for end in pooled):
        return HOLDS
    for numbers in (column.numbers, column.compared):
        ends = [one.widest() for one in numbers.values()]
        lows, highs = _means([low for low, _ in ends]), _means([high for _, high in ends])
        # Of numbers that may be zero, there are fewer means.
        if any(column.meets(figure, end) for end in zip(lows, highs, strict=False)):
            return HOLDS
    averaged = [
        [one.value for one in numbers.values()] for numbers in (column.compared, column.numbers)
    ]
    means = [sum(values) / len(values) for values in averaged]
    near = [mean for mean in means if is_near(figure, column, mean)]
    if not near or not table.is_all_meant(sentence, column, figure):
        return None
    right = _like(figure, column, near[0])
    why = f"the average {column.title} of {len(column.numbers)} rows"
    return misquoted(sentence, figure, right, why, [*numbers.values()])


def _pooled(table: Table, column: Column) -> Iterator[tuple[float, float]]:
    """What the ratio of two totals may be: 463 of 480 is 96.5 % overall."""
    scale = 1.0 if column.line.dimension == "ratio" else 100.0
    counts = [one.numbers.values() for one in table.columns if one.is_bare and one.numbers]
    sums = [sum(number.value for number in numbers) for numbers in counts]
    for part in sums:
        for whole in sums:
            if 0 < part < whole:
                yield part / whole * scale, part / whole * scale


def _means(values: Sequence[float]) -> Iterator[float]:
    yield sum(values) / len(values)
    yield median(values)
    if min(values) > 0:
        yield exp(sum(map(log, values)) / len(values))
        yield len(values) / sum(1 / one for one in values)


def _like(figure: Figure, column: Column, value: float) -> str:
    """A value in base units as a sentence would print it."""
    text = f"{value / (column.scale(figure) or 1.0):.4g}"
    unit = figure.unit.text if figure.unit is not None else figure.noun
    return f"{text}{'' if unit in '%x×' else ' '}{unit}"


def _only_column(
    sentence: Sentence, table: Table, words: frozenset[str], *, chosen: bool = False
) -> tuple[Column | None, Figure | None]:
    """The only number of a sentence that may be of a table, and the only column of it."""
    figures = [one for one in sentence.figures if one.plain]
    several = ((one, table.columns_for(one, words, chosen=chosen)) for one in figures)
    found = [(one, columns) for one, columns in several if columns]
    if len(found) != 1 or len(found[0][1]) != 1:
        return None, None
    column = found[0][1][0]
    usable = column.compared and not any(one.about for one in column.numbers.values())
    return (column, found[0][0]) if usable else (None, None)


def check_total(sentence: Sentence, table: Table) -> Verdict:
    """`A total of 49,000 requests`, `all suites took 172.6 s in total`."""
    if not sentence.figures or _TOTAL.search(sentence.text) is None:
        return None
    words = sentence.words - {"total", "combined", "sum"}
    column, figure = _only_column(sentence, table, words, chosen=True)
    if column is None or figure is None or not _is_added(column):
        return None
    said = ALL & words or column.words <= words
    if not said and any(one.compares for one in table.columns):
        # Rows that are compared with each other are alternatives, and hardly anybody adds them up.
        return None
    numbers = [*column.numbers.values()]
    total = sum(one.value for one in numbers)
    counts = column.is_bare and all(one.value.is_integer() for one in numbers)
    ends = [(one.value, one.value) if counts else (one.low, one.high) for one in numbers]
    low, high = (sum(end) for end in zip(*ends, strict=True))
    stands = any(column.fits(figure, one) for one in column.line.numbers.values())
    if stands or column.meets(figure, (low, high)):
        return HOLDS
    if not is_near(figure, column, total) or not table.is_all_meant(sentence, column, figure):
        return None
    right = f"{total / (column.scale(figure) or 1.0):.10g}"
    unit = f" {figure.unit.text}" if figure.unit is not None else ""
    why = f"the total {column.title} of {len(numbers)} rows"
    return misquoted(sentence, figure, right + unit, why, numbers)


def _is_added(column: Column) -> bool:
    """Whether the total of a column says something: that of ratios or percentiles does not."""
    added = column.line.dimension in _ADDED and not column.line.header.statistic
    added = added and not column.compares and not column.percent
    return added and min(one.value for one in column.numbers.values()) >= 0


def check_all(sentence: Sentence, table: Table) -> Verdict:
    """`p99 stays below 15 ms for all engines`, `every algorithm is at least 1.6x faster`."""
    words = sentence.words
    if not ALL & words:
        return None
    limits = [one for one in sentence.figures if one.bound in (Bound.LEAST, Bound.MOST)]
    found = [(one, columns) for one in limits if (columns := table.columns_for(one, words - ALL))]
    if len(found) != 1 or len(found[0][1]) != 1 or len(limits) != 1:
        return None
    figure, (column,) = found[0]
    numbers = column.compared
    upper = figure.bound is Bound.MOST
    limit = float(figure.value) * (column.scale(figure) or 1.0)
    outside = [
        one
        for one in numbers.values()
        if (one.low > limit * (1 + 1e-9) if upper else one.widest()[1] < limit * (1 - 1e-9))
    ]
    if not outside:
        return HOLDS
    if 2 * len(outside) > len(numbers) or not table.is_all_meant(sentence, column, figure):
        return None
    worst = (max if upper else min)(outside, key=lambda one: one.value)
    way = "at most" if upper else "at least"
    message = (
        f"{column.title} is not {way} {sentence.cut(figure)} in all rows: "
        f"{table.name_of(worst)} has {shown(worst)}"
    )
    wrong = misquoted(sentence, figure, "", "", outside)
    return wrong._replace(message=message)


def check_range(sentence: Sentence, table: Table) -> Verdict:
    """`Speedups range from 1.68x to 8.02x`."""
    words = sentence.words
    if not ABOUT.isdisjoint(words):
        return None
    pairs = [
        (low, high)
        for low, high in zip(sentence.figures, sentence.figures[1:], strict=False)
        if low.low and high.high
    ]
    if len(pairs) != 1:
        return None
    low, high = pairs[0]
    columns = table.columns_for(high, words)
    if len(columns) != 1 or columns[0].scale(low) is None:
        return None
    return _judge_range(sentence, table, columns[0], (low, high))


def _judge_range(
    sentence: Sentence, table: Table, column: Column, said: tuple[Figure, Figure]
) -> Verdict:
    numbers = [*column.compared.values()]
    real = tuple(choose(numbers, key=lambda one: one.value) for choose in (min, max))
    low, high = column.ends(said[0])[0], column.ends(said[1])[2]
    outside = [one for one in numbers if one.widest()[1] < low or one.widest()[0] > high]
    wrong = [at for at in (0, 1) if not column.fits(said[at], real[at])]
    if not wrong:
        return HOLDS
    at = wrong[0]
    if outside:
        at = 0 if real[0].widest()[1] < low else 1
    elif (
        len(wrong) > 1
        or _RANGES.search(sentence.text) is None
        or not is_near(said[at], column, real[at].value)
    ):
        return None
    if 2 * len(outside) > len(numbers) or not table.is_all_meant(sentence, column, said[1]):
        return None
    why = f"that is the {('lowest', 'highest')[at]} {column.title}{_of(table, real[at])}"
    found = misquoted(sentence, said[at], shown(real[at]), why, outside or [real[at]])
    if not outside:
        return found
    rows = f"in {len(outside)} rows" if len(outside) > 1 else "in one row"
    text = f"between {sentence.cut(said[0])} and {sentence.cut(said[1])}"
    message = (
        f"{column.title} is not {text} {rows}: {table.name_of(real[at])} has {shown(real[at])}"
    )
    span = Span(sentence.start + said[0].start, sentence.start + said[1].end)
    return found._replace(span=span, message=message)
