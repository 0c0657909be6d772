"""The content of a page as plain data, which is all that templates can access."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from mdbench.frames.frame_columns import TidyRow
from mdbench.rendering.site.pieces import TextPiece


class PlaceView(NamedTuple):
    """A line of the report, and the anchor on the page that shows it, if any."""

    line: int
    anchor: str = ""


class Proof(NamedTuple):
    """One piece of evidence for a finding, with its places."""

    label: str
    places: tuple[PlaceView, ...] = ()


class Note(NamedTuple):
    """A finding on a page."""

    number: int
    code: str
    name: str
    severity: str
    confidence: float
    message: str
    place: PlaceView
    proofs: tuple[Proof, ...]
    fixes: tuple[str, ...]
    rank: int = 0
    """Its place by severity: the worst come first."""


class CellView(NamedTuple):
    """A cell of a table with its sort key."""

    pieces: tuple[TextPiece, ...]
    value: float | None = None
    findings: tuple[int, ...] = ()
    verified: bool = False
    empty: bool = False
    """Whether it is blank or a sign for a missing value."""


class RowView(NamedTuple):
    """A row of a table. A row without data, such as a blank one, is not sorted."""

    anchor: str
    line: int
    cells: tuple[CellView, ...]
    findings: tuple[int, ...] = ()
    data: bool = True


class ColumnView(NamedTuple):
    """A column: its header and its interpretation."""

    anchor: str
    cell: CellView
    quantity: str = ""
    words: str = ""
    """The quantity in words."""
    numeric: bool = False
    label: str = ""
    """The header as plain text."""
    same: str | None = None
    """The text of all its cells if it tells no row from another and nothing is wrong with it."""
    long: bool = False
    """Whether it has sentences, which need some room."""


class TableView(NamedTuple):
    """A table with its findings."""

    anchor: str
    number: int
    section: str
    first_line: int
    last_line: int
    columns: tuple[ColumnView, ...]
    rows: tuple[RowView, ...]
    transposed: bool = False
    kind: str = "table"
    query: str = ""
    """What it is bound to; nothing if it is not bound."""
    standing: str = ""
    """Whether it is in step with its results, in words."""
    in_step: bool = True


class LineView(NamedTuple):
    """A line of text."""

    anchor: str
    pieces: tuple[TextPiece, ...]


class BlockView(NamedTuple):
    """A heading, a paragraph, a list item or a fence."""

    kind: str
    lines: tuple[LineView, ...]
    depth: int = 0
    """The level of a heading, or the nesting depth of a list item."""


class Printed(NamedTuple):
    """A number as its report prints it."""

    text: str
    """Its digits with their sign or bound, or its whole text if those cannot be told apart."""
    unit: str = ""
    """The unit of the cell or its header, if the column of the frame has another one."""


def join_unit(number: str, unit: str) -> str:
    """A number with its unit behind a space that does not break."""
    return f"{number}{unit}" if unit in ("", "%") else f"{number}\u00a0{unit}"


class ColumnMeaning(NamedTuple):
    """A column of the tidy frame that a report fills."""

    at: int
    """Its place among all columns."""
    name: str
    title: str
    unit: str
    """Its unit, if the title does not say it."""
    measured: bool


@dataclass(frozen=True, slots=True, eq=False)
class RunView:
    """A run with the values of the tidy frame, its place and its findings."""

    anchor: str
    line: int
    values: TidyRow
    severity: str = ""
    """The worst finding on its row."""
    own: str = ""
    """The worst finding on this row, other than on its results, that does not cover a column."""
    flags: Mapping[str, str] = field(default_factory=dict)
    """The worst finding on the cell of each quantity, unless it covers a whole column."""
    doubts: frozenset[str] = frozenset()
    """The quantities whose cells have an error."""
    codes: tuple[str, ...] = ()
    bounds: Mapping[str, str] = field(default_factory=dict)
    """The quantities whose numbers are bounds or estimates, with `<`, `>`, `≤`, `≥` or `~`."""
    printed: Mapping[str, Printed] = field(default_factory=dict)
    """The numbers of its own cells as they are printed there."""

    def number(self, name: str) -> float | None:
        """The value of a quantity, if it is a number."""
        value = self.values.get(name)
        return float(value) if isinstance(value, int | float) and value is not True else None


@dataclass(frozen=True, slots=True)
class Page:
    """A report."""

    path: str
    title: str
    notes: tuple[Note, ...]
    body: tuple[BlockView | TableView, ...]
    runs: tuple[RunView, ...]
    numbers: int = 0
    verified: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    """The number of findings by severity, the worst first."""
    heading: str = ""
    """The anchor of the heading that is the page's title, if it has no findings."""
    columns: tuple[ColumnMeaning, ...] = ()
    """The columns of the tidy frame that its runs fill."""

    @property
    def tables(self) -> tuple[TableView, ...]:
        """The tables only."""
        return tuple(one for one in self.body if isinstance(one, TableView))
