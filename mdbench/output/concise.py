"""A line for each finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.linting.results import FileResult
from mdbench.output.terminal import PLAIN, Palette, show_text
from mdbench.rules.findings import Finding
from mdbench.source import Source


def write_concise(reports: Iterable[FileResult], palette: Palette = PLAIN) -> Iterator[str]:
    """Place, code, severity and message of each finding."""
    for report in reports:
        for finding in report.findings:
            yield headline(report.source, finding, palette) + "\n"


def headline(source: Source, finding: Finding, palette: Palette = PLAIN) -> str:
    """The line that says it all: `path:line:column CODE severity: message`."""
    line, column = source.position(finding.span.start)
    path = palette.strong(show_text(source.path))
    code = palette.severity(f"{finding.code} {finding.severity}", finding.severity)
    return f"{path}:{line}:{column} {code}: {show_text(finding.message)}"
