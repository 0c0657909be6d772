"""Sentences about rows by their names: what one has, how two compare, which is the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from mdbench.diagnosis.claims.columns import Column
from mdbench.diagnosis.claims.extremes import direction, extremes_in
from mdbench.diagnosis.claims.tables import Table
from mdbench.diagnosis.claims.verdicts import HOLDS, Verdict, Wrong, is_near, misquoted, shown
from mdbench.diagnosis.claims.words import CHEAPEST, GAINED, MEANS, SAVED, SUPERLATIVES, stems
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import FAR_COMPARISON, FEWEST_ROWS
from mdbench.numerals.units import parse_unit
from mdbench.prose.figures import Figure
from mdbench.prose.sentences import Sentence
from mdbench.regex import lazy
from mdbench.source import Span

_Pairs = Sequence[tuple[Column, Number, Number]]
_POINTS = frozenset(("point", "points", "pp", "pts"))
_LESS = stems("save saving cheaper less more lower higher faster slower reduce cut")
COMPARED = lazy(
    r"(?i)\b(?:from\b.{2,40}\bto|than|vs\.?|versus|compared (?:to|with)|relative to|over|"
    r"outperform\w*|beats?|exceeds?|as (?:\w+ ){0,3}as)\b|比|より"
)
_LESS_THAN = lazy(
    r"(?i)[ ]+(?:less|lower|smaller|fewer|weniger|kleiner|niedriger|de moins|menos)\b"
)
_LESS_BY = lazy(r"(?:更?[低少小]|下降|降低|减少|減少)[了 约約]*$")
_VALUED = lazy(r"(?i)(?:\b(?:from|to|at|is|was|takes|took|needs|only|of)|[(:=])[ ]*$")
_RATE = lazy(r"(?i)\b([a-z]+)(?:/| (?:per|a|each) )s(?:ec(?:ond)?)?\b")
_SUMMED_UP = SUPERLATIVES | MEANS | frozenset(("total", "combined"))
_CHEAP = stems("cheaper expensive")
_MOST_QUOTED = 4
_WANTED = stems("target limit budget goal threshold slo sla")
_FAST = stems("fast faster slower quicker speed speedup outperform beat")


def check_quote(sentence: Sentence, table: Table) -> Verdict:
    """`HAProxy reached 52,100 req/s`, `from 840 s on 1 node to 72 s on 16 nodes`."""
    words = sentence.words
    if not sentence.figures or words & _SUMMED_UP or words & _WANTED:
        return None
    compared = COMPARED.search(sentence.text) is not None
    figures = [
        one
        for one in sentence.figures
        if one.plain and (one.is_result or one.is_bare)
        if not (compared and (one.is_times or one.is_percent or one.is_bare))
        if not _is_apart(sentence, one)
    ]
    if not (figures and (sentence.keys or table.names_in(sentence))):
        return None
    rows = table.subject(sentence, compared=True) or frozenset()
    if not rows and table.is_list and not sentence.keys:
        # A metric is the name of a row on the page.
        rows = table.rows
    if not 1 <= len(rows) <= _MOST_QUOTED:
        return None
    verdicts = [_judge_quote(sentence, table, one, rows) for one in figures]
    wrong = [one for one in verdicts if isinstance(one, Wrong)]
    return wrong[0] if len(wrong) == 1 else HOLDS if HOLDS in verdicts and not wrong else None


def _is_apart(sentence: Sentence, figure: Figure) -> bool:
    """Whether a number may say by how much something differs: `saves $442`, but not `to $442`."""
    if figure.is_times or figure.is_percent or (SAVED | GAINED).isdisjoint(sentence.words):
        return False
    return _VALUED.search(sentence.text, 0, figure.start) is None


def _judge_quote(sentence: Sentence, table: Table, figure: Figure, rows: frozenset[int]) -> Verdict:
    """One number of a sentence that names one or a few rows."""
    columns = table.columns_for(figure, sentence.words)
    cells = [(one, one.numbers[row]) for one in table.columns for row in rows if row in one.numbers]
    among = columns if table.is_list else table.columns
    known = [
        one for one in cells if one[0] in columns or (one[0] in among and one[0].takes(figure))
    ]
    if any(one.fits(figure, number) for one, number in known):
        return HOLDS
    meant = [(one, number) for one, number in cells if one in columns and not number.about]
    near = [one for one in meant if is_near(figure, one[0], one[1].value)]
    # What has more digits is no quote.
    near = [one for one in near if not one[0].is_finer(figure, one[1])]
    others = []
    if len(meant) == 1:
        others = [one for one in meant[0][0].numbers.values() if meant[0][0].fits(figure, one)]
        near = near or (meant if others else [])
    if not columns and table.is_list:
        return _judge_change(sentence, table, figure)
    if len(near) != 1 or table.restricting(sentence, columns):
        return None
    (column, number), row = near[0], near[0][1].source.run
    if _is_ratio(figure, table, row) or _is_difference(figure, cells, column):
        return None
    why = f"{table.name_of(number)} has that"
    if len(others) == 1:
        why += f", {shown(others[0])} is that of {table.name_of(others[0])}"
    return misquoted(sentence, figure, shown(number), why, [number, *others[:1]])


def _judge_change(sentence: Sentence, table: Table, figure: Figure) -> Verdict:
    """`Throughput improved 2.9x`, in a table with a row for each metric."""
    titled = [one for one in table.columns if one.words and one.words <= sentence.words]
    pairs = [(one, [*one.numbers.values()]) for one in titled if len(one.numbers) == 2]
    factor = figure.is_times or figure.is_percent
    if len(pairs) != 1 or not factor or min(n.low for n in pairs[0][1]) <= 0:
        return None
    column, (first, second) = pairs[0]
    if explains(figure, first, second):
        return HOLDS
    if table.restricting(sentence, (column,)):
        return None
    return _compared(sentence, figure, column, (first, second))


def _is_difference(figure: Figure, cells: Sequence[tuple[Column, Number]], column: Column) -> bool:
    """Whether a number is how much less some number is than one of a row."""
    mine = [number for one, number in cells if one.line.dimension == column.line.dimension]
    return any(
        column.meets(figure, difference(a, b))
        for a in mine
        for b in (*mine, *column.numbers.values())
        if a is not b
    )


def _is_ratio(figure: Figure, table: Table, row: int) -> bool:
    """Whether a factor follows from any two numbers that a row may be compared by."""
    if not (figure.is_times or figure.is_percent):
        return False
    columns = [one for one in table.columns if row in one.numbers and not one.compares]
    beside = [(one.numbers[row], other.numbers[row]) for one in columns for other in columns]
    below = [(one.numbers[row], number) for one in columns for number in one.numbers.values()]
    return any(a is not b and explains(figure, a, b) for a, b in (*beside, *below))


def difference(one: Number, other: Number) -> tuple[float, float]:
    """How much two numbers differ."""
    above, below = (one, other) if one.value >= other.value else (other, one)
    return above.low - below.high, above.high - below.low


def is_share(sentence: Sentence, figure: Figure) -> bool:
    """Whether a percentage is for certain of the larger one: `17% smaller`, but not `faster`."""
    if not figure.is_percent:
        return False
    return (
        _LESS_THAN.match(sentence.text, figure.end) is not None
        or _LESS_BY.search(sentence.text, 0, figure.start) is not None
    )


def explains(figure: Figure, first: Number, second: Number, *, share: bool = False) -> bool:
    """Whether two numbers compare as it is said, in either direction."""
    if min(first.low, second.low) <= 0:
        return False
    value = float(figure.value)
    reach = max(float(figure.quantum), value / 10 if figure.bound == "about" else 0.0)
    for above, below in ((first, second), (second, first)):
        low, high = above.low / below.high, above.high / below.low
        ends = [(low, high), (low - 1, high - 1)]
        if figure.is_percent:
            shares = [*([] if share else ends), (1 - high, 1 - low)]
            ends = [(100 * least, 100 * most) for least, most in shares]
        if any(least < value + reach and most > value - reach for least, most in ends):
            return True
    return False


def check_comparison(sentence: Sentence, table: Table) -> Verdict:
    """`HAProxy handles 1.65x more requests per second than Caddy`."""
    if COMPARED.search(sentence.text) is None or not table.names_in(sentence):
        return None
    factors = [one for one in sentence.figures if one.is_times or one.is_percent]
    others = [one for one in sentence.figures if one not in factors]
    if len(factors) != 1 and len(others) != 1:
        return None
    named = list(dict.fromkeys(row for row, _ in table.named(sentence)))
    if len(named) != 2 or table.subject(sentence, compared=True) is None:
        return None
    pairs = list(_pairs(table, named))
    if len(factors) == 1 and factors[0].plain:
        return _judge_factor(sentence, table, factors[0], pairs)
    if not factors and others[0].plain:
        return _judge_difference(sentence, table, others[0], pairs)
    return None


def _judge_difference(sentence: Sentence, table: Table, figure: Figure, pairs: _Pairs) -> Verdict:
    """`Moving from AWS to Hetzner saves $963.60`, `better than Base-13B by 9.5 points`."""
    words = sentence.words
    points = figure.unit is None and figure.noun in _POINTS
    among = [
        pair for pair in pairs if (pair[0].is_bare if points else pair[0].scale(figure) is not None)
    ]
    if any(pair[0].meets(figure, difference(*pair[1:])) for pair in among):
        return HOLDS
    best = table.best_named([pair[0] for pair in among], words)
    if len(best) != 1 or not (points or words & _LESS) or table.restricting(sentence, best):
        return None
    column, first, second = next(pair for pair in among if pair[0] is best[0])
    apart = abs(first.value - second.value)
    if any(column.fits(figure, one) for one in (first, second)):
        return None
    said = column.ends(figure)[1]
    if min(said, apart) <= 0 or abs(log(said / apart)) > FAR_COMPARISON:
        return None
    above, below = sorted((first, second), key=lambda one: -one.value)
    wanted = apart / (column.scale(figure) or 1.0)
    message = (
        f"{sentence.cut(figure)} does not follow from the table: {column.title} "
        f"{shown(above)} - {shown(below)} is {wanted:.4g}"
    )
    return Wrong(sentence.span(figure), message, (first.source, second.source))


def _judge_factor(sentence: Sentence, table: Table, figure: Figure, pairs: _Pairs) -> Verdict:
    words, named = sentence.words, [one.source.run for pair in pairs[:1] for one in pair[1:]]
    if named_ones := _named_for_certain(sentence, pairs, words):
        pairs = named_ones
    share = is_share(sentence, figure)
    if not pairs or any(explains(figure, one, two, share=share) for _, one, two in pairs):
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
    # Of several prices, none explains it.
    known = len(columns) == 1 or (columns and words & _CHEAP)
    if not known or table.restricting(sentence, tuple(columns)):
        return None
    _, first, second = next(pair for pair in pairs if pair[0] is columns[0])
    return _compared(sentence, figure, columns[0], (first, second))


def _pairs(table: Table, rows: Sequence[int]) -> Iterator[tuple[Column, Number, Number]]:
    one, two = rows
    for column in table.columns:
        first, second = column.numbers.get(one), column.numbers.get(two)
        if (
            column.compares
            or column.is_chosen
            or first is None
            or second is None
            or min(first.low, second.low) <= 0
        ):
            continue
        yield column, first, second


def _named_for_certain(sentence: Sentence, pairs: _Pairs, words: frozenset[str]) -> _Pairs:
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
        return [one for one in best if one.is_rate] or [
            one for one in best if one.line.dimension == "s"
        ]
    if words & _CHEAP:
        return [one for one in best if one.line.dimension in ("usd", "eur")]
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
    if is_share(sentence, figure):
        wanted = f"{100 * (1 - 1 / ratio):.3g} % less"
    elif figure.is_percent:
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
    """The columns in which a row is said to be the best: one, or all times and rates.

    Of several that a word names alike, such as the latencies, it need only be the best in one.
    """
    best = list(table.best_named(columns, words))
    if len(best) == 1 and (len(columns) > 1 or best[0].words <= words):
        return best
    if CHEAPEST & words:
        return [one for one in best if one.line.dimension[:3] in ("usd", "eur")]
    if words & {"fastest", "slowest", "quickest"}:
        return [one for one in best if one.line.dimension == "s" or one.line.dimension[-2:] == "/s"]
    kinds = {one.line.dimension for one in best}
    return best if len(kinds) == 1 and kinds != {""} and len(best) < len(columns) else []
