"""Add findings as footnotes to their cells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from mdbench.linting.checker import check_context
from mdbench.linting.plan import WITHOUT_RESULTS
from mdbench.markdown.document import Cell, Document, Presence, Row
from mdbench.markdown.footnotes import drop_findings, is_finding
from mdbench.markdown.parser import parse_document
from mdbench.rendering.definitions import add_definitions
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.sheets.report import read_report
from mdbench.source import Edit, Source, Span
from mdbench.vocabulary.quantities import Vocabulary


def annotate(source: Source, vocabulary: Vocabulary) -> Source:
    """Add a footnote for each finding on a table, and remove those of an earlier run."""
    bare = remove_annotations(source)
    context = Context(read_report(bare, vocabulary))
    return bare.edited(_annotate(context.document, check_context(context, WITHOUT_RESULTS)))


def remove_annotations(source: Source) -> Source:
    """Remove the footnotes of findings from a report."""
    if "[^MB" not in source.text:
        return source
    document = parse_document(source)
    marks = (
        Edit(cell.span, drop_findings(cell.raw))
        for table in document.tables
        for row in (table.header, *table.rows)
        for cell in row.cells
        if drop_findings(cell.raw) != cell.raw
    )
    return source.edited((*marks, *_remove_definitions(document)))


def _remove_definitions(document: Document) -> Iterator[Edit]:
    for block in document.footnotes:
        gone = [line for line in block.lines if is_finding(line.text)]
        for line in gone:
            number = document.source.line(line.start)
            # Remove the line break before a line, and the blank line above the last one.
            above = number - 2 if len(gone) == len(block.lines) and line is gone[0] else number - 1
            yield Edit(Span(_text_end(document.source, above), line.end), "")


def _text_end(source: Source, line: int) -> int:
    """Where the text of a line ends; the start of the report if the line does not exist."""
    if line < 1:
        return 0
    return source.line_starts[line - 1] + len(source.line_text(line))


def _annotate(document: Document, findings: Sequence[Finding]) -> Iterator[Edit]:
    numbers: dict[str, int] = defaultdict(int)
    starts = [finding.span.start for finding in findings]
    for table in document.tables:
        if not table.takes_footnotes:
            continue
        marks: dict[Span, str] = {}
        texts: list[str] = []
        first, last = bisect_left(starts, table.span.start), bisect_right(starts, table.span.end)
        rows = (table.header, *table.rows)
        ends = [row.span.end for row in rows]
        for finding in findings[first:last]:
            cell = _find_cell(rows, ends, finding.span.start)
            if cell is None:
                continue
            numbers[finding.code] += 1
            mark = f"[^{finding.code}-{numbers[finding.code]}]"
            marks[cell.span] = marks.get(cell.span, "") + mark
            texts.append(f"{mark}: {_tell(finding)}")
        for span, mark in marks.items():
            # Between two pipes without a space, the mark needs spaces around it to be in a cell.
            blank = " " if span.start == span.end else ""
            yield Edit(Span(span.end, span.end), f"{blank}{mark}{blank}")
        if texts:
            yield add_definitions(document, table, texts)


def _find_cell(rows: Sequence[Row], ends: Sequence[int], offset: int) -> Cell | None:
    """The cell at an offset; for a missing cell, the last cell of its row."""
    at = bisect_left(ends, offset)
    if at == len(rows) or offset < rows[at].span.start:
        return None
    typed = [cell for cell in rows[at].cells if cell.presence is not Presence.MISSING]
    before = [cell for cell in typed if cell.span.start <= offset]
    return before[-1] if before else next(iter(typed), None)


def _tell(finding: Finding) -> str:
    said = " ".join(finding.message.split())
    remarks = [one.label for one in finding.evidence if one.span is None]
    told = "; ".join((said, *(" ".join(one.split()) for one in remarks)))
    return f"{finding.code} {finding.name} ({finding.severity}): {told}"
