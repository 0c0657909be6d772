"""Findings as a code quality report, which GitLab shows in a merge request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mdbench.linting.results import FileResult
from mdbench.output import OutputOptions
from mdbench.output.json import dump
from mdbench.rules.findings import Finding, Severity, fingerprint_findings, portable_path
from mdbench.source import Source

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def write(results: Iterable[FileResult], _options: OutputOptions) -> Iterator[str]:
    """One list, with a line for each finding."""
    separator = "[\n"
    for result in results:
        prints = fingerprint_findings(result.source, result.findings)
        for finding, fingerprint in zip(result.findings, prints, strict=True):
            yield separator + dump(_as_issue(result.source, finding, fingerprint))
            separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def _as_issue(source: Source, finding: Finding, fingerprint: str) -> dict[str, Any]:
    first, last = source.line(finding.span.start), source.line(finding.span.end)
    return {
        "description": f"{finding.code}: {finding.message}",
        "check_name": finding.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": portable_path(source.path).removeprefix("./"),
            "lines": {"begin": first, "end": last},
        },
    }
