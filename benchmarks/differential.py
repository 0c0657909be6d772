"""Whether mdbench reads the cells of tables that other readers of Markdown and HTML see.

    python -m benchmarks.differential [--documents N] [--seed N] [--loose]

Random documents are put together from lines that begin, continue or end a block. cmark-gfm, the
parser of GitHub, renders each of them. Two readers of that page, `html.parser` and
`pandas.read_html`, list its tables, and mdbench reads the Markdown. The number of tables, the cells
of each row and their texts must be the same. Prints the first differences, and the counts.

Blocks are separated by blank lines. With `--loose`, not all of them are, and one line in twenty
leaves the quote or list that its block began in. There, cmark-gfm and markdown-it-py do not always
agree on what a line continues: about one document in 1,500 is read differently.
"""

from __future__ import annotations

import io
import random
import re
import sys
import warnings
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

import cmarkgfm
import pandas as pd

from mdbench.markdown.document import Presence, TableKind
from mdbench.markdown.parser import parse_document
from mdbench.source import Source

Texts = list[list[list[str]]]

_SHOWN = 10
_CELLS = (
    *("1", "2.5", "1,024", "x", "-", "", "", " ", "**3**", "`4`", "a\\|b", "`c\\|d`", "`e", "f`"),
    *("\\", "\\\\", "~~5~~", "&amp;", "&#124;", "<br>", "7 MB", "[x](y)", "![i](j)", "é", "🚀"),
)
_PREFIXES = (
    "",
    "",
    "",
    "",
    "> ",
    ">",
    "- ",
    "  ",
    "   ",
    "    ",
    "\t",
    "1. ",
    "* ",
    "> - ",
    "> > ",
)
_OTHERS = (
    *(
        "",
        "",
        "",
        "text",
        "# Title",
        "Title\n---",
        "```",
        "~~~",
        "---",
        "***",
        "<!-- c -->",
        "<div>",
    ),
    *("</div>", "=====", "- item", "1. item", "> quote", "    code", "<b>x</b>", "\\"),
)
_DELIMITERS = ("-", "--", "---", ":-", "-:", ":-:", " --- ", " :---: ", "")


_NO_SEPARATOR = "\0"
_IMAGE = re.compile(r'<img [^>]*alt="([^"]*)"[^>]*>')


class Difference(NamedTuple):
    """A document that two readers understand differently."""

    text: str
    reader: str
    expected: Texts
    found: Texts


