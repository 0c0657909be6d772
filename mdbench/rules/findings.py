"""Findings: where, what is wrong, the evidence, and how to fix it."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from mdbench.files.relative_paths import relative_path
from mdbench.source import Edit, Source, Span


class Severity(StrEnum):
    """How bad a finding is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """A number for comparisons: the worse, the higher."""
        return _SEVERITIES.index(self)


class Safety(StrEnum):
    """Whether a fix is only shown, may change a number, or keeps every measurement."""

    DISPLAY = "display"
    UNSAFE = "unsafe"
    SAFE = "safe"

    @property
    def rank(self) -> int:
        """A number for comparisons: the safer, the higher."""
        return _SAFETIES.index(self)


_SURE = 0.8
_SEVERITIES = (Severity.INFO, Severity.WARNING, Severity.ERROR)
_SAFETIES = (Safety.DISPLAY, Safety.UNSAFE, Safety.SAFE)


class Evidence(NamedTuple):
    """Another location that supports a finding, or just a text if there is none."""

    label: str
    span: Span | None = None


class Fix(NamedTuple):
    """One way to fix a finding. All of its edits are applied together."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    """safe, unsafe or display"""


class Repeat(NamedTuple):
    """A cause that many places of a report may show. It is reported once, with their number."""

    cause: str
    places: str = "cells"


class Violation(NamedTuple):
    """What a rule reports. `cells` are the cells that it explains; if empty, `span` itself."""

    span: Span
    message: str
    evidence: tuple[Evidence, ...] = ()
    fixes: tuple[Fix, ...] = ()
    cells: tuple[Span, ...] = ()
    severity: Severity | None = None
    """None for the severity of the rule."""
    repeat: Repeat | None = None
    """None if this place is reported on its own."""
    confidence: float | None = None
    """None for the confidence of the rule."""


class Finding(NamedTuple):
    """A violation with the rule that reported it."""

    code: str
    name: str
    severity: Severity
    """error, warning or info"""
    span: Span
    """where it is in the text"""
    message: str
    evidence: tuple[Evidence, ...] = ()
    """other places that support it"""
    fixes: tuple[Fix, ...] = ()
    """ways to fix it"""
    cells: tuple[Span, ...] = ()
    """the cells that it explains; if empty, `span` itself"""
    confidence: float = 1.0
    """how likely it is, from 0 to 1, that something is wrong there"""

    @property
    def is_doubtful(self) -> bool:
        """Whether it is less sure than most findings, so that people should be told."""
        return self.confidence < _SURE

    @property
    def remedy(self) -> Fix | None:
        """The fix that can be applied automatically: the safest, if no other is as safe."""
        fixes = [one for one in self.fixes if one.safety is not Safety.DISPLAY and one.edits]
        safest = max((one.safety.rank for one in fixes), default=0)
        best = [one for one in fixes if one.safety.rank == safest]
        return best[0] if len(best) == 1 else None

    @property
    def is_undecided(self) -> bool:
        """Whether there are several fixes, and it is unknown which one is right."""
        return (
            self.remedy is None and sum(one.safety is not Safety.DISPLAY for one in self.fixes) > 1
        )


class Marks(NamedTuple):
    """The codes on each cell, and the cells that a relation confirms."""

    codes: Mapping[Span, tuple[str, ...]] = MappingProxyType({})
    verified: frozenset[Span] | None = None
    """None if nothing was checked."""
    ends: frozenset[Span] = frozenset()
    """The cells with intervals whose ends a relation confirms as well."""

    def on(self, cells: Iterable[Span]) -> list[str]:
        """The codes on any of the cells, without duplicates, in order."""
        return sorted({code for cell in cells for code in self.codes.get(cell, ())})


UNMARKED = Marks()


def mark_cells(findings: Iterable[Finding], verified: frozenset[Span]) -> Marks:
    """Put each finding on the cells that it explains."""
    codes: dict[Span, tuple[str, ...]] = {}
    for finding in findings:
        for cell in finding.cells:
            codes[cell] = (*codes.get(cell, ()), finding.code)
    return Marks(codes, verified)


_LENGTH = 32


def fingerprint_findings(
    source: Source, findings: Iterable[Finding], path: str | None = None
) -> Iterator[str]:
    """Yield a unique fingerprint for each finding of a report, in order."""
    place = portable_path(source.path) if path is None else path
    seen: Counter[tuple[str, ...]] = Counter()
    for finding in findings:
        subject = (place, finding.code, _context(source, finding), _words(source, finding))
        yield _digest(*subject, str(seen[subject]))
        seen[subject] += 1


def portable_path(path: str) -> str:
    """A path that is the same in every checkout: relative to this folder if it is inside."""
    if not os.path.isabs(path):
        return path
    relative = relative_path(path)
    return path if relative.startswith("..") else relative


def _context(source: Source, finding: Finding) -> str:
    """The row, heading or line of prose; for a column, its header row."""
    if not source.text:
        return ""
    return _squeeze(source.line_text(source.line(finding.span.start)))


def _words(source: Source, finding: Finding) -> str:
    """The reported text; only its first line, because a column may grow."""
    return _squeeze(source.cut(finding.span).partition("\n")[0].partition("|")[0])


def _squeeze(text: str) -> str:
    """Remove the spaces that only align the cells of a table."""
    cells = (" ".join(cell.split()) for cell in text.split("|"))
    return "|".join(cells).strip("|")


def _digest(*parts: str) -> str:
    # Only formats for programs need it, and it takes longer to load than a rule.
    from hashlib import sha256  # noqa: PLC0415

    whole = "\0".join(parts).encode("utf-8", "surrogatepass")
    return sha256(whole).hexdigest()[:_LENGTH]
