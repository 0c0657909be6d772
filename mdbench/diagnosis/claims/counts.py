"""Sentences that count rows: `5 of 6 targets are met`, `4 of 5 are more than 2x faster`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdbench.diagnosis.claims.tables import Table
from mdbench.diagnosis.claims.verdicts import HOLDS, Verdict, Wrong
from mdbench.diagnosis.claims.words import stems
from mdbench.markdown.inline import plain_text
from mdbench.prose.figures import Bound
from mdbench.prose.sentences import Sentence, words_of
from mdbench.regex import lazy
from mdbench.sheets.measurements import Measurement
from mdbench.source import Span
from mdbench.vocabulary.statistics import statistic_of

_OF = lazy(
    r"(?i)(?<![\w.,/-])(?P<count>\d{1,3}|all|none|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?:[ ]*(?:/|(?:out )?of)[ ]*(?:the |all |our )?|[ ]+(?:the )?)"
    r"(?:(?P<whole>\d{1,3})(?![\w.,/%]))?"
    r"[ ]*(?P<noun>[^\W\d_]+)?"
)
_GOOD = lazy(r"(?i)\b(?:met|meets?|pass(?:e[sd]|ing)?|achieved|satisf\w+|succe\w+|green|hit)\b")
_BAD = lazy(r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|missed|violat\w+|unmet|red)\b")
_PASSED = lazy(r"(?i)^(?:[✅✓✔☑🟢]|(?:pass(?:ed)?|ok|met|yes|true)\b)")
_FAILED = lazy(r"(?i)^(?:[❌✗✘✖🔴]|(?:fail(?:ed)?|missed|not met|no|false)\b)")
COUNTING = stems(
    "met meet pass passed passing achieved satisfied succeed fail failed failing missed than least "
    "over"
)
_WORDS = "none one two three four five six seven eight nine ten".split()
_STATUS_SHARE = 0.6
_FEWEST = 3


def check_count(sentence: Sentence, table: Table) -> Verdict:
    """How many of the rows pass, or are beyond a limit."""
    found: list[Verdict] = []
    for match in _OF.finditer(sentence.text):
        count, whole = _number(match["count"]), match["whole"]
        if whole is None and match["count"].casefold() != "all":
            continue
        found += _by_status(sentence, table, match, count)
        if count is not None and whole is not None:
            found += _by_limit(sentence, table, match, count)
            found += _by_totals(sentence, table, match, count)
    if HOLDS in found:
        return HOLDS
    return found[0] if len(found) == 1 else None


def _number(text: str) -> int | None:
    word = text.casefold()
    if word.isdigit():
        return int(word)
    return _WORDS.index(word) if word in _WORDS else None


def _by_status(
    sentence: Sentence, table: Table, match: re.Match[str], count: int | None
) -> Iterator[Verdict]:
    good, bad = _GOOD.search(sentence.text), _BAD.search(sentence.text)
    if (good is None) == (bad is None):
        return
    for cells in _status_columns(table):
        passed = [one for one in cells if _PASSED.search(plain_text(one.cell.raw))]
        failed = [one for one in cells if _FAILED.search(plain_text(one.cell.raw))]
        rows = len(cells)
        whole = int(match["whole"]) if match["whole"] else rows
        if whole not in (rows, len(passed) + len(failed)):
            continue
        if not match["whole"] and not _is_subject(table, match["noun"] or ""):
            continue
        chosen = passed if good is not None else failed
        said = whole if count is None else count
        others = rows - len(passed) - len(failed)
        if len(chosen) <= said <= len(chosen) + others:
            yield HOLDS
            continue
        span = Span(sentence.start + match.start(), sentence.start + match.end())
        verb = "pass" if good is not None else "fail"
        message = f"{len(chosen)} of {rows} rows {verb}, not {said}"
        shown = failed if good is not None else passed
        yield Wrong(span, message, tuple(shown[:6]))


def _is_subject(table: Table, noun: str) -> bool:
    """Whether a noun is of what the rows are: `targets` below a column `Target`."""
    titles = " ".join(column.header.text for column in table.sheet.columns)
    known = table.subjects.union(words_of(titles))
    return bool(noun) and set(words_of(noun)) <= known


def _status_columns(table: Table) -> Iterator[list[Measurement]]:
    """The cells of the columns that say whether a row passes."""
    labels = table.labels
    for column in table.sheet.columns:
        if column.has_numbers:
            continue
        cells = [one for one in column.mains if not statistic_of(labels.get(one.run, ""))]
        texts = [plain_text(one.cell.raw) for one in cells]
        told = sum(bool(_PASSED.search(one) or _FAILED.search(one)) for one in texts)
        if len(cells) >= _FEWEST and told >= _STATUS_SHARE * len(cells):
            yield cells


def _by_totals(
    sentence: Sentence, table: Table, match: re.Match[str], count: int
) -> Iterator[Verdict]:
    """`463 of 480 tests pass`, where columns have how many there are, and how many pass."""
    bare = [one for one in table.columns if one.is_bare and len(one.numbers) >= _FEWEST]
    sums = [(one, sum(number.value for number in one.numbers.values())) for one in bare]
    parts = [pair for pair in sums if pair[0].words and pair[0].words <= sentence.words]
    if len(parts) != 1 or int(match["whole"]) not in [total for _, total in sums]:
        return
    column, total = parts[0]
    if total == count:
        yield HOLDS
    elif total != int(match["whole"]) and not table.named(sentence):
        span = Span(sentence.start + match.start(), sentence.start + match.end())
        message = (
            f"the total {column.title} of {len(column.numbers)} rows is {total:.0f}, not {count}"
        )
        yield Wrong(span, message, tuple(one.source for one in [*column.numbers.values()][:6]))


def _by_limit(
    sentence: Sentence, table: Table, match: re.Match[str], count: int
) -> Iterator[Verdict]:
    """`4 of 5 algorithms are more than 2x faster`."""
    words = sentence.words
    limits = [one for one in sentence.figures if one.bound in (Bound.LEAST, Bound.MOST)]
    if len(limits) != 1:
        return
    columns = table.columns_for(limits[0], words)
    if len(columns) != 1 or len(columns[0].numbers) != int(match["whole"]):
        return
    column, figure = columns[0], limits[0]
    limit = float(figure.value) * (column.scale(figure) or 1.0)
    upper = figure.bound is Bound.MOST
    numbers = [*column.numbers.values()]
    certain = [one for one in numbers if (one.widest()[1] < limit if upper else one.low > limit)]
    possible = [one for one in numbers if (one.low <= limit if upper else one.widest()[1] >= limit)]
    if len(certain) <= count <= len(possible):
        yield HOLDS
    elif table.subject(sentence) == frozenset() and not table.restricting(sentence, columns):
        span = Span(sentence.start + match.start(), sentence.start + match.end())
        way = "at most" if upper else "at least"
        message = (
            f"{len(certain)} of {len(numbers)} rows have {column.title} {way} "
            f"{sentence.cut(figure)}, not {count}"
        )
        yield Wrong(span, message, tuple(one.source for one in certain[:6]))
