"""HTML tables: header, cells and spans in all notations."""

from __future__ import annotations

import pytest

from mdbench.markdown.document import Table, TableKind
from mdbench.markdown.parser import parse_document
from mdbench.source import Source


def read(text: str) -> list[Table]:
    tables = parse_document(Source("report.md", text)).tables
    for table in tables:
        for row in (table.header, *table.rows):
            assert all(text[slice(*cell.span)] == cell.raw for cell in row.cells)
    return [table for table in tables if table.kind is TableKind.HTML]


def raws(table: Table) -> list[list[str]]:
    return [[cell.raw for cell in row.cells] for row in table.rows]


def only(text: str) -> Table:
    (table,) = read(text)
    return table


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
            "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
            id="head and body",
        ),
        pytest.param("<table><tr><th>a<th>b<tr><td>1<td>2</table>", id="end tags omitted"),
        pytest.param("<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td>", id="unclosed"),
        pytest.param("<TABLE><TR><TD> a <TD>b</TR>\n<TR><TD>1\n<TD>2</TABLE>", id="capitals"),
        pytest.param(
            "<table>\n\n<tr>\n\n<td>a</td>\n\n<td>\n\nb\n\n</td>\n</tr>\n\n"
            "<tr>\n<td>1</td>\n\n    <td>2</td>\n\n</tr>\n</table>\n",
            id="blank lines inside",
        ),
        pytest.param(
            "<table border=\"1>0\">\n<tr><td title='<td>'>a<td>b</td><tr><td>1<td>2</table>",
            id="tags in attributes",
        ),
        pytest.param(
            "<table><tr><!-- <td>x</td> --><td>a<td>b<!--\n<td>-->\n<tr><td>1<td>2</table>",
            id="comments inside",
        ),
        pytest.param("> <table><tr><td>a<td>b\n> <tr><td>1<td>2\n> </table>\n", id="in a quote"),
        pytest.param("- x\n\n  <table><tr><td>a<td>b\n  <tr><td>1<td>2</table>", id="in a list"),
        pytest.param("<div>\n<table>\n<td>a<td>b<tr><td>1<td>2</table></div>", id="in a div"),
    ],
)
def test_rows_and_cells_are_found(text: str) -> None:
    table = only(text)
    header = [cell.raw.partition("<!--")[0] for cell in table.header.cells]
    assert (header, raws(table)) == (["a", "b"], [["1", "2"]])


def test_a_cell_is_its_inner_html() -> None:
    table = only("<table><tr><td>h<tr><td>\n  <b>1.5</b><br>ms\n</td></table>")
    assert raws(table) == [["<b>1.5</b><br>ms"]]


def test_a_spanning_cell_fills_every_place_it_covers() -> None:
    table = only(
        "<table><tr><th>a<th>b<th>c"
        "<tr><td rowspan=2>x<td colspan='2'>1"
        "<tr><td>2<td>3"
        "<tr><td colspan=2 rowspan=2>y<td>4"
        "<tr><td>5</table>"
    )
    assert raws(table) == [["x", "1", "1"], ["x", "2", "3"], ["y", "y", "4"], ["y", "y", "5"]]
    assert table.rows[0].cells[0] == table.rows[1].cells[0]


@pytest.mark.parametrize("rowspan", ["999999999", "0", "65535"])
def test_a_cell_across_too_many_rows_ends_with_the_table(rowspan: str) -> None:
    table = only(f"<table><tr><th>a<th>b<tr><td rowspan={rowspan}>x<td>1<tr><td>2</table>")
    assert raws(table) == [["x", "1"], ["x", "2"]]


def test_a_header_cell_does_not_reach_into_the_body() -> None:
    table = only(
        "<table><thead><tr><th rowspan=3>a<th>b</thead><tbody><tr><td>1<td>2</tbody></table>"
    )
    assert raws(table) == [["1", "2"]]


def test_several_header_rows_are_merged() -> None:
    text = (
        "<table><tr><th rowspan=2>Model<th colspan=2>Speed (ms)<th>Memory"
        "<tr><th>A100<th>H100<th>GB<tr><td>7B<td>1<td>2<td>3</table>"
    )
    table = only(text)
    assert table.titles == ("Model", "Speed (ms) A100", "Speed (ms) H100", "Memory GB")
    assert [cell.raw for cell in table.header.cells] == ["Model", "A100", "H100", "GB"]
    assert raws(table) == [["7B", "1", "2", "3"]]


