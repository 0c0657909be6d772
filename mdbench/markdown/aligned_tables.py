"""Tables in code fences whose columns are aligned with blanks, as tools print them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from re import Pattern
from typing import NamedTuple

from mdbench.markdown.document import Cell, Presence, Row, Table, TableKind, TextLine
from mdbench.regex import lazy
from mdbench.source import Span

_WORD = lazy(r"\S+")
_FIELD = lazy(r"\S+(?: \S+)*")
_NUMBER = lazy(r"[-+<>~≈±$]?\.?\d")
# Not a date, a time of day or a list of cores: `0-11,24-35`.
_MEASURE = lazy(r"[-+<>~≈±$]?\.?\d[\d.,]*(?:[eE][-+]?\d+)?(?![-:;\d])")
_LISTED = lazy(r"[:=]$|=[-+\d]")
_RULE_CHARACTERS = frozenset("-=─━ ")
_UPRIGHT = "│┃|"
_STROKE = lazy("[│┃|\t]")
# Two blanks at least come before some number of each row.
_GAP = lazy(r"\S {2,}[-+<>~≈±$]?\.?\d")
_MAX_HEADER_LINES = 3
_FEWEST_COLUMNS_OF_ONE_ROW = 3
_MOST_SKIPPED = 0.25


class _Line(NamedTuple):
    """A line: its words by position, and what it can be."""

    source: TextLine
    text: str
    """The line with a comment mark and upright strokes turned into blanks."""
    words: tuple[Span, ...]
    fields: tuple[Span, ...]
    bars: tuple[int, ...]
    commented: bool
    rule: bool


class _Heads(NamedTuple):
    """The lines above the first row: titles from top to bottom, rules, and titles of groups."""

    titles: tuple[_Line, ...]
    groups: _Line | None
    rules: tuple[_Line, ...]
    caption: _Line | None
    """A line above them that ends with a colon."""


def find_aligned_tables(text: str, lines: Sequence[TextLine], section: int) -> Iterator[Table]:
    """Find the tables whose columns are certain: blanks run between them through every row."""
    free = at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and _is_data(lines[end].text):
            end += 1
        if end == at:
            at += 1
            continue
        heads = _find_heads(lines, free, at)
        table = heads and _make_table(text, heads, [*map(_read_line, lines[at:end])], section)
        if table:
            yield table
        free = at = end


def _is_data(text: str) -> bool:
    """Whether a line has a number after a gap, and is neither a comment nor drawn."""
    return bool(_GAP.search(text)) and not (text.startswith("#") or _STROKE.search(text))


def _read_line(line: TextLine) -> _Line:
    commented = line.text.startswith("#")
    bars = tuple(at for at, char in enumerate(line.text) if char in _UPRIGHT)
    text = line.text
    if bars:
        text = "".join(" " if char in _UPRIGHT else char for char in text)
    if commented:
        text = " " + text[1:]
    words = tuple(Span(*match.span()) for match in _WORD.finditer(text))
    fields = tuple(Span(*match.span()) for match in _FIELD.finditer(text))
    rule = _RULE_CHARACTERS.issuperset(text) and all(b - a > 1 for a, b in words)
    return _Line(line, text, words, fields, bars, commented, rule)


def _find_heads(lines: Sequence[TextLine], free: int, first: int) -> _Heads | None:
    """The header above the row `first`: words only, two or more, none of which ends a key."""
    above = [_read_line(line) for line in lines[max(free, first - _MAX_HEADER_LINES - 1) : first]]
    rules = []
    if above and above[-1].rule:
        rule = above.pop()
        # A rule of one piece says nothing of the columns.
        rules += [rule] * (len(rule.words) > 1)
    if not above or not _can_head(above[-1]):
        return None
    titles = [above.pop()]
    marked = titles[0].commented or titles[0].bars
    while marked and above and len(titles) < _MAX_HEADER_LINES and _continues(above[-1], titles[0]):
        titles.append(above.pop())
    groups = None
    if len(titles) > 1 and len(titles[-1].fields) < len(titles[-2].fields):
        groups = titles.pop()
    captioned = bool(above) and not groups and above[-1].text.rstrip().endswith(":")
    caption = above[-1] if captioned else None
    return _Heads(tuple(reversed(titles)), groups, tuple(rules), caption)


def _can_head(line: _Line) -> bool:
    return (
        len(line.fields) > (0 if line.bars else 1)
        and not line.rule
        and "\t" not in line.text
        and not any(_LISTED.search(line.text, a, b) for a, b in line.words)
        and not any(_is_number(line.text, a, b) for a, b in line.words)
    )


def _is_number(text: str, start: int, end: int) -> bool:
    # `99%` and `50th` name percentiles.
    return bool(_NUMBER.match(text, start)) and not text.endswith(("%", "th"), start, end)


def _continues(above: _Line, below: _Line) -> bool:
    if above.commented != below.commented or bool(above.bars) != bool(below.bars):
        return False
    return bool(above.words) and not any(_is_number(above.text, a, b) for a, b in above.words)


def _make_table(text: str, heads: _Heads, lines: Sequence[_Line], section: int) -> Table | None:
    main = max(heads.titles, key=lambda line: len(line.fields))
    rows = [line for line in lines if not _bridges(line, main)]
    if len(lines) - len(rows) > _MOST_SKIPPED * len(lines):
        return None
    columns = _find_columns(heads, rows, main)
    if columns is None or not _is_certain(columns, rows, main):
        return None
    unnamed = all(_all_numbers(_texts(rows, column), _MEASURE) for column in columns)
    if not unnamed:
        heads = heads._replace(caption=None)
    titles = _title(heads, columns)
    if titles is None:
        return None
    top = heads.caption or heads.groups or heads.titles[0]
    last = rows[-1]
    return Table(
        TableKind.FENCE,
        _make_row(text, main, columns),
        tuple(_make_row(text, line, columns) for line in rows),
        ("",) * len(columns),
        Span(_span_of(top).start, _span_of(last).end),
        section,
        titles,
    )


def _bridges(line: _Line, main: _Line) -> bool:
    """Whether a word of a row stands under two titles."""
    return any(sum(a < end and start < b for a, b in main.fields) > 1 for start, end in line.words)


def _find_columns(heads: _Heads, rows: Sequence[_Line], main: _Line) -> tuple[Span, ...] | None:
    """The columns between the blanks that run through header and rows."""
    titled = (*heads.titles, *heads.rules)
    words = [word for line in (*titled, *rows) for word in line.words]
    bands = _join_words(words)
    inner = [gap for line in titled for gap in _find_inner_gaps(line, titled, rows, bands)]
    bands = _join_words([*words, *inner])
    columns: list[Span] = []
    nameless: list[int] = []
    for band in bands:
        named = _has_text(titled, band)
        if not named and columns and {"±", ""}.issuperset(_texts(rows, band)):
            continue
        if (
            columns
            and band.start - columns[-1].end == 1
            and not _are_apart(titled, rows, columns[-1], band)
        ):
            columns[-1] = Span(columns[-1].start, band.end)
        elif named or not columns:
            columns.append(band)
        elif heads.rules:
            nameless.append(len(columns))
            columns.append(band)
        else:
            return None
    if nameless and not _are_groups(nameless, len(columns)):
        return None
    crowded = any(
        sum(a < column.end and column.start < b for a, b in main.fields) > 1 for column in columns
    )
    return None if crowded or len(columns) < 2 else tuple(columns)


def _are_groups(nameless: Sequence[int], columns: int) -> bool:
    """Whether each title but the first stands above the same number of columns, its own first."""
    titled = [at for at in range(1, columns) if at not in nameless]
    widths = {after - before for before, after in pairwise((*titled, columns))}
    return len(titled) > 1 and len(widths) == 1 and titled[0] == 1


def _find_inner_gaps(
    line: _Line, titled: Sequence[_Line], rows: Sequence[_Line], bands: Sequence[Span]
) -> Iterator[Span]:
    """The blanks inside the titles of a line, except those between two columns."""
    starts = [band.start for band in bands]
    for left, right in pairwise(line.words):
        if right.start - left.end == 1:
            before, after = (bands[bisect_right(starts, at.start) - 1] for at in (left, right))
            if before == after or not _are_apart(titled, rows, before, after):
                yield Span(left.end, right.start)


def _join_words(words: Sequence[Span]) -> list[Span]:
    bands: list[Span] = []
    for start, end in sorted(words):
        if bands and start <= bands[-1].end:
            bands[-1] = Span(bands[-1].start, max(end, bands[-1].end))
        else:
            bands.append(Span(start, end))
    return bands


def _are_apart(titled: Sequence[_Line], rows: Sequence[_Line], left: Span, right: Span) -> bool:
    """Whether one blank separates two columns: both have a title, and one holds only numbers.

    Brackets belong to what is left of them.
    """
    below = _texts(rows, right)
    return (
        _has_text(titled, left)
        and _has_text(titled, right)
        and any(below)
        and not any(text.startswith("(") for text in (*below, *_texts(titled, right)))
        and (_all_numbers(_texts(rows, left)) or _all_numbers(below))
    )


def _texts(lines: Sequence[_Line], column: Span) -> list[str]:
    return [line.text[column.start : column.end].strip() for line in lines]


def _has_text(lines: Sequence[_Line], column: Span) -> bool:
    return any(_texts(lines, column))


def _all_numbers(texts: Sequence[str], pattern: Pattern[str] = _NUMBER) -> bool:
    filled = [text for text in texts if text]
    return bool(filled) and all(map(pattern.match, filled))


def _is_certain(columns: Sequence[Span], rows: Sequence[_Line], main: _Line) -> bool:
    """Whether some column has only numbers, and the rows are no list of keys and values."""
    cells = [_texts(rows, column) for column in columns]
    if not any(_all_numbers(texts, _MEASURE) for texts in cells[1:]):
        return False
    if any(_LISTED.search(text) for text in cells[0]):
        return False
    if any(sum(bool(texts[at]) for texts in cells) < 2 for at in range(len(rows))):
        return False
    if len(rows) > 1:
        return True
    (row,) = rows
    ends = [field.end for field in row.fields] == [field.end for field in main.fields]
    starts = [field.start for field in row.fields] == [field.start for field in main.fields]
    return (starts or ends) and len(columns) >= _FEWEST_COLUMNS_OF_ONE_ROW


def _title(heads: _Heads, columns: Sequence[Span]) -> tuple[str, ...] | None:
    """The titles of the columns from top to bottom; none if a group's columns are uncertain."""
    titles = [
        " ".join(filter(None, (" ".join(text.split()) for text in _texts(heads.titles, column))))
        for column in columns
    ]
    for at in range(1, len(titles)):
        # A title above several columns stands above the first of them.
        titles[at] = titles[at] or titles[at - 1]
    if heads.caption is not None:
        # Without a column of names, the caption says what all the numbers are.
        caption = heads.caption.text.strip().removesuffix(":")
        return tuple(f"{caption} {title}" for title in titles)
    if heads.groups is None:
        return tuple(titles)
    groups = _spread_groups(heads.groups, columns) or _repeat_groups(heads.groups, titles)
    if groups is None:
        return None
    return tuple(f"{group} {title}".strip() for group, title in zip(groups, titles, strict=True))


