"""The parts of a document beside its tables: blocks of text, and the sections they stand in."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from mdbench.source import Span


class BlockKind(StrEnum):
    """What a stretch of text is to Markdown."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """A paragraph whose parent is a list item."""
    FENCE = "fence"
    HTML = "html"
    CODE = "code"
    """Indented code."""


class TextLine(NamedTuple):
    """A line's text exactly as it stands at offset `start`; quote marks and indents cut away."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind the text."""
        return self.start + len(self.text)


class Block(NamedTuple):
    """A block of text. `section` is an index, -1 for none; `depth` counts the lists around it.

    The lines of a fence are its content, those of a heading its title; `span` has the marks too.
    """

    kind: BlockKind
    lines: tuple[TextLine, ...]
    section: int
    span: Span
    info: str = ""
    depth: int = 0


class Section(NamedTuple):
    """A heading and its body, which runs from `start` to `end`: up to a heading as high, or higher.

    `span` is the heading's text, `parent` the index of the section around it, -1 for none. A
    heading inside a quote or a list opens a section that ends there.
    """

    title: str
    level: int
    span: Span
    parent: int
    start: int
    end: int
