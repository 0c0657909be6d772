"""Reports with tables of very many rows, in parts that each hold some of these rows.

A part is the text of the report without most rows of its long tables. It keeps the first rows and
the last one of each, which others may refer to, and has one block of rows of one table. So memory
does not grow with the number of rows, and a place in a part is easily found in the report again.
"""

import gc
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.source import Source, Span

LONG = 20_000
"""So many rows are read at once. A part then takes some hundred MB."""
HEAD = 1002
"""How many lines of a long table all parts keep. With fewer, its section would look short."""
_DELIMITERS = lazy(r" {0,3}\|[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?")
_FIRST_CELL = lazy(r" {0,3}\|[ \t]*[^| \t]")


class Part(NamedTuple):
    """Some rows of a long table, with the text around them."""

    source: Source
    rows: Span
    """Its own rows, in its text."""
    cuts: tuple[tuple[int, int], ...]
    """The places in its text where rows are left out, each with how much was left out so far."""
    first: bool
    """Whether these are the first rows of their table."""

    def whole_offset(self, offset: int) -> int:
        """Where a place of its text is in the report."""
        left_out = 0
        for place, total in self.cuts:
            if offset >= place:
                left_out = total
        return offset + left_out

    def whole_span(self, span: Span) -> Span:
        """Where a span of its text is in the report."""
        start = self.whole_offset(span.start)
        return Span(start, self.whole_offset(span.end - 1) + 1 if span.end > span.start else start)

    def owns(self, span: Span) -> bool:
        """Whether a span is in its own rows."""
        return self.rows.start <= span.start < self.rows.end


def split_long_tables(source: Source) -> list[Part]:
    """The parts of a report, each table's in order; none if no table is long."""
    if source.text.count("\n") < LONG and source.text.count("\r") < LONG:
        return []
    middles = list(_find_middles(source))
    return [
        _make_part(source, middles, at, block)
        for at, blocks in enumerate(middles)
        for block in pairwise(blocks)
    ]


def each_part(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts, without a search for garbage until one is done: it takes an eighth of the time."""
    was_enabled = gc.isenabled()
    try:
        for part in parts:
            gc.disable()
            yield part
            gc.collect()
    finally:
        if was_enabled:
            gc.enable()


def _find_middles(source: Source) -> Iterator[list[int]]:
    """For each long table, where the blocks of the rows start that are not in all parts."""
    starts = [*source.line_starts, len(source.text)]
    first = 0
    for line in range(len(starts)):
        if line + 1 < len(starts) and _is_row(source.text, starts[line]):
            continue
        if line - first > HEAD + LONG and _is_table(source, starts, first):
            yield _cut_blocks(source.text, starts, range(first + HEAD, line - 1))
        first = line + 1


def _is_row(text: str, start: int) -> bool:
    return text.startswith(("|", " |", "  |", "   |"), start)


def _is_table(source: Source, starts: Sequence[int], first: int) -> bool:
    delimiters = source.text[starts[first + 1] : starts[first + 2]].rstrip("\r\n")
    return _DELIMITERS.fullmatch(delimiters) is not None


def _cut_blocks(text: str, starts: Sequence[int], lines: range) -> list[int]:
    """Not before a row without a first cell, which may mean that of the row above."""
    found = [starts[lines.start]]
    at = lines.start + LONG
    while at < lines.stop:
        while at < lines.stop and not _FIRST_CELL.match(text, starts[at]):
            at += 1
        found.append(starts[at])
        at += LONG
    return [*found, starts[lines.stop]] if found[-1] < starts[lines.stop] else found


def _make_part(
    source: Source, middles: Sequence[Sequence[int]], table: int, block: tuple[int, int]
) -> Part:
    kept: list[str] = []
    cuts: list[tuple[int, int]] = []
    rows = Span(0, 0)
    done = length = 0
    for at, blocks in enumerate(middles):
        start, end = block if at == table else (blocks[-1], blocks[-1])
        for piece in (source.text[done : blocks[0]], source.text[start:end]):
            kept.append(piece)
            length += len(piece)
            cuts.append((length, start - length if len(kept) % 2 else blocks[-1] - length))
        if at == table:
            rows = Span(length - (end - start), length)
        done = blocks[-1]
    text = "".join((*kept, source.text[done:]))
    part = Source(source.path, text, bom=source.bom)
    return Part(part, rows, tuple(cuts), block[0] == middles[table][0])
