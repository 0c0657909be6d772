"""What came of checking a file, and of checking many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mdbench.findings import Finding, Severity
from mdbench.source import Source


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many numbers a report has, and how many of them were confirmed by others."""

    numbers: int = 0
    verified: int = 0
    lacking: tuple[tuple[str, int], ...] = ()
    """Settings that nobody states, with the number of cells that each would let us recompute."""


@dataclass(frozen=True, slots=True)
class Report:
    """A file and what was found in it."""

    source: Source
    findings: tuple[Finding, ...]
    coverage: Coverage = Coverage()


@dataclass(slots=True)
class Totals:
    """Counts over all files."""

    files: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    numbers: int = 0
    verified: int = 0
    lacking: Counter[str] = field(default_factory=Counter)

    def watch(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Pass reports through and count them."""
        for report in reports:
            self.files += 1
            self.severities.update(finding.severity for finding in report.findings)
            self.codes.update((finding.code, finding.name) for finding in report.findings)
            self.numbers += report.coverage.numbers
            self.verified += report.coverage.verified
            self.lacking.update(dict(report.coverage.lacking))
            yield report

    def reaches(self, threshold: Severity) -> bool:
        """Whether something at least this bad was found."""
        return any(severity.rank >= threshold.rank for severity in +self.severities)
