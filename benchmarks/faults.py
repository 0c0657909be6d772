"""Mistakes as people make them, inserted one at a time into the text of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from benchmarks.clean import Clean, Place, Spot
from benchmarks.wrong_numbers import NUMBERS, RARE, UNITS, Kind, applies, find_unit
from mdbench.diagnosis.slips import move_point, with_number
from mdbench.markdown.document import TableKind
from mdbench.source import Edit, Source, Span
from mdbench.vocabulary.quantities import Role

_TRIES = 8
"""Places that are tried for a mistake of a kind."""


class Fault(NamedTuple):
    """A report with one mistake, and where it is."""

    kind: Kind
    source: Source
    table: int
    cells: frozenset[Place]
    """The wrong cells of the changed table."""
    rows: frozenset[int]
    """The affected body rows of the changed table."""
    is_column: bool = False
    """Whether a whole column is wrong."""
    lost: frozenset[Place] = frozenset()
    """Cells of the original table whose text is lost, so that no fix can restore it."""
    added: int = 0
    """The number of the line that was added, or 0."""


def make_faults(clean: Clean, kinds: tuple[Kind, ...], most: int, seed: str) -> Iterator[Fault]:
    """Up to `most` mistakes at random places of a report, of as many kinds as possible.

    Kinds that need certain words or units get half of them, for few tables have those.
    """
    random = Random(seed)
    rare, common = ([one for one in kinds if (one in RARE) is is_rare] for is_rare in (True, False))
    left, seen = most, set[str]()
    for group, share in ((rare, (most + 1) // 2 if common else most), (common, most)):
        random.shuffle(group)
        wanted, tries = min(share, left), 4 * most
        while group and wanted and tries:
            kind, tries = group.pop(0), tries - 1
            fault = _make(clean, kind, random)
            if fault is None:
                continue
            group.append(kind)
            if fault.source.text not in seen:
                seen.add(fault.source.text)
                left, wanted = left - 1, wanted - 1
                yield fault


def _make(clean: Clean, kind: Kind, random: Random) -> Fault | None:
    """A mistake at a random place where it can be made."""
    spots = [spot for spot in clean.spots if applies(kind, spot)]
    for spot in random.sample(spots, min(len(spots), _TRIES)):
        if kind in NUMBERS:
            number = NUMBERS[kind](spot, random)
            text = with_number(spot.one, number) if number is not None else None
            fault = _write(clean, kind, spot, {(spot.row, spot.column): text}) if text else None
        else:
            fault = _MAKERS[kind](clean, spot, random)
        if fault is not None:
            return fault
    return None


def _write(
    clean: Clean, kind: Kind, spot: Spot, texts: Mapping[Place, str], *, is_column: bool = False
) -> Fault | None:
    """The report with other texts in some cells; None if nothing changes or a text does not fit."""
    table = spot.sheet.table
    edits: list[Edit] = []
    for (row, column), text in texts.items():
        cell = table.rows[row].cells[column]
        edit = Edit(cell.span, text)
        if table.kind is TableKind.FENCE:
            # The blanks before it give way, so that the columns stay where they are.
            more = len(text) - len(cell.raw)
            start = cell.span.start - max(more, 0)
            if clean.source.text[start - 1 : cell.span.start].strip(" ") and more > 0:
                return None
            edit = Edit(Span(start, cell.span.end), text.rjust(len(cell.raw)))
        if cell.raw != text:
            edits.append(edit)
    if not edits:
        return None
    rows = frozenset(row for row, _ in texts)
    source = clean.source.edited(edits)
    return Fault(kind, source, table.number, frozenset(texts), rows, is_column)


def _copy(clean: Clean, spot: Spot, random: Random) -> Fault | None:
    """The number of the row above or below."""
    mates, mine = spot.column_mates, spot.one.numeral
    beside = [mates[row] for row in (spot.row - 1, spot.row + 1) if row in mates]
    others = [one for one in beside if one.numeral.value != mine.value]
    if not others:
        return None
    other = random.choice(others)
    return _write(clean, Kind.COPIED, spot, {(spot.row, spot.column): other.cell.raw})


def _swap(clean: Clean, spot: Spot, random: Random) -> Fault | None:
    mine = spot.one.numeral.value
    others = [(at, one) for at, one in spot.row_mates.items() if one.numeral.value != mine]
    if not others:
        return None
    at, other = random.choice(others)
    texts = {(spot.row, spot.column): other.cell.raw, (spot.row, at): spot.one.cell.raw}
    return _write(clean, Kind.SWAP, spot, texts)


def _shift(clean: Clean, spot: Spot, random: Random) -> Fault | None:
    """An extra pipe or a missing cell: the following cells are one column off."""
    table, at = spot.sheet.table, spot.row
    cells = table.rows[at].cells
    if table.kind is not TableKind.PIPE or not 3 <= len(cells) == len(table.titles):
        return None
    first = random.choice(range(1, len(cells) - 1))
    if not all(cell.present for cell in cells) or not any(c.raw.strip(" -") for c in cells[first:]):
        return None
    rows = frozenset((at,))
    if random.random() < 0.5:
        edit = Edit(Span(cells[first].span.start, cells[first].span.start), " | ")
        places = frozenset((at, place) for place in range(first, len(cells) + 1))
        return Fault(Kind.SHIFT, clean.source.edited([edit]), table.number, places, rows)
    edit = Edit(Span(cells[first].span.start, cells[first + 1].span.start), "")
    places = frozenset((at, place) for place in range(first, len(cells) - 1))
    source = clean.source.edited([edit])
    lost = frozenset(((at, first),))
    return Fault(Kind.SHIFT, source, table.number, places, rows, lost=lost)


def _move(clean: Clean, spot: Spot, random: Random) -> Fault | None:
    """The results of a row are in another row, and their own row is empty."""
    rows = {other.row: other for other in clean.spots if other.sheet is spot.sheet}
    results = [
        at
        for at, one in spot.row_mates.items()
        if one.quantity is None or one.quantity.role in (Role.MEASUREMENT, Role.SCORE)
    ]
    targets = [row for row in rows if row != spot.row and set(results) <= {*rows[row].row_mates}]
    if not results or not targets or len(results) == len(spot.sheet.table.titles):
        return None
    row = random.choice(targets)
    texts = {(row, at): spot.row_mates[at].cell.raw for at in results}
    wrong = frozenset(texts)
    fault = _write(clean, Kind.MOVED, spot, {**texts, **{(spot.row, at): "-" for at in results}})
    return fault and fault._replace(cells=wrong, lost=wrong)


def _duplicate(clean: Clean, spot: Spot, _: Random) -> Fault | None:
    table, starts = spot.sheet.table, clean.source.line_starts
    line = clean.source.line(table.rows[spot.row].span.start)
    if line >= len(starts) or table.kind is not TableKind.PIPE:
        return None
    edit = Edit(
        Span(starts[line], starts[line]), clean.source.text[starts[line - 1] : starts[line]]
    )
    places = frozenset((spot.row + 1, column) for column in range(len(table.titles)))
    rows = frozenset((spot.row, spot.row + 1))
    source = clean.source.edited([edit])
    return Fault(Kind.DUPLICATE, source, table.number, places, rows, added=line + 1)


def _change_unit(clean: Clean, spot: Spot, _: Random) -> Fault | None:
    """Another unit in the cell or its header, and the same number."""
    found = find_unit(spot)
    if found is None:
        return None
    word, span = found
    in_header = not (spot.one.cell.span.start <= span.start < spot.one.cell.span.end)
    rows = frozenset(spot.column_mates) if in_header else frozenset((spot.row,))
    places = frozenset((row, spot.column) for row in rows)
    source = clean.source.edited([Edit(span, UNITS[word][0])])
    return Fault(Kind.UNIT, source, spot.sheet.number, places, rows, in_header)


def _swap_columns(clean: Clean, spot: Spot, random: Random) -> Fault | None:
    """The headers of two columns with numbers in each other's place."""
    table = spot.sheet.table
    if table.kind is not TableKind.PIPE or table.merged or spot.sheet.layout.transposed:
        return None
    others = [at for at in spot.row_mates if table.titles[at] != spot.title]
    if not others or len(spot.column_mates) < 2:
        return None
    at = random.choice(others)
    one, other = table.header.cells[spot.column], table.header.cells[at]
    source = clean.source.edited([Edit(one.span, other.raw), Edit(other.span, one.raw)])
    rows = frozenset(spot.column_mates)
    places = frozenset((row, column) for row in rows for column in (spot.column, at))
    return Fault(Kind.COLUMNS, source, table.number, places, rows, is_column=True)


def _scale_column(clean: Clean, spot: Spot, _: Random) -> Fault | None:
    """A measured column in another unit than its header says. Settings are left alone."""
    quantity = spot.one.quantity
    measured = quantity is None or quantity.role is Role.MEASUREMENT
    if not measured or len(spot.column_mates) < 2 or spot.sheet.layout.transposed:
        return None
    texts: dict[Place, str] = {}
    for row, one in spot.column_mates.items():
        text = with_number(one, move_point(one.typed or "", 3))
        if text is None:
            return None
        texts[row, spot.column] = text
    return _write(clean, Kind.COLUMN, spot, texts, is_column=True)


_MAKERS: dict[Kind, Callable[[Clean, Spot, Random], Fault | None]] = {
    Kind.COPIED: _copy,
    Kind.UNIT: _change_unit,
    Kind.SWAP: _swap,
    Kind.SHIFT: _shift,
    Kind.MOVED: _move,
    Kind.DUPLICATE: _duplicate,
    Kind.COLUMNS: _swap_columns,
    Kind.COLUMN: _scale_column,
}
