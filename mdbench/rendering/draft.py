"""A draft of a table: the text of each cell, which can still change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from mdbench.markdown.document import Presence, Row
from mdbench.numerals.cell import Form
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import NUMERIC, Sheet
from mdbench.vocabulary.quantities import Role

Place = tuple[int, int]
"""Row of the table's body and column, both counted from 0."""

_MOST = 0.6
_MEASURED = frozenset((Role.MEASUREMENT, Role.SCORE))


class Level(IntEnum):
    """How much of a table to rewrite, from nothing to everything."""

    UNTOUCHED = 0
    ALIGNED = 1
    """Padding, alignment and blank rows."""
    MARKED = 2
    """Also the sign for missing values."""
    NOTED = 3
    """Also remarks as footnotes."""
    HOISTED = 4
    """Also units in headers."""


@dataclass(slots=True)
class Draft:
    """The texts of a table. `rows` contains the number and the cells of each kept row."""

    sheet: Sheet
    entries: Mapping[Place, tuple[Measurement, ...]]
    titles: list[str]
    alignments: list[str]
    rows: dict[int, list[str]]
    footnotes: list[tuple[str, str]] = field(default_factory=list)
    """The mark and text of each new footnote."""

    def column(self, index: int) -> Iterator[tuple[int, tuple[Measurement, ...]]]:
        """The data cells of a display column, each with its row and numeral."""
        for row in self.rows:
            entry = self.entries.get((row, index))
            if entry is not None:
                yield row, entry

    def is_numeric(self, index: int) -> bool:
        """Whether a display column contains mostly numbers."""
        mains = [entry[0] for _, entry in self.column(index)]
        filled = [one for one in mains if one.numeral.form is not Form.NOTHING]
        if not filled:
            return bool(mains) and all(map(is_measured, mains))
        return sum(map(_is_number, filled)) >= _MOST * len(filled)


def _is_number(one: Measurement) -> bool:
    worded = one.quantity is not None and one.quantity.text
    return one.numeral.form in NUMERIC and one.numeral.form is not Form.COUNT and not worded


def is_measured(one: Measurement) -> bool:
    """Whether a cell is supposed to contain a result."""
    return one.quantity is not None and one.quantity.role in _MEASURED


def start_draft(sheet: Sheet) -> Draft:
    """A draft of the unchanged table without its blank rows."""
    table = sheet.table
    filled = {at: row for at, row in enumerate(table.rows) if not is_blank(row)}
    draft = Draft(
        sheet,
        _entries(sheet),
        [cell.raw for cell in table.header.cells],
        list(table.alignments),
        # A table with only blank rows is a form to fill in.
        {
            at: [cell.raw for cell in row.cells]
            for at, row in (filled or dict(enumerate(table.rows))).items()
        },
    )
    for index in range(len(draft.titles)):
        if draft.is_numeric(index):
            draft.alignments[index] = "right"
    return draft


def is_blank(row: Row) -> bool:
    """Whether a row is empty."""
    return not any(cell.raw.strip() for cell in row.cells)


def is_whole(row: Row) -> bool:
    """Whether a row has exactly as many cells as the header."""
    return all(cell.presence is Presence.PRESENT for cell in row.cells)


def _entries(sheet: Sheet) -> dict[Place, tuple[Measurement, ...]]:
    transposed = sheet.layout.transposed
    return {
        (entry[0].row, entry[0].run if transposed else column.index): entry
        for column in sheet.columns
        for entry in column.entries
    }
