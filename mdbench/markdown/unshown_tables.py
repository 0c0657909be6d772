"""Tables that GitHub shows as text because their delimiter row has too few or too many cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from mdbench.markdown.document import Block, BlockKind, Table, TableKind, TextLine
from mdbench.markdown.pipe_row import count_cells, make_row, split_line
from mdbench.markdown.pipe_tables import is_delimiter_text
from mdbench.source import Span

_TEXT = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
_FEWEST_LINES = 3
_FEWEST_CELLS = 2


def find_unshown_tables(text: str, blocks: Iterable[Block]) -> Iterator[Table]:
    """The tables in text whose header and rows have the same number of cells."""
    for block in blocks:
        piped = block.kind in _TEXT and text.find("|", *block.span) >= 0
        if piped and len(block.lines) >= _FEWEST_LINES:
            for has_pipe, group in groupby(block.lines, key=lambda line: "|" in line.text):
                lines = [*group] if has_pipe else []
                if len(lines) >= _FEWEST_LINES and is_delimiter_text(lines[1].text):
                    yield from _read(lines, block.section)


def _read(lines: Sequence[TextLine], section: int) -> Iterator[Table]:
    written = [lines[0], *lines[2:]]
    cells = [split_line(*line) for line in written]
    width = len(cells[0])
    delimiters = count_cells(lines[1].text)
    if width < _FEWEST_CELLS or delimiters == width or any(len(row) != width for row in cells):
        return
    header, *rows = (
        make_row(Span(line.start, line.end), row, width)
        for line, row in zip(written, cells, strict=True)
    )
    span = Span(lines[0].start, lines[-1].end)
    yield Table(TableKind.UNSHOWN, header, tuple(rows), ("",) * width, span, section)