def test_a_header_cell_across_all_columns_is_a_caption() -> None:
    table = only("<table><tr><th colspan=2>Results<tr><th>a<th>b<tr><td>1<td>2</table>")
    assert table.titles == ("a", "b")


def test_a_grouped_header_of_plain_cells_is_merged() -> None:
    table = only(
        "<table><tr><td rowspan=2>m<td colspan=2>t<tr><td>a<td>b<tr><td>x<td>1<td>2</table>"
    )
    assert table.titles == ("m", "t a", "t b")


def test_row_headings_are_not_a_header() -> None:
    table = only("<table><tr><th>a<th>b<tr><th>x<td>1<tr><th>y<td>2</table>")
    assert raws(table) == [["x", "1"], ["y", "2"]]


def test_a_row_that_is_too_short_has_missing_cells() -> None:
    table = only("<table><tr><td>a<td>b<td>c<tr><td>1</table>")
    assert [cell.present for cell in table.rows[0].cells] == [True, False, False]


def test_a_row_that_is_longer_than_the_header_widens_the_table() -> None:
    table = only("<table><tr><th>a<tr><td>1<td>2</table>")
    assert [cell.present for cell in table.header.cells] == [True, False]
    assert [cell.presence.value for cell in table.rows[0].cells] == ["present", "present"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<!--\n<table><tr><td>1</td></tr></table>\n-->\n", id="in a comment"),
        pytest.param(
            "<div>\n<!--\n\n<table><tr><td>1</table>\n\n<p>\n-->\n",
            id="in a comment with blank lines",
        ),
        pytest.param("```html\n<table><tr><td>1</table>\n```\n", id="in a fence"),
        pytest.param("    <table><tr><td>1</table>\n", id="in indented code"),
        pytest.param("Use `<table><tr><td>` here.\n", id="in prose"),
        pytest.param("<table></table>\n", id="without a cell"),
        pytest.param("<table\n", id="truncated"),
        pytest.param("<tr><td>1</td></tr>\n", id="rows without a table"),
        pytest.param("<tablet><tr><td>1</tablet>\n", id="another tag"),
    ],
)
def test_other_html_is_not_a_table(text: str) -> None:
    assert read(text) == []


def test_the_inner_one_of_nested_tables_is_the_table() -> None:
    tables = read(
        "<table><tr><td><table><tr><td>a<tr><td>1</table></td>"
        "<td><table><tr><td>b<tr><td>2</table></td></table>"
    )
    assert [raws(table) for table in tables] == [[["1"]], [["2"]]]


def test_a_layout_table_around_pipe_tables_is_ignored() -> None:
    text = "<table><tr><td>\n\na|b\n-|-\n1|2\n\n</td></tr></table>\n"
    assert [table.kind.value for table in parse_document(Source("r.md", text)).tables] == ["table"]


def test_an_unclosed_table_ends_before_the_next_one() -> None:
    tables = read("<table><tr><td>a</td></tr>\n\ntext\n\n<table><tr><td>b</td></tr></table>\n")
    assert [[cell.raw for cell in table.header.cells] for table in tables] == [["a"], ["b"]]


def test_the_span_of_a_table_includes_its_tags() -> None:
    text = "<p>x</p>\n<table>\n<tr><td>1</td></tr>\n</table> y\n"
    assert text[slice(*only(text).span)] == "<table>\n<tr><td>1</td></tr>\n</table>"


def test_a_comparison_at_the_start_of_a_line_is_not_a_quote_mark() -> None:
    assert raws(only("<table><tr><td>a<tr><td>\n>5\n</table>")) == [[">5"]]


def test_a_layout_table_around_fences_is_ignored() -> None:
    text = "<table><tr><td>\n\n```\na|b\n-|-\n1|2\n```\n\n</td></tr></table>\n"
    assert [table.kind.value for table in parse_document(Source("r.md", text)).tables] == ["fence"]
