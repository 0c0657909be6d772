"""Findings of one text as those of another that has the same lines but for some."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.classes import replace
from mdbench.findings import Evidence, Finding, Fix
from mdbench.source import Edit, Source, Span


def move_findings(
    findings: Sequence[Finding], before: Source, after: Source
) -> tuple[Finding, ...] | None:
    """Findings of one text as those of another; None where one stands in what is different."""
    if before.line_starts == after.line_starts:
        return tuple(findings)
    moved = _Moved(before, after)
    try:
        return tuple(map(moved.finding, findings))
    except _LostError:
        return None


class _LostError(Exception):
    """A place that the other text does not have."""


class _Moved:
    """Places of one text in another that has the same lines but for some."""

    def __init__(self, before: Source, after: Source) -> None:
        self._before = before
        self._after = after

    def place(self, offset: int) -> int:
        before, after = self._before, self._after
        if offset == len(before.text):
            return len(after.text)
        line = before.line(offset)
        start, moved = before.line_starts[line - 1], after.line_starts[line - 1]
        if offset > start and before.line_text(line) != after.line_text(line):
            raise _LostError
        return moved + offset - start

    def span(self, span: Span) -> Span:
        return Span(self.place(span.start), self.place(span.end))

    def finding(self, one: Finding) -> Finding:
        return replace(
            one,
            span=self.span(one.span),
            evidence=tuple(map(self._evidence, one.evidence)),
            fixes=tuple(map(self._fix, one.fixes)),
            cells=tuple(map(self.span, one.cells)),
        )

    def _evidence(self, one: Evidence) -> Evidence:
        return one if one.span is None else Evidence(one.label, self.span(one.span))

    def _fix(self, one: Fix) -> Fix:
        edits = tuple(Edit(self.span(edit.span), edit.text) for edit in one.edits)
        return Fix(one.title, edits, one.safety)
