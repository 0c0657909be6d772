"""The structure of a report: sections, blocks, tables, rows and cells with their spans."""

from enum import StrEnum
from typing import NamedTuple

from mdbench.source import Source, Span


class BlockKind(StrEnum):
    """The kind of a Markdown block."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """A paragraph whose parent is a list item."""
    FENCE = "fence"
    HTML = "html"
    CODE = "code"
    """Indented code."""


class TextLine(NamedTuple):
    """The exact text of a line at offset `start`, without quote marks and indents."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after the text."""
        return self.start + len(self.text)


class Block(NamedTuple):
    """A block of text. `section` is an index, -1 for none; `depth` counts the enclosing lists.

    The lines of a fence are its content, those of a heading its title; `span` includes the marks.
    """

    kind: BlockKind
    lines: tuple[TextLine, ...]
    section: int
    span: Span
    info: str = ""
    depth: int = 0


class Section(NamedTuple):
    """A heading and its body from `start` to `end`: up to a heading of the same or a higher level.

    `span` is the heading's text, `parent` the index of the enclosing section, -1 for none. A
    heading inside a quote or list opens a section that ends with it.
    """

    title: str
    level: int
    span: Span
    parent: int
    start: int
    end: int


class TableKind(StrEnum):
    """How a table is written."""

    PIPE = "table"
    HTML = "html"
    FENCE = "fence"
    UNSHOWN = "text"
    """Lines with pipes that GitHub does not show as a table."""


class Presence(StrEnum):
    """Whether the author typed a cell, and whether a renderer shows it."""

    PRESENT = "present"
    MISSING = "missing"
    """The row is too short for the cell; its span is empty, at the row's end."""
    SURPLUS = "surplus"
    """The row has more cells than the header; renderers drop it."""


class Cell(NamedTuple):
    """A cell. `raw` is the exact text at `span`, without padding."""

    raw: str
    span: Span
    presence: Presence = Presence.PRESENT

    @property
    def present(self) -> bool:
        """Whether the author typed this cell."""
        return self.presence is not Presence.MISSING


class Row(NamedTuple):
    """The cells of a row: as many as the header has, then any surplus ones."""

    cells: tuple[Cell, ...]
    span: Span


class Table(NamedTuple):
    """A table of a report. `section` is the index of its section, -1 for none.

    `merged` has a text for each column if there are several header rows; `header` is then the
    lowest one.
    """

    kind: TableKind
    header: Row
    rows: tuple[Row, ...]
    alignments: tuple[str, ...]
    span: Span
    section: int
    merged: tuple[str, ...] = ()
    number: int = 0
    """Its place among the tables of its report, counted from 0."""
    labels: tuple[str, ...] = ()
    """The name of each row, where it is a list of names and values; else empty."""

    @property
    def is_editable(self) -> bool:
        """Whether it may be written again: code and HTML stay as their authors laid them out."""
        return self.kind is TableKind.PIPE

    @property
    def takes_footnotes(self) -> bool:
        """Whether a mark such as `[^1]` in a cell refers to a footnote below the table."""
        return self.kind is TableKind.PIPE

    @property
    def shows_ragged_rows(self) -> bool:
        """Whether a cell too few or too many is seen as a mistake, and not as a way of writing."""
        return self.kind is TableKind.PIPE

    @property
    def takes_comments(self) -> bool:
        """Whether a comment in it, or just above it, is one: in code it is text like any other."""
        return self.kind is not TableKind.FENCE

    @property
    def keeps_alignment(self) -> bool:
        """Whether spaces align its columns, so that an edited cell has to be padded."""
        return self.kind is not TableKind.HTML

    @property
    def has_plain_cells(self) -> bool:
        """Whether a cell has nothing but its text, which can be replaced: no tags of HTML."""
        return self.kind is not TableKind.HTML

    @property
    def titles(self) -> tuple[str, ...]:
        """The header text of each column."""
        return self.merged or tuple(cell.raw for cell in self.header.cells)


class Document(NamedTuple):
    """A parsed report. Blocks and tables are in source order; blocks exclude table lines."""

    source: Source
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    footnotes: tuple[Block, ...] = ()
    """The blocks that mdbench itself added below tables, not the author's text."""
