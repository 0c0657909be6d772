"""What a check leaves on the cells of a report: codes of findings, and what was verified."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mdbench.rules.findings import Finding
from mdbench.source import Span


@dataclass(frozen=True, slots=True)
class Marks:
    """Codes by the cell they stand on, and the cells that a relation confirms."""

    codes: Mapping[Span, tuple[str, ...]] = field(default_factory=dict)
    verified: frozenset[Span] | None = None
    """None where nothing was checked."""

    def on(self, cells: Iterable[Span]) -> list[str]:
        """The codes on any of the cells, each once, in order."""
        return sorted({code for cell in cells for code in self.codes.get(cell, ())})


UNMARKED = Marks()


def mark_cells(findings: Iterable[Finding], verified: frozenset[Span]) -> Marks:
    """Put each finding on the cells that it explains."""
    codes: dict[Span, tuple[str, ...]] = {}
    for finding in findings:
        for cell in finding.cells:
            codes[cell] = (*codes.get(cell, ()), finding.code)
    return Marks(codes, verified)
