"""Sentences about rows by their names: what one has, how two compare, which is the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from mdbench.diagnosis.claims.columns import Column
from mdbench.diagnosis.claims.extremes import direction, extremes_in
from mdbench.diagnosis.claims.tables import Table
from mdbench.diagnosis.claims.verdicts import HOLDS, Verdict, Wrong, is_near, misquoted, shown
from mdbench.diagnosis.claims.words import MEANS, SUPERLATIVES, stems
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import FAR_COMPARISON, FEWEST_ROWS
from mdbench.numerals.units import parse_unit
from mdbench.prose.figures import Figure
from mdbench.prose.sentences import Sentence
from mdbench.regex import lazy
from mdbench.source import Span

_COMPARED = lazy(
    r"(?i)\b(?:than|vs\.?|versus|compared (?:to|with)|relative to|over|outperform\w*|beats?|"
    r"exceeds?)\b"
)
_RATE = lazy(r"(?i)\b([a-z]+)(?:/| (?:per|a|each) )s(?:ec(?:ond)?)?\b")
_SUMMED_UP = SUPERLATIVES | MEANS | frozenset(("total", "combined"))
COMPARING = stems("than vs versus compared relative over outperform outperformed beat exceed")
_FAST = stems("faster slower fast slow quicker speed speedup outperform beat")


def check_quote(sentence: Sentence, table: Table) -> Verdict:
    """`HAProxy reached 52,100 req/s`, `- heapsort: 8.02x faster`."""
    words = sentence.words
    if not sentence.figures or words & _SUMMED_UP or _COMPARED.search(sentence.text) is not None:
        return None
    figures = [one for one in sentence.figures if one.plain and (one.is_result or one.is_bare)]
    if not (figures and (sentence.keys or table.names_in(sentence))):
        return None
    named = table.subject(sentence) or ()
    taken = [(one, columns) for one in figures if (columns := table.columns_for(one, words))]
    if len(named) != 1 or len(taken) != 1:
        return None
    (row,), (figure, columns) = named, taken[0]
    mine = [(one, one.numbers[row]) for one in table.columns if row in one.numbers]
    meant = [one for one in mine if one[0].takes(figure) or one[0] in columns]
    if any(one.fits(figure, number) for one, number in meant):
        return HOLDS
    if len(columns) != 1 or row not in columns[0].numbers:
        return None
    return _judge_quote(sentence, table, figure, columns[0], row)


def _judge_quote(
    sentence: Sentence, table: Table, figure: Figure, column: Column, row: int
) -> Verdict:
    number = column.numbers[row]
    others = [one for one in column.numbers.values() if column.fits(figure, one)]
    if number.about or not (others or is_near(figure, column, number.value)):
        return None
    if table.restricting(sentence, (column,)) or _is_ratio(figure, table, row):
        return None
    why = f"{table.name_of(number)} has that"
    if len(others) == 1:
        why += f", {shown(others[0])} is that of {table.name_of(others[0])}"
    return misquoted(sentence, figure, shown(number), why, [number, *others[:1]])


def _is_ratio(figure: Figure, table: Table, row: int) -> bool:
    """Whether a factor follows from any two numbers that a row may be compared by."""
    if not (figure.is_times or figure.is_percent):
        return False
    columns = [one for one in table.columns if row in one.numbers and not one.compares]
    beside = [(one.numbers[row], other.numbers[row]) for one in columns for other in columns]
    below = [(one.numbers[row], number) for one in columns for number in one.numbers.values()]
    return any(a is not b and explains(figure, a, b) for a, b in (*beside, *below))


def explains(figure: Figure, first: Number, second: Number) -> bool:
    """Whether two numbers compare as it is said, in either direction."""
    if min(first.low, second.low) <= 0:
        return False
    value = float(figure.value)
    reach = max(float(figure.quantum), value / 10 if figure.bound == "about" else 0.0)
    for above, below in ((first, second), (second, first)):
        low, high = above.low / below.high, above.high / below.low
        ends = [(low, high), (low - 1, high - 1)]
        if figure.is_percent:
            shares = [*ends, (1 - high, 1 - low)]
            ends = [(100 * least, 100 * most) for least, most in shares]
        if any(least < value + reach and most > value - reach for least, most in ends):
            return True
    return False


def check_comparison(sentence: Sentence, table: Table) -> Verdict:
    """`HAProxy handles 1.65x more requests per second than Caddy`."""
    factors = [one for one in sentence.figures if one.is_times or one.is_percent]
    if len(factors) != 1 or not factors[0].plain or not table.names_in(sentence):
        return None
    named = list(dict.fromkeys(row for row, _ in table.named(sentence)))
    if len(named) != 2 or _COMPARED.search(sentence.text) is None:
        return None
    figure, words = factors[0], sentence.words
    pairs = list(_pairs(table, named))
    if named_ones := _named_for_certain(sentence, pairs, words):
        pairs = named_ones
    if not pairs or any(explains(figure, first, second) for _, first, second in pairs):
        return HOLDS if pairs else None
    if any(
        one.takes(figure) and one.fits(figure, one.numbers[row])
        for one in table.columns
        for row in named
        if one.compares and row in one.numbers
    ):
        return HOLDS
    meant = [one for one, first, second in pairs if _is_quoted(sentence, one, (first, second))]
    columns = meant or _meant(table, [one for one, _, _ in pairs], words)
    if len(columns) != 1 or table.restricting(sentence, tuple(columns)):
        return None
    _, first, second = next(pair for pair in pairs if pair[0] is columns[0])
    return _compared(sentence, figure, columns[0], (first, second))


def _pairs(table: Table, rows: Sequence[int]) -> Iterator[tuple[Column, Number, Number]]:
    one, two = rows
    for column in table.columns:
        first, second = column.numbers.get(one), column.numbers.get(two)
        if column.compares or first is None or second is None or min(first.low, second.low) <= 0:
            continue
        yield column, first, second


def _named_for_certain(
    sentence: Sentence, pairs: list[tuple[Column, Number, Number]], words: frozenset[str]
) -> list[tuple[Column, Number, Number]]:
    """Those of columns whose title a sentence has, or whose rate: `requests per second`."""
    titled = [one for one in pairs if one[0].words and one[0].words <= words]
    rate = _RATE.search(sentence.text)
    unit = parse_unit(f"{rate[1]}/s") if rate is not None else None
    if titled or unit is None:
        return titled
    return [one for one in pairs if one[0].line.dimension == unit.dimension]


def _is_quoted(sentence: Sentence, column: Column, pair: tuple[Number, Number]) -> bool:
    """Whether a sentence also says the two numbers that it compares."""
    figures = [one for one in sentence.figures if one.plain and column.takes(one)]
    return all(any(column.fits(said, one) for said in figures) for one in pair)


def _meant(table: Table, columns: list[Column], words: frozenset[str]) -> list[Column]:
    """The columns that the words of a comparison mean for certain."""
    best = list(table.best_named(columns, words))
    if len(best) < len(columns) or any(one.words <= words for one in best):
        return best
    if words & _FAST:
        return [one for one in best if one.line.dimension.endswith("/s")] or [
            one for one in best if one.line.dimension == "s"
        ]
    return best if len(columns) == 1 and columns[0].line.dimension else []


def _compared(
    sentence: Sentence, figure: Figure, column: Column, pair: tuple[Number, Number]
) -> Wrong | None:
    above, below = sorted(pair, key=lambda one: -one.value)
    ratio, value = above.value / below.value, float(figure.value)
    said = [value] if not figure.is_percent else [1 + value / 100]
    if figure.is_percent and value < 100:
        said.append(1 / (1 - value / 100))
    if min(abs(log(one / ratio)) for one in said) > FAR_COMPARISON:
        return None
    wanted = f"{ratio:.3g}×"
    if figure.is_percent:
        wanted = f"{100 * (ratio - 1):.3g} % or {100 * (1 - 1 / ratio):.3g} %"
    message = (
        f"{sentence.cut(figure)} does not follow from the table: {column.title} "
        f"{shown(above)} / {shown(below)} is {wanted}"
    )
    return Wrong(sentence.span(figure), message, (pair[0].source, pair[1].source))


def check_winner(sentence: Sentence, table: Table) -> Verdict:
    """`HAProxy wins on throughput`, `Nginx has the lowest p99 latency`."""
    kinds = extremes_in(sentence)
    if len(kinds) != 1 or not (sentence.keys or table.names_in(sentence)):
        return None
    named = table.subject(sentence) or ()
    measured = [one for one in table.columns if not one.line.is_setting]
    quotes = any(one.takes(figure) for one in measured for figure in sentence.figures)
    columns = _ranked(table, measured, sentence.words)
    if len(named) != 1 or quotes or not columns:
        return None
    (row,) = named
    bests = [_best(one, direction(one, kinds[0])) for one in columns]
    ranks = [(one.numbers.get(row), best) for one, best in zip(columns, bests, strict=True)]
    known = [(mine, best) for mine, best in ranks if mine is not None and best is not None]
    if len(known) < len(ranks) or any(mine is best or _tied(mine, best) for mine, best in known):
        return HOLDS if len(known) == len(ranks) else None
    if table.restricting(sentence, tuple(columns)):
        return None
    mine, best = known[0]
    extreme = "highest" if direction(columns[0], kinds[0]) > 0 else "lowest"
    message = (
        f"{columns[0].title} {shown(mine)} is not the {extreme}: "
        f"{table.name_of(best)} has {shown(best)}"
    )
    start = len(sentence.text) - len(sentence.text.lstrip(" >#-"))
    span = Span(sentence.start + start, sentence.start + len(sentence.text.rstrip()))
    return Wrong(span, message, (mine.source, best.source))


def _best(column: Column, way: int) -> Number | None:
    if not way or len(column.numbers) < FEWEST_ROWS:
        return None
    return max(column.numbers.values(), key=lambda one: way * one.value)


def _tied(one: Number, other: Number) -> bool:
    return one.low <= other.high and other.low <= one.high


def _ranked(table: Table, columns: list[Column], words: frozenset[str]) -> list[Column]:
    """The columns in which a row is said to be the best: one, or all times and rates."""
    best = list(table.best_named(columns, words))
    if len(best) == 1 and (len(columns) > 1 or best[0].words <= words):
        return best
    if words & {"fastest", "slowest", "quickest"}:
        return [one for one in best if one.line.dimension == "s" or one.line.dimension[-2:] == "/s"]
    return []