class TableTexts(HTMLParser):
    """The texts of all cells of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: Texts = []
        self._inside = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a table, a row or a cell; an image is its alternative text."""
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"th", "td"}:
            self._inside = True
            self.tables[-1][-1].append("")
        elif tag == "img" and self._inside:
            self.handle_data(dict(attrs).get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        """Close a cell."""
        if tag in {"th", "td"}:
            self._inside = False

    def handle_data(self, data: str) -> None:
        """Add to the open cell."""
        if self._inside:
            self.tables[-1][-1][-1] += data


def make_document(chance: random.Random, *, loose: bool = False) -> str:
    """A few blocks, of which about half are tables, well formed or not."""
    lines: list[str] = []
    for _ in range(chance.randint(1, 4)):
        lines += (
            _make_table(chance, loose=loose) if chance.random() < 0.6 else [chance.choice(_OTHERS)]
        )
        lines += [""] * (chance.choice((0, 0, 1)) if loose else 1)
    return chance.choice(("\n", "\n", "\n", "\r\n")).join(lines) + "\n"


def _make_table(chance: random.Random, *, loose: bool) -> Iterator[str]:
    width, prefix = chance.randint(1, 4), chance.choice(_PREFIXES)
    # A blank more behind the marker of a list, and the further lines would not belong to it.
    yield prefix + _make_row(chance, width, _CELLS).lstrip()
    odd = width + chance.choice((0, 0, 0, 0, 0, 0, 1, -1))
    yield _continue(chance, prefix, loose=loose) + _make_row(chance, odd, _DELIMITERS)
    for _ in range(chance.randint(0, 4)):
        count = max(1, width + chance.choice((0, 0, 0, 0, 1, -1)))
        yield _continue(chance, prefix, loose=loose) + _make_row(chance, count, _CELLS)
        if loose and chance.random() < 0.1:
            yield _continue(chance, prefix, loose=loose) + chance.choice(_OTHERS)


def _continue(chance: random.Random, prefix: str, *, loose: bool) -> str:
    """The prefix of a further line: the same, with blanks instead of a list marker."""
    if loose and chance.random() < 0.05:
        return chance.choice(_PREFIXES)
    return "".join(char if char in "> \t" else " " for char in prefix)


def _make_row(chance: random.Random, width: int, cells: Sequence[str]) -> str:
    space = chance.choice(("", " "))
    inner = "|".join(f"{space}{chance.choice(cells)}{space}" for _ in range(width))
    before, after = chance.choice((("|", "|"), ("|", "|"), ("", ""), ("|", ""), ("", "|")))
    return f"{before}{inner}{after}"


def read_with_mdbench(text: str) -> Texts:
    """What mdbench reads, without surplus cells, which no page shows."""
    return [
        [
            [cell.raw for cell in row.cells if cell.presence is not Presence.SURPLUS]
            for row in (table.header, *table.rows)
        ]
        for table in parse_document(Source("report.md", text)).tables
        if table.kind is TableKind.PIPE
    ]


def read_with_cmark(text: str) -> tuple[str, Texts]:
    """The page that GitHub shows, and its tables."""
    html = cmarkgfm.github_flavored_markdown_to_html(text)
    return html, TableTexts(html).tables


def read_with_pandas(html: str, widths: Sequence[int]) -> Texts:
    """The body rows of the tables that pandas finds on a page; no text is made a number."""
    found: Texts = []
    for page, width in zip(html.split("<table")[1:], widths, strict=True):
        # A header or a table without any text is none to pandas.
        filler = "<tr>" + "<td>filler</td>" * width + "</tr>"
        rows = page.partition("</thead>")[2].partition("<tbody>")[2].partition("</tbody>")[0]
        text = io.StringIO(f"<table>{filler}{rows}{filler}</table>")
        converters = dict.fromkeys(range(width), str)
        frame = pd.read_html(
            text, flavor="lxml", header=0, thousands=_NO_SEPARATOR, converters=converters
        )
        cells = [*frame[0].fillna("").itertuples(index=False, name=None)][:-1]
        found.append(_without_empty([[_plain(str(cell)) for cell in row] for row in cells]))
    return found


def _without_empty(rows: list[list[str]]) -> list[list[str]]:
    """The rows with some text: pandas skips the others."""
    return [row for row in rows if any(row)]


def _plain(text: str) -> str:
    return " ".join(text.split())


def show_cells(tables: Texts) -> Texts:
    """Each raw cell as GitHub shows it, alone in its row of a table with one column."""
    raws = [cell for table in tables for row in table for cell in row]
    rows = "".join(f"|{raw} |\n" for raw in raws)
    _, shown = read_with_cmark(f"|.|\n|-|\n{rows}")
    texts = iter([cell for (cell,) in shown[0][1:]])
    return [[[next(texts) for _ in row] for row in table] for table in tables]


def compare(text: str) -> Iterator[Difference]:
    """How the readers differ on a document."""
    html, expected = read_with_cmark(text)
    found = read_with_mdbench(text)
    if [[len(row) for row in one] for one in found] != [
        [len(row) for row in one] for one in expected
    ]:
        yield Difference(text, "cmark-gfm", expected, found)
        return
    if not found:
        return
    shown = show_cells(found)
    if shown != expected:
        yield Difference(text, "cmark-gfm", expected, shown)
    bodies = [_without_empty([list(map(_plain, row)) for row in one[1:]]) for one in shown]
    # pandas does not read the alternative text of an image.
    seen = read_with_pandas(_IMAGE.sub(r"\1", html), [len(one[0]) for one in found])
    if seen != bodies:
        yield Difference(text, "pandas", seen, bodies)


def main() -> int:
    """Compare, and print what differs."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--loose", action="store_true", help="let some lines leave their block")
    given = parser.parse_args()
    warnings.simplefilter("ignore", FutureWarning)
    chance = random.Random(given.seed)
    differing = tables = 0
    for _ in range(given.documents):
        text = make_document(chance, loose=given.loose)
        tables += len(read_with_mdbench(text))
        for difference in compare(text):
            differing += 1
            if differing <= _SHOWN:
                print(f"{difference!r}\n")
    print(f"{given.documents} documents, {tables} tables, {differing} differences")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
