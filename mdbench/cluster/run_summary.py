"""The summary of a run: how much was read and made, and how much was reused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mdbench.cluster.counts import Counts
from mdbench.cluster.job import OutputTable
from mdbench.rules.findings import Severity


@dataclass(slots=True)
class Summary:
    """The result of a run."""

    table: OutputTable
    output: str
    counts: Counts = field(default_factory=Counts)
    made: int = 0
    reused: int = 0
    failed: int = 0

    def make(self, counts: Counts) -> None:
        """Count a new partition."""
        self.made += 1
        self.counts.add(counts)

    def reuse(self, counts: Counts) -> None:
        """Count a partition that existed already."""
        self.reused += 1
        self.counts.add(counts)

    def lines(self) -> Iterator[str]:
        """The lines of the summary."""
        counts = self.counts
        rows = _count(counts.rows, "finding" if self.table is OutputTable.FINDINGS else "row")
        severities = ", ".join(
            _count(counts.severities[severity], severity)
            for severity in Severity
            if counts.severities[severity]
        )
        yield f"{_count(counts.files, 'file')}, {rows}" + (f" ({severities})" if severities else "")
        if counts.errors:
            files = f"{self.output.rstrip('/')}/_files"
            yield f"{_count(counts.errors, 'error')}: see the column `error` of {files}"
        parts = f"{self.made} made, {self.reused} reused"
        parts += f", {self.failed} not made" if self.failed else ""
        total = self.made + self.reused + self.failed
        yield f"{_count(total, 'partition')} in {self.output}: {parts}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
