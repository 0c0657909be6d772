"""Which fixes are applied, in which order, and what is verified before a report is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.api import parse
from mdbench.linting import fixer
from mdbench.linting.fixer import MOST_ROUNDS, choose_fixes, fix
from mdbench.linting.plan import Options
from mdbench.linting.selection import Selection
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Fix, Safety, Severity
from mdbench.sheets.equality import differences
from mdbench.sheets.report import read_report
from mdbench.source import Edit, Source, Span
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

TABLE = "| Nodes | Mem | Sec/it |\n|--|--|--|\n| 2 | 18 GB | 9.5 |\n| 4 | 19 GB | 4.8 |\n"
BLANK = TABLE + "| | | |\n"
TWICE = TABLE + "| 4 | 19 GB | 4.8 |\n"

Plan = Callable[[str], Iterable[Finding]]


def finding(*fixes: Fix, message: str = "m") -> Finding:
    return Finding("MB999", "made-up", Severity.WARNING, Span(0, 1), message, fixes=fixes)


def remedy(safety: Safety, *edits: tuple[int, int, str], title: str = "t") -> Fix:
    return Fix(title, tuple(Edit(Span(a, b), text) for a, b, text in edits), safety)


def put(text: str, old: str, new: str, safety: Safety = Safety.SAFE, title: str = "t") -> Fix:
    at = text.index(old)
    return remedy(safety, (at, at + len(old), new), title=title)


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Callable[[Plan], None]:
    """Let a function provide the findings of each round."""

    def install(found: Plan) -> None:
        def check(context: Context, _options: Options) -> tuple[Finding, ...]:
            return tuple(found(context.source.text))

        monkeypatch.setattr(fixer, "check_context", check)

    return install


def test_a_safe_fix_is_applied() -> None:
    fixed = fix(Source("a.md", BLANK))
    assert fixed.source.text == TABLE
    assert [one.code for one in fixed.applied] == ["MB102"]
    assert (fixed.findings, fixed.held_back, fixed.refused, fixed.converged) == ((), (), (), True)


def test_an_unsafe_fix_needs_permission() -> None:
    source = Source("a.md", TWICE)
    fixed = fix(source)
    assert fixed.source.text == TWICE
    assert [one.code for one in fixed.held_back] == ["MB103"]
    assert fix(source, allowed=Safety.UNSAFE).source.text == TABLE


def test_only_selected_rules_are_fixed() -> None:
    source = Source("a.md", BLANK)
    assert fix(source, Options(Selection(("MB2",), ()))).source.text == BLANK


def test_a_suppressed_finding_is_not_fixed() -> None:
    text = f"<!-- mdbench: ignore MB102 -->\n\n{BLANK}"
    assert fix(Source("a.md", text)).source.text == text


def test_two_equally_safe_fixes_are_not_applied(plan: Callable[[Plan], None]) -> None:
    two = [put(TABLE, "9.5", new, Safety.UNSAFE) for new in ("9.6", "9.7")]
    plan(lambda _: [finding(*two)])
    fixed = fix(Source("a.md", TABLE), allowed=Safety.UNSAFE)
    assert fixed.source.text == TABLE
    assert (fixed.held_back, fixed.findings[0].is_undecided) == ((), True)


def test_a_safe_fix_wins_over_an_unsafe_one(plan: Callable[[Plan], None]) -> None:
    def found(text: str) -> Iterable[Finding]:
        if "**" not in text:
            unsafe = put(text, "9.5", "9.6", Safety.UNSAFE)
            yield finding(unsafe, put(text, "9.5", "**9.5**"))

    plan(found)
    fixed = fix(Source("a.md", TABLE), allowed=Safety.UNSAFE)
    assert fixed.source.text == TABLE.replace("9.5", "**9.5**")


@pytest.mark.parametrize("safety", [Safety.SAFE, Safety.UNSAFE])
def test_a_display_only_fix_is_never_applied(plan: Callable[[Plan], None], safety: Safety) -> None:
    plan(lambda _: [finding(put(TABLE, "9.5", "1", Safety.DISPLAY))])
    fixed = fix(Source("a.md", TABLE), allowed=safety)
    assert (fixed.source.text, fixed.held_back) == (TABLE, ())


@pytest.mark.parametrize(
    ("first", "second", "safety", "together"),
    [
        pytest.param((0, 3), (2, 5), Safety.SAFE, False, id="safe, overlapping"),
        pytest.param((2, 3), (4, 5), Safety.SAFE, False, id="safe, in one cell"),
        pytest.param((2, 3), (8, 9), Safety.SAFE, True, id="safe, in two cells"),
        pytest.param((2, 3), (0, 12), Safety.SAFE, False, id="safe, a cell and its line"),
        pytest.param((2, 3), (8, 9), Safety.UNSAFE, False, id="unsafe, in one line"),
        pytest.param((2, 3), (14, 15), Safety.UNSAFE, True, id="unsafe, in two lines"),
        pytest.param((0, 12), (12, 24), Safety.UNSAFE, True, id="two lines are removed"),
    ],
)
def test_overlapping_fixes_wait(
    first: tuple[int, int], second: tuple[int, int], safety: Safety, together: bool
) -> None:
    source = Source(
        "a.md", "| aaa | bb |\n| ccc | dd |\n".replace("bb |", "b |").replace("dd |", "d |")
    )
    assert source.line_starts[1] == 12
    findings = [finding(remedy(safety, (*span, ""))) for span in (first, second)]
    chosen = choose_fixes(source, findings, Safety.UNSAFE)
    assert [one for one, _ in chosen] == (findings if together else findings[:1])


def test_safe_fixes_are_applied_before_unsafe_ones() -> None:
    source = Source("a.md", "| a |\n| b |\n")
    unsafe = finding(remedy(Safety.UNSAFE, (2, 3, "x")))
    safe = finding(remedy(Safety.SAFE, (8, 9, "x")))
    assert [one for one, _ in choose_fixes(source, [unsafe, safe], Safety.UNSAFE)] == [safe]


def test_a_waiting_fix_is_applied_in_the_next_round(plan: Callable[[Plan], None]) -> None:
    def found(text: str) -> Iterable[Finding]:
        if "**" not in text:
            yield finding(put(text, "9.5", "**9.5**"))
        if "`" not in text:
            yield finding(put(text, "9.5", "`9.5`"))

    plan(found)
    fixed = fix(Source("a.md", TABLE))
    assert len(fixed.applied) == 2
    assert fixed.source.text == TABLE.replace("9.5", "**`9.5`**")


def test_a_safe_fix_that_changes_a_value_is_refused(plan: Callable[[Plan], None]) -> None:
    def found(text: str) -> Iterable[Finding]:
        yield finding(put(text, "| 2 |", "|  2 |"), message="good")
        yield finding(put(text, "9.5", "9.6"), message="bad")

    plan(found)
    fixed = fix(Source("a.md", TABLE))
    assert fixed.source.text == TABLE
    assert fixed.applied == ()
    assert [one.finding.message for one in fixed.refused] == ["bad"]
    assert str(fixed.refused[0]) == "line 3, Sec/it: 9.5 would become 9.6"
    good, bad = fixed.findings
    assert good.evidence == ()
    assert bad.evidence[-1].label == (
        "not fixed, because that would change a value: line 3, Sec/it: 9.5 would become 9.6"
    )


def test_safe_fixes_that_change_a_value_only_together_are_all_refused(
    plan: Callable[[Plan], None],
) -> None:
    # With one of its signs the row is a run; without any it is the title of the rows below.
    text = "| Name | Mem | Sec/it |\n|--|--|--|\n| **A** | - | N/A |\n| b | 1 GB | 2.5 |\n"

    def found(_: str) -> Iterable[Finding]:
        dash = text.index("| - |") + 2
        yield finding(remedy(Safety.SAFE, (dash, dash + 1, "")), message="dash")
        yield finding(put(text, "N/A", ""), message="word")

    plan(found)
    fixed = fix(Source("a.md", text))
    assert fixed.source.text == text
    assert [one.finding.message for one in fixed.refused] == ["dash", "word"]


def test_endless_fixes_stop_after_ten_rounds(plan: Callable[[Plan], None]) -> None:
    plan(lambda text: [finding(put(text, "9.5", "9.51", Safety.UNSAFE))])
    fixed = fix(Source("a.md", TABLE), allowed=Safety.UNSAFE)
    assert len(fixed.applied) == MOST_ROUNDS
    assert not fixed.converged


def test_a_crash_while_fixing_leaves_the_report_unchanged(plan: Callable[[Plan], None]) -> None:
    plan(lambda _: [finding(remedy(Safety.SAFE, (0, 2, ""), (1, 3, "")))])
    fixed = fix(Source("a.md", TABLE))
    assert fixed.source.text == TABLE
    assert [one.code for one in fixed.findings] == ["MB000"]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings_are_kept(ending: str) -> None:
    text = BLANK.replace("\n", ending)
    fixed = fix(Source("a.md", text, bom=True))
    assert fixed.source.text == TABLE.replace("\n", ending)
    assert fixed.source.bom


_MESSY = st.sampled_from(
    ["", "-", "N/A", "- MiB", "18.5 MiB", "x", "OOM", "7", "2.2Hz", "1.5^", "a note", "#VALUE!"]
)
_ROWS = st.lists(st.lists(_MESSY, min_size=0, max_size=6), min_size=1, max_size=5)


@pytest.mark.slow
@given(_ROWS)
def test_safe_fixes_never_change_a_measurement(rows: list[list[str]]) -> None:
    head = "| Nodes | Mem | Sec/it | Notes |\n|--:|--:|--|--|\n"
    source = Source("a.md", head + "".join(f"| {' | '.join(row)} |\n" for row in rows))
    fixed = fix(source)
    assert (fixed.refused, fixed.converged) == ((), True)
    assert differences(parse(source.text), read_report(fixed.source, STANDARD)) == ()
    assert fix(fixed.source).source.text == fixed.source.text
