"""A table on its way to be written again: the text of each cell, which may still be changed."""

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
    """How much of a table is written anew, from nothing to all that can be."""

    UNTOUCHED = 0
    ALIGNED = 1
    """Padding, alignment and blank rows."""
    MARKED = 2
    """The sign for a missing value, too."""
    NOTED = 3
    """And remarks as footnotes."""
    HOISTED = 4
    """And units in the headers."""


@dataclass(slots=True)
class Draft:
    """A table's texts. `rows` has the number of each row that is kept, and its cells."""

    sheet: Sheet
    entries: Mapping[Place, tuple[Measurement, ...]]
    titles: list[str]
    alignments: list[str]
    rows: dict[int, list[str]]
    footnotes: list[tuple[str, str]] = field(default_factory=list)
    """The mark and the text of each footnote that is new."""

    def column(self, index: int) -> Iterator[tuple[int, tuple[Measurement, ...]]]:
        """The data cells of a column of the page: the row of each, and what it says."""
        for row in self.rows:
            entry = self.entries.get((row, index))
            if entry is not None:
                yield row, entry

    def is_numeric(self, index: int) -> bool:
        """Whether most of what stands in a column of the page is numbers."""
        mains = [entry[0] for _, entry in self.column(index)]
        filled = [one for one in mains if one.numeral.form is not Form.NOTHING]
        if not filled:
            return bool(mains) and all(map(is_measured, mains))
        return sum(map(_is_number, filled)) >= _MOST * len(filled)


def _is_number(one: Measurement) -> bool:
    worded = one.quantity is not None and one.quantity.text
    return one.numeral.form in NUMERIC and one.numeral.form is not Form.COUNT and not worded


def is_measured(one: Measurement) -> bool:
    """Whether a cell is there for a result."""
    return one.quantity is not None and one.quantity.role in _MEASURED


def start_draft(sheet: Sheet) -> Draft:
    """A table as it stands, without its blank rows."""
    table = sheet.table
    filled = {at: row for at, row in enumerate(table.rows) if not is_blank(row)}
    draft = Draft(
        sheet,
        _entries(sheet),
        [cell.raw for cell in table.header.cells],
        list(table.alignments),
        # A table of nothing but blank rows is a form to be filled in.
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
    """Whether nothing stands in a row."""
    return not any(cell.raw.strip() for cell in row.cells)


def is_whole(row: Row) -> bool:
    """Whether a row has just the cells that the header asks for."""
    return all(cell.presence is Presence.PRESENT for cell in row.cells)


def _entries(sheet: Sheet) -> dict[Place, tuple[Measurement, ...]]:
    transposed = sheet.layout.transposed
    return {
        (entry[0].row, entry[0].run if transposed else column.index): entry
        for column in sheet.columns
        for entry in column.entries
    }
