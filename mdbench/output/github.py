"""Findings as annotations of a GitHub workflow, which shows them beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.linting.results import FileResult
from mdbench.output import OutputOptions
from mdbench.output.terminal import show_text
from mdbench.rules.findings import Finding, Severity, portable_path
from mdbench.source import Source

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
# A workflow reads its commands line by line: the text of a cell must not end one.
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def write(results: Iterable[FileResult], _options: OutputOptions) -> Iterator[str]:
    """A workflow command for each finding."""
    for result in results:
        for finding in result.findings:
            yield _annotate(result.source, finding) + "\n"


def _annotate(source: Source, finding: Finding) -> str:
    properties = {
        "file": portable_path(source.path),
        **_place(source, finding),
        "title": f"{finding.code} {finding.name}",
    }
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_message(source, finding)}"


def _place(source: Source, finding: Finding) -> dict[str, str]:
    start, end = source.position(finding.span.start), source.position(finding.span.end)
    lines = {"line": str(start.line), "endLine": str(end.line)}
    if start.line != end.line:
        # Columns are allowed only within one line.
        return lines
    return {**lines, "col": str(start.column), "endColumn": str(end.column)}


def _message(source: Source, finding: Finding) -> str:
    home = source.line(finding.span.start)
    lines = [finding.message]
    for one in finding.evidence:
        line = home if one.span is None else source.line(one.span.start)
        lines.append(one.label if line == home else f"line {line}: {one.label}")
    lines += (f"help: {fix.title}" for fix in finding.fixes)
    return "\n".join(map(show_text, lines)).translate(_IN_MESSAGE)


def _property(text: str) -> str:
    return show_text(text).translate(_IN_PROPERTY)
