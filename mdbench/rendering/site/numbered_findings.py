"""Locate findings: on a cell, on a row, or in prose."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Row
from mdbench.rendering.site.pieces import Mark
from mdbench.rules.findings import Finding, Severity
from mdbench.source import Span


class NumberedFindings(NamedTuple):
    """The findings of a report, numbered from 1, by their spans."""

    findings: tuple[Finding, ...]
    marks: tuple[Mark, ...]
    longest: int
    verified: frozenset[Span] = frozenset()

    def within(self, span: Span) -> tuple[Mark, ...]:
        """The marks that overlap a span."""
        first = bisect_left(self.marks, span.start - self.longest, key=_start)
        last = bisect_right(self.marks, span.end, key=_start)
        return tuple(mark for mark in self.marks[first:last] if mark.span.end >= span.start)

    def worst(self, numbers: Iterable[int]) -> str:
        """The severity of the worst finding; empty if there are none."""
        found = [self.findings[number - 1].severity for number in numbers]
        return max(found, key=lambda one: one.rank).value if found else ""

    def codes(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The codes of findings, without duplicates, in order."""
        return tuple(sorted({self.findings[number - 1].code for number in numbers}))

    def is_error(self, number: int) -> bool:
        """Whether a finding is an error."""
        return self.findings[number - 1].severity is Severity.ERROR


def number_findings(
    findings: Sequence[Finding], verified: frozenset[Span] = frozenset()
) -> NumberedFindings:
    """Number the findings and sort them by position."""
    marks = sorted(
        Mark(span, number)
        for number, finding in enumerate(findings, 1)
        for span in dict.fromkeys(finding.cells or (finding.span,))
    )
    longest = max((mark.span.end - mark.span.start for mark in marks), default=0)
    return NumberedFindings(tuple(findings), tuple(marks), longest, verified)


def cell_findings(row: Row, marks: Sequence[Mark]) -> tuple[tuple[tuple[int, ...], ...], set[int]]:
    """The findings on each cell of a row, and those on the row as a whole."""
    cells: list[set[int]] = [set() for _ in row.cells]
    whole: set[int] = set()
    for span, number in marks:
        if span in (row.span, Span(row.cells[0].span.start, row.cells[-1].span.end)):
            whole.add(number)
            continue
        touched = [at for at, cell in enumerate(row.cells) if _meets(span, cell.span)]
        if len(touched) > 1 and span not in {row.cells[at].span for at in touched}:
            whole.add(number)
            continue
        for at in touched:
            cells[at].add(number)
    return tuple(tuple(sorted(one)) for one in cells), whole


def _start(mark: Mark) -> int:
    return mark.span.start


def _meets(mark: Span, cell: Span) -> bool:
    return mark == cell or (mark.start < cell.end and mark.end > cell.start)
