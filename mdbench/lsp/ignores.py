"""Ignore comments for a finding. Each is verified to work before it is offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from mdbench.linting.checker import check_context
from mdbench.linting.ignore_comments import NEVER, put_before
from mdbench.lsp.document_state import Examination
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.sheets.equality import differences
from mdbench.sheets.report import read_report
from mdbench.source import Edit, Span


class Silence(NamedTuple):
    """A comment that suppresses a finding, and its scope."""

    where: str
    edit: Edit


# The editor asks again whenever the cursor moves.
@lru_cache(maxsize=16)
def find_silences(examination: Examination, finding: Finding) -> tuple[Silence, ...]:
    """The possible comments: at the end of the line, and before the table."""
    context = examination.context
    if context is None or finding.code.startswith(NEVER):
        return ()
    found = _suppose(context, finding)
    return tuple(one for one in found if _holds(examination, context, finding, one.edit))


def _suppose(context: Context, finding: Finding) -> Iterator[Silence]:
    source = context.source
    comment = f"<!-- mdbench: ignore {finding.code} -->"
    line = source.line(finding.span.start)
    end = source.line_starts[line - 1] + len(source.line_text(line))
    yield Silence("on this line", Edit(Span(end, end), f" {comment}"))
    for table in context.document.tables:
        if table.span.start <= finding.span.start <= table.span.end:
            yield Silence("in this table", put_before(source, table, comment))


def _count_cells(findings: Iterable[Finding]) -> Counter[str]:
    """How many cells each rule reports: a finding with many may lose some of them."""
    return Counter(one.code for one in findings for _ in one.cells or (one.span,))


def _holds(examination: Examination, context: Context, finding: Finding, edit: Edit) -> bool:
    """Whether the comment suppresses findings of this rule and changes nothing else."""
    after = read_report(context.source.edited([edit]), context.report.vocabulary)
    if differences(context.report, after):
        return False
    options = examination.options
    found = _count_cells(check_context(Context(after, options.results), options))
    before = _count_cells((*examination.findings, *examination.known))
    return found <= before and found[finding.code] < before[finding.code]
