"""MB107: rows that GitHub shows as text, and lines with pipes that were never meant as rows."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.linting.fixer import fix
from mdbench.markdown.document import TableKind
from mdbench.markdown.parser import parse_document
from mdbench.rules.findings import Safety
from mdbench.source import Source

TABLE = "| a | b |\n|--|--|\n| 1 | 2 |\n"


def messages(text: str) -> list[str]:
    return [one.message for one in mdbench.lint(text, select=["MB107"])]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "| a | b | c |\n|--|--|\n| 1 | 2 | 3 |\n",
            "these lines as a table: the header has 3 cells, the delimiter row 2",
            id="fewer delimiters",
        ),
        pytest.param(
            "a | b\n--|--|--\n1 | 2\n",
            "these lines as a table: the header has 2 cells, the delimiter row 3",
            id="more delimiters, no outer pipes",
        ),
        pytest.param(
            "Text.\n| a | b |\n| 1 | 2 |\n",
            "these lines as a table: there is no delimiter row",
            id="no delimiters",
        ),
        pytest.param(
            "Text.\n\n|--|--|\n| 1 | 2 |\n| 3 | 4 |\n",
            "these lines as a table: there is no header above the delimiter row",
            id="no header",
        ),
        pytest.param(
            f"{TABLE}\n| 3 | 4 |\n",
            "this line as part of the table above: a blank line ends a table",
            id="a row after a blank line",
        ),
        pytest.param(
            f"{TABLE}\n| 3 | 4 |\n| 5 | 6 |\n",
            "these lines as part of the table above: a blank line ends a table",
            id="rows after a blank line",
        ),
        pytest.param(
            f"| x | y |\n{TABLE}",
            "this line as part of the table below: a header has only one line",
            id="two header lines",
        ),
        pytest.param(
            "> | a | b |\n> |--|\n> | 1 | 2 |\n",
            "these lines as a table: the header has 2 cells, the delimiter row 1",
            id="in a quote",
        ),
        pytest.param(
            "- item\n\n  | a | b |\n  | 1 | 2 |\n",
            "these lines as a table: there is no delimiter row",
            id="in a list",
        ),
    ],
)
def test_rows_that_are_no_table_are_reported(text: str, told: str) -> None:
    assert messages(text) == [f"GitHub does not show {told}"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(TABLE, id="a table"),
        pytest.param("Text.\n" + TABLE, id="a table after text"),
        pytest.param("Run `a | b` and then `c | d`.\n`e | 1`\n", id="commands"),
        pytest.param("|x| is at most |y|, so |x - y| < 2.\n", id="absolute values"),
        pytest.param("```\n| a | b |\n| 1 | 2 |\n```\n", id="a fence"),
        pytest.param("    | a | b |\n    | 1 | 2 |\n", id="indented code"),
        pytest.param("| a line | of pipes |\n", id="a single line"),
        pytest.param("| a | b |\n| c | d |\n", id="no number"),
        pytest.param("| 1 | 2 |\n| 3 | 4 | 5 |\n", id="no two rows of one length"),
        pytest.param(f"{TABLE}\nText.\n\n| 3 | 4 |\n", id="a line far from the table"),
        pytest.param(f"{TABLE}\n| 3 | 4 | 5 |\n", id="a line of another length"),
        pytest.param("[Home](a) | [Docs](b) | [Blog 2](c)\n", id="a menu"),
        pytest.param("Title | 1\n---\n", id="a heading"),
        pytest.param("<!--\n| a | b |\n| 1 | 2 |\n-->\n", id="a comment"),
        pytest.param("|--|--|\n", id="dashes alone"),
    ],
)
def test_other_lines_with_pipes_are_not_reported(text: str) -> None:
    assert messages(text) == []


def test_a_comment_ignores_them() -> None:
    rows = "| a | b |\n| 1 | 2 |\n"
    assert messages(f"<!-- mdbench: ignore MB107 -->\n{rows}") == []
    assert len(messages(f"<!-- mdbench: ignore MB101 -->\n\n{rows}")) == 1


@pytest.mark.parametrize(
    ("dashes", "right"),
    [
        pytest.param("|--|--|", "|--|--|---|", id="one too few"),
        pytest.param("--|--", "--|--|---", id="one too few, no outer pipes"),
        pytest.param("|--|--|--|--|", "|--|--|--|", id="one too many"),
    ],
)
def test_the_delimiter_row_gets_as_many_cells_as_the_others(dashes: str, right: str) -> None:
    text = f"| a | b | c |\n{dashes}\n| 1 | 2 | 3 |\n"
    fixed = fix(Source("a.md", text), allowed=Safety.UNSAFE).source.text
    assert fixed.splitlines()[1] == right
    assert messages(fixed) == []


def test_a_table_with_a_wrong_delimiter_row_is_checked() -> None:
    rows = "| a | 2.0 | 4.0 | 2.00x |\n| b | 3.0 | 4.5 | 1.50x |\n| c | 5.0 | 6.0 | 1.20x |\n"
    text = f"| Test | New (s) | Old (s) | Speedup |\n|--|--|\n{rows}| d | 2.5 | 4.0 | 1.90x |\n"
    found = mdbench.lint(text, select=["MB301"])
    assert [text[slice(*one.span)] for one in found] == ["1.90x"]


def test_rows_of_different_lengths_without_a_delimiter_row_are_text() -> None:
    lines = "| a | b | c |\n|--|--|\n| 1 | 2 | 3 |\n"
    kinds = [
        [one.kind for one in parse_document(Source("report.md", text)).tables]
        for text in (lines, f"{lines}| 1 | 2 |\n", "> | a | b |\n|--|--|\n| 1 | 2 |\n")
    ]
    assert kinds == [[TableKind.UNSHOWN], [], []]
