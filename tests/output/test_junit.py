"""`--format junit`: a test for each file, read back by a reader of JUnit reports."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import JUnitXml
from junitparser import TestCase as Case

from mdbench.linting.checker import check, report_unreadable
from mdbench.linting.fail_on import FailOn
from mdbench.linting.plan import Options
from mdbench.linting.results import Checked, FileResult
from mdbench.linting.selection import Selection
from mdbench.output import FORMATS, OutputOptions
from mdbench.rules.findings import Finding, Severity
from mdbench.source import Source, Span

CLEAN = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n"
WARNED = f"{CLEAN}| 2 | 47.1 |\n"
WRONG = f"{CLEAN}| 4 | 23.6 | 8 |\n"
NOTED = f"{CLEAN}\n## Later\n"


def examine(text: str, path: str = "a.md") -> FileResult:
    source = Source(path, text)
    return Checked(source, check(source, Options(Selection(("MB1",)))))


def read(*reports: FileResult, **options: Any) -> JUnitXml:
    return JUnitXml.fromstring(
        "".join(FORMATS["junit"].write(reports, OutputOptions(**options))).encode()
    )


def cases(document: JUnitXml) -> list[Case]:
    return [case for suite in document for case in suite]


def test_a_file_is_a_test_and_the_counts_say_how_many_failed() -> None:
    broken = Checked(Source("d.md", ""), report_unreadable("is not UTF-8"))
    document = read(examine(CLEAN), examine(WARNED, "b.md"), examine(WRONG, "c.md"), broken)
    assert (document.tests, document.failures, document.errors) == (4, 2, 1)
    (suite,) = document
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (4, 2, 1, 0)
    assert [case.name for case in suite] == ["a.md", "b.md", "c.md", "d.md"]
    assert [[type(one).__name__ for one in case.result] for case in suite] == [
        [],
        ["Failure"],
        ["Failure"],
        ["Error"],
    ]


def test_a_failure_tells_what_was_found() -> None:
    (case,) = cases(read(examine(WARNED)))
    (failure,) = case.result
    assert (failure.message, failure.type) == ("duplicate of the row on line 3", "MB103")
    assert "a.md:4:1 MB103 warning: duplicate of the row on line 3" in failure.text
    assert "4 | | 2 | 47.1 |" in failure.text


def test_several_findings_are_one_failure_that_tells_them_all() -> None:
    (case,) = cases(read(examine(f"{WARNED}| 4 | 23.6 | 8 |\n")))
    (failure,) = case.result
    assert failure.message == "2 findings: MB101, MB103"
    assert {"a.md:4:1", "a.md:5:14"} <= set(failure.text.split())


@pytest.mark.parametrize(
    ("threshold", "failed"),
    [
        pytest.param(Severity.WARNING, False, id="an info fails nothing by default"),
        pytest.param(Severity.INFO, True, id="unless it is asked to"),
    ],
)
def test_what_is_mild_is_told_without_failing(threshold: Severity, failed: bool) -> None:
    (case,) = cases(read(examine(NOTED), fail_on=FailOn(threshold)))
    assert bool(case.result) is failed
    told = case.result[0].text if failed else case.system_out
    assert "MB105 info" in told


def test_nothing_checked_is_a_report_too() -> None:
    assert read().tests == 0


@given(st.text(), st.text(min_size=1))
def test_whatever_a_cell_says_it_is_xml(said: str, path: str) -> None:
    finding = Finding("MB301", "derived-mismatch", Severity.ERROR, Span(0, len(said)), said)
    (case,) = cases(read(Checked(Source(path, said), (finding,))))
    assert len(case.name) == len(path)
    assert len(case.result[0].message) == len(said)
