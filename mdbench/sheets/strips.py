"""A sheet cut into strips: each header with all that was measured under it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mdbench.markdown.document import Cell
from mdbench.numerals.cell import Form
from mdbench.numerals.units import Unit
from mdbench.sheets.layout import series_of
from mdbench.sheets.sheet import NUMERIC, Measurement, Sheet
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity, Role

_MOST = 0.6


class Strip(NamedTuple):
    """A column, or a row of a transposed table. `entries` has all readings of each cell."""

    header: Header
    heading: Cell | None
    """The cell that names it; none above surplus cells."""
    entries: tuple[tuple[Measurement, ...], ...]

    @property
    def mains(self) -> tuple[Measurement, ...]:
        """What each cell is about."""
        return tuple(entry[0] for entry in self.entries)

    @property
    def quantity(self) -> Quantity | None:
        """What it holds."""
        return self.header.quantity

    @property
    def is_measured(self) -> bool:
        """Whether it holds measurements or scores."""
        one = self.header.quantity
        return one is not None and one.role in (Role.MEASUREMENT, Role.SCORE)

    @property
    def is_named(self) -> bool:
        """Whether the header by itself, without its cells, says what it holds."""
        said = self.header.said
        return said.quantity is not None or bool(said.candidates)

    @property
    def stated_unit(self) -> Unit | None:
        """The unit that the header itself states."""
        return self.header.said.unit

    @property
    def is_numeric(self) -> bool:
        """Whether most of what stands in it is numbers."""
        filled = [one for one in self.mains if one.numeral.form is not Form.NOTHING]
        return bool(filled) and sum(map(is_number, filled)) >= _MOST * len(filled)


def strips_of(sheet: Sheet) -> tuple[Strip, ...]:
    """The strips of a sheet, surplus cells included."""
    series = series_of(sheet.table, sheet.layout)
    entries = iter(_by_cell(sheet.measurements))
    return tuple(
        Strip(header, _heading(sheet, one.index), tuple(next(entries) for _ in one.cells))
        for one, header in zip(series, sheet.headers, strict=True)
    )


def is_number(one: Measurement) -> bool:
    """Whether a reading is a number."""
    return one.numeral.form in NUMERIC


def _heading(sheet: Sheet, index: int) -> Cell | None:
    if sheet.layout.transposed:
        return sheet.table.rows[index].cells[0]
    cells = sheet.table.header.cells
    return cells[index] if index < len(cells) else None


def _by_cell(measurements: Iterable[Measurement]) -> list[tuple[Measurement, ...]]:
    cells: list[list[Measurement]] = []
    for one in measurements:
        if one.part == 0:
            cells.append([])
        cells[-1].append(one)
    return [tuple(entry) for entry in cells]
