"""Tables in code fences, as printed by tools."""

from __future__ import annotations

import pytest

from mdbench.markdown.document import Table
from mdbench.markdown.parser import parse_document
from mdbench.source import Source

PIPES = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"


def read(content: str, language: str = "") -> list[Table]:
    text = f"```{language}\n{content}\n```\n"
    tables = parse_document(Source("report.md", text)).tables
    for table in tables:
        for row in (table.header, *table.rows):
            assert all(text[slice(*cell.span)] == cell.raw for cell in row.cells)
    return list(tables)


def raws(table: Table) -> list[list[str]]:
    return [[cell.raw for cell in row.cells] for row in table.rows]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PIPES, id="pipe table"),
        pytest.param("a | b\n---|---\n1 | 2\n3 | 4\n(2 rows)", id="no outer pipes"),
        pytest.param(" a | b\n---+---\n 1 | 2\n 3 | 4\n(2 rows)", id="psql"),
        pytest.param("| a | b |\n|---+---|\n| 1 | 2 |\n| 3 | 4 |", id="org"),
        pytest.param(
            "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n| 3 | 4 |\n+---+---+", id="prettytable"
        ),
        pytest.param(
            "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n| 3 | 4 |\n+---+---+", id="grid"
        ),
        pytest.param(
            "┏━━━┳━━━┓\n┃ a ┃ b ┃\n┡━━━╇━━━┩\n│ 1 │ 2 │\n│ 3 │ 4 │\n└───┴───┘", id="drawn"
        ),
        pytest.param(" a │ b\n───┼───\n 1 │ 2\n 3 │ 4", id="drawn without border"),
        pytest.param("a ┆ b\n══╪══\n1 ┆ 2\n3 ┆ 4", id="drawn with double lines"),
        pytest.param(f"$ ./bench | tee log\n{PIPES}\n$ cat log | sort", id="between shell lines"),
        pytest.param(f"build: 1 (2)\n\n{PIPES}\n\nbuild: 3 (4)", id="between other output"),
    ],
)
@pytest.mark.parametrize("indent", ["", "  "], ids=["flush", "indented"])
def test_a_printed_table_is_read(content: str, indent: str) -> None:
    (table,) = read("\n".join(indent + line for line in content.split("\n")), "text")
    assert (table.kind.value, table.titles) == ("fence", ("a", "b"))
    assert raws(table) == [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize(
    "language", ["", "text", "Text", "txt", "console", "md", "markdown", "output", "log", "plain"]
)
def test_a_fence_of_text_or_output_is_read(language: str) -> None:
    assert len(read(PIPES, language)) == 1


@pytest.mark.parametrize("language", ["python", "bash", "sql", "yaml", "mermaid"])
def test_a_fence_of_code_is_not_read(language: str) -> None:
    assert read(PIPES, language) == []


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("cat a | grep b | wc -l\nls | sort", id="shell pipes"),
        pytest.param("--output <csv|json>\n--prio <0|1|2>\n------\n", id="usage"),
        pytest.param("a | b\n-----\n1 | 2", id="a rule of another width"),
        pytest.param("+-----+\n| CPU |\n+-----+\n| GPU |\n+-----+", id="a drawing of boxes"),
        pytest.param("+---+---+\n| 1 | 2 |\n+---+---+", id="no body"),
        pytest.param("a | b\n\n--|--\n1 | 2", id="a rule apart"),
        pytest.param("+++ a\n--- b\n@@ -1 +1 @@\n-| a |\n+| b |", id="a diff"),
        pytest.param("|", id="a pipe"),
        pytest.param("--|--", id="a rule"),
    ],
)
def test_other_text_with_pipes_is_not_a_table(content: str) -> None:
    assert read(content) == []


def test_several_header_lines_are_merged() -> None:
    (table,) = read("|   |Max   |\n|ID |units |\n|---|------|\n| 0 |   512|")
    assert table.titles == ("ID", "Max units")
    assert [cell.raw for cell in table.header.cells] == ["ID", "units"]


def test_short_and_long_rows_are_kept() -> None:
    (table,) = read("|a|b|\n|-|-|\n|1|\n|1|2|3|")
    assert [[cell.presence.value for cell in row.cells] for row in table.rows] == [
        ["present", "missing"],
        ["present", "present", "surplus"],
    ]


def test_a_fence_may_have_two_tables() -> None:
    grid = "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+"
    assert [raws(table) for table in read(f"{grid}\n{grid}\n\n{PIPES}")] == [
        [["1", "2"]],
        [["1", "2"]],
        [["1", "2"], ["3", "4"]],
    ]


def test_colons_set_the_alignment() -> None:
    (table,) = read("|a|b|\n|:--|--:|\n|1|2|")
    assert table.alignments == ("left", "right")


def test_a_fence_in_a_quoted_list_is_read() -> None:
    text = "> - ```\n>   |a|b|\n>   |-|-|\n>   |1|2|\n>   ```\n"
    (table,) = parse_document(Source("report.md", text)).tables
    assert raws(table) == [["1", "2"]]
