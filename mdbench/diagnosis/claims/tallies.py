"""Sentences that count the rows beyond a limit, or better than others: `four exceed 600k QPS`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.claims.columns import Column
from mdbench.diagnosis.claims.tables import Table
from mdbench.diagnosis.claims.verdicts import HOLDS, Verdict, Wrong
from mdbench.diagnosis.claims.words import SUPERLATIVES, is_neutral, stems
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import FEWEST_ROWS
from mdbench.prose.figures import Bound
from mdbench.prose.sentences import Sentence, words_of
from mdbench.regex import lazy
from mdbench.source import Span

_WORDS = "one two three four five six seven eight nine ten eleven twelve".split()
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(_WORDS)})"
_OF = rf"(?: (?:out )?of (?:the |all |our |these )?(?P<whole>{_COUNT})(?![\w.,/%]))?"
# `At least four` counts nothing, `the other four` only some of them.
_COUNTED = lazy(
    rf"(?<![\w.,/%$#-])(?<!than )(?<!least )(?<!most )(?<!to )(?<!other )(?<!first )(?<!last )"
    rf"(?<!top )(?<!these )(?<!those )(?<!next )(?<!about )(?<!nearly )(?<!over )(?<!another )"
    rf"(?<!of )(?<!of the )(?<!or )(?<!and )(?<!the )(?<!by )(?<!with )(?<!at )(?<!but )(?<!all )"
    rf"(?P<count>{_COUNT})(?![\w.,/%-]){_OF}(?P<noun> (?:of them|[^\W\d_]+))?",
    re.IGNORECASE,
)
_BEYOND = lazy(
    r"\b(?:exceed|exceeds|exceeded|(?:is|are|was|were|stay|stays|stayed|remain|remains|reach|lie|"
    r"lies|run|runs|finish|finishes|take|takes|took|need|needs|needed|use|uses|used|have|has|had|"
    r"get|gets|deliver|delivers|come|comes|end|ends|score|scores|land|lands)(?: in| at)? "
    r"(?:above|below|over|under|beyond|less than|more than|fewer than|within))\b",
    re.IGNORECASE,
)
_TURNED = lazy(
    rf"^\W*(?:above|below|over|under) [^,;:]{{1,30}}?(?:(?:,? (?:are|is|were|we find) )|: )"
    rf"(?:only |just )?(?P<count>{_COUNT})(?![\w.,/%-]){_OF}(?P<noun> (?:of them|[^\W\d_]+))?",
    re.IGNORECASE,
)
_LOWER = stems("lower reduce decrease cut shrink")
_HIGHER = stems("raise increase")
_CHANGING = lazy(
    r"^ (?:of them |[^\W\d_]+ ){0,2}?(?P<verb>lower|reduce|decrease|cut|shrink|raise|increase)s?d? "
    r"(?:the |our )?(?P<object>[^\W\d_]+)",
    re.IGNORECASE,
)
_BEATS = lazy(r"\b(?:beats?|outperforms?|faster than|ahead of) (?P<rival>[\w.+-]+) (?:on|in|for)$")
_BASELINE = lazy(r"\b(?:baseline|base|reference|control|default|original|before)\b", re.IGNORECASE)
TALLYING = stems(
    "exceed above below over under beyond less more fewer within lower reduce decrease cut shrink "
    "raise increase beat outperform faster ahead"
)
_MOST_OFF = 2


class _Tally(NamedTuple):
    """How many rows a sentence counts, and of how many."""

    rows: int
    whole: int | None
    noun: str
    span: Span
    end: int


class _Counts(NamedTuple):
    """How many rows there are at least and at most in each of the columns that may be meant."""

    columns: Sequence[Column]
    counts: Sequence[tuple[int, int]]
    shown: str


def check_tally(sentence: Sentence, table: Table) -> Verdict:
    """How many rows are beyond a limit, have less than a baseline, or are better than a rival."""
    found = [*_tallies(sentence)]
    if len(found) != 1 or not SUPERLATIVES.isdisjoint(sentence.words):
        return None
    tally = found[0]
    verdicts = [
        one
        for judge in (_beyond_limit, _against_baseline, _against_rival)
        if (one := judge(sentence, table, tally)) is not None
    ]
    return HOLDS if HOLDS in verdicts else verdicts[0] if len(verdicts) == 1 else None


def _tallies(sentence: Sentence) -> Iterator[_Tally]:
    turned = _TURNED.search(sentence.text)
    for match in [turned] if turned is not None else _COUNTED.finditer(sentence.text):
        whole, start = match["whole"], sentence.start + match.start("count")
        if any(one.is_result and one.start == match.start("count") for one in sentence.figures):
            continue
        noun = (match["noun"] or "").strip()
        if whole is None and not noun:
            continue
        end = match.end("whole") if whole is not None else match.end("count")
        yield _Tally(
            _number(match["count"]),
            _number(whole) if whole is not None else None,
            "" if noun == "of them" else noun,
            Span(start, sentence.start + end),
            end,
        )


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _WORDS.index(text.casefold()) + 1


def _beyond_limit(sentence: Sentence, table: Table, tally: _Tally) -> Verdict:
    """`Four servers exceed 600k QPS`."""
    limits = [one for one in sentence.figures if one.bound in (Bound.LEAST, Bound.MOST)]
    results = [one for one in sentence.figures if one.is_result]
    told = _BEYOND.search(sentence.text) or _TURNED.search(sentence.text)
    if len(limits) != 1 or told is None or len(results) > 1:
        return None
    figure = limits[0]
    columns = table.columns_for(figure, sentence.words)
    if not columns:
        return None
    upper = figure.bound is Bound.MOST
    if any(one.line.bounds for one in columns):
        return None
    counts = [
        _count(
            [*one.numbers.values()],
            float(figure.value) * (one.scale(figure) or 1.0),
            upper=upper,
        )
        for one in columns
    ]
    way = "below" if upper else "above"
    shown = f"{way} {sentence.cut(figure)}"
    return _judge(sentence, table, tally, _Counts(columns, counts, shown))


def _count(numbers: Sequence[Number], limit: float, *, upper: bool) -> tuple[int, int]:
    """How many numbers are beyond a limit at least, and at most."""
    if upper:
        return sum(n.widest()[1] < limit for n in numbers), sum(n.low <= limit for n in numbers)
    return sum(n.low > limit for n in numbers), sum(n.widest()[1] >= limit for n in numbers)


def _judge(sentence: Sentence, table: Table, tally: _Tally, real: _Counts) -> Verdict:
    columns, counts = real.columns, real.counts
    if any(low <= tally.rows <= high for low, high in counts):
        return HOLDS
    column, rows, right = columns[0], len(columns[0].numbers), counts[0][0]
    # Of several columns that may be meant, all have the same count.
    sure = not column.mixed and all(one == (right, right) for one in counts[: len(columns)])
    fitting = tally.whole in (None, rows, rows - 1) and FEWEST_ROWS <= rows >= tally.rows
    near = 0 < right < rows and abs(right - tally.rows) <= _MOST_OFF
    if not (sure and fitting and near) or not _is_of_all(sentence, table, tally, column):
        return None
    message = f"{right} of {rows} rows have {column.title} {real.shown}, not {tally.rows}"
    cells = sorted(column.numbers.values(), key=lambda one: one.value)
    return Wrong(tally.span, message, tuple(one.source for one in cells[:6]))


def _is_of_all(sentence: Sentence, table: Table, tally: _Tally, column: Column) -> bool:
    """Whether a sentence counts among all rows of a table for certain."""
    titles = " ".join(one.header.text for one in table.sheet.columns)
    noun = {one for one in words_of(tally.noun) if not is_neutral(one)}
    if tally.whole is None and not noun <= table.subjects.union(words_of(titles)):
        return False
    rest = table.restricting(sentence, (column,)) - noun - TALLYING - {"them"}
    return not table.subject(sentence) and not rest


def _against_baseline(sentence: Sentence, table: Table, tally: _Tally) -> Verdict:
    """`Five of the nine changes lower the loss`."""
    match = _CHANGING.search(sentence.text[tally.end :])
    bases = [row for row in table.rows if _BASELINE.search(table.labels.get(row, ""))]
    if match is None or tally.whole is None or len(bases) != 1:
        return None
    stem = {*words_of(match["object"])}
    columns = [one for one in table.columns if stem <= one.words and bases[0] in one.numbers]
    if len(columns) != 1 or columns[0].compares:
        return None
    column, base = columns[0], columns[0].numbers[bases[0]]
    others = [one for row, one in column.numbers.items() if row != bases[0]]
    lower = bool(_LOWER & {*words_of(match["verb"])})
    # The number of changes that are printed with the sign may be meant.
    changes = [one for one in table.columns if one.compares and len(one.numbers) >= len(others)]
    counts = [
        _against(others, base, lower=lower),
        *(_count([*one.numbers.values()], 0.0, upper=lower) for one in changes),
    ]
    if tally.whole != len(others):
        return None
    way = "lower" if lower else "higher"
    shown = f"{way} than {table.name_of(base)}"
    return _judge(sentence, table, tally, _Counts(columns, counts, shown))


def _against(others: Sequence[Number], base: Number, *, lower: bool) -> tuple[int, int]:
    """How many numbers are beyond another one; what is printed alike may be."""
    tied = sum(one.value == base.value for one in others)
    beyond = sum((one.value < base.value) is lower for one in others if one.value != base.value)
    return beyond, beyond + tied


def _against_rival(sentence: Sentence, table: Table, tally: _Tally) -> Verdict:
    """`We beat cuBLAS on two of the eight shapes`."""
    match = _BEATS.search(sentence.text[: tally.span.start - sentence.start].rstrip())
    if match is None or tally.whole is None:
        return None
    rival = {*words_of(match["rival"])}
    columns = [
        one
        for one in table.columns
        if rival <= one.words and (one.percent or one.times) and len(one.numbers) == tally.whole
    ]
    if len(columns) != 1:
        return None
    column = columns[0]
    even = 1.0 if column.times or column.line.dimension == "ratio" else 100.0
    numbers = [*column.numbers.values()]
    counts = [_count(numbers, even, upper=False), _count(numbers, even, upper=True)]
    shown = f"above {'1' if column.times else '100 %'}"
    return _judge(sentence, table, tally, _Counts(columns, counts, shown))
