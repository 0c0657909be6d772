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
from mdbench.vocabulary.quantities import Role

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
    whole, cells = _findings(table, run, transposed=sheet.layout.transposed)
    numbers = whole | cells
    marked = {
        name: {
            mark.finding for mark in numbered.within(one.cell.span) if mark.span == one.cell.span
        }
        for name, one in run.values.items()
    }
    doubts = frozenset(name for name, found in marked.items() if any(map(numbered.is_error, found)))
    narrow = {number for number in numbers if not _is_wide(table, number)}
    of_results = {
        number
        for name, found in marked.items()
        if (meant := run.values[name].quantity) is not None and meant.role is Role.MEASUREMENT
        for number in found
    } - whole
    flags = {
        name: worst for name, found in marked.items() if (worst := numbered.worst(found & narrow))
    }
    if sheet.layout.transposed:
        anchor, line = f"{table.anchor}c{run.number}", table.first_line
    else:
        anchor, line = table.rows[run.number].anchor, table.rows[run.number].line
    return RunView(
        anchor,
        line,
        row,
        numbered.worst(numbers),
        numbered.worst(narrow - of_results),
        flags,
        doubts,
        numbered.codes(numbers),
        {name: one.numeral.bound for name, one in run.values.items() if one.numeral.bound},
        {name: print_value(one) for name, one in run.values.items()},
    )


def _findings(table: TableView, run: Run, *, transposed: bool) -> tuple[set[int], set[int]]:
    """The findings on a run's row as a whole and on its cells, of a column if it is transposed."""
    at = run.number
    if transposed:
        cells = [row.cells[at] for row in table.rows if at < len(row.cells)]
        heads = table.columns[at : at + 1]
        whole = {number for column in heads for number in column.cell.findings}
    else:
        row = table.rows[at]
        cells, whole = list(row.cells), set(row.findings)
    return whole, {number for cell in cells for number in cell.findings}


def _is_wide(table: TableView, number: int) -> bool:
    """Whether a finding covers most rows of a table, so that it does not single out any."""
    rows = [row for row in table.rows if row.data]
    hit = sum(any(number in cell.findings for cell in row.cells) for row in rows)
    return hit > max(_FEW, len(rows) / 2)
