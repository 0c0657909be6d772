"""The runs of a report with their rows, for the charts and the table of all runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.frames.frame_columns import TidyRow
from mdbench.rendering.site.numbered_findings import NumberedFindings
from mdbench.rendering.site.printed import print_value
from mdbench.rendering.site.views import RunView, TableView
from mdbench.sheets.measurements import Run
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet

_FEW = 2


def list_runs(
    report: Report, rows: Sequence[TidyRow], tables: Sequence[TableView], numbered: NumberedFindings
) -> Iterator[RunView]:
    """The runs in tables, then those in prose, as in the tidy frame."""
    runs = [
        (table, sheet, run)
        for table, sheet in zip(tables, report.sheets, strict=True)
        if sheet.tells_something
        for run in sheet.runs
    ]
    for row, (table, sheet, run) in zip(rows, runs, strict=False):
        yield _run(row, table, sheet, run, numbered)
    for row in rows[len(runs) :]:
        line = row["line"] if isinstance(row["line"], int) else 0
        yield RunView(f"L{line}", line, row)


def _run(
    row: TidyRow, table: TableView, sheet: Sheet, run: Run, numbered: NumberedFindings
) -> RunView:
    numbers = _findings(table, run, transposed=sheet.layout.transposed)
    own = {number for number in numbers if not _is_wide(table, number)}
    doubts = frozenset(
        name
        for name, one in run.values.items()
        if any(
            mark.span == one.cell.span and numbered.is_error(mark.finding)
            for mark in numbered.within(one.cell.span)
        )
    )
    if sheet.layout.transposed:
        anchor, line = f"{table.anchor}c{run.number}", table.first_line
    else:
        anchor, line = table.rows[run.number].anchor, table.rows[run.number].line
    return RunView(
        anchor,
        line,
        row,
        numbered.worst(numbers),
        numbered.worst(own),
        doubts,
        numbered.codes(numbers),
        {name: one.numeral.bound for name, one in run.values.items() if one.numeral.bound},
        {name: print_value(one) for name, one in run.values.items()},
    )


def _findings(table: TableView, run: Run, *, transposed: bool) -> set[int]:
    """The findings on a run's row, or on its column if the table is transposed."""
    at = run.number
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
