"""Parsing reports into sections, blocks and tables with exact spans."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.markdown.document import BlockKind, Document
from mdbench.markdown.parser import parse_document
from mdbench.source import Source


def parse(text: str) -> Document:
    return parse_document(Source("report.md", text))


def blocks(text: str) -> list[tuple[str, list[str]]]:
    return [(block.kind.value, [line.text for line in block.lines]) for block in parse(text).blocks]


def outline(text: str) -> list[tuple[str, int, int]]:
    return [(section.title, section.level, section.parent) for section in parse(text).sections]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("one\n  two\n", ("paragraph", ["one", "two"]), id="paragraph"),
        pytest.param("> one\n> two\n", ("paragraph", ["one", "two"]), id="quote"),
        pytest.param("> one\ntwo\n", ("paragraph", ["one", "two"]), id="lazy quote"),
        pytest.param("- one\n  two\n", ("item", ["one", "two"]), id="item"),
        pytest.param("3) one\n", ("item", ["one"]), id="numbered item"),
        pytest.param("- > one\n", ("paragraph", ["one"]), id="quote in an item"),
        pytest.param("## one ##  \n", ("heading", ["one"]), id="heading"),
        pytest.param("# C#\n", ("heading", ["C#"]), id="heading that ends in a hash"),
        pytest.param("#\n", ("heading", [""]), id="empty heading"),
        pytest.param("one\ntwo\n---\n", ("heading", ["one", "two"]), id="underlined heading"),
        pytest.param("    one\n\n     two\n", ("code", ["one", "", " two"]), id="indented code"),
        pytest.param("-     one\n", ("code", ["one"]), id="code in an item"),
        pytest.param("<p>\n  one\n", ("html", ["<p>", "  one"]), id="html"),
        pytest.param("```\none\n\n two\n```\n", ("fence", ["one", "", " two"]), id="fence"),
        pytest.param("~~~\none\n", ("fence", ["one"]), id="unclosed fence"),
        pytest.param("```\n```\n", ("fence", []), id="empty fence"),
        pytest.param("- ```\n  one\n  ```\n", ("fence", ["one"]), id="fence in an item"),
        pytest.param("> ~~~\n>  one\n> ~~~\n", ("fence", [" one"]), id="fence in a quote"),
        pytest.param(
            "  ```\n  one\n   two\n  ```", ("fence", ["one", " two"]), id="indented fence"
        ),
        pytest.param("````\n```\n````\n", ("fence", ["```"]), id="fence around a fence mark"),
        pytest.param("[^1]: one\n", ("paragraph", ["[^1]: one"]), id="footnote"),
        pytest.param("[r]: /u\n[s]: /v\none\n", ("paragraph", ["one"]), id="link definitions"),
        pytest.param(
            "[r]: /u\none\n===\n", ("heading", ["one"]), id="link definition and a heading"
        ),
        pytest.param(
            "[r]: /u\n===\n", ("paragraph", ["==="]), id="link definition and an underline"
        ),
        pytest.param("- [r]: /u\n  one\n", ("item", ["one"]), id="link definition in an item"),
        pytest.param("[r]\n: one\n", ("paragraph", ["[r]", ": one"]), id="not a link definition"),
        pytest.param("---\nmodel: one\n---\n", ("fence", ["model: one"]), id="front matter"),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_a_block_has_its_lines_without_their_prefixes(
    text: str, expected: tuple[str, list[str]], ending: str
) -> None:
    assert blocks(text.replace("\n", ending)) == [expected]


def test_the_language_of_a_fence_is_its_first_word() -> None:
    infos = [block.info for block in parse('``` bash title="x"\n```\n\n~~~\n~~~\n').blocks]
    assert infos == ["bash", ""]


def test_the_span_of_a_fence_includes_its_marks() -> None:
    text = "x\n\n- ```sh\n  one\n  ```\n"
    fence = parse(text).blocks[1]
    assert text[slice(*fence.span)] == "```sh\n  one\n  ```"


def test_depth_counts_the_lists_around_a_block() -> None:
    text = "a\n\n- b\n  - c\n    > d\n\n      1. e\n"
    found = [(block.lines[0].text, block.depth) for block in parse(text).blocks]
    assert found == [("a", 0), ("b", 1), ("c", 2), ("d", 2), ("e", 3)]


def test_sections_nest_by_level() -> None:
    assert outline("# a\n## b\n#### c\n## d\ne\n=\n") == [
        ("a", 1, -1),
        ("b", 2, 0),
        ("c", 4, 1),
        ("d", 2, 0),
        ("e", 1, -1),
    ]


def test_a_body_ends_at_the_next_heading_of_its_level() -> None:
    text = "intro\n# a\nx\n## b\ny\n# c\n"
    bodies = [text[section.start : section.end] for section in parse(text).sections]
    assert bodies == ["# a\nx\n## b\ny\n", "## b\ny\n", "# c\n"]


@pytest.mark.parametrize("quoted", ["> # q\n> x\n", "- # q\n  x\n"], ids=["quote", "list"])
def test_a_heading_inside_a_quote_or_list_ends_with_it(quoted: str) -> None:
    document = parse(f"## a\n\n{quoted}\ny\n")
    assert [(section.title, section.parent) for section in document.sections] == [
        ("a", -1),
        ("q", 0),
    ]
    assert [(block.lines[0].text, block.section) for block in document.blocks] == [
        ("a", 0),
        ("q", 1),
        ("x", 1),
        ("y", 0),
    ]


def test_a_table_has_its_section() -> None:
    table = "\na|b\n-|-\n1|2\n\n"
    html = "<table><tr><td>1</td></tr></table>\n\n"
    fence = "```\na|b\n-|-\n1|2\n```\n"
    document = parse(f"{table}# s\n{table}{html}## t\n{fence}")
    assert [(table.kind.value, table.section) for table in document.tables] == [
        ("table", -1),
        ("table", 0),
        ("html", 0),
        ("fence", 1),
    ]


def test_a_heading_text_has_its_exact_span() -> None:
    text = "> ##  Speed (ms)  ##\n"
    (section,) = parse(text).sections
    assert text[slice(*section.span)] == section.title == "Speed (ms)"


def test_a_thematic_break_is_not_front_matter() -> None:
    assert blocks("---\n\ntext\n\n---\n") == [("paragraph", ["text"])]


def test_the_lines_of_a_table_are_in_no_block() -> None:
    text = "above\n\na|b\n-|-\n1|2\n\n<b>x</b>\n<table>\n<td>1\n</table>\n<p>\n\n"
    assert blocks(text + "```\nrun\na|b\n-|-\n1|2\ndone\n```\n") == [
        ("paragraph", ["above"]),
        ("paragraph", ["<b>x</b>"]),
        ("html", ["<p>"]),
        ("fence", ["run", "done"]),
    ]


def check_laws(document: Document) -> None:
    """Every span matches its text, in order, and no two tables overlap."""
    text = document.source.text
    done = 0
    for table in document.tables:
        assert done <= table.span.start <= table.span.end <= len(text)
        done = table.span.end
        for row in (table.header, *table.rows):
            assert len(row.cells) >= len(table.header.cells) == len(table.titles)
            for cell in row.cells:
                assert text[slice(*cell.span)] == cell.raw
                assert table.span.start <= cell.span.start <= cell.span.end <= table.span.end
        if table.kind.value != "html":
            spans = [cell.span for row in (table.header, *table.rows) for cell in row.cells]
            assert all(a.end <= b.start for a, b in pairwise(spans))
    for section in document.sections:
        assert section.start <= section.span.start <= section.span.end <= section.end <= len(text)
        assert section.parent < document.sections.index(section)
    starts = [block.span.start for block in document.blocks]
    assert starts == sorted(starts)
    for block in document.blocks:
        assert -1 <= block.section < len(document.sections)
        for line in block.lines:
            assert text[line.start : line.end] == line.text
            assert not {"\n", "\r"} & set(line.text)


@given(st.text())
def test_any_text_is_a_document(text: str) -> None:
    check_laws(parse(text))


PIECES = [
    *"|-+:=>#*`~<&\\\t \n\r",
    *"│─┼\u2028\x0b\x0c\x85\ufeff",
    *(
        "a",
        "1.5",
        "---",
        "| a | b |\n",
        "|---|---|\n",
        "- ",
        "1. ",
        "> ",
        "    ",
        "```\n",
        "~~~ text\n",
    ),
    *("<table>", "</table>", "<tr>", "<td rowspan=2>", "<th colspan=3>", "</td>", "<thead>"),
    *(
        "<!--",
        "-->",
        "[a]: <b",
        "[^1]: ",
        "[x]: http://[::1",
        "+---+---+\n",
        "\r\n",
        "\n\n",
        "===\n",
    ),
]


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_text_that_looks_like_tables_is_a_document(text: str) -> None:
    check_laws(parse(text))


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_line_endings_change_no_cell(text: str) -> None:
    plain = text.replace("\r", "")
    found = [parse(plain.replace("\n", ending)) for ending in ("\n", "\r\n", "\r")]
    cells = [
        [
            [cell.raw.splitlines() for cell in row.cells]
            for table in document.tables
            for row in (table.header, *table.rows)
        ]
        for document in found
    ]
    assert cells[0] == cells[1] == cells[2]


HOSTILE: dict[str, Callable[[int], str]] = {
    "quotes": lambda n: ">" * n,
    "a deep quote and lazy lines": lambda n: ">" * 99 + "a\n" * (n // 50),
    "bullets": lambda n: "- " * n + "x",
    "nested lists": lambda n: "".join("  " * (i % 99) + "- a\n" for i in range(n // 50)),
    "pipes": lambda n: "a|b\n-|-\n" + "|" * n,
    "wide table": lambda n: "|a" * n + "|\n" + "|-" * n + "|\n",
    "escaped pipes": lambda n: "a|b\n-|-\n" + "\\|" * n,
    "spaces": lambda n: "a|b\n-|-\n" + " " * n + "|" + " " * n,
    "brackets": lambda n: "[a\n" * n,
    "open tables": lambda n: "<table><td>" * n,
    "open tags": lambda n: "<table><td ='\"" * n,
    "open comments": lambda n: "<div><!--" * n,
    "spans": lambda n: "<table>" + "<tr><td rowspan=999999999 colspan=99999>1" * (n // 9),
    "a wide row above narrow ones": lambda n: "<table><tr>" + "<td>1" * n + "<tr><td>1" * n,
    "rules in a fence": lambda n: "```\n" + "|a|b|\n|-|-|\n" * (n // 2) + "+-" * n,
    "hashes": lambda n: "# " * n,
    "one long word": lambda n: "a" * n,
}


@pytest.mark.usefixtures("no_hang")
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_read_to_its_end(kind: str) -> None:
    text = HOSTILE[kind](20_000)
    assert parse(text).source.text == text


def test_deeply_nested_blocks_are_kept_as_text() -> None:
    document = parse("- " * 60 + "deep\n\nafter\n\na|b\n-|-\n")
    assert "deep" in document.blocks[0].lines[0].text
    assert document.blocks[-1].kind is BlockKind.PARAGRAPH
    assert len(document.tables) == 1
