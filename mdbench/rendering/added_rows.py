"""Rows for results that a bound table does not show, with all that follows from their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.diagnosis import diagnose
from mdbench.markdown.inline import plain_text
from mdbench.rendering.best_in_bold import move_bold
from mdbench.rendering.report_edits import edit_cells, edit_report, list_changed_cells
from mdbench.rendering.result_rows import append_rows, stand_in
from mdbench.results.comparison import compare
from mdbench.results.database import Database
from mdbench.results.derived import Known, find_derived
from mdbench.sheets.report import Report
from mdbench.source import Edit, Source, Span

Places = Mapping[int, Sequence[int]]
"""For each row behind the last one, by the number of its table: the row to stand before."""


class AddedRows(NamedTuple):
    """A report with more rows."""

    report: Report | None = None
    changes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


NO_ROWS = AddedRows()


def show_results(before: Report, database: Database) -> AddedRows:
    """Show the results that no row has, in the order of the table.

    New rows stand at the end first: there, they do not move the others while those are compared.
    """
    comparison = compare(before, database)
    edits, places, remarks = append_rows(before, comparison)
    if not edits:
        return AddedRows(remarks=remarks)
    bare = edit_report(before, edits)
    behind = edit_report(bare, list(_follow(before, bare, places, database)))
    behind = edit_report(behind, edit_cells(move_bold(before, behind)))
    changes = list_changed_cells(before, behind)
    after = edit_report(behind, list(_sort(behind.source, behind, places)))
    empty = _list_empty(behind, places)
    return AddedRows(after, (*changes, *_list_added(after, places)), (*remarks, *empty))


def _follow(before: Report, bare: Report, places: Places, database: Database) -> Iterator[Edit]:
    """What the empty cells of new rows are, and the cells of others that follow from them."""
    compared = compare(bare, database)
    sheets = [sheet for sheet in bare.sheets if sheet.number in places]
    rows = {sheet.number: _new_rows(bare, places, sheet.number) for sheet in sheets}
    guesses = [edit for sheet in sheets for edit in stand_in(sheet, rows[sheet.number])]
    guessed = edit_report(bare, guesses)
    new = {
        one.key
        for sheet in guessed.sheets
        for run in sheet.runs
        if run.number in rows.get(sheet.number, ())
        for one in run.own
    }
    known = Known(compared.exact, frozenset(new), compared.spreads)
    told = {one.cell.key: one.text for one in find_derived(diagnose(before), guessed, known)}
    cells = {
        one.key: one.cell.span for sheet in bare.sheets for run in sheet.runs for one in run.own
    }
    for key, text in told.items():
        if key in cells:
            yield Edit(cells[key], text)


def _new_rows(report: Report, places: Places, number: int) -> frozenset[int]:
    count = len(report.sheets[number].table.rows)
    return frozenset(range(count - len(places[number]), count))


def _sort(source: Source, report: Report, places: Places) -> Iterator[Edit]:
    """Put the rows behind the last one where they belong."""
    for number, wanted in places.items():
        rows = report.sheets[number].table.rows
        first, last = (source.line(row.span.start) for row in (rows[0], rows[-1]))
        lines = [source.line_text(line) for line in range(first, last + 1)]
        old = len(rows) - len(wanted)
        order = [(at, 1, at) for at in range(old)]
        order += [(place, 0, old + at) for at, place in enumerate(wanted)]
        start, end = source.line_starts[first - 1], source.line_starts[last - 1] + len(lines[-1])
        ending = "\r\n" if "\r\n" in source.text else "\n"
        yield Edit(Span(start, end), ending.join(lines[at] for _, _, at in sorted(order)))


def _list_added(report: Report, places: Places) -> Iterator[str]:
    """The new rows, each with its line."""
    for number, wanted in places.items():
        rows = report.sheets[number].table.rows
        for at, place in enumerate(sorted(wanted)):
            line = report.source.line(rows[place + at].span.start)
            yield f"{line}: added {report.source.line_text(line).strip()}"


def _list_empty(report: Report, places: Places) -> Iterator[str]:
    """The columns of numbers that nothing gives for the new rows."""
    for number in places:
        sheet, new = report.sheets[number], _new_rows(report, places, number)
        rows = [sheet.table.rows[row] for row in sorted(new)]
        for column in sheet.columns:
            cells = [row.cells[column.index] for row in rows if column.index < len(row.cells)]
            if column.is_numeric and any(not cell.raw for cell in cells):
                line = report.source.line(sheet.table.header.span.start)
                header = plain_text(column.header.text)
                told = "is empty in a new row: the results do not have it; fill it in"
                yield f"{line}: {header} {told}"
