"""Fit edits to the cells they change: as few characters as possible, and columns stay aligned.

A rule provides the new text of a cell. If its pipes are aligned with those of the surrounding rows,
they are kept in place as far as the padding allows. Otherwise there is no alignment to preserve,
and only the text is changed.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Cell, Presence, Row, Table
from mdbench.markdown.widths import display_width
from mdbench.source import Edit, Source, Span

_PADDING = " \t"
# Characters that cannot be in a cell: an edit with one of these adds cells or rows.
_BREAKS = frozenset("|\r\n")
# How many rows on each side show whether and how a column is aligned.
_NEIGHBOURS = 8
_NARROWEST = 1


class _Place(NamedTuple):
    """A cell, with its table, row and column."""

    table: Table
    row: int
    column: int

    @property
    def cell(self) -> Cell:
        return self.table.rows[self.row].cells[self.column]


class _Slot(NamedTuple):
    """The content between the pipes around a cell: the text with padding on both sides."""

    span: Span
    left: int
    text: str
    right: int


def fit_edits(source: Source, tables: Sequence[Table], edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Merge the edits within each pipe table cell into one that fits it; keep all others."""
    fitted: list[Edit] = []
    inside: dict[Span, tuple[_Place, list[Edit]]] = {}
    for edit in edits:
        place = _find_cell(tables, edit.span) if _BREAKS.isdisjoint(edit.text) else None
        if place is None:
            fitted.append(edit)
        else:
            inside.setdefault(place.cell.span, (place, []))[1].append(edit)
    for place, own in inside.values():
        fitted += _replace(source, place, _change(place.cell, own))
    return tuple(sorted(fitted))


def add_cells(source: Source, table: Table, row: Row) -> Edit:
    """Add the missing cells at the end of a row, as wide as the header's if it is aligned."""
    closed = source.text[row.span.start : row.span.end].rstrip()
    text = "" if closed.endswith("|") and not closed.endswith("\\|") else " |"
    present = sum(cell.presence is Presence.PRESENT for cell in row.cells)
    own, above = (_edges(source, one, present - 1) for one in (row, table.header))
    for cell in table.header.cells[present:]:
        slot = _slot(source, cell)
        width = slot.left + display_width(slot.text) + slot.right
        text += (" " * width if own is not None and own == above else "  ") + "|"
    end = row.span.start + len(closed)
    return Edit(Span(end, end), text)


def _find_cell(tables: Sequence[Table], span: Span) -> _Place | None:
    at = bisect_right(tables, span.start, key=lambda table: table.span.start) - 1
    if at < 0 or not tables[at].keeps_alignment or span.end > tables[at].span.end:
        return None
    table = tables[at]
    row = bisect_right(table.rows, span.start, key=lambda row: row.span.start) - 1
    if row < 0:
        return None
    for column, cell in enumerate(table.rows[row].cells):
        within = cell.span.start <= span.start and span.end <= cell.span.end
        if within and cell.presence is Presence.PRESENT:
            return _Place(table, row, column)
    return None


def _change(cell: Cell, edits: Sequence[Edit]) -> str:
    start = cell.span.start
    moved = [Edit(Span(a - start, b - start), text) for (a, b), text in edits]
    return Source("", cell.raw).edited(moved).text


def _replace(source: Source, place: _Place, text: str) -> Iterator[Edit]:
    """Write a text into a cell, unless it is already there."""
    slot = _slot(source, place.cell)
    before = source.cut(slot.span)
    after = _lay_out(source, place, slot, text)
    if before == after:
        return
    shared = min(len(before), len(after))
    head = _common(before, after, shared)
    tail = _common(before[::-1], after[::-1], shared - head)
    yield Edit(Span(slot.span.start + head, slot.span.end - tail), after[head : len(after) - tail])


def _common(one: str, other: str, most: int) -> int:
    """The length of the common prefix, at most `most`."""
    return next((at for at in range(most) if one[at] != other[at]), most)


def _slot(source: Source, cell: Cell) -> _Slot:
    start, end = cell.span
    while start > 0 and source.text[start - 1] in _PADDING:
        start -= 1
    while end < len(source.text) and source.text[end] in _PADDING:
        end += 1
    return _Slot(Span(start, end), cell.span.start - start, cell.raw, end - cell.span.end)


def _lay_out(source: Source, place: _Place, slot: _Slot, text: str) -> str:
    """The new content of a slot with another text."""
    left, right = slot.left, slot.right
    room = left + display_width(slot.text) + right
    if not slot.text:
        left = right = min(1, _widest_padding(source, place.table.rows[place.row]))
    spare = room - left - display_width(text) - right
    if spare and _is_aligned(source, place):
        if _is_right_aligned(source, place):
            left, right = _spread(left, right, spare)
        else:
            right, left = _spread(right, left, spare)
    return " " * left + text + " " * right


def _widest_padding(source: Source, row: Row) -> int:
    slots = (_slot(source, cell) for cell in row.cells if cell.presence is Presence.PRESENT)
    return max(max(slot.left, slot.right) for slot in slots)


def _spread(first: int, second: int, spare: int) -> tuple[int, int]:
    """Add `spare` to the paddings, or take it away, from the first as long as a space is left."""
    wanted = first + spare
    kept = max(wanted, min(first, _NARROWEST))
    return kept, max(second - (kept - wanted), min(second, _NARROWEST))


def _is_aligned(source: Source, place: _Place) -> bool:
    """Whether both pipes around a cell are aligned with those of most surrounding rows."""
    rows = place.table.rows
    own = _edges(source, rows[place.row], place.column)
    around = [at for at in _neighbours(place) if at != place.row]
    others = [_edges(source, rows[at], place.column) for at in around]
    others.append(_edges(source, place.table.header, place.column))
    return 2 * sum(edges == own for edges in others) >= len(others)


def _neighbours(place: _Place) -> range:
    last = min(len(place.table.rows), place.row + _NEIGHBOURS + 1)
    return range(max(0, place.row - _NEIGHBOURS), last)


def _edges(source: Source, row: Row, column: int) -> tuple[int, int] | None:
    """The display columns where a cell starts and ends, including its padding."""
    if column >= len(row.cells) or row.cells[column].presence is not Presence.PRESENT:
        return None
    span = _slot(source, row.cells[column]).span
    start = source.line_starts[source.line(row.span.start) - 1]
    text = source.text[start : span.end]
    return display_width(text[: span.start - start]), display_width(text)


def _is_right_aligned(source: Source, place: _Place) -> bool:
    """Whether a column is right-aligned, by its cells, else by the delimiter row."""
    rows, column = place.table.rows, place.column
    leaning = sum(_padding_side(source, rows[at].cells[column]) for at in _neighbours(place))
    asked = place.table.alignments[column] if column < len(place.table.alignments) else ""
    if not leaning and not asked:
        leaning = _padding_side(source, place.table.header.cells[column])
    return leaning > 0 if leaning else asked == "right"


def _padding_side(source: Source, cell: Cell) -> int:
    """1 for a text with more padding on the left than on the right, -1 for less."""
    if not cell.raw or cell.presence is not Presence.PRESENT:
        return 0
    slot = _slot(source, cell)
    return (slot.left > slot.right) - (slot.left < slot.right)
