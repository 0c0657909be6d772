"""An unchanged report: the numbers of its sound rows, and which of them a relation covers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from mdbench.linting.checker import check_context
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Severity
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import read_report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source, Span
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()
Place = tuple[int, int]
"""A body row and a column of a table as it is written, both counted from 0."""


class Spot(NamedTuple):
    """A cell with a number in a sound row."""

    sheet: Sheet
    row: int
    column: int
    one: Measurement
    column_mates: Mapping[int, Measurement]
    """The numbers of its column, by row."""
    row_mates: Mapping[int, Measurement]
    """The numbers of its row, by column."""

    @property
    def title(self) -> str:
        """The text above its column."""
        return self.sheet.table.titles[self.column]

    @property
    def label(self) -> str:
        """The name of its row."""
        table = self.sheet.table
        return table.labels[self.row] if table.labels else table.rows[self.row].cells[0].raw

    @property
    def words(self) -> str:
        """What its number is called, and its unit."""
        by_row = self.sheet.layout.transposed or self.sheet.table.labels
        _, end = self.one.typed_span or (0, 0)
        return f"{self.label if by_row else self.title} 0{self.one.cell.raw[end:].lstrip()[:1]}"


class Clean(NamedTuple):
    """An unchanged report."""

    source: Source
    findings: tuple[Finding, ...]
    """Its errors and warnings."""
    sheets: tuple[Sheet, ...]
    spots: tuple[Spot, ...]
    covered: frozenset[Span]
    """The cells that take part in a relation."""

    def sound_rows(self, table: int) -> set[int]:
        """The rows of a table that are sound and have a number."""
        return {spot.row for spot in self.spots if spot.sheet.number == table}


def read_clean(source: Source, sound: Collection[int] | None = None) -> Clean:
    """Read and lint a report. Rows on other lines than the `sound` ones get no mistake."""
    context = Context(read_report(source, STANDARD))
    found = tuple(one for one in check_context(context) if one.severity is not Severity.INFO)
    blamed = [span for one in found for span in (*one.cells, one.span)]
    spots: list[Spot] = []
    for sheet in context.sheets:
        numbers = numbers_by_place(sheet)
        rows: dict[int, dict[int, Measurement]] = {}
        columns: dict[int, dict[int, Measurement]] = {}
        for (row, column), one in numbers.items():
            rows.setdefault(row, {})[column] = one
            columns.setdefault(column, {})[row] = one
        for row, mates in rows.items():
            span = sheet.table.rows[row].span
            lines = range(source.line(span.start), source.line(max(span.start, span.end - 1)) + 1)
            known = sound is None or any(line in sound for line in lines)
            if known and not any(overlap(span, other) for other in blamed):
                spots += (Spot(sheet, row, at, mates[at], columns[at], mates) for at in mates)
    return Clean(source, found, context.sheets, tuple(spots), context.diagnosis.checked)


def numbers_by_place(sheet: Sheet) -> dict[Place, Measurement]:
    """The number that each numeric cell of a table is about."""
    places = {
        cell.span: (row, column)
        for row, line in enumerate(sheet.table.rows)
        for column, cell in enumerate(line.cells[: len(sheet.table.titles)])
    }
    return {
        places[one.cell.span]: one
        for one in sheet.measurements
        if one.part == 0 and not one.pick and one.is_number and one.typed is not None
        if one.cell.span in places
    }


def overlap(one: Span, other: Span) -> bool:
    """Whether two spans overlap."""
    return one.start < other.end and other.start < one.end
