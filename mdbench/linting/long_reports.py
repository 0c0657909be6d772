"""Check a report with very long tables in parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mdbench.linting.checker import examine_context
from mdbench.linting.coverage import measure_reach
from mdbench.linting.plan import Options
from mdbench.linting.results import Checked, Reach
from mdbench.markdown.long_tables import Part, each_part
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.sheets.report import read_report
from mdbench.sheets.summaries import find_summaries
from mdbench.source import Edit, Source
from mdbench.vocabulary.quantities import extended_vocabulary

_CRASHED = "MB000"


def lint_parts(source: Source, parts: Sequence[Part], options: Options) -> Checked:
    """The findings in the rows of each part, and those around them that all parts agree on.

    A row of another part may be what a sentence refers to, and what a total counts. So no part
    alone can contradict the text around the rows, or a total.
    """
    findings: list[Finding] = []
    around: list[dict[tuple[str, int], Finding]] = []
    reaches: list[Reach] = []
    for part in each_part(parts):
        told, reach = _examine(part, options, counts_all=not reaches)
        found = {one: _move(one, part) for one in told}
        mine = {one for one in told if part.owns(one.span) or one.code == _CRASHED}
        findings += (found[one] for one in told if one in mine)
        around.append({(one.code, one.span.start): one for one in found.values()})
        for one in mine:
            around[-1].pop((one.code, found[one].span.start), None)
        reaches.append(reach)
    agreed = set(around[0]).intersection(*around)
    findings += (around[0][key] for key in agreed)
    ordered = sorted(set(findings), key=lambda one: (one.span, one.code, one.message))
    return Checked(source, tuple(ordered), reach=_add(reaches))


def _examine(part: Part, options: Options, *, counts_all: bool) -> tuple[list[Finding], Reach]:
    """The findings of a part, of which nothing else is kept."""
    context = Context(read_report(part.source, extended_vocabulary(options.extensions)))
    findings = examine_context(context, options).findings
    reach = measure_reach(context, None if counts_all else part)
    return list(_without_summaries(context, findings)), reach


def _without_summaries(context: Context, findings: Iterable[Finding]) -> Iterator[Finding]:
    spans = [
        sheet.table.rows[number].span
        for sheet in context.sheets
        if not sheet.layout.transposed
        for number in find_summaries(sheet.columns)
    ]
    for finding in findings:
        if not any(span.start <= finding.span.start < span.end for span in spans):
            yield finding


def _add(reaches: Sequence[Reach]) -> Reach:
    first = reaches[0]
    if first.numbers is None:
        return first
    numbers = sum(one.numbers or 0 for one in reaches)
    return first._replace(numbers=numbers, checked=sum(one.checked for one in reaches))


def _move(finding: Finding, part: Part) -> Finding:
    """A finding with its places in the whole report."""
    return finding._replace(
        span=part.whole_span(finding.span),
        evidence=tuple(
            one if one.span is None else one._replace(span=part.whole_span(one.span))
            for one in finding.evidence
        ),
        fixes=tuple(
            fix._replace(edits=tuple(Edit(part.whole_span(span), new) for span, new in fix.edits))
            for fix in finding.fixes
        ),
        cells=tuple(map(part.whole_span, finding.cells)),
    )
