"""The checker runs the selected rules, survives crashes, and reports each cause once, in order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.api import parse
from mdbench.linting import checker
from mdbench.linting.checker import check, check_report
from mdbench.linting.plan import Options
from mdbench.linting.selection import Selection
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Safety, Severity, Violation
from mdbench.rules.loading import RULES, Rule
from mdbench.source import Source, Span

TABLE = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n| | |\n"


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [one.code for one in findings]


def run(text: str, *select: str) -> tuple[Finding, ...]:
    return check(Source("case.md", text), Options(Selection(select)))


def remarking(code: str, *remarks: Violation, subsumes: tuple[str, ...] = ()) -> Rule:
    return Rule(code, code.lower(), Severity.ERROR, lambda _: iter(remarks), subsumes)


def replace_rules(monkeypatch: pytest.MonkeyPatch, *rules: Rule) -> None:
    known = {"MB000": RULES["MB000"], **{rule.code: rule for rule in rules}}
    monkeypatch.setattr(checker, "RULES", known)


def test_findings_are_in_the_order_of_the_text() -> None:
    assert codes(run(TABLE, "MB1")) == ["MB103", "MB102"]


def test_a_parsed_report_gives_the_same_findings() -> None:
    options = Options(Selection(("MB1",)))
    assert check_report(parse(TABLE), options) == run(TABLE, "MB1")


def test_a_crashed_rule_is_a_finding_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_review: Context) -> Iterator[Violation]:
        yield Violation(Span(2, 3), "before it broke")
        raise ZeroDivisionError("by\nzero")

    replace_rules(
        monkeypatch,
        Rule("MB111", "broken", Severity.INFO, broken),
        remarking("MB112", Violation(Span(4, 5), "sound")),
    )
    crash, before, sound = check(Source("case.md", "a text"))
    assert (crash.code, crash.severity, crash.span) == ("MB000", Severity.ERROR, Span(0, 0))
    assert "MB111 broken" in crash.message
    assert "ZeroDivisionError: by zero" in crash.message
    assert (before.message, sound.message) == ("before it broke", "sound")


def test_a_crash_while_reading_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(checker, "read_report", fail)
    (found,) = run(TABLE)
    assert found.code == "MB000"
    assert "RecursionError" in found.message


def test_a_finding_explained_by_another_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_rules(
        monkeypatch,
        remarking("MB111", Violation(Span(0, 1), "explained"), Violation(Span(8, 9), "elsewhere")),
        remarking("MB112", Violation(Span(0, 1), "of another code")),
        remarking(
            "MB113",
            Violation(Span(0, 5), "all", cells=(Span(0, 1), Span(2, 3))),
            subsumes=("MB111",),
        ),
    )
    found = check(Source("case.md", "a text of some length"))
    assert [one.message for one in found] == ["of another code", "all", "elsewhere"]


def test_a_partly_explained_finding_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replace_rules(
        monkeypatch,
        remarking("MB111", Violation(Span(0, 5), "two", cells=(Span(0, 1), Span(4, 5)))),
        remarking("MB113", Violation(Span(0, 1), "one"), subsumes=("MB111",)),
    )
    assert codes(check(Source("case.md", "a text"))) == ["MB113", "MB111"]


@pytest.mark.parametrize(
    ("select", "ignore", "code", "included"),
    [
        pytest.param((), (), "MB301", True, id="all by default"),
        pytest.param(("MB3",), (), "MB301", True, id="a family"),
        pytest.param(("MB3",), (), "MB201", False, id="another family"),
        pytest.param((), ("MB3",), "MB301", False, id="a family ignored"),
        pytest.param(("MB3",), ("MB301",), "MB301", False, id="except this one"),
        pytest.param(("MB301",), ("MB3",), "MB301", True, id="only this one of a family"),
        pytest.param(("MB301",), ("MB3",), "MB302", False, id="not the others of the family"),
        pytest.param(("MB301",), ("MB301",), "MB301", False, id="ignore wins a tie"),
        pytest.param(("MB3",), (), "MB001", True, id="unreadable files are always reported"),
        pytest.param(("MB3",), ("MB001",), "MB001", False, id="unless that is ignored"),
        pytest.param(("MB",), ("MB2",), "MB103", True, id="the shortest prefix"),
    ],
)
def test_the_longest_prefix_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], code: str, included: bool
) -> None:
    assert Selection(select, ignore).includes(code) is included


def test_severity_and_safety_are_ordered() -> None:
    assert sorted(Severity, key=lambda one: one.rank) == ["info", "warning", "error"]
    assert sorted(Safety, key=lambda one: one.rank) == ["display", "unsafe", "safe"]


HEADERS = st.sampled_from(["Nodes", "Sec/it", "Mem", "Notes", "Clock", "TFLOPs", "Time", ""])
CELLS = st.sampled_from(
    ["", " ", "47.0", "4 (2.2Hz)", "- MiB", "GB", "18 GB", "90s", "x", "OOM", "N/A", "-", "1.1^",
     "7†", "**3*", "#VALUE!", "1..5", "9 GB (OOM)", "日本", "\\|", "&nbsp;", "300 W",
     "<!-- mdbench: ignore MB1 -->"]
)  # fmt: skip
PROSE = st.sampled_from(
    ["# A", "## B", "```", "<!-- mdbench: ignore MB102 -->", "<!-- mdbench: ignore-file -->", "",
     "<iframe src='plot'>", "^ estimated", "> quoted", "- item", "\t", "text"]
)  # fmt: skip


def as_row(cells: list[str]) -> str:
    return "|" + "".join(f" {cell} |" for cell in cells)


@st.composite
def reports(draw: st.DrawFn) -> str:
    """Texts with all kinds of tables, including ragged rows."""
    lines: list[str] = draw(st.lists(PROSE, max_size=3))
    headers = draw(st.lists(HEADERS, min_size=1, max_size=4))
    rows = draw(st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=5))
    table = [as_row(headers), as_row(["--"] * len(headers)), *map(as_row, rows)]
    prefix = draw(st.sampled_from(["", "> ", "- "]))
    lines += ["", prefix + table[0], *(prefix.replace("-", " ") + line for line in table[1:])]
    lines += draw(st.lists(PROSE, max_size=3))
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))


@pytest.mark.slow
@given(reports())
def test_no_text_crashes_a_rule_and_every_span_is_valid(text: str) -> None:
    for finding in check(Source("case.md", text), Options(Selection(("MB1", "MB2", "MB9")))):
        assert finding.code != "MB000", finding.message
        places = [finding.span, *finding.cells]
        places += [one.span for one in finding.evidence if one.span is not None]
        places += [edit.span for fix in finding.fixes for edit in fix.edits]
        assert all(0 <= start <= end <= len(text) for start, end in places)


@pytest.mark.slow
@given(reports())
def test_a_fix_can_be_applied_and_removes_its_finding(text: str) -> None:
    source = Source("case.md", text)
    options = Options(Selection(("MB1", "MB2", "MB9")))
    before = check(source, options)
    for finding in before:
        for fix in finding.fixes:
            after = check(source.edited(fix.edits), options)
            assert codes(after).count(finding.code) < codes(before).count(finding.code)


@pytest.mark.parametrize(
    ("confidence", "told"),
    [
        (0.95, [Severity.ERROR]),
        (0.9, [Severity.ERROR]),
        (0.89, [Severity.WARNING]),
        (0.6, [Severity.WARNING]),
        (0.59, []),
    ],
)
def test_the_severity_follows_from_the_confidence(
    monkeypatch: pytest.MonkeyPatch, confidence: float, told: list[Severity]
) -> None:
    doubtful = Violation(Span(0, 1), "one", confidence=confidence)
    replace_rules(monkeypatch, remarking("MB903", doubtful))
    assert [one.severity for one in run("text", "MB903")] == told
