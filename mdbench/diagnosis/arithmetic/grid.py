"""A table as lines of numbers: its columns, or its rows, whatever they are called."""

from collections.abc import Mapping
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Role

# In more cells than these, nobody looks for an arithmetic that nobody named.
MOST_LINES = 40
Name = tuple[str, int, int]
"""What a line is called in all tables with the same headers."""


class Line(NamedTuple):
    """The numbers under one header, or behind one label."""

    place: tuple[int, int]
    """Its column or row, and which of the numbers of each cell it is."""
    title: str
    header: Header
    numbers: Mapping[int, Number]
    """By what crosses it: the row of a column, or the column of a row."""
    dimension: str
    """The dimension of its unit, as far as one is known."""
    words: Mapping[int, Measurement]
    """The cells of it that are no numbers."""
    bounds: Mapping[int, Number]
    """The cells of it that only say how much it is at least, at most or about."""
    strays: Mapping[int, Number]
    """The numbers in it that are of another kind than most, such as a ratio among times."""
    is_numbering: bool
    """Whether it only counts the rows."""
    repeat: int = 0
    """How many lines before it have the same title."""
    is_key: bool = False
    """Whether it is what its rows are about: whole numbers in front of all others."""
    common: str = ""
    """Its title in all tables that differ only in a number format: `Throughput - TF32`."""

    @property
    def name(self) -> Name:
        """What it is called in all tables with the same headers."""
        return self.common or self.title, self.repeat, self.place[1]

    @property
    def is_setting(self) -> bool:
        """Whether it holds what was chosen, and not what came out."""
        one = self.header.quantity
        return self.is_key or (one is not None and one.role in (Role.SETTING, Role.IDENTITY))


class Grid(NamedTuple):
    """A table read along its columns, or along its rows."""

    sheet: Sheet
    lines: tuple[Line, ...]
    labels: Mapping[int, str]
    """What each crossing is called: the first cell of a row, or the title of a column."""
    by_rows: bool
    """Whether its lines are rows of the table."""

    @property
    def has_metrics(self) -> bool:
        """Whether the numbers of each line are of different metrics."""
        return self.by_rows and self.sheet.layout.transposed
