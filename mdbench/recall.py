"""Findings known from a report that differs only in prose that says nothing.

Copies, forks and generated reports share their tables and differ in a line or two. Both must have
as many lines, since findings speak of lines; only how long a line is may differ.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from operator import ne

from mdbench.document import Document
from mdbench.findings import Evidence, Finding, Fix
from mdbench.inert import find_inert, says_nothing
from mdbench.reports import Report
from mdbench.source import Edit, Source, Span

_MOST_PLACES = 64
_MOST_ALIKE = 8
_MOST_DIFFERENT = 20
_LONGEST = 200_000


@dataclass(slots=True)
class _Known:
    """A report that was checked. What is free in it is worked out when another is like it."""

    document: Document
    report: Report
    lines: list[str]
    free: dict[int, range] | None = None

    def is_alike(self, lines: list[str]) -> bool:
        """Whether another text of as many lines differs only where neither says anything."""
        if sum(map(ne, self.lines, lines)) > _MOST_DIFFERENT:
            return False
        if self.free is None:
            inert = find_inert(self.document)
            self.free = {line: paragraph for paragraph in inert for line in paragraph}
        different = [at for at, line in enumerate(lines) if line != self.lines[at]]
        if any(at not in self.free for at in different):
            return False
        paragraphs = {self.free[at] for at in different}
        return all(
            says_nothing(lines[one.start : one.stop])
            and _kind(lines[one.start]) == _kind(self.lines[one.start])
            for one in paragraphs
        )


def _kind(line: str) -> bool:
    """Whether a line that says nothing is a comment."""
    return line.startswith("<")


class Recall:
    """The reports that were checked last, by the number of their lines and how it was done."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, list[_Known]] = OrderedDict()

    def find(self, source: Source, how: Hashable) -> Report | None:
        """The report on a text, if one that matters the same was checked in the same way."""
        lines = source.text.split("\n")
        for known in self._known.get((how, len(lines)), ()):
            if known.is_alike(lines):
                findings = _move(known.report.findings, known.report.source, source)
                if findings is not None:
                    return replace(known.report, source=source, findings=findings)
        return None

    def keep(self, document: Document, how: Hashable, report: Report) -> None:
        """Remember a report."""
        if len(document.source.text) > _LONGEST:
            return
        lines = document.source.text.split("\n")
        place = how, len(lines)
        alike = self._known.setdefault(place, [])
        alike.insert(0, _Known(document, report, lines))
        del alike[_MOST_ALIKE:]
        self._known.move_to_end(place)
        if len(self._known) > _MOST_PLACES:
            self._known.popitem(last=False)


def _move(findings: Sequence[Finding], before: Source, after: Source) -> tuple[Finding, ...] | None:
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
