"""Pipe tables are read like in cmark-gfm, GitHub's own parser."""

from __future__ import annotations

from pathlib import Path

import cmarkgfm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.differential import TableTexts
from mdbench.markdown.document import Presence, Table, TableKind
from mdbench.markdown.parser import parse_document
from mdbench.source import Source

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
REPORTS = Path(__file__).resolve().parents[2] / "reports"
FILES = sorted([*CORPUS.glob("*.md"), *REPORTS.glob("*.md")])

Texts = list[list[list[str]]]


def read_with_cmark(text: str) -> Texts:
    """What GitHub shows. HTML is omitted, so every table in the result is a pipe table."""
    return TableTexts(cmarkgfm.github_flavored_markdown_to_html(text)).tables


def read_tables(text: str) -> list[Table]:
    document = parse_document(Source("report.md", text))
    return [table for table in document.tables if table.kind is TableKind.PIPE]


def raw_texts(text: str) -> Texts:
    """What mdbench reads, without surplus cells, which are the one intentional difference."""
    return [
        [
            [cell.raw for cell in row.cells if cell.presence is not Presence.SURPLUS]
            for row in (table.header, *table.rows)
        ]
        for table in read_tables(text)
    ]


def shape(tables: Texts) -> list[list[int]]:
    return [[len(row) for row in table] for table in tables]


