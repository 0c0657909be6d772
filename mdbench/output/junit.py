"""Findings as a JUnit report: each file is a test, which fails if it has findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from mdbench.linting.fail_on import FailOn
from mdbench.linting.results import FileResult
from mdbench.output import OutputOptions
from mdbench.output.full import show_finding
from mdbench.output.terminal import show_text
from mdbench.rules.findings import Finding, portable_path
from mdbench.source import Source

# Files that could not be checked, as opposed to files that are wrong.
_COULD_NOT_RUN = "MB0"
_PASSED, _FAILED, _BROKEN = "", "failure", "error"


def write(results: Iterable[FileResult], options: OutputOptions) -> Iterator[str]:
    """The whole report; findings below the threshold are listed but fail no test."""
    cases = [_write_case(result, options.fail_on) for result in results]
    verdicts = Counter(verdict for verdict, _ in cases)
    counts = (
        f'name="mdbench" tests="{len(cases)}" '
        f'failures="{verdicts[_FAILED]}" errors="{verdicts[_BROKEN]}" skipped="0"'
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites {counts}>\n<testsuite {counts}>\n"
    yield from (text for _, text in cases)
    yield "</testsuite>\n</testsuites>\n"


def _write_case(result: FileResult, fail_on: FailOn) -> tuple[str, str]:
    """The verdict on one file, and its element."""
    bad = [one for one in result.findings if fail_on.fails(result.path, one.severity)]
    mild = [one for one in result.findings if not fail_on.fails(result.path, one.severity)]
    name = _attribute(portable_path(result.source.path))
    inside = ""
    verdict = _PASSED
    if bad:
        broken = any(one.code.startswith(_COULD_NOT_RUN) for one in bad)
        verdict = _BROKEN if broken else _FAILED
        # Viewers show one failure for each test: it has all findings.
        codes = ", ".join(sorted({one.code for one in bad}))
        message = bad[0].message if len(bad) == 1 else f"{len(bad)} findings: {codes}"
        heading = f"message={_attribute(message)} type={_attribute(codes)}"
        inside += f"<{verdict} {heading}>{_show(result.source, bad)}</{verdict}>\n"
    if mild:
        inside += f"<system-out>{_show(result.source, mild)}</system-out>\n"
    element = f'<testcase classname="mdbench" name={name} file={name}'
    return verdict, f"{element}>\n{inside}</testcase>\n" if inside else f"{element}/>\n"


def _show(source: Source, findings: Sequence[Finding]) -> str:
    shown = ("\n".join(show_finding(source, one)) for one in findings)
    return escape("\n\n".join(shown))


def _attribute(text: str) -> str:
    return quoteattr(show_text(text))
