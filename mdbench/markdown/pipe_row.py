"""One line of a pipe table: where its cells stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mdbench.markdown.document import Cell, Presence, Row
from mdbench.source import Span

PADDING = " \t\v\f"
"""What CommonMark calls whitespace inside a line; wider spaces belong to the cell."""


def trim(text: str, start: int, end: int) -> Span:
    """The stretch from `start` to `end` without the padding at both ends."""
    while start < end and text[start] in PADDING:
        start += 1
    while start < end and text[end - 1] in PADDING:
        end -= 1
    return Span(start, end)


def split_line(text: str, start: int, end: int) -> list[Span]:
    """The cells of a line, cut at each pipe that no backslash escapes; outer pipes are no cells."""
    line = trim(text, start, end)
    pieces: list[Span] = []
    begin = search = line.start
    while (bar := text.find("|", search, line.end)) >= 0:
        search = bar + 1
        if bar > line.start and text[bar - 1] == "\\":
            continue
        pieces.append(Span(begin, bar))
        begin = search
    pieces.append(Span(begin, line.end))
    if pieces and pieces[0].start == pieces[0].end:
        del pieces[0]
    if pieces and pieces[-1].start == pieces[-1].end:
        del pieces[-1]
    return [trim(text, *piece) for piece in pieces]


def make_row(text: str, line: Span, cells: Sequence[Span], width: int) -> Row:
    """A row of `width` columns: missing cells filled in, further ones marked as surplus."""
    row = [Cell(text[span.start : span.end], span) for span in cells[:width]]
    if len(row) < width:
        missing = Cell("", Span(line.end, line.end), Presence.MISSING)
        row += [missing] * (width - len(row))
    row += [Cell(text[span.start : span.end], span, Presence.SURPLUS) for span in cells[width:]]
    return Row(tuple(row), line)


def read_alignment(delimiter: str) -> str:
    """What the colons of a delimiter cell ask for: left, right, center, or nothing."""
    if delimiter.endswith(":"):
        return "center" if delimiter.startswith(":") else "right"
    return "left" if delimiter.startswith(":") else ""


def merge_titles(rows: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Header rows of one width read as one: for each column what stands there, from the top."""
    return tuple(" ".join(text for text in column if text) for column in zip(*rows, strict=True))
