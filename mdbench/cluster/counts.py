"""Counts for one partition and for all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from mdbench.rules.findings import Severity


@dataclass(slots=True)
class Counts:
    """How much was read and written."""

    files: int = 0
    bytes: int = 0
    rows: int = 0
    errors: int = 0
    """The number of files with an error."""
    severities: Counter[str] = field(default_factory=Counter)
    """The number of findings by severity."""

    def add(self, other: Counts) -> None:
        """Add other counts."""
        self.files += other.files
        self.bytes += other.bytes
        self.rows += other.rows
        self.errors += other.errors
        self.severities += other.severities

    def reaches(self, threshold: Severity) -> bool:
        """Whether there was a finding of at least this severity."""
        return any(Severity(one).rank >= threshold.rank for one in +self.severities)

    def to_object(self) -> dict[str, Any]:
        """Convert to a JSON object."""
        return asdict(self) | {"severities": dict(sorted(self.severities.items()))}

    @classmethod
    def from_object(cls, stored: Mapping[str, Any]) -> Counts:
        """From an object of JSON."""
        return cls(**{**stored, "severities": Counter(stored["severities"])})
