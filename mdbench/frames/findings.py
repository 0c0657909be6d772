"""Findings for Python: each knows its line, and all together are shown in notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mdbench.output.full import show_finding
from mdbench.output.terminal import show_text
from mdbench.rules.findings import Finding, Severity
from mdbench.source import Source

if TYPE_CHECKING:
    import pandas as pd

_COLOURS = {Severity.ERROR: "#b4231a", Severity.WARNING: "#8f5b00", Severity.INFO: "#1f6597"}


class LocatedFinding(Finding):
    """A finding with its location: `line`, `column`, and `str()` as one line."""

    path: str
    line: int
    """counted from 1"""
    column: int
    """counted from 1"""
    end_line: int
    end_column: int

    def __str__(self) -> str:
        place = f"{show_text(self.path)}:{self.line}:{self.column}"
        return f"{place} {self.code} {self.severity}: {show_text(self.message)}"


class Findings(tuple[LocatedFinding, ...]):  # noqa: SLOT001 - a tuple's may not name `source`
    """The findings of one report, in the order of its text. A tuple that notebooks display."""

    source: Source

    def to_pandas(self) -> pd.DataFrame:
        """A DataFrame with a row for each finding."""
        import pandas as pd  # noqa: PLC0415 - findings are mostly used without it

        rows = [
            (
                one.path, one.line, one.column, one.end_line, one.end_column, one.code, one.name,
                one.severity.value, one.confidence, one.message,
                one.fixes[0].title if one.fixes else None,
            )
            for one in self
        ]  # fmt: skip
        types = {
            "path": "string", "line": "int64", "column": "int64", "end_line": "int64",
            "end_column": "int64", "code": "string", "name": "string", "severity": "string",
            "confidence": "float64", "message": "string", "fix": "string",
        }  # fmt: skip
        return pd.DataFrame(rows, columns=list(types)).astype(types)

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        """What the terminal shows, for notebooks. Nothing of a report becomes HTML."""
        shown = "\n\n".join(self._show(one) for one in self) or "no findings"
        return f'<pre style="white-space: pre; overflow-x: auto">{shown}</pre>'

    def _show(self, finding: LocatedFinding) -> str:
        first, *rest = (html.escape(line) for line in show_finding(self.source, finding))
        colour = _COLOURS[finding.severity]
        return "\n".join((f'<b style="color: {colour}">{first}</b>', *rest))


def locate(source: Source, findings: Iterable[Finding]) -> Findings:
    """The findings of a report with their places."""
    found = Findings(_locate(source, one) for one in findings)
    found.source = source
    return found


def _locate(source: Source, finding: Finding) -> LocatedFinding:
    one = LocatedFinding(*finding)
    one.path = source.path
    one.line, one.column = source.position(finding.span.start)
    one.end_line, one.end_column = source.position(finding.span.end)
    return one
