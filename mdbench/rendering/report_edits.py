"""Reports with edited cells, read again, and how they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mdbench.markdown.fitting import fit_edits
from mdbench.markdown.inline import plain_text
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report, read_report
from mdbench.source import Edit


def edit_report(report: Report, edits: Sequence[Edit]) -> Report:
    """The report with other texts in some of its cells; columns stay aligned."""
    if not edits:
        return report
    fitted = fit_edits(report.source, report.document.tables, edits)
    return read_report(report.source.edited(fitted), report.vocabulary)


def edit_cells(texts: Iterable[tuple[Measurement, str]]) -> list[Edit]:
    """The edits that write other texts into cells."""
    return [Edit(one.cell.span, text) for one, text in texts]


def list_changed_cells(before: Report, after: Report) -> Iterator[str]:
    """The cells of the rows that both have and that differ, as they were and as they are."""
    for old, new in zip(before.sheets, after.sheets, strict=True):
        for was, now in zip(old.table.rows, new.table.rows, strict=False):
            for title, one, other in zip(old.table.titles, was.cells, now.cells, strict=False):
                if one.raw != other.raw:
                    line = before.source.line(one.span.start)
                    yield f"{line}: {plain_text(title)} {one.raw or 'nothing'} -> {other.raw}"
