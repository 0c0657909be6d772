"""Edits change as few characters as possible, and aligned columns stay aligned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.markdown.document import Presence
from mdbench.markdown.fitting import add_cells, fit_edits
from mdbench.markdown.parser import parse_document
from mdbench.source import Edit, Source, Span


def fit(text: str, row: int, column: int, new: str) -> tuple[Source, tuple[Edit, ...]]:
    source = Source("a.md", text)
    tables = parse_document(source).tables
    cell = tables[0].rows[row].cells[column]
    return source, fit_edits(source, tables, [Edit(cell.span, new)])


def last_line(text: str, new: str, column: int = 1) -> str:
    rows = len(text.splitlines()) - 3
    source, edits = fit(text, rows, column, new)
    return source.edited(edits).text.splitlines()[-1]


RIGHT = "| a |    b |\n|--:|-----:|\n| 1 | 22.5 |\n"
LEFT = "| a | b    |\n|:--|:-----|\n| 1 | 22.5 |\n"


@pytest.mark.parametrize(
    ("text", "new", "line"),
    [
        pytest.param(RIGHT + "| 1 |  100 |\n", "9", "| 1 |    9 |", id="shorter, on the right"),
        pytest.param(RIGHT + "| 1 |    9 |\n", "100", "| 1 |  100 |", id="longer, on the right"),
        pytest.param(LEFT + "| 1 | 100  |\n", "9", "| 1 | 9    |", id="shorter, on the left"),
        pytest.param(LEFT + "| 1 | 9    |\n", "100", "| 1 | 100  |", id="longer, on the left"),
        pytest.param(
            RIGHT + "| 1 |  100 |\n", "10000", "| 1 | 10000 |", id="too long: one space is kept"
        ),
        pytest.param(RIGHT + "| 1 |      |\n", "-", "| 1 |    - |", id="into an empty cell, right"),
        pytest.param(LEFT + "| 1 |      |\n", "-", "| 1 | -    |", id="into an empty cell, left"),
        pytest.param(LEFT + "| 1 | 100  |\n", "", "| 1 |      |", id="nothing"),
        pytest.param(RIGHT + "| 1 | 100 |\n", "9", "| 1 | 9 |", id="not aligned: only the text"),
        pytest.param(RIGHT + "| 1 | 9 |\n", "100", "| 1 | 100 |", id="not aligned: longer"),
        pytest.param("|a|b|\n|-|-|\n|1||\n", "x", "|1|x|", id="no padding where there is none"),
        pytest.param(
            "| a | b |\n|-|-|\n| 1 ||\n", "x", "| 1 | x |", id="padding where there is some"
        ),
        pytest.param(
            "| a |   b |\n|--|--|\n| 1 | 2.5 |\n| 1 | 100 |\n",
            "9",
            "| 1 |   9 |",
            id="no alignment set, no slack: like the header",
        ),
        pytest.param(
            "| a | 番号 |\n|--:|-----:|\n| 1 | 数字 |\n| 1 | 1000 |\n",
            "数",
            "| 1 |   数 |",
            id="wide characters take two columns",
        ),
        pytest.param(
            "| a |    b |\n|--:|-----:|\n| 1 | 2    |\n| 1 | 100  |\n",
            "9",
            "| 1 | 9    |",
            id="the cells override the delimiter row",
        ),
    ],
)
def test_the_row_after_replacing_a_cell(text: str, new: str, line: str) -> None:
    assert last_line(text, new) == line


@pytest.mark.parametrize(
    ("old", "new", "cut", "written"),
    [
        pytest.param("701658.5", "701.6585", "658.", ".658", id="the point moves"),
        pytest.param("20033.7 MiB", "20034.7 MiB", "3", "4", id="one digit"),
        pytest.param("8", "6", "8", "6", id="all of it"),
        pytest.param("- MiB", "-", "MiB ", "", id="the end is removed"),
        pytest.param("2.2Hz", "2.2GHz", "", "G", id="a letter is added"),
    ],
)
def test_only_the_difference_is_edited(old: str, new: str, cut: str, written: str) -> None:
    source, (edit,) = fit(f"| a |\n|--|\n| {old} |\n", 0, 0, new)
    assert (source.cut(edit.span), edit.text) == (cut, written)


def test_an_unchanged_text_needs_no_edit() -> None:
    assert fit(RIGHT, 0, 1, "22.5")[1] == ()


def test_edits_within_a_cell_are_fitted_together() -> None:
    source = Source("a.md", RIGHT + "| 1 | 1-20 |\n")
    tables = parse_document(source).tables
    start = tables[0].rows[1].cells[1].span.start
    edits = [Edit(Span(start, start + 1), ""), Edit(Span(start + 2, start + 3), "3")]
    fitted = fit_edits(source, tables, edits)
    assert source.edited(fitted).text.splitlines()[-1] == "| 1 |  -30 |"


@pytest.mark.parametrize("text", ["|", "a |", "x\n"])
def test_an_edit_that_adds_cells_or_rows_is_kept(text: str) -> None:
    source = Source("a.md", RIGHT)
    edit = Edit(Span(len(RIGHT) - 4, len(RIGHT) - 3), text)
    assert fit_edits(source, parse_document(source).tables, [edit]) == (edit,)


def test_edits_outside_tables_and_in_headers_are_kept() -> None:
    source = Source("a.md", f"Two words.\n\n{RIGHT}")
    edits = (Edit(Span(0, 3), "2"), Edit(Span(14, 15), "A"))
    assert fit_edits(source, parse_document(source).tables, edits) == edits


def test_a_table_in_a_fence_stays_aligned() -> None:
    rule = "+----+------+\n"
    grid = f"```\n{rule}| a  | b    |\n{rule}| 1  | 2.55 |\n| 10 | 9    |\n{rule}```\n"
    source, edits = fit(grid, 0, 1, "3")
    assert source.edited(edits).text.splitlines()[4] == "| 1  | 3    |"


@pytest.mark.parametrize(
    ("row", "filled"),
    [
        pytest.param("| 1 | 22.5 |", "| 1 | 22.5 |     |", id="aligned: as wide as the header"),
        pytest.param("| 1 | 2 |", "| 1 | 2 |  |", id="not aligned"),
        pytest.param("| 1 | 2", "| 1 | 2 |  |", id="not closed"),
        pytest.param("| 1 | a\\|", "| 1 | a\\| |  |", id="closed by an escaped pipe only"),
    ],
)
def test_missing_cells_are_added(row: str, filled: str) -> None:
    source = Source("a.md", f"| a |    b |   c |\n|--|--|--|\n{row}\n")
    table = parse_document(source).tables[0]
    added = source.edited([add_cells(source, table, table.rows[0])])
    assert added.text.splitlines()[-1] == filled


_TEXT = st.text("0123456789.-% MiB数", max_size=12).map(str.strip)


@pytest.mark.slow
@given(st.lists(st.tuples(_TEXT, _TEXT), min_size=1, max_size=4), st.integers(0, 9), _TEXT)
def test_only_the_edited_cell_changes(rows: list[tuple[str, str]], at: int, new: str) -> None:
    text = "| a |   b |\n|--|--:|\n" + "".join(f"| {a} |  {b} |\n" for a, b in rows)
    at %= len(rows)
    source, edits = fit(text, at, 1, new)
    table = parse_document(source.edited(edits)).tables[0]
    expected = [(a, new if place == at else b) for place, (a, b) in enumerate(rows)]
    assert [tuple(cell.raw for cell in row.cells) for row in table.rows] == expected
    assert all(cell.presence is Presence.PRESENT for row in table.rows for cell in row.cells)