def show_cells(raws: list[str], definitions: str) -> list[str]:
    """Each raw cell as GitHub shows it: alone in its row of a table with one column."""
    rows = "".join(f"|{raw} |\n" for raw in raws)
    (table,) = read_with_cmark(f"|.|\n|-|\n{rows}\n{definitions}")
    return [cell for (cell,) in table[1:]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_tables_of_real_reports_have_the_cells_that_github_shows(path: Path) -> None:
    text = Source.from_bytes(path.name, path.read_bytes()).text
    expected, found = read_with_cmark(text), raw_texts(text)
    assert shape(found) == shape(expected)
    definitions = "\n".join(line for line in text.splitlines() if line.startswith("["))
    cells = [cell for table in found for row in table for cell in row]
    shown = [cell for table in expected for row in table for cell in row]
    assert not cells or show_cells(cells, definitions) == shown


TABLE = [[["a", "b"], ["1", "2"]]]

AGREED: dict[str, tuple[str, Texts]] = {
    "outer pipes": ("| a | b |\n|---|---|\n| 1 | 2 |\n", TABLE),
    "no outer pipes": ("a | b\n--- | ---\n1 | 2\n", TABLE),
    "no spaces": ("a|b\n-|-\n1|2", TABLE),
    "one column": ("| a |\n|---|\n| 1 |\n", [[["a"], ["1"]]]),
    "one column without a pipe in its row": ("| a |\n|---|\n1\n", [[["a"], ["1"]]]),
    "header only": ("| a | b |\n|---|---|\n", [[["a", "b"]]]),
    "in a quote": ("> a | b\n> --|--\n> 1 | 2\n", TABLE),
    "in a quote without spaces": (">a|b\n>-|-\n>1|2\n", TABLE),
    "in a quote in a quote": ("> > a | b\n> > --|--\n> > 1 | 2\n", TABLE),
    "in a list item": ("- text\n\n  a | b\n  --|--\n  1 | 2\n", TABLE),
    "at a bullet": ("- a | b\n  --|--\n  1 | 2\n", TABLE),
    "at a number": ("10. | a | b |\n    |---|---|\n    | 1 | 2 |\n", TABLE),
    "in a nested list": ("- x\n  - y\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n", TABLE),
    "in a list in a quote": ("> - a | b\n>   --|--\n>   1 | 2\n", TABLE),
    "in a list, indented by tabs": ("-\ta | b\n\t--|--\n\t1 | 2\n", TABLE),
    "in a nested list, by tabs": ("- x\n\t- y\n\n\t\ta | b\n\t\t--|--\n\t\t1 | 2\n", TABLE),
    "in a quote, after tabs": (">\ta | b\n>\t--|--\n>\t1 | 2\n", TABLE),
    "three spaces in": ("   a | b\n   --|--\n   1 | 2\n", TABLE),
    "escaped pipe": ("a \\| x | b\n--|--\n1|2\n", [[["a \\| x", "b"], ["1", "2"]]]),
    "pipe after two backslashes": ("a|b\n-|-\n1\\\\|2|3\n", [[["a", "b"], ["1\\\\|2", "3"]]]),
    "pipe in code": ("`a|x` | b\n-|-|-\n1|2|3\n", [[["`a", "x`", "b"], ["1", "2", "3"]]]),
    "escaped pipe in code": ("`a\\|x` | b\n-|-\n1|2\n", [[["`a\\|x`", "b"], ["1", "2"]]]),
    "empty cells": ("|a|b|\n|-|-|\n||2|\n| | |\n", [[["a", "b"], ["", "2"], ["", ""]]]),
    "short row": ("|a|b|\n|-|-|\n|1|\n", [[["a", "b"], ["1", ""]]]),
    "right after a paragraph": ("text\na | b\n--|--\n1 | 2\n", TABLE),
    "after a numbered line of a paragraph": ("text\n2. a|b\n-|-\n", [[["2. a", "b"]]]),
    "text after the last row": ("a|b\n-|-\n1|2\ntext\n", [[*TABLE[0], ["text", ""]]]),
    "ended by a blank line": ("a|b\n-|-\n1|2\n\n3|4\n", TABLE),
    "ended by a heading": ("a|b\n-|-\n1|2\n# 3|4\n", TABLE),
    "ended by a list": ("a|b\n-|-\n1|2\n- 3|4\n", TABLE),
    "ended by a numbered list": ("a|b\n-|-\n1|2\n7. 3|4\n", TABLE),
    "ended by a quote": ("a|b\n-|-\n1|2\n> 3|4\n", TABLE),
    "ended by a fence": ("a|b\n-|-\n1|2\n```\n3|4\n", TABLE),
    "ended by a thematic break": ("a|b\n-|-\n1|2\n***\n3|4\n", TABLE),
    "ended by HTML": ("a|b\n-|-\n1|2\n<div>3|4\n", TABLE),
    "ended by a comment": ("a|b\n-|-\n1|2\n<!-- 3|4 -->\n", TABLE),
    "ended by a tag on its own": ("a|b\n-|-\n1|2\n<br>\n3|4\n", TABLE),
    "ended by a pipe on its own": ("a|b\n-|-\n1|2\n|\n3|4\n", TABLE),
    "ended by indented code": ("a|b\n-|-\n1|2\n    3|4\n", TABLE),
    "ended by a line outside its list": ("- a|b\n  -|-\n  1|2\n3|4\n", TABLE),
    "ended by a line outside its quote": ("> a|b\n> -|-\n> 1|2\n3|4\n", TABLE),
    "indented code is not a table": ("    a | b\n    --|--\n    1 | 2\n", []),
    "code in a list is not a table": ("- x\n\n      a | b\n      --|--\n", []),
    "a fence is not a pipe table": ("```\na|b\n-|-\n```\n", []),
    "a comment is not a table": ("<!--\n\na|b\n-|-\n\n-->\n", []),
    "a heading is not a header": ("# a|b\n-|-\n", []),
    "HTML is not a header": ("<p>a|b\n-|-\n", []),
    "a delimiter row outside the quote": ("> a|b\n-|-\n", []),
    "too few delimiters": ("a|b|c\n-|-\n1|2\n", []),
    "too many delimiters": ("a|b\n-|-|-\n1|2\n", []),
    "hyphens under one cell are a heading": ("| a |\n---\n| 1 |\n", []),
    "no delimiter row": ("a | b\n1 | 2\n", []),
    "wide spaces are text": ("a|b\n-|-\n\u3000|\xa01\n", [[["a", "b"], ["\u3000", "\xa01"]]]),
    "Unicode line separators are text": (
        "a|b\n-|-\n1\u20282|3\x854\n",
        [[["a", "b"], ["1\u20282", "3\x854"]]],
    ),
    "form feeds are padding": ("a|b\n-|-\n\f1\v|2\n", TABLE),
}


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("text", "tables"), AGREED.values(), ids=AGREED.keys())
def test_a_table_is_read_as_github_reads_it(text: str, tables: Texts, ending: str) -> None:
    typed = text.replace("\n", ending)
    assert raw_texts(typed) == tables
    assert shape(read_with_cmark(typed)) == shape(tables)


