"""Split a line of a pipe table into cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mdbench.markdown.document import Cell, Presence, Row
from mdbench.regex import lazy
from mdbench.source import Span

PADDING = " \t\v\f"
"""CommonMark's whitespace inside a line; other spaces belong to the cell."""
_BAR = lazy(r"(?<!\\)\|")


def trim(text: str, start: int, end: int) -> Span:
    """The span from `start` to `end` without the padding at both ends."""
    piece = text[start:end]
    left = piece.lstrip(PADDING)
    start += len(piece) - len(left)
    return Span(start, start + len(left.rstrip(PADDING)))


def split_line(text: str, start: int, end: int) -> list[Span]:
    """Split a line into cells at each unescaped pipe; outer pipes do not add cells."""
    start, end = trim(text, start, end)
    line = text[start:end]
    pieces = _BAR.split(line) if "\\|" in line else line.split("|")
    if not pieces[0]:
        del pieces[0]
        start += 1
    if pieces and not pieces[-1]:
        del pieces[-1]
    cells: list[Span] = []
    for piece in pieces:
        left = piece.lstrip(PADDING)
        begin = start + len(piece) - len(left)
        cells.append(Span(begin, begin + len(left.rstrip(PADDING))))
        start += len(piece) + 1
    return cells


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
