"""Tables of all kinds have the same cells as in cmark-gfm, GitHub's own parser.

The texts are our own, based on the section on tables of the GFM specification and on what
cmark-gfm, markdown-it and micromark agree on. Where those differ, GitHub is followed.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.etree import ElementTree as ET

import cmarkgfm
import pytest

from mdbench.markdown.document import Presence, TableKind
from mdbench.markdown.parser import parse_document
from mdbench.source import Source

ENDINGS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r"}


class Shown(NamedTuple):
    """A table as GitHub shows it: the alignment of its columns, and its cells."""

    alignments: list[str]
    rows: list[list[str]]


def show_with_cmark(text: str) -> list[Shown]:
    """The pipe tables of a text, without HTML."""
    html = cmarkgfm.github_flavored_markdown_to_html(text)
    found = []
    for table in ET.fromstring(f"<all>{html}</all>").iter("table"):
        rows = [list(row) for row in table.iter("tr")]
        alignments = [cell.get("align", "") for cell in rows[0]]
        found.append(Shown(alignments, [["".join(one.itertext()) for one in row] for row in rows]))
    return found


def show_with_mdbench(text: str) -> list[Shown]:
    """What mdbench reads, with each cell as GitHub shows it in a table of its own."""
    document = parse_document(Source("report.md", text))
    found = []
    for table in document.tables:
        if table.kind is TableKind.PIPE:
            rows = [
                [show_cell(one.raw) for one in row.cells if one.presence is not Presence.SURPLUS]
                for row in (table.header, *table.rows)
            ]
            found.append(Shown(list(table.alignments), rows))
    return found


def show_cell(raw: str) -> str:
    (table,) = show_with_cmark(f"|.|\n|-|\n|{raw} |\n\n[r]: /u\n")
    return table.rows[1][0]


# In the order of the examples in section 4.10 of the GFM specification.
SPECIFIED = {
    "a header and a row": "| Nodes | TFLOPs |\n| --- | --- |\n| 16 | 46.5 |\n",
    "pipes that are not aligned": "| Nodes | TFLOPs |\n:-: | ---------:\n16 | 46.5\n",
    "escaped pipes, in code and in bold": (
        "| Flags  |\n| ------ |\n| a `\\|` b |\n| a **\\|** b |\n"
    ),
    "ended by a quote": "| Nodes | TFLOPs |\n| --- | --- |\n| 16 | 46.5 |\n> 16\n",
    "a row without a pipe, and a blank line": (
        "| Nodes | TFLOPs |\n| --- | --- |\n| 16 | 46.5 |\n16\n\n16\n"
    ),
    "rows with too few and with too many cells": (
        "| Nodes | TFLOPs |\n| --- | --- |\n| 16 |\n| 16 | 46.5 | 0.8 |\n"
    ),
    "no rows": "| Nodes | TFLOPs |\n| --- | --- |\n",
}
SPECIFIED_NOT = {
    "a header with more cells than delimiters": "| Nodes | TFLOPs |\n| --- |\n| 16 |\n",
}

ROWS = {
    "one escaped pipe is a cell": "a | b\n-|-\n\\| | 2\n",
    "a row of escaped pipes": "a | b\n-|-\n\\|\\|\\| | \\|\n",
    "an escaped pipe at the end": "a | b\n-|-\n1 | 2 \\|\n",
    "an escaped pipe at the start": "\\| a | b\n-|-\n\\| 1 | 2\n",
    "three backslashes and a pipe": "a | b\n-|-\n1 \\\\\\| 2 | 3\n",
    "a backslash at the end": "a | b\n-|-\n1 | 2 \\\n3 | 4\n",
    "a backslash at the end of the header": "a | b \\\n-|-\n1 | 2\n",
    "a backslash before the last pipe": "| a | b |\n|-|-|\n| 1 | 2 \\|\n",
    "a backslash alone": "| a | b |\n|-|-|\n| \\ | \\\\ |\n",
    "a pipe in code": "a | b | c\n-|-|-\n`1 | 2` | 3\n",
    "an escaped pipe in code of two marks": "a | b\n-|-\n`` 1 \\| ` `` | 2\n",
    "an escaped backslash in code": "a | b\n-|-\n`1 \\\\` | 2\n",
    "unclosed code split by a pipe": "a | b\n-|-\n`1 | 2\n",
    "a link with a pipe": "a | b\n-|-\n[x](/y\\|z) | 2\n",
    "a link by reference": "a | b\n-|-\n[r] | [x][r]\n\n[r]: /u\n",
    "entities": "a &amp; b | &lt;c&gt;\n-|-\n&#124; | &vert; &copy; &nope;\n",
    "an entity is not a pipe": "a &#124; b\n|-|\n1 &vert; 2\n",
    "emphasis split by a pipe": "a | b\n-|-\n**1 | 2**\n",
    "struck through": "a | b\n-|-\n~~1~~ | ~2~\n",
    "an image": "a | b\n-|-\n![1](x.png) | 2\n",
    "tags within a line": "a<br>b | <b>c</b>\n-|-\n1<br/>2 | <sup>3</sup>\n",
    "a URL": "a | b\n-|-\nhttps://example.org/?x=1 | www.example.org\n",
    "empty cells": "| | b |\n|-|-|\n|||\n| | |\n|  | 2 |\n",
    "an empty header": "| | |\n|-|-|\n| 1 | 2 |\n",
    "two pipes at the end": "| a | b |\n|-|-|\n| 1 | 2 ||\n",
    "two pipes at the start": "| a | b |\n|-|-|\n|| 1 | 2 |\n",
    "no pipe at the start": "a | b |\n--|--|\n1 | 2 |\n",
    "no pipe at the end": "| a | b\n|--|--\n| 1 | 2\n",
    "spaces at the end": "| a | b |   \n|---|---|  \n| 1 | 2 |    \n",
    "tabs around cells": "|\ta\t|\tb\t|\n|\t-\t|\t-\t|\n|\t1\t|\t2\t|\n",
    "no-break spaces are text": "a\u00a0| b\n-|-\n\u00a0 | \u00a02\n",
    "wide and thin spaces are text": "a | b\n-|-\n\u3000 | \u2009\n\u2003|\u200b\n",
    "NUL": "a\0 | b\n-|-\n1 | \0\n",
    "characters outside the basic plane": "🚀 | é\n-|-\n\U0001d7d9 | e\u0301\n",
    "a row that looks like delimiters": "a | b\n-|-\n-|-\n|:-:|-:|\n",
    "a row of hyphens": "a | b\n-|-\n| --- | --- |\n",
    "one column, no pipe in the header": "a\n|-|\n| 1 |\n2\n",
    "one column, pipe at the start only": "|a\n|-\n|1\n",
    "one column, pipe at the end only": "a|\n-|\n1|\n",
    "one column with a colon": "a\n:-\n1\n",
    "two tables in a row": "a|b\n-|-\n1|2\n\nc|d\n-|-\n3|4\n",
}

DELIMITERS = {
    "one hyphen each": "a | b\n-|-\n1 | 2\n",
    "colons at both ends": "a | b | c | d\n:-|-:|:-:|-\n1|2|3|4\n",
    "any number of hyphens": "a | b\n--------------------|-\n1 | 2\n",
    "spaces around": "|  a  |  b  |\n|   :---   |   ---:   |\n|1|2|\n",
    "tabs around": "| a | b |\n|\t:-:\t|\t-\t|\n",
    "no spaces, outer pipes": "|a|b|\n|:-:|-:|\n",
    "outer pipes unlike the header": "| a | b |\n-|-\n| 1 | 2 |\n",
    "three spaces in": "a | b\n   -|-\n   1 | 2\n",
    "spaces at the end": "a | b\n-|-   \n1 | 2\n",
}
DELIMITERS_NOT = {
    "a space within hyphens": "a | b\n- - | -\n1 | 2\n",
    "a space before the colon": "a | b\n--- : | ---\n1 | 2\n",
    "two colons": "a | b\n::- | -\n1 | 2\n",
    "colons without a hyphen": "a | b\n: | :\n1 | 2\n",
    "an empty cell": "a | b\n- || -\n1 | 2\n",
    "equals signs": "a | b\n=|=\n1 | 2\n",
    "plus signs at the intersections": "a | b\n-+-\n1 | 2\n",
    "long dashes": "a | b\n—|—\n1 | 2\n",
    "a backslash": "a | b\n-\\|-\n1 | 2\n",
    "no-break spaces": "a | b\n-\u00a0|\u00a0-\n1 | 2\n",
    "a word after them": "a | b\n-|- x\n1 | 2\n",
    "four spaces in": "a | b\n    -|-\n1 | 2\n",
    "a tab in": "a | b\n\t-|-\n1 | 2\n",
    "more of them than cells": "a | b\n-|-|-\n1 | 2\n",
    "fewer of them than cells": "a | b | c\n-|-\n1 | 2\n",
    "as the first line": "-|-\na | b\n1 | 2\n",
    "after a blank line": "a | b\n\n-|-\n1 | 2\n",
    "hyphens only, as below a title": "a\n---\n1\n",
    "a bullet and a hyphen": "a | b\n- | -\n1 | 2\n",
}

AROUND = {
    "after a line of text": "text\na|b\n-|-\n1|2\n",
    "after lines of text": "one\ntwo\n   a|b\n-|-\n1|2\n",
    "after a line with pipes": "x|y|z\na|b\n-|-\n1|2\n",
    "after a heading": "# x\na|b\n-|-\n1|2\n",
    "after an underlined title": "x\n===\na|b\n-|-\n1|2\n",
    "after a thematic break": "***\na|b\n-|-\n1|2\n",
    "after a fence": "```\nx\n```\na|b\n-|-\n1|2\n",
    "after a comment": "<!-- x -->\na|b\n-|-\n1|2\n",
    "after indented code": "    x\na|b\n-|-\n1|2\n",
    "after a list and a blank line": "- x\n\na|b\n-|-\n1|2\n",
    "after a definition": "[x]: /u\na|b\n-|-\n1|2\n",
    "after a definition and a blank line": "[r]: /u\n\na|b\n-|-\n[r]|2\n",
    "after definitions with titles": "[r]: /u 't'\n[s]: <v> (w)\na|b\n-|-\n1|2\n",
    "after a definition across lines": "[r]:\n/u\n't'\na|b\n-|-\n1|2\n",
    "before a definition": "a|b\n-|-\n1|2\n[x]: /u\n",
    "before text": "a|b\n-|-\n1|2\ntext\nmore\n\nend\n",
    "before an underline": "a|b\n-|-\n1|2\n===\n",
    "before a thematic break of hyphens": "a|b\n-|-\n1|2\n---\n3|4\n",
    "before a thematic break of spaced stars": "a|b\n-|-\n1|2\n* * *\n3|4\n",
    "before a heading": "a|b\n-|-\n1|2\n## x|y\n3|4\n",
    "before a hash that is not a heading": "a|b\n-|-\n1|2\n#3|4\n",
    "before a fence of tildes": "a|b\n-|-\n1|2\n~~~\n3|4\n~~~\n",
    "before two backticks": "a|b\n-|-\n1|2\n``\n3|4\n",
    "before bullets": "a|b\n-|-\n1|2\n+ 3|4\n",
    "before an empty bullet": "a|b\n-|-\n1|2\n-\n3|4\n",
    "before a number": "a|b\n-|-\n1|2\n1) 3|4\n",
    "before a number that is not an item": "a|b\n-|-\n1|2\n1.3|4\n",
    "before a quote": "a|b\n-|-\n1|2\n>3|4\n",
    "before a block of HTML": "a|b\n-|-\n1|2\n<table>\n3|4\n",
    "before a closing tag": "a|b\n-|-\n1|2\n</div>\n3|4\n",
    "before a tag within a line": "a|b\n-|-\n1|2\n<b>3</b>|4\n",
    "before a declaration": "a|b\n-|-\n1|2\n<!X>\n3|4\n",
    "right after the header": "a|b\n-|-\n> 1|2\n",
    "a row three spaces in": "a|b\n-|-\n   1|2\n",
    "a row four spaces in": "a|b\n-|-\n    1|2\n3|4\n",
    "a row after a tab": "a|b\n-|-\n\t1|2\n3|4\n",
    "one to three spaces in": " a|b\n  -|-\n   1|2\n",
    "a header like a number in a text": "text\n7) a|b\n-|-\n1|2\n",
    "a header like an item": "- a|b\n-|-\n\nc|d\n-|-\n",
    "a header like an underline": "text\n=|=\n-|-\n1|2\n",
    "a header like delimiters": "|-|-|\n|-|-|\n|-|-|\n",
    "a header like a tag": "<b>a</b>|b\n-|-\n1|2\n",
    "a header with a backslash at its start": "\\- a|b\n-|-\n1|2\n",
    "no newline at the end": "a|b\n-|-\n1|2",
}
AROUND_NOT = {
    "a header four spaces in": "    a|b\n-|-\n1|2\n",
    "a header after a tab": "\ta|b\n-|-\n1|2\n",
    "a header that is a heading": "## a|b\n-|-\n1|2\n",
    "a header that is a quote": "> a|b\n-|-\n1|2\n",
    "a header that is an item": "- a|b\n-|-\n1|2\n",
    "a header in HTML": "<div>a|b\n-|-\n1|2\n</div>\n",
    "in a fence": "~~~\na|b\n-|-\n1|2\n~~~\n",
    "in an unclosed fence": "```\na|b\n-|-\n1|2\n",
    "in a comment": "<!--\na|b\n-|-\n1|2\n-->\n",
    "a definition between header and delimiters": "a|b\n[r]: /u\n-|-\n1|2\n",
    "a definition and delimiters": "[r]: /u\n-|-\n",
}

NESTED = {
    "a quote": "> a|b\n> -|-\n> 1|2\n",
    "a quote without a space": ">a|b\n>-|-\n>1|2\n",
    "a quote three spaces in": "   > a|b\n  > -|-\n > 1|2\n",
    "a quote that ends": "> a|b\n> -|-\n> 1|2\n\n3|4\n",
    "a quote, a row without a quote mark": "> a|b\n> -|-\n1|2\n",
    "a quote, text before it without a quote mark": "> text\nmore\n> a|b\n> -|-\n> 1|2\n",
    "quotes of two depths": "> a|b\n> -|-\n> > 1|2\n",
    "a quote in a quote": "> > a|b\n> > -|-\n> > 1|2\n> 3|4\n",
    "a bullet": "- a|b\n  -|-\n  1|2\n",
    "a bullet, a row further out": "- a|b\n  -|-\n1|2\n",
    "a bullet, a row one space in": "- a|b\n  -|-\n 1|2\n",
    "a bullet, further in": "- a|b\n    -|-\n     1|2\n",
    "a bullet and many spaces": "-    a|b\n     -|-\n     1|2\n",
    "below a bullet": "- text\n\n  a|b\n  -|-\n  1|2\n",
    "below a bullet without a blank line": "- text\n  a|b\n  -|-\n  1|2\n",
    "bullets, each with a table": "- a|b\n  -|-\n- c|d\n  -|-\n",
    "a number": "1. a|b\n   -|-\n   1|2\n",
    "a large number": "123) a|b\n     -|-\n     1|2\n",
    "a tab after a bullet": "-\ta|b\n\t-|-\n\t1|2\n",
    "a bullet in a bullet": "- - a|b\n    -|-\n    1|2\n",
    "a list in a list": "- x\n  1. a|b\n     -|-\n     1|2\n  2. y\n",
    "a list in a quote": "> - a|b\n>   -|-\n>   1|2\n",
    "a quote in a list": "- > a|b\n  > -|-\n  > 1|2\n",
    "a list in a quote in a list": "- > 1. a|b\n  >    -|-\n  >    1|2\n",
    "a list in a list in a quote": "> - x\n>   - a|b\n>     -|-\n>     1|2\n",
}
NESTED_NOT = {
    "delimiters without the quote mark": "> a|b\n-|-\n> 1|2\n",
    "delimiters further out than the item": "- a|b\n -|-\n",
    "delimiters in a deeper quote": "> a|b\n> > -|-\n",
    "code in an item": "-     a|b\n      -|-\n",
    "code in a quote": ">     a|b\n>     -|-\n",
}


def each(**groups: dict[str, str]) -> list[object]:
    """A case for each text and each line ending."""
    return [
        pytest.param(text.replace("\n", ending), id=f"{group}: {name}, {kind}")
        for group, texts in groups.items()
        for name, text in texts.items()
        for kind, ending in ENDINGS.items()
    ]


@pytest.mark.parametrize(
    "text",
    each(specification=SPECIFIED, rows=ROWS, delimiters=DELIMITERS, around=AROUND, nested=NESTED),
)
def test_a_table_has_the_cells_that_github_shows(text: str) -> None:
    expected = show_with_cmark(text)
    assert expected
    assert show_with_mdbench(text) == expected


@pytest.mark.parametrize(
    "text",
    each(
        specification=SPECIFIED_NOT, delimiters=DELIMITERS_NOT, around=AROUND_NOT, nested=NESTED_NOT
    ),
)
def test_text_that_is_not_a_table_on_github_is_not_one(text: str) -> None:
    assert show_with_cmark(text) == []
    assert show_with_mdbench(text) == []
