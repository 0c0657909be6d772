"""Rows of a bound table for results that it does not show, and rows that no result has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from mdbench.markdown.document import Presence, Row, TableKind
from mdbench.markdown.fitting import fit_edits
from mdbench.markdown.inline import plain_text
from mdbench.numerals.numeral import Form
from mdbench.rendering.name_markup import write_name
from mdbench.results.agreement import as_decimal, unit_of
from mdbench.results.bound_cells import bind_cell
from mdbench.results.comparison import BoundTable, Comparison
from mdbench.results.groups import Group
from mdbench.results.matching import BoundColumn
from mdbench.results.printing import habits_of
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement, Run
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.sheets.summaries import find_summaries
from mdbench.source import Edit, Source, Span, remove_line

_BOLD = "*_"
# Of two rows, every second pair is sorted by chance.
_FEWEST_SORTED = 3


def remove_rows(report: Report, comparison: Comparison) -> list[Edit]:
    """Remove the rows without a result; a row that holds other runs too stays."""
    edits: list[Edit] = []
    for table in comparison.tables:
        sheet = table.sheet
        if sheet is None or why_rows_stay(sheet):
            continue
        lacking = {run.number for run, _ in table.lacking}
        if not would_empty(table):
            spans = {run.number: run.span for run, _ in table.lacking}
            edits += [remove_line(report.source, spans[row].start) for row in sorted(lacking)]
    return edits


def would_empty(table: BoundTable) -> bool:
    """Whether no row would be left without those that have no result."""
    lacking = {run.number for run, _ in table.lacking}
    return (
        bool(lacking)
        and table.sheet is not None
        and not ({run.number for run in table.sheet.runs} - lacking)
    )


class Appended(NamedTuple):
    """Rows to add behind the last one of each table, with their places in its order."""

    edits: tuple[Edit, ...]
    places: Mapping[int, Sequence[int]]
    """The row that each of them belongs before, by the number of their table."""
    remarks: tuple[str, ...]


def append_rows(report: Report, comparison: Comparison) -> Appended:
    """Write a row for each result that the table does not show, in the order of the table."""
    edits: list[Edit] = []
    places: dict[int, list[int]] = {}
    remarks: list[str] = []
    for table in comparison.tables:
        sheet = table.sheet
        if sheet is None or why_rows_stay(sheet):
            continue
        placed: list[tuple[int, str]] = []
        for group in sorted(table.surplus, key=lambda one: _order(table, one)):
            texts = _texts(sheet, table, group)
            line = _line(report, sheet, texts) if texts is not None else None
            if line is not None:
                placed.append((_place(sheet, table, group), line))
            else:
                at = report.source.line(table.binding.span.start)
                why = "no row shows how its settings are written"
                remarks.append(f"{at}: no row is added for {group.where}: {why}")
        placed.sort(key=lambda one: one[0])
        if placed:
            edits.append(_append(report.source, sheet, [line for _, line in placed]))
            places[sheet.number] = [place for place, _ in placed]
    return Appended(tuple(edits), places, tuple(remarks))


def _append(source: Source, sheet: Sheet, lines: Sequence[str]) -> Edit:
    """Insert lines behind the last row of a table."""
    ending = "\r\n" if "\r\n" in source.text else "\n"
    at = source.line(sheet.table.rows[-1].span.start)
    end = source.line_starts[at - 1] + len(source.line_text(at))
    return Edit(Span(end, end), "".join(ending + line for line in lines))


def why_rows_stay(sheet: Sheet) -> str:
    """Why no row is added to a table or removed from it; empty if that can be done."""
    if sheet.table.kind is not TableKind.PIPE:
        return "it is no pipe table"
    if sheet.layout.transposed or len({run.number for run in sheet.runs}) < len(sheet.runs):
        return "its rows are not one run each"
    if find_summaries(sheet.columns):
        return "one of its rows sums up the others"
    return "" if sheet.runs else "it has no rows"


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
        model = _model(bound.column)
        if model is None or bound.column.index >= len(texts):
            return None
        value = (
            group.settings[bound.result.name]
            if bound.is_key
            else group.values[bound.result.name].value
        )
        text = _write(model, bound, value, _spread(bound, group))
        if text is None and bound.is_key:
            return None
        texts[bound.column.index] = text or ""
    return texts


def _model(column: Column) -> Measurement | None:
    """A cell that shows how one is written: the last, if it can be one without remarks."""
    mains = [one for one in column.mains if one.numeral.form is not Form.NOTHING]
    plain = [one for one in mains if not _is_remarked(one)] or mains
    # The best of a column of ratios may be printed without a spread.
    spread = [one for one in plain if one.numeral.spread is not None] or plain
    return spread[-1] if spread else None


def _is_remarked(one: Measurement) -> bool:
    """Whether a cell says something that is true of its own row only: `~12`, `12 (2 runs)`."""
    numeral = one.numeral
    return bool(numeral.bound or numeral.note or numeral.markers)


def _spread(bound: BoundColumn, group: Group) -> Decimal | None:
    if bound.spread is not None:
        return as_decimal(group.values[bound.spread.name].value)
    return as_decimal(group.deviations.get(bound.result.name)) if bound.repeats else None


def _write(
    model: Measurement, bound: BoundColumn, value: object, spread: Decimal | None
) -> str | None:
    number = as_decimal(value)
    if number is None:
        return None if value is None else write_name(str(value), bound.column)
    bare = model._replace(cell=model.cell._replace(raw=model.cell.raw.strip(_BOLD)))
    made = bind_cell(bare, bound, (number, spread), habits_of(bound.column), "")
    return made.text if made is not None else None


def _place(sheet: Sheet, table: BoundTable, group: Group) -> int:
    """The row to stand before, in the order of the rows with the same first settings."""
    block = _block(sheet, table, group)
    for bound in (*_keys(table), *(one for one in table.columns if not one.is_key)):
        place = _place_by(bound, block, group)
        if place is not None:
            return place
    return block[-1].number + 1


def _block(sheet: Sheet, table: BoundTable, group: Group) -> Sequence[Run]:
    """The neighbouring rows that share the first settings with a result; else all rows."""
    block: Sequence[Run] = sheet.runs
    for bound in _keys(table):
        mine = _rank_result(bound, group)
        same = [run for run in block if _rank(bound, run) == mine]
        if not same or same[-1].number - same[0].number >= len(same):
            break
        block = same
    return block


def _place_by(bound: BoundColumn, block: Sequence[Run], group: Group) -> int | None:
    """Where a result belongs in rows that are sorted by a column; None if they are not."""
    mine = _rank_result(bound, group)
    ranks = [_rank(bound, run) for run in block]
    known = [one for one in ranks if one is not None]
    is_number = bound.is_key and isinstance(mine, Decimal)
    if mine is None or len(known) < len(block) or len(known) < (1 if is_number else _FEWEST_SORTED):
        return None
    rising = all(_is_below(one, other) for one, other in pairwise(known))
    falling = all(_is_below(other, one) for one, other in pairwise(known))
    if not rising and not falling:
        return None
    for run, rank in zip(block, known, strict=True):
        if _is_below(mine, rank) if rising else _is_below(rank, mine):
            return run.number
    return block[-1].number + 1


Rank = Decimal | str


def _is_below(one: Rank, other: Rank) -> bool:
    if isinstance(one, Decimal) and isinstance(other, Decimal):
        return one < other
    return isinstance(one, str) and isinstance(other, str) and one < other


def _rank(bound: BoundColumn, run: Run) -> Rank | None:
    one = bound.column.find(run.number)
    if one is None or one.numeral.form is Form.NOTHING:
        return None
    return _size(one) if one.numeral.value is not None else plain_text(one.cell.raw).casefold()


def _rank_result(bound: BoundColumn, group: Group) -> Rank | None:
    name = bound.result.name
    value = group.settings[name] if bound.is_key else group.values[name].value
    number = as_decimal(value)
    if number is None:
        return value.casefold() if isinstance(value, str) else None
    quantity = bound.column.header.quantity
    return number if quantity is None else number * unit_of(bound.result, quantity).scale


def _size(one: Measurement) -> Decimal | None:
    return one.numeral.value if one.amount is None else one.amount.value * one.amount.unit.scale


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
        model = _model(column) if any(one.is_number for one in column.mains) else None
        for row in sorted(rows) if model is not None else ():
            cell = sheet.table.rows[row].cells[column.index]
            if model is not None and model.is_number and not cell.raw:
                yield Edit(cell.span, model.cell.raw.strip(_BOLD))
