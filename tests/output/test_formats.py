"""How findings look: carets under the right cell, nothing that a terminal obeys, exact JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_regressions.file_regression import FileRegressionFixture

from mdbench.linting.checker import check
from mdbench.linting.plan import Options
from mdbench.linting.results import Checked, Content, Coverage, FileResult, Reach, Totals
from mdbench.linting.selection import Selection
from mdbench.markdown.widths import display_width
from mdbench.output import FORMATS, OutputOptions
from mdbench.output.full import show_finding
from mdbench.output.summary import list_statistics, summarize
from mdbench.output.terminal import Palette, choose_palette, show_text, underline
from mdbench.rules.findings import Evidence, Finding, Fix, Safety, Severity
from mdbench.source import Edit, Source, Span

REPORT = """\
# 測定結果

| ノード | Mem | Sec/it | Notes |
|--:|--:|--:|--:|
| 2 | 17 GB | 3534.8(一回のみ) | 日本語のメモ |
| 4 | 16 GB | 1767.2^ | | 見えない |
| 4 | 300 W | 901.1^ |
|\t|  |\t|\t|

## Later
"""


def examine(text: str, path: str = "reports/日本.md") -> FileResult:
    source = Source(path, text)
    return Checked(source, check(source, Options(Selection(("MB1", "MB2")))))


def finding_at(start: int, end: int, **more: object) -> Finding:
    values: dict[str, object] = {"message": "wrong", "cells": ()} | more
    return Finding("MB301", "derived-mismatch", Severity.ERROR, Span(start, end), **values)  # type: ignore[arg-type]


def test_full(file_regression: FileRegressionFixture) -> None:
    file_regression.check("".join(FORMATS["full"].write([examine(REPORT)])), extension=".txt")


def test_concise(file_regression: FileRegressionFixture) -> None:
    file_regression.check("".join(FORMATS["concise"].write([examine(REPORT)])), extension=".txt")


def test_json(file_regression: FileRegressionFixture) -> None:
    file_regression.check("".join(FORMATS["json"].write([examine(REPORT)])), extension=".json")


def test_full_in_colour(file_regression: FileRegressionFixture) -> None:
    shown = "".join(FORMATS["full"].write([examine(REPORT)], OutputOptions(Palette(on=True))))
    file_regression.check(shown.replace("\x1b", "ESC"), extension=".txt")


def test_people_are_told_only_of_findings_that_are_less_sure() -> None:
    source = Source("a.md", "some text\n")
    sure, unsure = (finding_at(0, 4, confidence=one) for one in (0.8, 0.71))
    result = [Checked(source, (sure, unsure))]
    concise = "".join(FORMATS["concise"].write(result)).splitlines()
    assert concise == ["a.md:1:1 MB301 error: wrong", "a.md:1:1 MB301 error: wrong (71 % sure)"]
    full = "".join(FORMATS["full"].write(result))
    assert full.count("note:") == 1
    assert "  = note: about 3 in 10 such findings are false positives\n" in full


def test_json_of_nothing_is_an_empty_list() -> None:
    assert "".join(FORMATS["json"].write([examine("# A\n\nText.\n")])) == "[]\n"


def test_json_has_the_documented_keys_and_positions() -> None:
    source = Source("a.md", "line one\nsecond line\n")
    finding = finding_at(
        9,
        15,
        evidence=(Evidence("first", Span(0, 4)), Evidence("a remark")),
        fixes=(Fix("write x", (Edit(Span(9, 15), "x"),), Safety.UNSAFE),),
        confidence=0.93,
    )
    here = {"line": 2, "column": 1, "end_line": 2, "end_column": 7}
    assert json.loads("".join(FORMATS["json"].write([Checked(source, (finding,))]))) == [
        {
            "path": "a.md",
            **here,
            "code": "MB301",
            "name": "derived-mismatch",
            "severity": "error",
            "confidence": 0.93,
            "message": "wrong",
            "evidence": [
                {
                    "label": "first",
                    "path": "a.md",
                    "line": 1,
                    "column": 1,
                    "end_line": 1,
                    "end_column": 5,
                },
                {"label": "a remark", "path": "a.md", **here},
            ],
            "fixes": [{"title": "write x", "safety": "unsafe", "edits": [{**here, "text": "x"}]}],
        }
    ]


def test_a_column_is_shown_by_its_header_and_its_last_row() -> None:
    text = "| A | Sec/it |\n|--|--|\n| 1 | 5000 |\n| 2 | 2500 |\n"
    start, end = text.index("Sec/it"), text.index("2500") + 4
    shown = list(show_finding(Source("a.md", text), finding_at(start, end)))
    assert shown[1:] == [
        "  |",
        "1 | | A | Sec/it |",
        "  |       ^^^^^^",
        ". |",
        "4 | | 2 | 2500 |",
        "  |       ^^^^",
    ]


def test_places_of_which_the_same_is_said_stand_together() -> None:
    source = Source("a.md", "a\nb\nc\nd\n")
    evidence = (
        Evidence("same", Span(2, 3)),
        Evidence("other", Span(4, 5)),
        Evidence("same", Span(6, 7)),
        Evidence("no place"),
        Evidence("on this very line", Span(0, 1)),
    )
    shown = list(show_finding(source, finding_at(0, 1, evidence=evidence)))
    assert shown[4:] == [
        "  = lines 2 and 4: same",
        "  = line 3: other",
        "  = no place",
        "  = on this very line",
    ]


def test_a_file_that_could_not_be_read_has_no_line_to_show() -> None:
    assert len(list(show_finding(Source("a.md", ""), finding_at(0, 0)))) == 1


HOSTILE = "\x1b[31mred\x1b]0;title\x07 \x9b2J \u202eback \x08\x7f"


@pytest.mark.parametrize("kind", ["full", "concise"])
def test_nothing_that_a_terminal_obeys_gets_through(kind: str) -> None:
    text = f"| Nodes | Sec/it |\n|--|--|\n| 2 | 5 | {HOSTILE} |\n"
    report = examine(text, path=f"{HOSTILE}.md")
    assert report.findings
    shown = "".join(FORMATS[kind].write([report]))
    assert all(char == "\n" or char.isprintable() for char in shown)


def test_nothing_that_a_terminal_obeys_gets_into_the_json() -> None:
    text = f"| Nodes | Sec/it |\n|--|--|\n| 2 | 5 | {HOSTILE} |\n"
    shown = "".join(FORMATS["json"].write([examine(text, path="\udcff.md")]))
    assert all(char == "\n" or char.isprintable() for char in shown)
    assert json.loads(shown)[0]["path"] == "\udcff.md"
    assert "\x1b[31m" in json.loads(shown)[0]["message"]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        pytest.param("abc", 3, id="ASCII"),
        pytest.param("日本", 4, id="two columns a character"),
        pytest.param("ｱｲ", 2, id="half-width kana"),
        pytest.param("e\u0301", 1, id="a combining accent"),
        pytest.param("⚠\ufe0f", 2, id="a symbol shown as an emoji"),
        pytest.param("👩\u200d💻", 2, id="an emoji of several characters"),
        pytest.param("日\t", 3, id="a control character"),
        pytest.param("🚀", 2, id="an emoji"),
    ],
)
def test_the_width_of_a_text(text: str, width: int) -> None:
    assert display_width(text) == width


@pytest.mark.parametrize(
    ("line", "span", "text", "marks"),
    [
        pytest.param("abc def", (4, 7), "abc def", "    ^^^", id="plain"),
        pytest.param("日本 def", (3, 6), "日本 def", "     ^^^", id="behind wide characters"),
        pytest.param("a 日本 b", (2, 4), "a 日本 b", "  ^^^^", id="wide characters themselves"),
        pytest.param("a\tb", (2, 3), "a   b", "    ^", id="behind a tab"),
        pytest.param("a\tb", (1, 2), "a   b", " ^^^", id="a tab itself"),
        pytest.param("abc", (1, 1), "abc", " ^", id="an empty place"),
        pytest.param("abc", (3, 3), "abc", "   ^", id="the end of a line"),
        pytest.param("", (0, 0), "", "^", id="an empty line"),
        pytest.param("x" * 50 + "HERE" + "y" * 50, (50, 54), "…xxxxxxxxHEREyyyyyyyy…",
                     "         ^^^^", id="a long line is cut on both sides"),
        pytest.param("HERE" + "y" * 50, (0, 4), "HERE" + "y" * 16 + "…", "^^^^", id="at its start"),
        pytest.param("x" * 50 + "HERE", (50, 54), "…" + "x" * 16 + "HERE", " " * 17 + "^^^^",
                     id="at its end"),
        pytest.param("x" * 100, (10, 90), "…" + "x" * 20 + "…", " " + "^" * 20, id="too long"),
    ],
)  # fmt: skip
def test_a_line_and_the_marks_below_it(
    line: str, span: tuple[int, int], text: str, marks: str
) -> None:
    assert underline(line, *span, 20) == (text, marks)


@given(st.text("ab日\t\x1b\u0301|", max_size=60), st.integers(0, 60), st.integers(0, 60), st.data())
def test_marks_stand_below_what_they_mark(
    line: str, one: int, two: int, data: st.DataObject
) -> None:
    start, end = sorted((min(one, len(line)), min(two, len(line))))
    room = data.draw(st.integers(4, 80))
    text, marks = underline(line, start, end, room)
    assert show_text(text) == text
    assert display_width(text) <= room + 4
    assert len(marks) <= room + 4
    assert marks.strip("^").strip() == ""
    if start < end and line[start] in "ab|":
        before = display_width(text[: _index_at(text, len(marks) - len(marks.lstrip()))])
        assert before == len(marks) - len(marks.lstrip())
        assert text[_index_at(text, before)] == line[start]


def _index_at(text: str, column: int) -> int:
    """The last character that begins at a column; those without a width come before it."""
    width = 0
    for at, char in enumerate(text):
        if width == column and display_width(char):
            return at
        width += display_width(char)
    raise AssertionError(f"no character begins at column {column} of {text!r}")


@pytest.mark.parametrize(
    ("environment", "terminal", "coloured"),
    [
        pytest.param({}, True, True, id="a terminal"),
        pytest.param({}, False, False, id="no terminal"),
        pytest.param({"NO_COLOR": "1"}, True, False, id="NO_COLOR"),
        pytest.param({"NO_COLOR": ""}, True, True, id="an empty NO_COLOR is none"),
        pytest.param({"FORCE_COLOR": "1"}, False, True, id="FORCE_COLOR"),
        pytest.param({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False, id="NO_COLOR wins"),
        pytest.param({"TERM": "dumb"}, True, False, id="a dumb terminal"),
    ],
)
def test_when_there_is_colour(
    environment: dict[str, str], terminal: bool, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert choose_palette(terminal=terminal).on is coloured


def totals_of(*reports: FileResult) -> Totals:
    totals = Totals()
    assert len(list(totals.watch(reports))) == len(reports)
    return totals


def test_the_summary_counts() -> None:
    bad = examine(REPORT)
    assert summarize(totals_of(bad, bad)) == "4 errors, 6 warnings, 4 infos in 2 files"


def test_the_summary_of_nothing() -> None:
    assert summarize(totals_of(examine("Text.\n"))) == "no findings in 1 file"


@pytest.mark.parametrize(
    ("reaches", "told"),
    [
        ([Reach(Content.TABLES, 39, 0)], "1 file; 0 of 39 numbers could be checked"),
        ([Reach(Content.TABLES, 1, 1)], "1 file; 1 of 1 number could be checked"),
        ([Reach(Content.TABLES, 0, 0)], "1 file; there are no numbers to check"),
        ([Reach(Content.TABLES)], "1 file"),
        ([Reach(Content.TEXT)], "1 file, which has no tables"),
        ([Reach(Content.EMPTY)], "1 file, which is empty"),
        ([Reach(Content.EMPTY)] * 2, "2 files, which are empty"),
        ([Reach(Content.EMPTY), Reach(Content.TEXT)], "2 files, which have no tables"),
        (
            [Reach(Content.TABLES, 5, 2), Reach(Content.TABLES, 4, 4), Reach(Content.TEXT)],
            "3 files; 6 of 9 numbers could be checked; 1 of 3 files has no tables",
        ),
        (
            [Reach(Content.TABLES), Reach(Content.EMPTY), Reach(Content.TEXT)],
            "3 files; 2 of 3 files have no tables",
        ),
        # What cannot be read may have any number of tables.
        ([Reach(Content.UNKNOWN), Reach(Content.TEXT)], "2 files; 1 of 2 files has no tables"),
        ([], "0 files"),
    ],
)
def test_the_summary_says_how_much_was_checked(reaches: list[Reach], told: str) -> None:
    results = [Checked(Source("a.md", ""), (), reach=one) for one in reaches]
    assert summarize(totals_of(*results)) == f"no findings in {told}"


def test_statistics_count_codes_and_verified_numbers() -> None:
    finding = finding_at(0, 1)
    source = Source("a.md", "x")
    by_length = "tokens_per_s = samples_per_s * seq_len"
    one = Checked(
        source,
        (finding, finding),
        Coverage(
            10,
            4,
            0,
            (("Loss", 4), ("", 2)),
            (("seq_len", 3, (by_length,)),),
            (("a = b / c", "row", 23, 24, 140), ("Total = a + b", "column", 1, 1, 14)),
        ),
    )
    two = Checked(
        source,
        (),
        Coverage(
            10,
            6,
            1,
            (("Loss", 3),),
            (("seq_len", 1, (by_length, "a = b * seq_len")), ("peak", 9, ("mfu * peak = a",))),
            (("d = e + f", "row", 9, 9, 150), ("a = b / c", "row", 2, 2, 30)),
        ),
    )
    assert list(list_statistics(totals_of(one, two))) == [
        "2  MB301  derived-mismatch",
        "",
        "20 numbers in tables",
        "  10 verified by a relation (50 %)",
        "  1 contradicted by a relation (5 %)",
        "  9 could not be checked (45 %):",
        "       7  Loss",
        "       2  without a header",
        "laws that were found, how many rows follow them, and the evidence:",
        "  a = b / c, 25 of 26 rows, 170 bits",
        "  d = e + f, 9 of 9 rows, 150 bits",
        "  Total = a + b, 1 of 1 column, 14 bits",
        "settings that are not stated, and how many more numbers each would verify:",
        "       9  peak  by mfu * peak = a",
        "       4  seq_len  by tokens_per_s = samples_per_s * seq_len, and 1 other relation",
    ]


def test_statistics_list_only_the_laws_with_the_most_evidence() -> None:
    laws = tuple((f"law {bits}", "row", 3, 3, bits) for bits in range(30))
    lines = list(list_statistics(totals_of(Checked(Source("a.md", ""), (), Coverage(laws=laws)))))
    listed = [line for line in lines if line.startswith("  law")]
    assert (len(listed), listed[0]) == (20, "  law 29, 3 of 3 rows, 29 bits")
    assert lines[-1] == "  and 10 more"
