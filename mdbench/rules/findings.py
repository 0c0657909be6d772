"""What a rule finds: where, what, what else shows it, and how it can be mended."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from mdbench.source import Edit, Span


class Severity(StrEnum):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """A number to compare by: the worse, the higher."""
        return _SEVERITIES.index(self)


class Safety(StrEnum):
    """What a fix may do: only be shown, change a number, or leave every measurement as it is."""

    DISPLAY = "display"
    UNSAFE = "unsafe"
    SAFE = "safe"

    @property
    def rank(self) -> int:
        """A number to compare by: the safer, the higher."""
        return _SAFETIES.index(self)


_SEVERITIES = (Severity.INFO, Severity.WARNING, Severity.ERROR)
_SAFETIES = (Safety.DISPLAY, Safety.UNSAFE, Safety.SAFE)


class Evidence(NamedTuple):
    """Another place that shows it, or a plain remark where there is no place."""

    label: str
    span: Span | None = None


class Fix(NamedTuple):
    """One way to mend it. All of its edits belong together."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    """safe, unsafe or display"""


class Remark(NamedTuple):
    """What a rule says. `cells` are the cells that it explains; none named, it is `span` itself."""

    span: Span
    message: str
    evidence: tuple[Evidence, ...] = ()
    fixes: tuple[Fix, ...] = ()
    cells: tuple[Span, ...] = ()


class Finding(NamedTuple):
    """A remark with the rule that made it."""

    code: str
    name: str
    severity: Severity
    """error, warning or info"""
    span: Span
    """where in the text"""
    message: str
    evidence: tuple[Evidence, ...] = ()
    """what else shows it"""
    fixes: tuple[Fix, ...] = ()
    """ways to mend it"""
    cells: tuple[Span, ...] = ()
    """the cells that it explains; none means `span` itself"""

    @property
    def remedy(self) -> Fix | None:
        """The fix that may be applied unasked: the safest, if no other is as safe."""
        fixes = [one for one in self.fixes if one.safety is not Safety.DISPLAY and one.edits]
        safest = max((one.safety.rank for one in fixes), default=0)
        best = [one for one in fixes if one.safety.rank == safest]
        return best[0] if len(best) == 1 else None

    @property
    def is_undecided(self) -> bool:
        """Whether there are several ways to mend it, and nothing tells which one is right."""
        return (
            self.remedy is None and sum(one.safety is not Safety.DISPLAY for one in self.fixes) > 1
        )