# Where markdown-it-py on its own differs from cmark-gfm.
MENDED: dict[str, tuple[str, list[list[int]]]] = {
    "one column whose header has no pipe": ("a\n|-|\n1\n", [[1, 1]]),
    "a header line of a paragraph, indented like code": ("text\n    a|b\n-|-\n1|2\n", [[2, 2]]),
    "no second try in a paragraph where the first delimiter row did not fit": (
        "a|b\n|-|\n|-|\n",
        [],
    ),
    "a header that continues a quote without its mark": ("> text\na|b\n> -|-\n", [[2]]),
    "a header that is a link definition": ("[r]: /u 't|v'\n-|-\n1|2\n", [[2, 2]]),
    "a header that is the title of a link definition": ("[r]: /u\n'a|b'\n-|-\n", [[2]]),
    "a tag on its own below a link definition": ("[r]: /u\n<br>\n|-|\n", [[1]]),
    "a numbered line below a link definition": ("[r]: /u\n2. a|b\n-|-\n", [[2]]),
    "no second try below a link definition": ("[r]: /u\n-|-\n-|-\n", []),
}


@pytest.mark.parametrize(("text", "github"), MENDED.values(), ids=MENDED.keys())
def test_github_wins_where_the_parser_differs(text: str, github: list[list[int]]) -> None:
    assert shape(read_with_cmark(text)) == github
    assert shape(raw_texts(text)) == github


def test_a_surplus_cell_that_github_drops_is_kept() -> None:
    text = "|a|b|\n|-|-|\n|1|2|3||\n"
    ((_, shown),) = read_with_cmark(text)
    (table,) = read_tables(text)
    assert shown == ["1", "2"]
    assert [(cell.raw, cell.presence.value) for cell in table.rows[0].cells] == [
        ("1", "present"),
        ("2", "present"),
        ("3", "surplus"),
        ("", "surplus"),
    ]


def test_a_missing_cell_is_at_the_end_of_its_row() -> None:
    (table,) = read_tables("> |a|b|c|\n> |-|-|-|\n> |1|  \n")
    row = table.rows[0]
    assert [cell.present for cell in row.cells] == [True, False, False]
    assert {cell.span for cell in row.cells[1:]} == {(row.span.end, row.span.end)}


def test_alignments_come_from_the_colons() -> None:
    (table,) = read_tables("|a|b|c|d|\n|:-|-:|:-:|---|\n")
    assert table.alignments == ("left", "right", "center", "")


CELL = st.sampled_from(["", "a", "b 1", "c\\|d", "`e", "**f**", "\\", "é", "量 G", "\t1.5\t"])
ROW = st.lists(CELL, min_size=1, max_size=4)
PREFIXES = st.sampled_from(
    [("", ""), ("> ", "> "), ("- ", "  "), ("1. ", "   "), ("-\t", "\t"), ("> - ", ">   ")]
)


@st.composite
def tables_in_containers(draw: st.DrawFn) -> str:
    """A table with a header of any width, rows of any length, in any container and line ending."""
    first, further = draw(PREFIXES)
    header, *rows = draw(st.lists(ROW, min_size=1, max_size=5))
    lines = ["|" + "|".join(row) + "|" for row in (header, ["--"] * len(header), *rows)]
    ending = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return first + (ending + further).join(lines) + draw(st.sampled_from(["", ending]))


@given(tables_in_containers())
def test_any_table_has_the_same_shape_as_on_github(text: str) -> None:
    assert shape(raw_texts(text)) == shape(read_with_cmark(text))
