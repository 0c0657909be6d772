"""Columns are kept as they were read, and every cell has a key of its own."""

from __future__ import annotations

import pytest

from mdbench import parse

PIVOTED = "| Model | bs=1 | bs=4 |\n|---|--:|--:|\n| a | 1.0 s | 2.0 s |\n| b | 1.5 s | 2.5 s |\n"
TRANSPOSED = "| Metric | A | B |\n|---|--:|--:|\n| Sec/it | 1.0 | 2.0 |\n| TFLOPs | 40 | 50 |\n"
RAGGED = (
    "| Nodes | Sec/it | TFLOPs | Notes |\n|--:|--:|--:|---|\n| 2 |\n| 4 | 1.5 | 40 | slow | x |\n"
)
SPANNED = (
    "<table><tr><th>Nodes</th><th>Sec/it</th></tr>"
    "<tr><td rowspan=2>2</td><td>1.0</td></tr><tr><td>1.5</td></tr></table>\n"
)
TABLES = pytest.mark.parametrize(
    "text",
    [PIVOTED, TRANSPOSED, RAGGED, SPANNED, f"{PIVOTED}\n{TRANSPOSED}\n{RAGGED}\n{SPANNED}"],
    ids=["pivoted", "transposed", "ragged", "spanned", "all in one report"],
)


@TABLES
def test_a_cell_knows_its_column(text: str) -> None:
    for number, sheet in enumerate(parse(text).sheets):
        for index, column in enumerate(sheet.columns):
            assert column.index == index
            for main in column.mains:
                assert (main.table, main.column) == (number, index)
                assert column.find(main.run) is main


@TABLES
def test_no_two_cells_have_one_key(text: str) -> None:
    keys = [main.key for sheet in parse(text).sheets for one in sheet.columns for main in one.mains]
    assert len(keys) == len(set(keys))


@TABLES
def test_no_two_runs_of_a_sheet_have_one_number_and_variant(text: str) -> None:
    for sheet in parse(text).sheets:
        keys = [(run.number, run.variant) for run in sheet.runs]
        assert len(keys) == len(set(keys))


def test_the_runs_of_a_pivoted_row_are_variants_of_it() -> None:
    (sheet,) = parse(PIVOTED).sheets
    assert [(run.number, run.variant) for run in sheet.runs] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_surplus_cells_are_a_column_without_a_heading() -> None:
    (sheet,) = parse(RAGGED).sheets
    assert [column.heading is None for column in sheet.columns] == [False] * 4 + [True]


def test_columns_of_one_title_are_counted() -> None:
    (sheet,) = parse("| a | b | a |\n|---|---|---|\n| 1 | 2 | 3 |\n").sheets
    assert [column.title for column in sheet.columns] == [("a", 0), ("b", 0), ("a", 1)]
