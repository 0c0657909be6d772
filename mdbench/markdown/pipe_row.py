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
    bare = piece.strip(PADDING)
    start += piece.find(bare) if bare else len(piece)
    return Span(start, start + len(bare))


def split_line(line: str, start: int) -> list[Cell]:
    """The cells of a line at offset `start`: split at each unescaped pipe but the outer ones."""
    bare = line.strip(PADDING)
    start += line.find(bare) + bare.startswith("|")
    cells: list[Cell] = []
    for piece in _cut(bare):
        raw = piece.strip(PADDING)
        begin = start + (piece.find(raw) if raw else len(piece))
        cells.append(Cell(raw, Span(begin, begin + len(raw))))
        start += len(piece) + 1
    return cells


def count_cells(line: str) -> int:
    """How many cells a line has."""
    return len(_cut(line.strip(PADDING)))


def split_delimiters(line: str) -> list[str]:
    """The cells of a delimiter row, of which nobody asks where they are."""
    return [piece.strip(PADDING) for piece in _cut(line.strip(PADDING))]


def _cut(bare: str) -> list[str]:
    pieces = _BAR.split(bare) if "\\|" in bare else bare.split("|")
    if not pieces[0]:
        del pieces[0]
    if pieces and not pieces[-1]:
        del pieces[-1]
    return pieces


def make_row(line: Span, cells: Sequence[Cell], width: int) -> Row:
    """Make a row of `width` columns: fill in missing cells and mark further ones as surplus."""
    if len(cells) == width:
        return Row(tuple(cells), line)
    missing = Cell("", Span(line.end, line.end), Presence.MISSING)
    surplus = [cell._replace(presence=Presence.SURPLUS) for cell in cells[width:]]
    return Row((*cells[:width], *[missing] * (width - len(cells)), *surplus), line)


def read_alignment(delimiter: str) -> str:
    """The alignment of a delimiter cell: left, right, center, or empty."""
    if delimiter.endswith(":"):
        return "center" if delimiter.startswith(":") else "right"
    return "left" if delimiter.startswith(":") else ""


def merge_titles(rows: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Merge header rows of the same width: join the texts of each column from top to bottom."""
    return tuple(" ".join(text for text in column if text) for column in zip(*rows, strict=True))
