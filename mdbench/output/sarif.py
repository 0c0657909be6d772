"""Findings as SARIF 2.1.0, for code scanning and for viewers that can apply fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os.path import isabs
from typing import Any
from urllib.parse import quote

from mdbench import __version__
from mdbench.linting.results import FileResult
from mdbench.output import OutputOptions
from mdbench.output.json import dump
from mdbench.rules.examples import find_examples
from mdbench.rules.findings import (
    Finding,
    Fix,
    Safety,
    Severity,
    fingerprint_findings,
    portable_path,
)
from mdbench.rules.loading import RULES, Rule
from mdbench.source import Source, Span

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_URGENCY = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "recommendation",
}
_INDEX = {code: index for index, code in enumerate(RULES)}


def write(results: Iterable[FileResult], _options: OutputOptions) -> Iterator[str]:
    """A log with one run: a line for each rule, then a line for each finding."""
    driver = {"name": "mdbench", "version": __version__, "semanticVersion": __version__}
    rules = ",\n".join(dump(_as_rule(one)) for one in RULES.values())
    yield f'{{"$schema": {dump(_SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
    yield f'"tool": {{"driver": {dump(driver)[:-1]}, "rules": [\n{rules}\n]}}}},\n'
    # Lines and columns as `Source` counts them.
    yield '"columnKind": "unicodeCodePoints", "newlineSequences": ["\\r\\n", "\\n", "\\r"],\n'
    yield '"results": ['
    separator = "\n"
    for result in results:
        prints = fingerprint_findings(result.source, result.findings)
        for finding, fingerprint in zip(result.findings, prints, strict=True):
            yield separator + dump(_as_result(result.source, finding, fingerprint))
            separator = ",\n"
    yield "\n]}]}\n"


def _as_rule(one: Rule) -> dict[str, Any]:
    return {
        "id": one.code,
        "name": "".join(word.capitalize() for word in one.name.split("-")),
        "shortDescription": {"text": one.name},
        "fullDescription": {"text": one.summary},
        "help": {"text": one.text, "markdown": _write_help(one)},
        "defaultConfiguration": {"level": _LEVELS[one.severity]},
        "properties": {
            "tags": ["benchmark", "markdown"],
            "precision": "high",
            "problem.severity": _URGENCY[one.severity],
        },
    }


def _write_help(one: Rule) -> str:
    """The rule's documentation with its examples as Markdown that others can show."""
    text = one.text
    pieces = [f"# {one.code} {one.name}\n\n"]
    done = 0
    for example in find_examples(text):
        ticks = "````" if "```" in example.text else "```"
        title = "Good" if example.good else "Bad"
        pieces += (
            text[done : example.place.start],
            f"{title}:\n\n{ticks}markdown\n{example.text}{ticks}",
        )
        done = example.place.end
    return "".join((*pieces, text[done:])).rstrip()


def _as_result(source: Source, finding: Finding, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _INDEX[finding.code],
        "level": _LEVELS[finding.severity],
        "rank": round(100 * finding.confidence, 1),
        "message": _message(_say(finding)),
        "locations": [_locate(source, finding.span)],
        # The second has the name that GitHub looks for.
        "partialFingerprints": {
            "mdbench/v1": fingerprint,
            "primaryLocationLineHash": f"{fingerprint}:1",
        },
    }
    related = [
        {**_locate(source, one.span), "message": _message(one.label)}
        for one in finding.evidence
        if one.span is not None
    ]
    fixes = [_as_fix(source, one) for one in finding.fixes if _can_be_applied(one)]
    if related:
        result["relatedLocations"] = related
    if fixes:
        result["fixes"] = fixes
    return result


def _say(finding: Finding) -> str:
    remarks = (one.label for one in finding.evidence if one.span is None)
    return "\n".join((finding.message, *remarks))


def _message(text: str) -> dict[str, str]:
    """A text with placeholders and links escaped."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def _locate(source: Source, span: Span) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(source),
            "region": _region(source, span),
        }
    }


def _artifact(source: Source) -> dict[str, str]:
    path = portable_path(source.path)
    uri = quote(path.encode("utf-8", "surrogateescape"))
    if isabs(path):
        return {"uri": f"file://{uri}"}
    return {"uri": uri, "uriBaseId": "%SRCROOT%"}


def _region(source: Source, span: Span) -> dict[str, int]:
    start, end = source.position(span.start), source.position(span.end)
    return {
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }


def _can_be_applied(fix: Fix) -> bool:
    return fix.safety is not Safety.DISPLAY and bool(fix.edits)


def _as_fix(source: Source, fix: Fix) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.text}}
        for edit in fix.edits
    ]
    return {
        "description": _message(fix.title),
        "artifactChanges": [{"artifactLocation": _artifact(source), "replacements": replacements}],
        "properties": {"safety": str(fix.safety)},
    }
