"""Findings as JSON, for programs: a list, sorted by path, line and column."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mdbench.errors import disarm_json
from mdbench.linting.results import FileResult
from mdbench.regex import lazy
from mdbench.rules.findings import Finding, Fix
from mdbench.source import Source, Span

# Valid in JSON, but a terminal may obey them, and some are no characters at all.
_UNSAFE = lazy(
    "[\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def write_json(reports: Iterable[FileResult]) -> Iterator[str]:
    """One list, a finding a line."""
    yield from join_rows("".join(write_rows((report,))) for report in reports)


def write_rows(reports: Iterable[FileResult]) -> Iterator[str]:
    """The lines of the list."""
    separator = ""
    for report in reports:
        for finding in report.findings:
            yield separator + dump(as_object(report.source, finding))
            separator = ",\n"


def join_rows(pieces: Iterable[str]) -> Iterator[str]:
    """A list of pieces, each of which is some lines of it, or none."""
    separator = "[\n"
    for piece in pieces:
        if piece:
            yield separator + piece
            separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def as_object(source: Source, finding: Finding) -> dict[str, Any]:
    """A finding as an object of the JSON output."""
    return {
        "path": source.path,
        **_place(source, finding.span),
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        "evidence": [
            # A remark without a place of its own is about the finding's.
            {
                "label": one.label,
                "path": source.path,
                **_place(source, finding.span if one.span is None else one.span),
            }
            for one in finding.evidence
        ],
        "fixes": [_fix(source, fix) for fix in finding.fixes],
    }


def _fix(source: Source, fix: Fix) -> dict[str, Any]:
    edits = [{**_place(source, edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safety": str(fix.safety), "edits": edits}


def _place(source: Source, span: Span) -> dict[str, int]:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    }


def dump(value: object) -> str:
    """A value as JSON on one line, with nothing in it that a terminal or a log would obey."""
    text = json.dumps(value, ensure_ascii=False)
    return disarm_json(_UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text))
