"""Rows as text: CSV and JSON lines for programs, tables for humans."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.frames.frame_columns import ColumnType, Field, TidyRow
from mdbench.frames.text import to_csv, to_jsonl, to_tables
from mdbench.markdown.widths import display_width

FIELDS = (
    Field("report", ColumnType.TEXT),
    Field("nodes", ColumnType.WHOLE),
    Field("memory_mib", ColumnType.NUMBER, "MiB"),
    Field("fast", ColumnType.FLAG),
    Field("markers", ColumnType.TEXTS),
    Field("notes", ColumnType.TEXT),
    Field("extra", ColumnType.MAP),
)
NAMES = [field.name for field in FIELDS]


def as_csv(*rows: TidyRow) -> list[list[str]]:
    text = "".join(to_csv(rows, FIELDS, exact=True))
    return list(csv.reader(io.StringIO(text, newline="")))


def as_tables(*rows: TidyRow) -> list[str]:
    return "".join(to_tables(rows, FIELDS)).split("\n")


def test_csv_has_a_header_even_without_rows() -> None:
    assert "".join(to_csv([], FIELDS)) == "report,nodes,memory_mib,fast,markers,notes,extra\n"


def test_jsonl_without_rows_is_empty() -> None:
    assert "".join(to_jsonl([], FIELDS)) == ""


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("nodes", 4, "4"),
        ("nodes", None, ""),
        ("nodes", 2**63 - 1, "9223372036854775807"),
        ("memory_mib", 0.1, "0.1"),
        ("memory_mib", 1.3e9, "1300000000.0"),
        ("fast", True, "true"),
        ("fast", False, "false"),
        ("markers", [], ""),
        ("markers", ["^", "†"], '["^", "†"]'),
        ("extra", {}, ""),
        ("extra", {"Colour": "red, dark"}, '{"Colour": "red, dark"}'),
        ("notes", 'say "a, b"\nand c\rd', 'say "a, b"\nand c\rd'),
        ("notes", "1itrのみ実行", "1itrのみ実行"),
    ],
)
def test_csv_cells(name: str, value: Any, text: str) -> None:
    header, row = as_csv({"report": "a.md", name: value})
    assert header == NAMES
    assert row[NAMES.index(name)] == text


texts = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)
rows = st.fixed_dictionaries(
    {
        "report": texts,
        "nodes": st.none() | st.integers(-(2**63), 2**63 - 1),
        "memory_mib": st.none() | st.floats(allow_nan=False, allow_infinity=False),
        "fast": st.none() | st.booleans(),
        "markers": st.lists(texts, max_size=3),
        "notes": st.none() | texts,
        "extra": st.dictionaries(texts, texts, max_size=3),
    }
)


@pytest.mark.slow
@given(st.lists(rows, max_size=4))
def test_jsonl_round_trips_every_row(made: list[dict[str, Any]]) -> None:
    lines = "".join(to_jsonl(made, FIELDS)).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == made


@pytest.mark.slow
@given(st.lists(rows, max_size=4))
def test_csv_round_trips_every_number_and_text(made: list[dict[str, Any]]) -> None:
    read = [dict(zip(NAMES, line, strict=True)) for line in as_csv(*made)[1:]]
    assert [row["notes"] or None for row in read] == [row["notes"] or None for row in made]
    numbers = [float(row["memory_mib"]) if row["memory_mib"] else None for row in read]
    assert numbers == [row["memory_mib"] for row in made]
    extras = [json.loads(row["extra"] or "{}") for row in read]
    assert extras == [row["extra"] for row in made]


def test_jsonl_has_every_column_in_every_row() -> None:
    (line,) = to_jsonl([{"report": "a.md"}], FIELDS)
    assert list(json.loads(line)) == NAMES


def test_a_table_has_no_empty_columns() -> None:
    assert as_tables(
        {"report": "a.md", "nodes": 4, "memory_mib": None, "markers": [], "extra": {}},
        {"report": "a.md", "nodes": 128, "memory_mib": None, "markers": [], "extra": {}},
    ) == ["a.md", "  nodes", "  4", "  128", "", ""]


def test_zero_and_no_are_not_empty() -> None:
    lines = as_tables({"report": "a.md", "nodes": 0, "fast": False})
    assert lines[1:3] == ["  nodes  fast", "  0      False"]


def test_each_report_has_its_own_table() -> None:
    lines = as_tables(
        {"report": "a.md", "nodes": 4}, {"report": "b.md", "notes": "x"}, {"report": "b.md"}
    )
    assert lines == ["a.md", "  nodes", "  4", "", "b.md", "  notes", "  x", "", "", ""]


@pytest.mark.parametrize(
    ("value", "text"),
    [(18870.0, "18870"), (0.86, "0.86"), (7e10, "70000000000"), (28828.5, "28828.5")],
)
def test_a_number_is_shown_in_a_readable_form(value: float, text: str) -> None:
    assert as_tables({"report": "a.md", "memory_mib": value})[2] == f"  {text}"


def test_columns_are_aligned_in_any_script() -> None:
    lines = as_tables(
        {"report": "a.md", "notes": "1itrのみ実行", "extra": {"a": "b"}},
        {"report": "a.md", "notes": "ok", "extra": {"a": "c"}},
    )
    assert {display_width(line[: line.index("a=")]) for line in lines[2:4]} == {16}


def test_long_texts_are_truncated() -> None:
    (line,) = as_tables({"report": "a.md", "notes": "x" * 500})[2:3]
    assert line.endswith("x…")
    assert len(line) < 40


def test_a_table_cannot_control_the_terminal() -> None:
    shown = "".join(as_tables({"report": "a\x1b[2J.md", "notes": "a\x1b[2Jb\nc\x07"}))
    assert all(char.isprintable() for char in shown)
