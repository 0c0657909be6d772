"""Tables on a page: every row and cell of the report with its findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.markdown.document import Presence, Row
from mdbench.numerals.cell import Form
from mdbench.rendering.site.numbered_findings import NumberedFindings, cell_findings
from mdbench.rendering.site.pieces import Mark, cut_markdown
from mdbench.rendering.site.printed import title_quantity
from mdbench.rendering.site.views import CellView, ColumnView, RowView, TableView
from mdbench.sheets.sheet import NUMERIC, Measurement, Sheet
from mdbench.source import Source, Span

_ENOUGH = 0.6
_SEVERAL = 2
_LONG = 30


def view_table(
    source: Source,
    sheet: Sheet,
    number: int,
    section: str,
    numbered: NumberedFindings,
) -> TableView:
    """A table with its findings."""
    table = sheet.table
    marks = numbered.within(table.span)
    measured = {(one.row, one.cell.span): one for one in sheet.measurements if one.part == 0}
    data = frozenset(sheet.layout.rows)
    rows = tuple(
        RowView(
            f"t{number}r{at + 1}",
            source.line(row.span.start),
            tuple(_cells(row, at, marks, measured, numbered.verified)),
            tuple(sorted(cell_findings(row, _near(marks, row))[1])),
            at in data,
        )
        for at, row in enumerate(table.rows)
    )
    last = max(table.span.start, table.span.end - 1)
    return TableView(
        f"t{number}",
        number,
        section,
        source.line(table.span.start),
        source.line(last),
        tuple(_columns(sheet, number, marks, rows)),
        rows,
        sheet.layout.transposed,
    )


def _near(marks: Sequence[Mark], row: Row) -> list[Mark]:
    """The marks of one row; a mark over several rows has its own cell in each."""
    start = min(row.span.start, row.cells[0].span.start)
    end = max(row.span.end, row.cells[-1].span.end)
    return [mark for mark in marks if start <= mark.span.start and mark.span.end <= end]


def _cells(
    row: Row,
    at: int,
    marks: Sequence[Mark],
    measured: dict[tuple[int, Span], Measurement],
    verified: frozenset[Span],
) -> Iterator[CellView]:
    findings, _ = cell_findings(row, _near(marks, row))
    for cell, found in zip(row.cells, findings, strict=True):
        one = measured.get((at, cell.span))
        pieces = cut_markdown(cell.raw)
        if cell.presence is Presence.SURPLUS and not pieces and not found:
            # A comment behind the row.
            continue
        yield CellView(
            pieces,
            None if one is None else sort_value(one),
            found,
            cell.span in verified and bool(cell.raw),
            not cell.raw or (one is not None and one.numeral.form is Form.NOTHING),
        )


def sort_value(one: Measurement) -> float | None:
    """The sort key of a cell: its number in the unit of its column."""
    if one.numeral.form not in NUMERIC or one.numeral.value is None:
        return None
    if one.quantity is None:
        return float(one.numeral.value)
    # A number with another unit cannot be compared with the others.
    if one.amount is None:
        return None
    return float(one.quantity.convert(one.amount.value, one.amount.unit))


def _columns(
    sheet: Sheet, number: int, marks: Sequence[Mark], rows: Sequence[RowView]
) -> Iterator[ColumnView]:
    header, titles = sheet.table.header, sheet.table.titles
    if not header.cells:
        return
    findings, _ = cell_findings(header, _near(marks, header))
    width = max((len(row.cells) for row in rows), default=0)
    for at in range(max(width, len(titles))):
        title = titles[at] if at < len(titles) else ""
        known = None
        if not sheet.layout.transposed and at < len(sheet.columns):
            known = sheet.columns[at].header
        cells = [row.cells[at] for row in rows if row.data and at < len(row.cells)]
        cell = CellView(cut_markdown(title), findings=findings[at] if at < len(findings) else ())
        quantity = None if known is None else known.quantity
        yield ColumnView(
            f"t{number}c{at}",
            cell,
            "" if quantity is None else quantity.name,
            "" if quantity is None else title_quantity(quantity),
            _is_numeric(cells),
            _text(cell),
            None if cell.findings else _shared(cells),
            any(len(_text(one)) > _LONG for one in cells),
        )


def _shared(cells: Sequence[CellView]) -> str | None:
    """The text of all cells, nothing if they are empty; None if one is unlike the others."""
    if len(cells) < _SEVERAL or any(cell.findings for cell in cells):
        return None
    texts = {"" if cell.empty else _text(cell) for cell in cells}
    return texts.pop() if len(texts) == 1 else None


def _text(cell: CellView) -> str:
    return "".join(piece.text for piece in cell.pieces).strip()


def _is_numeric(cells: Sequence[CellView]) -> bool:
    filled = [cell for cell in cells if not cell.empty]
    numbers = sum(cell.value is not None for cell in filled)
    return bool(filled) and numbers >= _ENOUGH * len(filled)
