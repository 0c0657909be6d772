"""Read, check and lay out a report for its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from mdbench.files.reading import report_name
from mdbench.frames.frame_columns import Shape
from mdbench.frames.rows import tidy_rows
from mdbench.linting.checker import check_context
from mdbench.linting.coverage import measure_coverage
from mdbench.markdown.document import Block, BlockKind
from mdbench.rendering.site.bound_standing import describe_standing
from mdbench.rendering.site.numbered_findings import NumberedFindings, number_findings
from mdbench.rendering.site.pieces import cut_markdown, cut_verbatim, keep_units
from mdbench.rendering.site.printed import name_columns
from mdbench.rendering.site.run_views import list_runs
from mdbench.rendering.site.table_views import view_table
from mdbench.rendering.site.views import (
    BlockView,
    LineView,
    Note,
    Page,
    PlaceView,
    Proof,
    TableView,
)
from mdbench.results.files import ResultFiles
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Finding, Severity, mark_cells
from mdbench.sheets.report import Report
from mdbench.sheets.report_files import Reading, read_file
from mdbench.source import Source, SourceError

_VERBATIM = frozenset((BlockKind.FENCE, BlockKind.CODE, BlockKind.HTML))


class PageResult(NamedTuple):
    """The result for one file: its page, or an error."""

    name: str
    page: Page | None
    error: str = ""


def read_page(path: str, reading: Reading, results: ResultFiles | None = None) -> PageResult:
    """Read and check one file."""
    name = report_name(path, reading.stdin_name)
    try:
        return PageResult(name, read_file(path, partial(make_page, results=results), reading))
    except SourceError as error:
        return PageResult(name, None, str(error))


def make_page(report: Report, results: ResultFiles | None = None) -> Page:
    """Lay out a report."""
    context = Context(report, results)
    findings = check_context(context)
    verified = context.diagnosis.verified
    numbered = number_findings(findings, verified)
    source = report.source
    tables = tuple(
        view_table(source, sheet, number, report.section_title(sheet.table.section), numbered)
        for number, sheet in enumerate(report.sheets, 1)
    )
    tables = tuple(_with_binding(view, context) for view in tables)
    body = tuple(_lay_out(report, tables, numbered))
    anchors = dict(_anchors(body))
    rows = list(tidy_rows(report, Shape.RUNS, mark_cells(findings, verified)))
    runs = tuple(list_runs(report, rows, tables, numbered))
    coverage = measure_coverage(context)
    return Page(
        source.path,
        _title(report),
        tuple(_note(source, at, one, anchors) for at, one in enumerate(findings, 1)),
        body,
        runs,
        coverage.numbers,
        coverage.verified,
        {str(one): sum(found.severity is one for found in findings) for one in Severity},
        _heading(body),
        tuple(name_columns(runs, report.vocabulary)),
    )


def _with_binding(view: TableView, context: Context) -> TableView:
    """A table with what it is bound to, and whether it is in step."""
    table = context.document.tables[view.number - 1]
    bound = context.comparison.tables if context.comparison is not None else ()
    for one in bound:
        if one.binding.table is not None and one.binding.table.span == table.span:
            query = " ".join(one.binding.query.split())
            standing = describe_standing(one, context.report, context.results)
            in_step = not one.problem and not any(cell.drifted for cell in one.cells)
            return view._replace(query=query, standing=standing, in_step=in_step)
    return view


def _title(report: Report) -> str:
    titles = (report.section_title(at) for at in range(len(report.document.sections)))
    return next(filter(None, titles), report.source.path.rpartition("/")[2])


def _heading(body: tuple[BlockView | TableView, ...]) -> str:
    """The anchor of a report's first line if that is a heading, which is then the page's title."""
    first = body[0] if body else None
    if not isinstance(first, BlockView) or first.kind != "heading":
        return ""
    flagged = any(piece.findings for line in first.lines for piece in line.pieces)
    return "" if flagged else first.lines[0].anchor


def _lay_out(
    report: Report, tables: tuple[TableView, ...], numbered: NumberedFindings
) -> Iterator[BlockView | TableView]:
    """Prose and tables in the order of the report."""
    document = report.document
    placed: list[tuple[int, BlockView | TableView]] = [
        (table.span.start, view) for table, view in zip(document.tables, tables, strict=True)
    ]
    levels = {section.span.start: section.level for section in document.sections}
    placed += [
        (block.lines[0].start, _view_block(report, block, levels, numbered))
        for block in document.blocks
        if block.lines and not _is_hidden(block, numbered)
    ]
    placed.sort(key=lambda pair: pair[0])
    seen: set[str] = set()
    for _, view in placed:
        yield view if isinstance(view, TableView) else _with_unique_anchors(view, seen)


def _is_hidden(block: Block, numbered: NumberedFindings) -> bool:
    """Whether a block is a comment, which no page shows, and nothing is to be said about it."""
    text = "\n".join(line.text for line in block.lines).strip()
    comment = text.startswith("<!--") and text.find("-->") == len(text) - len("-->")
    return comment and block.kind is BlockKind.HTML and not numbered.within(block.span)


def _with_unique_anchors(view: BlockView, seen: set[str]) -> BlockView:
    lines = []
    for line in view.lines:
        lines.append(LineView("" if line.anchor in seen else line.anchor, line.pieces))
        seen.add(line.anchor)
    return BlockView(view.kind, tuple(lines), view.depth)


def _view_block(
    report: Report, block: Block, levels: Mapping[int, int], numbered: NumberedFindings
) -> BlockView:
    marks = numbered.within(block.span)
    cut = cut_verbatim if block.kind in _VERBATIM else cut_markdown
    lines = tuple(
        LineView(f"L{report.source.line(line.start)}", cut(line.text, line.start, marks))
        for line in block.lines
    )
    depth = block.depth
    if block.kind is BlockKind.HEADING:
        depth = levels.get(block.lines[0].start, 2)
    return BlockView(block.kind.value, lines, depth)


def _anchors(body: tuple[BlockView | TableView, ...]) -> Iterator[tuple[int, str]]:
    """The anchor that shows each line; if there are several, any of them."""
    for view in body:
        if isinstance(view, TableView):
            yield view.first_line, view.anchor
            yield from ((row.line, row.anchor) for row in reversed(view.rows))
        else:
            yield from ((int(line.anchor[1:]), line.anchor) for line in view.lines if line.anchor)


def _note(source: Source, number: int, finding: Finding, anchors: Mapping[int, str]) -> Note:
    line = source.line(finding.span.start)
    return Note(
        number,
        finding.code,
        finding.name,
        finding.severity.value,
        finding.confidence,
        keep_units(finding.message),
        PlaceView(line, anchors.get(line, "")),
        tuple(_proofs(source, finding.evidence, line, anchors)),
        tuple(keep_units(fix.title) for fix in finding.fixes),
        -finding.severity.rank,
    )


def _proofs(
    source: Source, evidence: tuple[Evidence, ...], home: int, anchors: Mapping[int, str]
) -> Iterator[Proof]:
    """The evidence of a finding; places with the same label are grouped."""
    places: dict[str, dict[int, None]] = {}
    for one in evidence:
        lines = places.setdefault(one.label, {})
        if one.span is not None and (line := source.line(one.span.start)) != home:
            lines[line] = None
    for label, lines in places.items():
        yield Proof(
            keep_units(label),
            tuple(PlaceView(line, anchors.get(line, "")) for line in sorted(lines)),
        )
