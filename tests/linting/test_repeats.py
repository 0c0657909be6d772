"""The same mistake in many cells is one finding, with all places, all fixes and their number."""

from __future__ import annotations

from mdbench.linting.checker import check
from mdbench.linting.fixer import fix
from mdbench.linting.repeats import join_repeats
from mdbench.rules.findings import Finding, Safety, Severity
from mdbench.source import Source, Span

CLOCKS = """\
| Nodes | Clock | TFLOPs |
|------:|------:|-------:|
| 4 | 2.2Hz | 0.86 |
| 8 | 2.2Hz | 0.85 |
| 16 | 2.0GHz | 0.81 |

Again:

| Nodes | Clock | TFLOPs |
|------:|------:|-------:|
| 4 | 2.0Hz | 0.84 |
"""
BLANK = "| Nodes | TFLOPs |\n|--|--|\n| 2 | 47.0 |\n| | |\n"
FILLED = "| Nodes | TFLOPs |\n|--|--|\n| 4 | 46.0 |\n"


def findings(text: str, code: str) -> list[Finding]:
    return [one for one in check(Source("report.md", text)) if one.code == code]


def lines(text: str, finding: Finding) -> list[int]:
    source = Source("report.md", text)
    return [source.line(cell.start) for cell in finding.cells]


def test_the_first_place_is_reported_with_the_number_of_the_others() -> None:
    (found,) = findings(CLOCKS, "MB204")
    assert found.message == (
        "a clock of 2.2 Hz is not possible; did you mean GHz? (and 2 more cells in this file)"
    )
    assert lines(CLOCKS, found) == [3, 4, 11]


def test_the_other_places_are_evidence() -> None:
    source = Source("report.md", CLOCKS)
    (found,) = findings(CLOCKS, "MB204")
    places = [(one.label, source.line(one.span.start)) for one in found.evidence if one.span]
    assert places == [("also here", 4), ("also here", 11)]


def test_one_other_place_is_a_cell() -> None:
    text = CLOCKS.replace("2.0Hz", "2.0GHz")
    (found,) = findings(text, "MB204")
    assert found.message.endswith("(and 1 more cell in this file)")


def test_the_fix_has_the_edits_of_all_places() -> None:
    (found,) = findings(CLOCKS, "MB204")
    (way,) = found.fixes
    assert way.title == "write GHz (all 3 cells)"
    fixed = Source("report.md", CLOCKS).edited(way.edits).text
    assert [line for line in fixed.splitlines() if "Hz" in line and "GHz" not in line] == []


def test_all_places_are_fixed() -> None:
    fixed = fix(Source("report.md", CLOCKS), allowed=Safety.UNSAFE)
    assert fixed.source.text.count("GHz") == 4
    assert fixed.converged


def test_a_suppressed_place_does_not_count() -> None:
    text = CLOCKS.replace("0.86 |", "0.86 | <!-- mdbench: ignore MB204 -->")
    (found,) = findings(text, "MB204")
    assert found.message.endswith("(and 1 more cell in this file)")
    assert lines(text, found) == [4, 11]
    assert findings(text, "MB901") == []


def test_a_suppressed_table_is_not_fixed() -> None:
    text = CLOCKS.replace("Again:\n", "Again:\n\n<!-- mdbench: ignore MB204 -->")
    fixed = fix(Source("report.md", text), allowed=Safety.UNSAFE)
    assert "| 4 | 2.0Hz |" in fixed.source.text


def test_places_with_another_fix_are_another_finding() -> None:
    text = CLOCKS.replace("2.0Hz", "2200Hz")
    assert [lines(text, one) for one in findings(text, "MB204")] == [[3, 4], [11]]


def test_different_markers_are_different_findings() -> None:
    text = "| Nodes | TFLOPs |\n|--|--|\n| 1 | 1.18^ |\n| 2 | 0.90† |\n| 4 | 0.81^ |\n"
    found = findings(text, "MB207")
    assert [lines(text, one) for one in found] == [[3, 5], [4]]


def test_blank_rows_are_an_info_if_most_tables_end_with_one() -> None:
    habit = f"{BLANK}\n{FILLED}\n{BLANK}"
    (found,) = findings(habit, "MB102")
    assert found.severity is Severity.INFO
    assert found.message == "every cell of this row is empty (and 1 more row in this file)"
    assert fix(Source("report.md", habit)).source.text.count("| | |") == 0


def test_blank_rows_are_a_warning_if_few_tables_end_with_one() -> None:
    for text in (BLANK, f"{BLANK}\n{FILLED}\n{FILLED}\n{BLANK}"):
        (found,) = findings(text, "MB102")
        assert found.severity is Severity.WARNING


def test_a_duplicate_is_not_removed_if_the_next_row_continues_it() -> None:
    text = (
        "| Model | GPUs | Sec/it |\n|--|--|--|\n| a | 1 | 47.1 |\n| b | 1 | 31.2 |\n"
        "| a | 1 | 47.1 |\n|   | 2 | 24.0 |\n"
    )
    (found,) = findings(text, "MB103")
    assert found.fixes == ()


def test_a_duplicate_with_a_mark_is_not_removed() -> None:
    text = "| GPUs | Sec/it |\n|--|--|\n| 1 | 47.1 |\n| 2 | 24.0 |\n| 1 | **47.1** |\n"
    (found,) = findings(text, "MB103")
    assert found.fixes == ()


def test_what_is_said_twice_is_reported_once() -> None:
    one = Finding("MB301", "derived-mismatch", Severity.ERROR, Span(0, 3), "160 should be 16")
    other = one._replace(span=Span(7, 9))
    assert list(join_repeats([one, other, one], {})) == [one, other]
