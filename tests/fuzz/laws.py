"""Properties that hold for any text, which the fuzzers try to break."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

from mdbench.frames.frame_columns import ColumnType, Field, Shape, Value, fields
from mdbench.frames.pandas import make_table, schema
from mdbench.frames.rows import judged_rows
from mdbench.linting.checker import check
from mdbench.linting.fixer import fix
from mdbench.linting.plan import Plan
from mdbench.linting.runner import lint_source
from mdbench.markdown.parser import parse_document
from mdbench.rendering.markdown import Rendering, render_markdown
from mdbench.rules.findings import Finding, Safety
from mdbench.sheets.equality import differences
from mdbench.sheets.report import read_report
from mdbench.source import Source, Span
from mdbench.vocabulary.quantities import standard_vocabulary
from tests.rendering.test_round_trip import frame

STANDARD = standard_vocabulary()

_CRASHED = "MB000"
_TYPES: dict[ColumnType, type] = {
    ColumnType.TEXT: str,
    ColumnType.WHOLE: int,
    ColumnType.NUMBER: float,
    ColumnType.FLAG: bool,
    ColumnType.TEXTS: list,
    ColumnType.MAP: dict,
}
_MOST_WHOLE = 2**63
_PLAN = Plan(statistics=True)


def hold_document(source: Source) -> None:
    """Every part of a document is where its span says, and in order."""
    document = parse_document(source)
    text = source.text
    for table in document.tables:
        _hold_span(text, table.span)
        assert len(table.alignments) == len(table.header.cells) == len(table.titles)
        for row in (table.header, *table.rows):
            _hold_span(text, row.span)
            for cell in row.cells:
                _hold_span(text, cell.span)
                assert cell.raw == source.cut(cell.span)
    for block in document.blocks:
        _hold_span(text, block.span)
        assert all(text.startswith(line.text, line.start) for line in block.lines)
    for number, section in enumerate(document.sections):
        _hold_span(text, section.span)
        assert section.start <= section.span.start
        assert section.span.end <= section.end <= len(text)
        assert -1 <= section.parent < number
    spans = [table.span for table in document.tables]
    assert spans == sorted(spans)
    assert all(one.end <= two.start for one, two in pairwise(spans))


def hold_no_crash(source: Source) -> None:
    """No rule crashes, and all findings are inside the text."""
    hold_findings(source, lint_source(source, _PLAN).findings)


def hold_lint(source: Source) -> None:
    """A report is checked without a crash, with the same result twice, and with valid spans."""
    report = lint_source(source, _PLAN)
    hold_findings(source, report.findings)
    assert lint_source(Source(source.path, source.text, bom=source.bom), _PLAN) == report
    assert check(source) == report.findings
    assert 0 <= report.coverage.verified <= report.coverage.numbers


def hold_findings(source: Source, findings: Iterable[Finding]) -> None:
    """No rule has crashed, all findings are inside the text, and every fix can be applied."""
    found = list(findings)
    assert [one.message for one in found if one.code == _CRASHED] == []
    assert [one.span for one in found] == sorted(one.span for one in found)
    for one in found:
        assert one.message
        spans = [one.span, *one.cells, *(other.span for other in one.evidence if other.span)]
        for offered in one.fixes:
            spans += (edit.span for edit in offered.edits)
            source.edited(offered.edits)
        for span in spans:
            _hold_span(source.text, span)


def hold_fixes(source: Source) -> None:
    """Fixes converge, and safe fixes change no measurement."""
    for allowed in (Safety.SAFE, Safety.UNSAFE):
        fixed = fix(source, allowed=allowed)
        hold_findings(fixed.source, fixed.findings)
        assert fixed.refused == ()
        assert fixed.converged, [(one.code, one.message) for one in fixed.findings if one.remedy]
        again = fix(fixed.source, allowed=allowed)
        assert again.source.text == fixed.source.text
        assert again.findings == fixed.findings
        if allowed is Safety.SAFE:
            assert (
                differences(
                    read_report(source, STANDARD),
                    read_report(fixed.source, STANDARD),
                )
                == ()
            )


def hold_rendering(source: Source) -> None:
    """A rendered report has the same frame, and rendering it again changes nothing."""
    before = frame(source)
    for minimal in (False, True):
        way = Rendering(minimal=minimal)
        rendered = render_markdown(source, STANDARD, way)
        assert frame(rendered) == before
        assert render_markdown(rendered, STANDARD, way).text == rendered.text


def hold_additions(source: Source) -> None:
    """Additions of rendering are added only once."""
    for way in (Rendering(recompute=True), Rendering(annotate=True), Rendering(True, True, True)):
        rendered = render_markdown(source, STANDARD, way)
        assert render_markdown(rendered, STANDARD, way).text == rendered.text
    assert frame(render_markdown(source, STANDARD, Rendering(annotate=True))) == frame(source)


def hold_rows(source: Source) -> None:
    """The rows of both frames have the declared columns with the declared types."""
    report = read_report(source, STANDARD)
    for shape in Shape:
        rows = judged_rows(report, shape)
        columns = {field.name: field for field in fields(shape, STANDARD)}
        for row in rows:
            assert row.keys() <= columns.keys()
            for name, value in row.items():
                _hold_value(columns[name], value)
        assert make_table(rows, schema(shape, STANDARD)).num_rows == len(rows)


def _hold_value(field: Field, value: Value) -> None:
    if value is None:
        return
    kind = _TYPES[field.kind]
    exact = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    assert exact or (kind is float and type(value) is int), f"{field.name}: {value!r}"
    if isinstance(value, float):
        assert math.isfinite(value), f"{field.name}: {value!r}"
    elif isinstance(value, int):
        assert -_MOST_WHOLE <= value < _MOST_WHOLE, f"{field.name}: {value:.3e}"


def _hold_span(text: str, span: Span) -> None:
    assert 0 <= span.start <= span.end <= len(text), f"{span} of {len(text)}"
