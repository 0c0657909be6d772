"""Findings as SARIF 2.1.0, for code scanning and for viewers that can apply fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os.path import isabs, splitdrive
from textwrap import indent
from typing import Any
from urllib.parse import quote

from mdbench import __version__
from mdbench.linting.results import FileResult, SuppressedBy
from mdbench.output import OutputOptions
from mdbench.output.json import dump
from mdbench.regex import lazy
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
_KINDS = {SuppressedBy.COMMENT: "inSource", SuppressedBy.BASELINE: "external"}
_CODE = lazy(r"`([^`]+)`")
_INDEX = {code: index for index, code in enumerate(RULES)}


def write(results: Iterable[FileResult], _options: OutputOptions) -> Iterator[str]:
    """A log with one run: a line for each rule, then a line for each finding."""
    home = find_repository_address()
    driver = {"name": "mdbench", "version": __version__, "semanticVersion": __version__}
    if home:
        driver["informationUri"] = home
    rules = ",\n".join(dump(_as_rule(one, home)) for one in RULES.values())
    yield f'{{"$schema": {dump(_SCHEMA)}, "version": "2.1.0", "runs": [{{\n'
    yield f'"tool": {{"driver": {dump(driver)[:-1]}, "rules": [\n{rules}\n]}}}},\n'
    # Lines and columns as `Source` counts them.
    yield '"columnKind": "unicodeCodePoints", "newlineSequences": ["\\r\\n", "\\n", "\\r"],\n'
    yield '"results": ['
    separator = "\n"
    for result in results:
        for one in _as_results(result):
            yield separator + dump(one)
            separator = ",\n"
    yield "\n]}]}\n"


def find_repository_address() -> str:
    """The address of the repository as pyproject.toml has it; empty if mdbench isn't installed."""
    # Loaded only here: it takes as long as linting a report.
    from importlib.metadata import PackageNotFoundError, metadata  # noqa: PLC0415

    try:
        addresses = metadata("mdbench").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    named = dict(str(one).split(", ", 1) for one in addresses)
    return named.get("Repository", "")


def _as_rule(one: Rule, home: str) -> dict[str, Any]:
    page = f"{home}/blob/{__version__}/docs/rules/{one.code}.md"
    title = _strip_code(one.summary)
    return {
        "id": one.code,
        "name": "".join(word.capitalize() for word in one.name.split("-")),
        "shortDescription": {"text": title},
        "fullDescription": {"text": _strip_code(_first_paragraphs(one))},
        "help": {"text": _write_plain_help(one), "markdown": _write_help(one)},
        **({"helpUri": page} if home else {}),
        "defaultConfiguration": {"level": _LEVELS[one.severity]},
        "properties": {
            "tags": ["benchmark", "markdown"],
            "precision": "high",
            "problem.severity": _URGENCY[one.severity],
        },
    }


def _first_paragraphs(one: Rule) -> str:
    """The summary and the paragraph that follows it, each on one line."""
    paragraphs = one.text.split("\n\n")
    said = [text for text in paragraphs[:2] if not text.startswith("```")]
    return "\n\n".join(" ".join(text.split()) for text in said)


def _write_help(one: Rule) -> str:
    """The rule's documentation with its examples as Markdown that others can show."""
    return f"# {one.code} {one.name}\n\n" + _with_examples(one, str, _fence)


def _write_plain_help(one: Rule) -> str:
    """The same as plain text."""
    return _with_examples(one, _strip_code, lambda text: indent(text.rstrip("\n"), "    "))


def _with_examples(one: Rule, say: Callable[[str], str], show: Callable[[str], str]) -> str:
    """The rule's documentation with its examples shown without the marks of the places."""
    text = one.text
    pieces: list[str] = []
    done = 0
    for example in find_examples(text):
        title = "Good" if example.good else "Bad"
        pieces += (say(text[done : example.place.start]), f"{title}:\n\n{show(example.text)}")
        done = example.place.end
    return "".join((*pieces, say(text[done:]))).rstrip()


def _fence(text: str) -> str:
    ticks = "````" if "```" in text else "```"
    return f"{ticks}markdown\n{text}{ticks}"


def _strip_code(text: str) -> str:
    """A text without the backticks around code, the only markup that rules use in sentences."""
    return _CODE.sub(r"\1", text)


def _as_results(result: FileResult) -> Iterator[dict[str, Any]]:
    """The findings of a file, then those that are suppressed."""
    source, suppressed = result.source, result.suppressed
    findings = (*result.findings, *(one.finding for one in suppressed))
    # All results have a list or none has: an empty one says that nothing suppresses the finding.
    reasons = (*((),) * len(result.findings), *(({"kind": _KINDS[one.by]},) for one in suppressed))
    prints = fingerprint_findings(source, findings)
    for finding, fingerprint, why in zip(findings, prints, reasons, strict=True):
        yield {**_as_result(source, finding, fingerprint), "suppressions": why}


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
        # On Windows, a path starts with a drive.
        drive, rest = splitdrive(path)
        whole = quote(f"{drive}{rest}".replace("\\", "/"), safe="/:") if drive else uri
        return {"uri": f"file://{'/' if drive else ''}{whole}"}
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
