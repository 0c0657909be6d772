"""Findings as JSON and back. Decoding validates the data: anybody may have written it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from mdbench.linting.results import (
    UNMEASURED,
    Content,
    Coverage,
    Entry,
    FileResult,
    Reach,
    Suppressed,
    SuppressedBy,
    Tally,
)
from mdbench.regex import lazy
from mdbench.rules.findings import Evidence, Finding, Fix, Safety, Severity
from mdbench.source import Edit, Span

_CODE = lazy(r"MB\d{3}")
_UNCOUNTED = "-"


class BrokenError(ValueError):
    """The data was not written by mdbench."""


class Detail(NamedTuple):
    """Everything the cache stores about a report, as JSON."""

    findings: list[Any]
    coverage: list[Any] | None
    entries: list[Any] | None
    suppressed: list[Any]


def encode_detail(report: FileResult, *, measured: bool, described: bool) -> bytes:
    """Encode a report without its text."""
    coverage = report.coverage
    detail = Detail(
        [_flatten(one) for one in report.findings],
        list(coverage) if measured else None,
        list(report.entries) if described else None,
        [_flatten(one.finding) for one in report.suppressed],
    )
    return json.dumps(detail, separators=(",", ":")).encode("ascii")


def decode_detail(data: bytes) -> Detail:
    """Split a report into parts that are still encoded."""
    try:
        findings, coverage, entries, suppressed = json.loads(data)
    except (ValueError, TypeError, RecursionError) as error:
        raise BrokenError from error
    lists = isinstance(findings, list) and isinstance(suppressed, list)
    if not lists or not isinstance(coverage, list | None) or not isinstance(entries, list | None):
        raise BrokenError
    return Detail(findings, coverage, entries, suppressed)


def encode_tally(tally: Tally) -> str:
    """Encode a tally on one line."""
    findings = ";".join(" ".join(map(str, one)) for one in tally.findings)
    remedies = ";".join(" ".join(map(str, one)) for one in tally.remedies)
    return f"{findings}|{remedies}|{tally.undecided}"


@lru_cache(maxsize=4096)
def decode_tally(text: str) -> Tally:
    """Decode a tally."""
    try:
        findings, remedies, undecided = text.split("|")
        counted = [one.split(" ") for one in findings.split(";") if one]
        fixed = [one.split(" ") for one in remedies.split(";") if one]
        return Tally(
            tuple((code, name, Severity(how), int(count)) for code, name, how, count in counted),
            tuple((Safety(how), int(count)) for how, count in fixed),
            int(undecided),
        )
    except ValueError as error:
        raise BrokenError from error


def encode_reach(reach: Reach) -> str:
    """Encode what is in a file and how much of it was checked."""
    numbers = _UNCOUNTED if reach.numbers is None else reach.numbers
    return f"{reach.content} {numbers} {reach.checked}"


@lru_cache(maxsize=4096)
def decode_reach(text: str) -> Reach:
    """Decode what is in a file and how much of it was checked."""
    try:
        content, numbers, checked = text.split(" ")
        counted = None if numbers == _UNCOUNTED else int(numbers)
        return Reach(Content(content), counted, int(checked))
    except ValueError as error:
        raise BrokenError from error


def decode_findings(detail: Detail, length: int) -> tuple[Finding, ...]:
    """Decode the findings in a text of the given length."""
    try:
        return tuple(map(_Decoder(length).finding, detail.findings))
    except (TypeError, ValueError) as error:
        raise BrokenError from error


def decode_suppressed(detail: Detail, length: int) -> tuple[Suppressed, ...]:
    """Decode the findings that comments suppress; those of a baseline are not stored."""
    found = decode_findings(detail._replace(findings=detail.suppressed), length)
    return tuple(Suppressed(one, SuppressedBy.COMMENT) for one in found)


def decode_coverage(detail: Detail) -> Coverage:
    """Decode how much of the report was recomputed."""
    if detail.coverage is None:
        return UNMEASURED
    try:
        numbers, verified, contradicted, unverified, lacking, laws, compared = detail.coverage
        return Coverage(
            _number(numbers),
            _number(verified),
            _number(contradicted),
            tuple((_text(name), _number(count)) for name, count in unverified),
            tuple(
                (_text(setting), _number(cells), tuple(map(_text, relations)))
                for setting, cells, relations in lacking
            ),
            tuple(
                (_text(law), _text(across), _number(holding), _number(count), _number(bits))
                for law, across, holding, count, bits in laws
            ),
            _number(compared),
        )
    except (TypeError, ValueError) as error:
        raise BrokenError from error


def decode_entries(detail: Detail) -> tuple[Entry, ...] | None:
    """Decode the baseline entry of each finding; None if they were not requested yet."""
    if detail.entries is None:
        return None
    try:
        entries = tuple(Entry(*map(_text, one)) for one in detail.entries)
    except (TypeError, ValueError) as error:
        raise BrokenError from error
    if len(entries) != len(detail.findings):
        raise BrokenError
    return entries


def _flatten(one: Finding) -> list[Any]:
    return [
        one.code,
        one.name,
        one.severity,
        one.span,
        one.message,
        [[each.label, each.span] for each in one.evidence],
        [[fix.title, fix.edits, fix.safety] for fix in one.fixes],
        one.cells,
        one.confidence,
    ]


class _Decoder:
    """Builds findings from JSON, for a text of the given length."""

    def __init__(self, length: int) -> None:
        self._length = length

    def finding(self, one: Any) -> Finding:
        code, name, severity, span, message, evidence, fixes, cells, confidence = one
        if not _CODE.fullmatch(_text(code)):
            raise ValueError(code)
        return Finding(
            code,
            _text(name),
            Severity(severity),
            self._span(span),
            _text(message),
            tuple(
                Evidence(_text(label), None if place is None else self._span(place))
                for label, place in evidence
            ),
            tuple(
                Fix(_text(title), self._edits(edits), Safety(safety))
                for title, edits, safety in fixes
            ),
            tuple(map(self._span, cells)),
            _share(confidence),
        )

    def _edits(self, edits: Iterable[Any]) -> tuple[Edit, ...]:
        return tuple(Edit(self._span(span), _text(text)) for span, text in edits)

    def _span(self, span: Any) -> Span:
        start, end = span
        if not 0 <= _number(start) <= _number(end) <= self._length:
            raise ValueError(span)
        return Span(start, end)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _share(value: Any) -> float:
    if type(value) is not float or not 0 <= value <= 1:
        raise TypeError(value)
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value
