"""Edits made to fit the cells they change: as few characters as can be, and columns stay in line.

A rule says what should stand in a cell. Where the pipes around it stand in line with those of the
rows around, they stay where they are, as far as the padding allows; where they do not there is
nothing to keep in line, and only the text is changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Cell, Presence, Row, Table
from mdbench.markdown.widths import display_width
from mdbench.source import Edit, Source, Span

_PADDING = " \t"
# What cannot stand in a cell: an edit with one of these makes cells or rows.
_BREAKS = frozenset("|\r\n")
# So many rows on either side show whether a column is in line, and which way it leans.
_NEIGHBOURS = 8
_NARROWEST = 1


class _Place(NamedTuple):
    """A cell, and the table, row and column that it stands in."""

    table: Table
    row: int
    column: int

    @property
    def cell(self) -> Cell:
        return self.table.rows[self.row].cells[self.column]


class _Slot(NamedTuple):
    """What stands between the pipes around a cell: the padding on both sides and the text."""

    span: Span
    left: int
    text: str
    right: int


def fit_edits(source: Source, tables: Sequence[Table], edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The same edits; those within one cell drawn with pipes become one that fits the cell."""
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
    """Write the cells that a row lacks at its end, as wide as the header's if it is in line."""
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
    """Write a text into a cell; nothing where it stands there already."""
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
    """With how many characters two texts begin alike."""
    return next((at for at in range(most) if one[at] != other[at]), most)


def _slot(source: Source, cell: Cell) -> _Slot:
    start, end = cell.span
    while start > 0 and source.text[start - 1] in _PADDING:
        start -= 1
    while end < len(source.text) and source.text[end] in _PADDING:
        end += 1
    return _Slot(Span(start, end), cell.span.start - start, cell.raw, end - cell.span.end)


def _lay_out(source: Source, place: _Place, slot: _Slot, text: str) -> str:
    """The slot with another text in it."""
    left, right = slot.left, slot.right
    room = left + display_width(slot.text) + right
    if not slot.text:
        left = right = min(1, _widest_padding(source, place.table.rows[place.row]))
    if _is_in_line(source, place):
        spare = room - left - display_width(text) - right
        if _leans_right(source, place):
            left, right = _spread(left, right, spare)
        else:
            right, left = _spread(right, left, spare)
    return " " * left + text + " " * right


def _widest_padding(source: Source, row: Row) -> int:
    slots = (_slot(source, cell) for cell in row.cells if cell.presence is Presence.PRESENT)
    return max(max(slot.left, slot.right) for slot in slots)


def _spread(first: int, second: int, spare: int) -> tuple[int, int]:
    """Paddings with so much more, or less: taken from the first as long as one space is left."""
    wanted = first + spare
    kept = max(wanted, min(first, _NARROWEST))
    return kept, max(second - (kept - wanted), min(second, _NARROWEST))


def _is_in_line(source: Source, place: _Place) -> bool:
    """Whether both pipes around a cell stand below or above those of most lines around it."""
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
    """The display columns at which a cell of a row begins and ends, its padding included."""
    if column >= len(row.cells) or row.cells[column].presence is not Presence.PRESENT:
        return None
    span = _slot(source, row.cells[column]).span
    start = source.line_starts[source.line(row.span.start) - 1]
    text = source.text[start : span.end]
    return display_width(text[: span.start - start]), display_width(text)


def _leans_right(source: Source, place: _Place) -> bool:
    """Whether the column's texts stand on the right: as they do, else as the table asks for."""
    rows, column = place.table.rows, place.column
    leaning = sum(_lean(source, rows[at].cells[column]) for at in _neighbours(place))
    asked = place.table.alignments[column] if column < len(place.table.alignments) else ""
    if not leaning and not asked:
        leaning = _lean(source, place.table.header.cells[column])
    return leaning > 0 if leaning else asked == "right"


def _lean(source: Source, cell: Cell) -> int:
    """1 for a text with more padding before than behind it, -1 for one with less."""
    if not cell.raw or cell.presence is not Presence.PRESENT:
        return 0
    slot = _slot(source, cell)
    return (slot.left > slot.right) - (slot.left < slot.right)