def _spread_groups(line: _Line, columns: Sequence[Span]) -> list[str] | None:
    """The text between the strokes around each column."""
    if len(line.bars) < 2:
        return None
    spread = []
    for column in columns:
        before = max((bar for bar in line.bars if bar <= column.start), default=0)
        after = min((bar for bar in line.bars if bar >= column.end), default=len(line.text))
        spread.append(line.text[before:after].strip())
    return spread


def _repeat_groups(line: _Line, titles: Sequence[str]) -> list[str] | None:
    """A group for each repetition of the same titles: `time size` under `read` and `write`."""
    names = [line.text[a:b] for a, b in line.fields]
    for width in range(len(titles) // len(names), 0, -1):
        tail = titles[len(titles) - width * len(names) :]
        if all(tail[at] == tail[at % width] for at in range(len(tail))):
            repeated = [name for name in names for _ in range(width)]
            return [""] * (len(titles) - len(repeated)) + repeated
    return None


def _span_of(line: _Line) -> Span:
    start = line.source.start
    return Span(
        start + len(line.source.text) - len(line.source.text.lstrip()),
        start + len(line.source.text.rstrip()),
    )


def _make_row(text: str, line: _Line, columns: Sequence[Span]) -> Row:
    cells = []
    for column in columns:
        piece = line.text[column.start : column.end]
        start = min(column.start, len(line.text)) + len(piece) - len(piece.lstrip())
        span = Span(line.source.start + start, line.source.start + start + len(piece.strip()))
        presence = Presence.PRESENT if piece.strip() else Presence.MISSING
        cells.append(Cell(text[span.start : span.end], span, presence))
    return Row(tuple(cells), _span_of(line))
