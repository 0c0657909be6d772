"""Findings as JSON, for programs: a list, sorted by path, line and column."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mdbench.files.errors import disarm_json
from mdbench.linting.results import FileResult
from mdbench.output import OutputOptions
from mdbench.regex import lazy
from mdbench.rules.findings import Finding, Fix
from mdbench.source import Source, Span

# Valid in JSON, but a terminal may interpret them, and some are not characters.
_UNSAFE = lazy(
    "[\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def write(results: Iterable[FileResult], options: OutputOptions) -> Iterator[str]:
    """One list, with a line for each finding."""
    separator = "[\n"
    for rows in options.write_each(results, "json", _write_file):
        if rows:
            yield separator + rows
            separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def _write_file(result: FileResult) -> str:
    return ",\n".join(dump(as_object(result.source, one)) for one in result.findings)


def as_object(source: Source, finding: Finding) -> dict[str, Any]:
    """A finding as an object in the JSON output."""
    return {
        "path": source.path,
        **_place(source, finding.span),
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "confidence": finding.confidence,
        "message": finding.message,
        "evidence": [
            # Evidence without a span is about the span of the finding.
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
    """A value as JSON on one line, with control characters and workflow commands escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return disarm_json(_UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text))
