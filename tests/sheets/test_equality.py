"""When two reports say the same, and what is told where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.api import parse
from mdbench.sheets.equality import differences

HEAD = "| Nodes | Mem | Sec/it | Notes |\n|--:|--:|--:|--|\n"
ROW = "| 4 | 18870.0 MiB | 2533.0 | 02-15 |\n"


def told(before: str, after: str, *, footnotes: bool = False) -> list[str]:
    return [str(one) for one in differences(parse(before), parse(after), footnotes=footnotes)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(HEAD + ROW, "Text.\n\n" + HEAD + ROW, id="at another place"),
        pytest.param(HEAD + ROW, HEAD + "|4|18870.0 MiB|2533.0|02-15|\n", id="other padding"),
        pytest.param(HEAD + ROW, HEAD + ROW.replace("2533.0", "**2533.0**"), id="in bold"),
        pytest.param(HEAD + ROW, HEAD + ROW + "| | | | |\n", id="a blank row more"),
        pytest.param(f"{HEAD}| | | | |\n{ROW}", HEAD + ROW, id="a blank row less, before others"),
        pytest.param(
            HEAD + ROW + "| 8 | - MiB | 9 | |\n",
            HEAD + ROW + "| 8 | - | 9 | |\n",
            id="no unit of none",
        ),
        pytest.param(HEAD + "| 8 | - | 9 | |\n", HEAD + "| 8 | | 9 | |\n", id="empty for a dash"),
        pytest.param(
            HEAD + "| 8 | 9 MiB |\n", HEAD + "| 8 | 9 MiB | | |\n", id="missing for empty"
        ),
        pytest.param(
            HEAD + ROW,
            HEAD.replace("Mem", "Mem (MiB)") + ROW.replace(" MiB", ""),
            id="hoisted unit",
        ),
        pytest.param(
            "| Nodes | Size |\n|--|--|\n| 4 | 1.3B |\n",
            "| Nodes | Size |\n|--|--|\n| 4 | **1.3B** |\n",
            id="letters multiply as before",
        ),
    ],
)
def test_these_are_the_same(before: str, after: str) -> None:
    assert told(before, after) == []
    assert told(after, before) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        pytest.param("2533.0", "2534.0", "Sec/it: 2533.0 would become 2534.0", id="value"),
        pytest.param("2533.0", "2533.00", "Sec/it: 2533.0 would become 2533.00", id="precision"),
        pytest.param("2533.0", "~2533.0", "Sec/it: 2533.0 would become ~2533.0", id="about"),
        pytest.param("2533.0", "2533.0^", "Sec/it: 2533.0 would become 2533.0^", id="marker"),
        pytest.param("2533.0", "", "Sec/it: 2533.0 would become nothing", id="value lost"),
        pytest.param("2533.0", "OOM", "Sec/it: 2533.0 would become OOM", id="status"),
        pytest.param(
            "MiB", "MiB (OOM)", "Mem: 18870.0 MiB would become 18870.0 MiB (OOM)", id="note"
        ),
        pytest.param("MiB", "GiB", "Mem: 18870.0 MiB would become 18870.0 GiB", id="unit"),
        pytest.param("02-15", "02-16", "Notes: 02-15 would become 02-16", id="date"),
        pytest.param("02-15", "slow", "Notes: 02-15 would become slow", id="words"),
        pytest.param(
            "| Sec/it |",
            "| ms/it |",
            "Sec/it: 2533.0 (unit s/step 1) would become 2533.0 (unit s/step 0.001)",
            id="unit of the header",
        ),
    ],
)
def test_a_difference_names_line_header_and_both_texts(before: str, after: str, said: str) -> None:
    text = HEAD + ROW
    assert told(text, text.replace(before, after)) == [f"line 3, {said}"]


def test_a_lost_row_is_told_by_its_cells_and_the_others_are_not() -> None:
    rows = [f"| {nodes} | {nodes}.5 MiB | {nodes}.25 | |\n" for nodes in (1, 2, 3)]
    before, after = HEAD + "".join(rows), HEAD + rows[0] + rows[2]
    assert told(before, after) == [
        "line 4, Nodes: 2 would become nothing",
        "line 4, Mem: 2.5 MiB would become nothing",
        "line 4, Sec/it: 2.25 would become nothing",
    ]
    assert [one.replace("line 4", "") for one in told(after, before)] == [
        ", Nodes: nothing would become 2",
        ", Mem: nothing would become 2.5 MiB",
        ", Sec/it: nothing would become 2.25",
    ]


def test_a_lost_table_is_one_difference() -> None:
    other = "\n| TP | DP |\n|--|--|\n| 2 | 4 |\n"
    assert told(HEAD + ROW + other, HEAD + ROW) == ["line 5: a table would become nothing"]
    assert told(HEAD + ROW, HEAD + ROW + other) == ["line 5: nothing would become a table"]


def test_a_setting_around_the_table_counts() -> None:
    text = f"- GBS = 1024\n\n{HEAD}{ROW}"
    assert told(text, text.replace("1024", "2048")) == [
        "line 1, global_batch: 1024 would become 2048"
    ]


def test_a_measurement_in_prose_counts() -> None:
    text = "We trained llama-3b on 4 RTX 3090 at about 6300 tokens per second.\n"
    (one,) = differences(parse(text), parse(text.replace("6300", "6400")))
    assert (one.line, one.header) == (1, "tokens_per_s")


def test_the_heading_above_a_table_counts() -> None:
    text = f"## First\n\n{HEAD}{ROW}"
    assert told(text, text.replace("First", "Second")) == [
        "line 3, section: First would become Second"
    ]


def test_with_footnotes_a_mark_is_the_note_that_explains_it() -> None:
    before = HEAD + ROW.replace("2533.0", "2533.0^") + "\n^ first steps only\n"
    after = HEAD + ROW.replace("2533.0", "2533.0[^1]") + "\n[^1]: first steps only\n"
    assert told(before, after) == ["line 3, Sec/it: 2533.0^ would become 2533.0[^1]"]
    assert told(before, after, footnotes=True) == []
    assert told(before, after.replace("first", "last"), footnotes=True) != []


@pytest.mark.parametrize("lost", [0, 3])
def test_a_row_lost_at_an_end_changes_no_other(lost: int) -> None:
    rows = [f"| {nodes} | {nodes}.5 MiB | - | |\n" for nodes in (1, 2, 3, 4)]
    left = [row for at, row in enumerate(rows) if at != lost]
    assert told(HEAD + "".join(rows), HEAD + "".join(left)) == [
        f"line {lost + 3}, Nodes: {lost + 1} would become nothing",
        f"line {lost + 3}, Mem: {lost + 1}.5 MiB would become nothing",
    ]


@pytest.mark.parametrize(
    "text", [HEAD + ROW, HEAD, "", "# Title\n"], ids=["row", "head", "", "title"]
)
def test_a_report_is_the_same_as_itself(text: str) -> None:
    assert told(text, text) == []


_CELL = st.sampled_from(
    ["", "-", "1", "2.50", "3 MiB", "OOM", "x", "4^", "a note", "N/A", "5-6", "yes"]
)
_ROWS = st.lists(st.lists(_CELL, min_size=4, max_size=4), min_size=1, max_size=4)


def table(rows: list[list[str]]) -> str:
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


@pytest.mark.slow
@given(_ROWS, _ROWS)
def test_differences_are_the_same_both_ways(one: list[list[str]], other: list[list[str]]) -> None:
    there, back = told(table(one), table(other)), told(table(other), table(one))
    assert bool(there) == bool(back)
    if one == other:
        assert there == []


REPORTS = sorted((Path(__file__).resolve().parent.parent.parent / "reports").glob("*.md"))


@pytest.mark.slow
@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_changing_a_digit_of_a_table_is_seen(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    book = parse(text)
    for sheet in book.sheets:
        for one in sheet.measurements[::7]:
            at = next((at for at, char in enumerate(one.cell.raw) if char.isdigit()), None)
            if at is not None:
                place = one.cell.span.start + at
                digit = str((int(text[place]) + 1) % 10)
                changed = parse(text[:place] + digit + text[place + 1 :])
                assert differences(book, changed)
