"""Split a line of a pipe table into cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mdbench.markdown.document import Cell, Presence, Row
from mdbench.source import Span

PADDING = " \t\v\f"
"""CommonMark's whitespace inside a line; other spaces belong to the cell."""


def trim(text: str, start: int, end: int) -> Span:
    """The span from `start` to `end` without the padding at both ends."""
    piece = text[start:end]
    left = piece.lstrip(PADDING)
    start += len(piece) - len(left)
    return Span(start, start + len(left.rstrip(PADDING)))


def split_line(text: str, start: int, end: int) -> list[Span]:
    """Split a line into cells at each unescaped pipe; outer pipes do not add cells."""
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
    """Make a row of `width` columns: fill in missing cells and mark further ones as surplus."""
    row = [Cell(text[span.start : span.end], span) for span in cells[:width]]
    if len(row) < width:
        missing = Cell("", Span(line.end, line.end), Presence.MISSING)
        row += [missing] * (width - len(row))
    row += [Cell(text[span.start : span.end], span, Presence.SURPLUS) for span in cells[width:]]
    return Row(tuple(row), line)


def read_alignment(delimiter: str) -> str:
    """The alignment of a delimiter cell: left, right, center, or empty."""
    if delimiter.endswith(":"):
        return "center" if delimiter.startswith(":") else "right"
    return "left" if delimiter.startswith(":") else ""


def merge_titles(rows: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Merge header rows of the same width: join the texts of each column from top to bottom."""
    return tuple(" ".join(text for text in column if text) for column in zip(*rows, strict=True))
