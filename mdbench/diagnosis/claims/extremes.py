"""Sentences that say which number of a column is the largest, smallest or best, and how much."""

from __future__ import annotations

from mdbench.diagnosis.claims.columns import Column
from mdbench.diagnosis.claims.tables import Table
from mdbench.diagnosis.claims.verdicts import HOLDS, Verdict, is_near, misquoted, shown
from mdbench.diagnosis.claims.words import BEST, HIGHEST, LOWEST, WINS, WORST
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import FEWEST_ROWS
from mdbench.prose.figures import Bound, Figure
from mdbench.prose.sentences import Sentence, words_of
from mdbench.regex import lazy

_AT_LEAST = lazy(r"(?i)\bat (?:least|most)\b|\bmost of\b|\bthe most (?=[a-z]+(?:ly|ive|ent|ant)\b)")
_HIGH_IS_GOOD = frozenset(("speedup", "efficiency", "mfu", "hfu", "accuracy", "f1"))
_KINDS = ((HIGHEST, 1), (LOWEST, -1), (BEST, 2), (WORST, -2))


def extremes_in(sentence: Sentence) -> list[int]:
    """1 for the highest, -1 for the lowest, 2 for the best, -2 for the worst."""
    words = frozenset(words_of(_AT_LEAST.sub(" ", sentence.text)))
    return [way for kind, way in _KINDS if kind & words] or [2] * bool(WINS & words)


def check_extreme(sentence: Sentence, table: Table) -> Verdict:
    """`The largest win is heapsort with 8.02x`, `up to 8.02x faster`."""
    if not sentence.figures:
        return None
    words, ways = sentence.words, extremes_in(sentence)
    limits = [one for one in sentence.figures if one.bound is Bound.UP_TO]
    if len(ways) + bool(limits) != 1 or (WINS & words and "by" in words):
        return None
    several = ((one, table.columns_for(one, words)) for one in sentence.figures)
    found = [(one, columns) for one, columns in several if columns]
    if len(found) != 1 or not (limits == [found[0][0]] if limits else found[0][0].plain):
        return None
    (figure, columns), way = found[0], ways[0] if ways else 1
    named = table.subject(sentence)
    if named is None or len(named) > 1:
        return None
    if len(columns) > 1:
        ends = ((one, _end(one, way)) for one in columns)
        if any(end and one.fits(figure, end) for one, end in ends):
            return HOLDS
        # The number of the row tells which column is meant.
        rows = [(one, one.numbers.get(row)) for one in columns for row in named]
        columns = tuple(one for one, mine in rows if mine and one.fits(figure, mine))
    judge = _judge_named if named else _judge_all
    return judge(sentence, table, figure, (columns[0], way)) if len(columns) == 1 else None


def _judge_all(
    sentence: Sentence, table: Table, figure: Figure, meant: tuple[Column, int]
) -> Verdict:
    """The largest number of a column, whichever row has it."""
    column, end = meant[0], _end(*meant)
    if end is None:
        return None
    if column.fits(figure, end):
        return HOLDS
    stands = any(column.fits(figure, one) for one in column.numbers.values())
    if not (stands or is_near(figure, column, end.value)):
        return None
    if not table.is_all_meant(sentence, column, figure):
        return None
    why = f"that is the {_extreme(*meant)} {column.title}, of {table.name_of(end)}"
    return misquoted(sentence, figure, shown(end), why, [end])


def _judge_named(
    sentence: Sentence, table: Table, figure: Figure, meant: tuple[Column, int]
) -> Verdict:
    """The largest number of a column, and the row that is said to have it."""
    column, end = meant[0], _end(*meant)
    mine = next((column.numbers.get(row) for row in table.subject(sentence) or ()), None)
    if mine is None or (column.fits(figure, mine) and end is None):
        return None
    if end is None:
        # Nobody knows whether more is better, but what the row has.
        why = f"{table.name_of(mine)} has that"
        near = is_near(figure, column, mine.value) and not table.restricting(sentence, (column,))
        return misquoted(sentence, figure, shown(mine), why, [mine]) if near else None
    tied = mine.low <= end.high and end.low <= mine.high
    if column.fits(figure, mine):
        few = len(column.numbers) < FEWEST_ROWS
        if tied or few or table.restricting(sentence, (column,)) or _is_baseline(table, end):
            return HOLDS if tied else None
        why = f"the {_extreme(*meant)} {column.title} is that of {table.name_of(end)}"
        return misquoted(sentence, figure, shown(end), why, [mine, end])
    why = f"{table.name_of(mine)} has that"
    if column.fits(figure, end):
        why += f", {shown(end)} is that of {table.name_of(end)}"
        return misquoted(sentence, figure, shown(mine), why, [mine, end])
    stands = any(column.fits(figure, one) for one in column.numbers.values())
    near = tied and (stands or is_near(figure, column, mine.value))
    near = near and not table.restricting(sentence, (column,))
    return misquoted(sentence, figure, shown(mine), why, [mine]) if near else None


def _is_baseline(table: Table, number: Number) -> bool:
    """Whether a number is of the row that others are compared with: it may be none of them."""
    row = number.source.run
    comparing = (one for one in table.columns if one.compares and row in one.numbers)
    return any(row not in one.compared for one in comparing)


def _extreme(column: Column, way: int) -> str:
    return "highest" if direction(column, way) > 0 else "lowest"


def direction(column: Column, way: int) -> int:
    """1 if the largest number of a column is meant, -1 if the smallest is; 0 if nobody knows."""
    if abs(way) == 1:
        return way
    known = column.line.header.quantity
    good = column.line.dimension.endswith("/s") or column.compares
    good = good or (known is not None and known.name in _HIGH_IS_GOOD)
    sign = 1 if good else -1 if column.line.dimension == "s" else 0
    return sign if way > 0 else -sign


def _end(column: Column, way: int) -> Number | None:
    """The largest or smallest number of a column, but for a baseline compared with itself."""
    sign, numbers = direction(column, way), column.compared
    if not sign or not numbers or any(one.about for one in numbers.values()):
        return None
    return max(numbers.values(), key=lambda one: sign * one.value)
