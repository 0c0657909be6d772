"""Findings as diagnostics: on the cell, with related locations and a link to the rule's page."""

from __future__ import annotations

from functools import cache

from lsprotocol import types

from mdbench.lsp.document_state import Examination
from mdbench.lsp.positions import Ruler
from mdbench.rendering.resources import rule_page
from mdbench.rules.findings import Evidence, Finding, Severity
from mdbench.source import Source

SOURCE = "mdbench"
SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_UNNEEDED = frozenset(("MB901",))


def make_diagnostics(
    examination: Examination, ruler: Ruler, *, related: bool = True
) -> list[types.Diagnostic]:
    """All findings, in the order of the text."""
    return [
        make_diagnostic(examination, finding, ruler, related=related)
        for finding in examination.findings
    ]


def make_diagnostic(
    examination: Examination, finding: Finding, ruler: Ruler, *, related: bool = True
) -> types.Diagnostic:
    """One finding; editors without related locations get them in the message."""
    page = _page_uri(finding.code)
    places = [_relate(one, examination, ruler) for one in finding.evidence] if related else []
    return types.Diagnostic(
        range=ruler.range(finding.span),
        message="\n".join((finding.message, *_say(finding, examination.source, related=related))),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in _UNNEEDED else None,
        related_information=[one for one in places if one is not None] or None,
        data={"confidence": finding.confidence},
    )


def _say(finding: Finding, source: Source, *, related: bool) -> list[str]:
    """The evidence that the message itself must contain, and whether there is less than usual."""
    said = [
        one.label if one.span is None else f"{one.label} (line {source.line(one.span.start)})"
        for one in finding.evidence
        if one.span is None or not related
    ]
    return [*said, f"{100 * finding.confidence:.0f} % sure"] if finding.is_doubtful else said


def _relate(
    one: Evidence, examination: Examination, ruler: Ruler
) -> types.DiagnosticRelatedInformation | None:
    if one.span is None:
        return None
    location = types.Location(examination.manuscript.uri, ruler.range(one.span))
    return types.DiagnosticRelatedInformation(location, one.label)


@cache
def _page_uri(code: str) -> str | None:
    """The URI of a rule's page."""
    page = rule_page(code)
    return None if page is None else page.as_uri()
