"""Find HTML tables in linear time."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Cell, Presence, Row, Table, TableKind
from mdbench.markdown.pipe_row import merge_titles
from mdbench.regex import lazy
from mdbench.source import Span

_OPENING = lazy(r"<!--|<(/?)(table|thead|tbody|tfoot|tr|th|td)(?=[\s/>])", re.IGNORECASE)
_QUOTED = r"""\s*+"[^"]*+"|\s*+'[^']*+'"""
_REST = lazy(rf"(?:[^>=]|=(?:{_QUOTED})|=(?!{_QUOTED}))*>")
_SPAN = lazy(r"""\b(row|col)span\s*+=\s*+["']?\s*+([0-9]+)""", re.IGNORECASE)
_MAX_ROWSPAN = 65534
_MAX_COLSPAN = 1000


class Tag(NamedTuple):
    """A tag, with its attributes as written."""

    name: str
    closing: bool
    attributes: str
    start: int
    end: int


def scan_tags(text: str, stretch: Span, comment: bool) -> tuple[list[Tag], bool]:
    """Find the table tags of a span, and whether a comment is open at its end."""
    tags: list[Tag] = []
    position = stretch.start
    while True:
        if comment:
            closing = text.find("-->", position, stretch.end)
            if closing < 0:
                return tags, True
            position, comment = closing + 3, False
        opening = _OPENING.search(text, position, stretch.end)
        if opening is None:
            return tags, False
        if opening[2] is None:
            position, comment = opening.end(), True
            continue
        rest = _REST.match(text, opening.end(), stretch.end)
        if rest is None:
            return tags, False
        position = rest.end()
        attributes = text[opening.end() : position]
        name, closing_tag = opening[2].lower(), opening[1] == "/"
        tags.append(Tag(name, closing_tag, attributes, opening.start(), position))


def read_spans(attributes: str) -> tuple[int, int]:
    """The rows and columns that a cell covers; a rowspan of 0 means all rows below."""
    spans = {name.lower(): int(digits[:6]) for name, digits in _SPAN.findall(attributes)}
    rows = spans.get("row", 1) or _MAX_ROWSPAN
    return min(rows, _MAX_ROWSPAN), min(spans.get("col", 1) or 1, _MAX_COLSPAN)


# How many cells may be filled in, per character of a table and in total, so that a few bytes cannot
# create thousands of cells.
_FILLED_PER_CHARACTER = 8
_MAX_FILLED = 1 << 16


@dataclass(slots=True)
class _Typed:
    """A cell as written by the author."""

    start: int
    end: int
    heading: bool
    rowspan: int
    colspan: int


@dataclass(slots=True)
class _TypedRow:
    start: int
    end: int
    head: bool
    cells: list[_Typed] = field(default_factory=list)


@dataclass(slots=True)
class _OpenTable:
    """A table that is still being parsed."""

    start: int
    section: int
    quoted: bool
    end: int = 0
    rows: list[_TypedRow] = field(default_factory=list)
    head: bool = False
    layout: bool = False
    row: _TypedRow | None = None
    cell: _Typed | None = None

    def close_cell(self, end: int) -> None:
        if self.cell is not None and self.row is not None:
            self.cell.end = self.row.end = end
        self.cell = None

    def read(self, tag: Tag) -> None:
        self.end = tag.end
        self.close_cell(tag.start)
        if tag.name in {"thead", "tbody", "tfoot"}:
            self.head = tag.name == "thead" and not tag.closing
            self.row = None
        elif tag.name == "tr" and tag.closing:
            self.row = None
        elif tag.name == "tr":
            self.open_row(tag)
        elif not tag.closing:
            row = self.row or self.open_row(tag)
            self.cell = _Typed(tag.end, tag.end, tag.name == "th", *read_spans(tag.attributes))
            row.cells.append(self.cell)

    def open_row(self, tag: Tag) -> _TypedRow:
        self.row = _TypedRow(tag.start, tag.end, self.head)
        self.rows.append(self.row)
        return self.row


def find_html_tables(text: str, blocks: Sequence[Block], inner: Sequence[Span]) -> Iterator[Table]:
    """Find the tables in HTML blocks; one that contains another table is layout, not a table.

    `inner` has the spans of tables of other kinds.
    """
    starts = sorted(span.start for span in inner)
    for draft in _read_drafts(text, blocks):
        index = bisect_left(starts, draft.start)
        if not draft.layout and (index == len(starts) or starts[index] >= draft.end):
            table = _make_table(text, draft)
            if table is not None:
                yield table


def _read_drafts(text: str, blocks: Iterable[Block]) -> Iterator[_OpenTable]:
    stack: list[_OpenTable] = []
    comment = False
    for block in blocks:
        # Blank lines split a table into blocks of any kind; only an HTML block can start one.
        if block.kind is BlockKind.FENCE or not (stack or block.kind is BlockKind.HTML):
            continue
        prefix = text[text.rfind("\n", 0, block.span.start) + 1 : block.span.start]
        tags, comment = scan_tags(text, block.span, comment)
        for tag in tags:
            if tag.name == "table":
                yield from _nest(stack, tag, block, ">" in prefix)
            elif stack:
                stack[-1].read(tag)
    while stack:
        yield _finish(stack, stack[-1].end)


