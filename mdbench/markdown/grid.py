"""A table as it stands on the page: header, rows and cells, each with its exact place."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from mdbench.source import Span


class TableKind(StrEnum):
    """How a table is written."""

    PIPE = "table"
    HTML = "html"
    FENCE = "fence"


class Presence(StrEnum):
    """Whether the author typed a cell, and whether a renderer shows it."""

    PRESENT = "present"
    MISSING = "missing"
    """A short row lacks the cell; its span is empty, at the row's end."""
    SURPLUS = "surplus"
    """The row has more cells than the header; renderers drop it."""


class Cell(NamedTuple):
    """One cell. `raw` is exactly what stands at `span`: the text without its padding."""

    raw: str
    span: Span
    presence: Presence = Presence.PRESENT

    @property
    def present(self) -> bool:
        """Whether the author typed this cell."""
        return self.presence is not Presence.MISSING


class Row(NamedTuple):
    """The cells of one row: as many as the header has, then any surplus ones."""

    cells: tuple[Cell, ...]
    span: Span


class Table(NamedTuple):
    """A table of a report. `section` is the index of the section it stands in, -1 for none.

    `merged` has a text for each column where several header rows were read as one; `header` is
    then the lowest of them.
    """

    kind: TableKind
    header: Row
    rows: tuple[Row, ...]
    alignments: tuple[str, ...]
    span: Span
    section: int
    merged: tuple[str, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        """The header text of each column."""
        return self.merged or tuple(cell.raw for cell in self.header.cells)
