"""What came of checking a file, and of checking many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mdbench.findings import Finding, Safety, Severity
from mdbench.source import Source


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many numbers a report has, and how many of them were confirmed by others."""

    numbers: int = 0
    verified: int = 0
    unverified: tuple[tuple[str, int], ...] = ()
    """What the other numbers are of, and how many there are."""
    lacking: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    """Settings that nobody states; for each, the cells and the relations that wait for it."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What came of mending a file."""

    applied: int = 0
    """How many findings were mended."""
    patch: tuple[str, ...] = ()
    """The lines of a diff, where one was asked for."""
    problem: str = ""
    """Why something was left undone."""


class Entry(NamedTuple):
    """What a finding is known by within its file, wherever in it that stands."""

    code: str
    section: str
    row: str
    cells: str


@dataclass(frozen=True, slots=True)
class Report:
    """A file and what was found in it; after it was mended, what is left."""

    source: Source
    findings: tuple[Finding, ...]
    coverage: Coverage = Coverage()
    mended: Mended = Mended()
    entries: tuple[Entry, ...] = ()
    """What each finding is known by, where somebody wants to know that."""


@dataclass(slots=True)
class Totals:
    """Counts over all files."""

    files: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    numbers: int = 0
    verified: int = 0
    unverified: Counter[str] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)
    waiting: dict[str, dict[str, None]] = field(default_factory=dict)
    """The relations that could be checked if a setting were stated."""
    mended: int = 0
    mended_files: int = 0
    remedies: Counter[Safety] = field(default_factory=Counter)
    """How many findings could be mended, by how safe that is."""
    undecided: int = 0

    def watch(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Pass reports through and count them."""
        for report in reports:
            self.files += 1
            self.severities.update(finding.severity for finding in report.findings)
            self.codes.update((finding.code, finding.name) for finding in report.findings)
            self.numbers += report.coverage.numbers
            self.verified += report.coverage.verified
            self.unverified.update(dict(report.coverage.unverified))
            for setting, cells, relations in report.coverage.lacking:
                self.lacking[setting] += cells
                self.waiting.setdefault(setting, {}).update(dict.fromkeys(relations))
            self._watch_fixes(report)
            yield report

    def _watch_fixes(self, report: Report) -> None:
        self.mended += report.mended.applied
        self.mended_files += report.mended.applied > 0
        remedies = (finding.remedy for finding in report.findings)
        self.remedies.update(remedy.safety for remedy in remedies if remedy is not None)
        self.undecided += sum(finding.is_undecided for finding in report.findings)

    def reaches(self, threshold: Severity) -> bool:
        """Whether something at least this bad was found."""
        return any(severity.rank >= threshold.rank for severity in +self.severities)
