"""Rows of a bound table for results that it does not show, and rows that no result has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from mdbench.markdown.document import Presence, Row, TableKind
from mdbench.markdown.fitting import fit_edits
from mdbench.numerals.numeral import Form
from mdbench.results.bound_cells import bind_cell
from mdbench.results.comparison import BoundTable, Comparison
from mdbench.results.groups import Group
from mdbench.results.matching import BoundColumn, as_decimal, unit_of
from mdbench.results.printing import habits_of
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Edit, Source, Span, remove_line

_BOLD = "*_"


def remove_rows(report: Report, comparison: Comparison) -> list[Edit]:
    """Remove the rows without a result; a row that holds other runs too stays."""
    edits: list[Edit] = []
    for table in comparison.tables:
        sheet = table.sheet
        if sheet is None or not _is_simple(sheet):
            continue
        lacking = {run.number for run, _ in table.lacking}
        kept = {run.number for run in sheet.runs} - lacking
        if kept:
            spans = {run.number: run.span for run, _ in table.lacking}
            edits += [remove_line(report.source, spans[row].start) for row in sorted(lacking)]
    return edits


class Added(NamedTuple):
    """Rows to add to the tables of a report."""

    edits: tuple[Edit, ...]
    rows: Mapping[int, frozenset[int]]
    """The numbers that the new rows will have, by the number of their table."""


def add_rows(report: Report, comparison: Comparison) -> Added:
    """Add a row for each result that the table does not show, in the order of the table."""
    edits: list[Edit] = []
    added: dict[int, frozenset[int]] = {}
    for table in comparison.tables:
        sheet = table.sheet
        if sheet is None or not _is_simple(sheet) or not sheet.runs:
            continue
        placed: dict[int, list[str]] = {}
        for group in sorted(table.surplus, key=lambda one: _order(table, one)):
            texts = _texts(sheet, table, group)
            line = _line(report, sheet, texts) if texts is not None else None
            if line is not None:
                placed.setdefault(_place(sheet, table, group), []).append(line)
        numbers: list[int] = []
        for place, lines in sorted(placed.items()):
            numbers += (place + len(numbers) + at for at in range(len(lines)))
            edits.append(_insert(report.source, sheet, place, lines))
        if numbers:
            added[sheet.number] = frozenset(numbers)
    return Added(tuple(edits), added)


def _insert(source: Source, sheet: Sheet, place: int, lines: Sequence[str]) -> Edit:
    """Insert lines before a row of a table, or behind its last one."""
    rows = sheet.table.rows
    ending = "\r\n" if "\r\n" in source.text else "\n"
    at = source.line(rows[min(place, len(rows) - 1)].span.start) - (place < len(rows))
    if at < len(source.line_starts):
        start = source.line_starts[at]
        return Edit(Span(start, start), "".join(line + ending for line in lines))
    end = len(source.text)
    return Edit(Span(end, end), "".join(ending + line for line in lines))


def _is_simple(sheet: Sheet) -> bool:
    """Whether each row of the table is one run, and may be written."""
    one_each = len({run.number for run in sheet.runs}) == len(sheet.runs)
    plain = sheet.table.kind is TableKind.PIPE and not sheet.layout.transposed
    return plain and one_each


def _keys(table: BoundTable) -> list[BoundColumn]:
    return [one for one in table.columns if one.is_key]


def _order(table: BoundTable, group: Group) -> tuple[tuple[bool, Decimal, str], ...]:
    values = (group.settings[one.result.name] for one in _keys(table))
    numbers = ((as_decimal(value), str(value)) for value in values)
    return tuple((number is None, number or Decimal(0), text) for number, text in numbers)


def _texts(sheet: Sheet, table: BoundTable, group: Group) -> list[str] | None:
    """The cells of a new row; None if one of its settings cannot be written as the others are."""
    texts = [""] * len(sheet.table.header.cells)
    for bound in table.columns:
        model = _model(bound)
        if model is None or bound.column.index >= len(texts):
            return None
        value = (
            group.settings[bound.result.name]
            if bound.is_key
            else group.values[bound.result.name].value
        )
        text = _write(model, bound, value)
        if text is None and bound.is_key:
            return None
        texts[bound.column.index] = text or ""
    return texts


def _model(bound: BoundColumn) -> Measurement | None:
    mains = [one for one in bound.column.mains if one.numeral.form is not Form.NOTHING]
    return mains[-1] if mains else None


def _write(model: Measurement, bound: BoundColumn, value: object) -> str | None:
    number = as_decimal(value)
    if number is None:
        return None if value is None else str(value).replace("|", "\\|").replace("\n", " ")
    bare = model._replace(cell=model.cell._replace(raw=model.cell.raw.strip(_BOLD)))
    made = bind_cell(bare, bound, (number, None), habits_of(bound.column), "")
    return made.text if made is not None else None


def _place(sheet: Sheet, table: BoundTable, group: Group) -> int:
    """The row to stand before: the first with a larger setting, if the rows are sorted by one."""
    last = len(sheet.table.rows)
    for bound in _keys(table):
        sizes = [_size(bound.column.find(run.number)) for run in sheet.runs]
        known = [one for one in sizes if one is not None]
        if len(known) < max(2, len(sizes)) or len(set(known)) < len(known):
            continue
        value = as_decimal(group.settings[bound.result.name])
        if value is None:
            return last
        quantity = bound.column.header.quantity
        size = value if quantity is None else value * unit_of(bound.result, quantity).scale
        rising = all(one < other for one, other in pairwise(known))
        falling = all(one > other for one, other in pairwise(known))
        for run, mine in zip(sheet.runs, known, strict=True):
            if (rising and mine > size) or (falling and mine < size):
                return run.number
        return last
    return last


def _size(one: Measurement | None) -> Decimal | None:
    amount = one.amount if one is not None else None
    return None if amount is None else amount.value * amount.unit.scale


def _line(report: Report, sheet: Sheet, texts: Sequence[str]) -> str | None:
    """A line of the table, laid out like the last whole row; None if there is none."""
    source = report.source
    row = next((one for one in reversed(sheet.table.rows) if _is_whole(one, len(texts))), None)
    if row is None:
        return None
    line = source.line(row.span.start)
    start = source.line_starts[line - 1]
    edits = [Edit(cell.span, text) for cell, text in zip(row.cells, texts, strict=True)]
    moved = [
        Edit(Span(span.start - start, span.end - start), text)
        for span, text in fit_edits(source, [sheet.table], edits)
    ]
    return Source("", source.line_text(line)).edited(moved).text


def _is_whole(row: Row, width: int) -> bool:
    return len(row.cells) == width and all(one.presence is Presence.PRESENT for one in row.cells)


def stand_in(sheet: Sheet, rows: frozenset[int]) -> Iterator[Edit]:
    """Numbers for the empty cells of new rows, written like those above, to be recomputed."""
    for column in sheet.columns:
        model = next((one for one in column.mains if one.is_number and one.run not in rows), None)
        for row in sorted(rows) if model is not None else ():
            cell = sheet.table.rows[row].cells[column.index]
            if model is not None and not cell.raw:
                yield Edit(cell.span, model.cell.raw.strip(_BOLD))