def _nest(stack: list[_OpenTable], tag: Tag, block: Block, quoted: bool) -> Iterator[_OpenTable]:
    # There cannot be a table between cells, so the previous one was not closed.
    if stack and (tag.closing or stack[-1].cell is None):
        stack[-1].close_cell(tag.start)
        yield _finish(stack, tag.end if tag.closing else stack[-1].end)
    if not tag.closing and (stack or block.kind is BlockKind.HTML):
        stack.append(_OpenTable(tag.start, block.section, quoted, tag.end))


def _finish(stack: list[_OpenTable], end: int) -> _OpenTable:
    draft = stack.pop()
    draft.close_cell(end)
    draft.end = end
    if stack and draft.rows:
        stack[-1].layout = True
    return draft


def _make_table(text: str, draft: _OpenTable) -> Table | None:
    typed = [row for row in draft.rows if row.cells]
    if not typed:
        return None
    most = min(_MAX_FILLED, _FILLED_PER_CHARACTER * (draft.end - draft.start))
    spread = _spread(text, typed, draft.quoted, most)
    width = max(len(row) for row in spread)
    if sum(width - len(row) for row in spread) > most:
        return None
    grid = [_fill(row, cells, width) for row, cells in zip(typed, spread, strict=True)]
    depth = _count_header_rows(typed)
    header, rows = grid[depth - 1], grid[depth:]
    merged = _merge_header(grid[:depth]) if depth > 1 else ()
    span = Span(draft.start, draft.end)
    return Table(TableKind.HTML, header, tuple(rows), ("",) * width, span, draft.section, merged)


def _spread(
    text: str, typed: Sequence[_TypedRow], quoted: bool, budget: int
) -> list[list[Cell | None]]:
    """Put the cells of each row into columns; a spanning cell fills every place it covers.

    Columns after the last one in which a cell starts are dropped: `colspan="100"` means all.
    """
    width = 0
    hanging: dict[int, tuple[Cell, int]] = {}
    spread: list[list[Cell | None]] = []
    for index, row in enumerate(typed):
        if budget <= 0 or row.head != typed[index - 1].head:
            hanging = {}
        places = {column: cell for column, (cell, _) in hanging.items()}
        hanging = {column: (cell, n - 1) for column, (cell, n) in hanging.items() if n > 1}
        budget -= len(places)
        column = 0
        for item in row.cells:
            while column in places:
                column += 1
            width = max(width, column + 1)
            cell = _strip(text, item, quoted)
            for covered in range(column, column + (item.colspan if budget > 0 else 1)):
                places[covered] = cell
                budget -= 1
                if item.rowspan > 1 and budget > 0:
                    hanging[covered] = (cell, item.rowspan - 1)
            column += 1
        spread.append([places.get(column) for column in range(max(places) + 1)])
    return [row[:width] for row in spread]


def _strip(text: str, item: _Typed, quoted: bool) -> Cell:
    """Strip the padding of a cell, which includes the quote marks of lines in a quote."""
    raw = text[item.start : item.end].rstrip()
    while quoted and (bare := raw.rstrip("> \t")).endswith(("\n", "\r")):
        raw = bare.rstrip()
    body = raw.lstrip()
    while quoted and body.startswith(">") and "\n" in raw[: len(raw) - len(body)]:
        body = body.lstrip("> \t\r\n")
    start = item.start + len(raw) - len(body)
    return Cell(body, Span(start, start + len(body)))


def _fill(row: _TypedRow, cells: Sequence[Cell | None], width: int) -> Row:
    missing = Cell("", Span(row.end, row.end), Presence.MISSING)
    filled = [cell or missing for cell in cells]
    return Row((*filled, *[missing] * (width - len(filled))), Span(row.start, row.end))


def _count_header_rows(typed: Sequence[_TypedRow]) -> int:
    depth = 0
    while depth < len(typed) and typed[depth].head:
        depth += 1
    if depth:
        return depth
    while depth < len(typed) and all(cell.heading for cell in typed[depth].cells):
        depth += 1
    if 0 < depth < len(typed):
        return depth
    first = typed[0].cells
    grouped = any(cell.colspan > 1 for cell in first)
    tallest = max(cell.rowspan for cell in first)
    return tallest if grouped and 1 < tallest < len(typed) else 1


def _merge_header(rows: Sequence[Row]) -> tuple[str, ...]:
    """One text per column; a cell across several rows counts once, one across all columns not."""
    seen: set[tuple[int, Span]] = set()
    texts: list[list[str]] = []
    for row in rows:
        caption = len(row.cells) > 1 and len({cell.span for cell in row.cells}) == 1
        keys = [(column, cell.span) for column, cell in enumerate(row.cells)]
        texts.append(
            [
                "" if caption or key in seen else cell.raw
                for key, cell in zip(keys, row.cells, strict=True)
            ]
        )
        seen.update(keys)
    return merge_titles(texts)
