"""The runs of a report with their rows, for the charts and the table of all runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.frames.columns import TidyRow
from mdbench.rendering.site.findings import Ledger
from mdbench.rendering.site.views import Run, TableView
from mdbench.sheets.records import Record
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet

_FEW = 2


def list_runs(
    report: Report, rows: Sequence[TidyRow], tables: Sequence[TableView], ledger: Ledger
) -> Iterator[Run]:
    """The runs in tables, then those in prose, as in the tidy frame."""
    records = [
        (table, sheet, record)
        for table, sheet in zip(tables, report.sheets, strict=True)
        if sheet.tells_something
        for record in sheet.records
    ]
    for row, (table, sheet, record) in zip(rows, records, strict=False):
        yield _run(row, table, sheet, record, ledger)
    for row in rows[len(records) :]:
        line = row["line"] if isinstance(row["line"], int) else 0
        yield Run(f"L{line}", line, row)


def _run(row: TidyRow, table: TableView, sheet: Sheet, record: Record, ledger: Ledger) -> Run:
    numbers = _findings(table, record, transposed=sheet.layout.transposed)
    own = {number for number in numbers if not _is_wide(table, number)}
    doubts = frozenset(
        name
        for name, one in record.values.items()
        if any(
            mark.span == one.cell.span and ledger.is_error(mark.finding)
            for mark in ledger.within(one.cell.span)
        )
    )
    if sheet.layout.transposed:
        anchor, line = f"{table.anchor}c{record.number}", table.first_line
    else:
        anchor, line = table.rows[record.number].anchor, table.rows[record.number].line
    return Run(
        anchor, line, row, ledger.worst(numbers), ledger.worst(own), doubts, ledger.codes(numbers)
    )


def _findings(table: TableView, record: Record, *, transposed: bool) -> set[int]:
    """The findings on a run's row, or on its column if the table is transposed."""
    at = record.number
    if transposed:
        cells = [row.cells[at] for row in table.rows if at < len(row.cells)]
        cells += [column.cell for column in table.columns[at : at + 1]]
        return {number for cell in cells for number in cell.findings}
    row = table.rows[at]
    return {*row.findings, *(number for cell in row.cells for number in cell.findings)}


def _is_wide(table: TableView, number: int) -> bool:
    """Whether a finding covers most rows of a table, so that it does not single out any."""
    rows = [row for row in table.rows if row.data]
    hit = sum(any(number in cell.findings for cell in row.cells) for row in rows)
    return hit > max(_FEW, len(rows) / 2)
