"""A table understood: its columns as quantities, its rows as records of measurements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mdbench.facts import Fact, conditions_met, facts_for
from mdbench.grid import Cell, Table
from mdbench.headers import Header, read_header
from mdbench.layout import Layout, Series, lay_out, series_of
from mdbench.legends import Legend, legends_for
from mdbench.numerals import Form, Numeral, Status, Style, column_style, read_cell
from mdbench.quantities import Quantity, Role, quantities, quantity_of_unit
from mdbench.readings import Amount, scale, settle_all
from mdbench.source import Span

NUMERIC = frozenset((Form.NUMBER, Form.RANGE, Form.PAIR, Form.COUNT))


@dataclass(frozen=True, slots=True)
class Measurement:
    """One thing that a cell says: a number, a word or nothing, and what quantity it is of."""

    cell: Cell
    header: Header
    quantity: Quantity | None
    numeral: Numeral
    amount: Amount | None
    row: int
    """The row of the table's body, counted from 0."""
    part: int
    """0 for what the cell is about, 1 and on for what else stands in it."""

    @property
    def single(self) -> bool:
        """Whether the quantity has one value here: not a range, and not one of a pair."""
        return self.amount is not None and self.numeral.form in (Form.NUMBER, Form.COUNT)

    @property
    def counts(self) -> bool:
        """Whether it is the run's value: what a note says must be something that can be."""
        if self.amount is None or self.quantity is None or not self.single:
            return False
        return self.part == 0 or self.quantity.allows(self.amount.value, self.amount.unit)


@dataclass(frozen=True)
class Record:
    """One run: a row, a column of a transposed table, or one variant of a pivoted row."""

    row: int
    span: Span
    label: str
    """What heads the column of a transposed table."""
    settings: tuple[tuple[Quantity, Numeral], ...]
    """What the headers of a pivoted table state for this variant."""
    measurements: tuple[Measurement, ...]
    facts: tuple[Fact, ...]
    """The facts that hold here and that no column overrules."""

    @cached_property
    def values(self) -> Mapping[str, Measurement]:
        """The one value of each quantity, the first column's where several say it."""
        found: dict[str, Measurement] = {}
        for measurement in sorted(self.measurements, key=lambda one: one.part):
            if measurement.quantity is not None and measurement.counts:
                found.setdefault(measurement.quantity.name, measurement)
        return found

    @cached_property
    def status(self) -> Status:
        """What became of the run."""
        said = [one.numeral.status for one in self.measurements if _tells_status(one)]
        if Status.OOM in said:
            return Status.OOM
        measured = [one for one in self.measurements if _is_measured(one.quantity)]
        if any(one.amount is not None for one in measured):
            return Status.OK
        if Status.FAILED in said:
            return Status.FAILED
        return Status.MISSING if any(one.part == 0 for one in measured) else Status.OK


@dataclass(frozen=True)
class Sheet:
    """A table, understood."""

    table: Table
    layout: Layout
    headers: tuple[Header, ...]
    measurements: tuple[Measurement, ...]
    records: tuple[Record, ...]
    facts: tuple[Fact, ...]
    legends: Mapping[str, Legend]

    @property
    def tells_something(self) -> bool:
        """Whether the table measures or configures anything: glossaries and link lists do not."""
        return any(
            one.quantity is not None
            and one.amount is not None
            and one.quantity.role is not Role.NOTE
            for one in self.measurements
        )


def read_sheet(table: Table, facts: Sequence[Fact], legends: Sequence[Legend]) -> Sheet:
    """Understand a table in the light of what the report states around it."""
    layout = lay_out(table)
    series = series_of(table, layout)
    headers, numerals = _read_columns(series)
    measurements = tuple(_measure(series, headers, numerals, layout.transposed))
    held = facts_for(table, facts)
    columns = {header.quantity.name for header in headers if header.quantity is not None}
    stated = tuple(fact for fact in held if fact.quantity.name not in columns)
    records = tuple(_make_records(table, layout, measurements, stated))
    return Sheet(table, layout, headers, measurements, records, stated, legends_for(table, legends))


def _read_columns(
    series: Sequence[Series],
) -> tuple[tuple[Header, ...], list[list[tuple[Numeral, ...]]]]:
    read = [read_header(one.title) for one in series]
    numerals = []
    for header, one in zip(read, series, strict=True):
        style = column_style(cell.raw for _, cell in one.cells)
        if header.quantity is not None and header.quantity.role is Role.NOTE:
            style = Style(decimal_comma=style.decimal_comma, dates=True)
        numerals.append([read_cell(cell.raw, style) for _, cell in one.cells])
    firsts = [[readings[0] for readings in column] for column in numerals]
    return settle_all(read, firsts), numerals


def _measure(
    series: Sequence[Series],
    headers: Sequence[Header],
    numerals: Sequence[Sequence[tuple[Numeral, ...]]],
    transposed: bool,
) -> Iterator[Measurement]:
    for one, header, column in zip(series, headers, numerals, strict=True):
        for (record, cell), readings in zip(one.cells, column, strict=True):
            for part, numeral in enumerate(readings):
                quantity, amount = _identify(numeral, header, part)
                row = one.index if transposed else record
                yield Measurement(cell, header, quantity, numeral, amount, row, part)


def _identify(numeral: Numeral, header: Header, part: int) -> tuple[Quantity | None, Amount | None]:
    """The quantity and the amount of one reading: by the header, or by a unit that tells alone."""
    is_note = header.quantity is not None and header.quantity.role is Role.NOTE
    if numeral.form in NUMERIC and (part > 0 or is_note):
        by_unit = quantity_of_unit(numeral.unit)
        if by_unit is not None:
            return by_unit, scale(numeral, by_unit)
    if part > 0 and numeral.form not in (Form.RANGE, Form.PAIR):
        return None, None
    if numeral.form not in NUMERIC or is_note or header.quantity is None:
        return header.quantity, None
    return header.quantity, scale(numeral, header.quantity, header.unit)


def _make_records(
    table: Table, layout: Layout, measurements: Sequence[Measurement], facts: Sequence[Fact]
) -> Iterator[Record]:
    groups: dict[int, list[Measurement]] = {}
    for one in measurements:
        groups.setdefault(_record_of(table, layout, one), []).append(one)
    for number, group in groups.items():
        label = layout.titles[number] if layout.transposed and number < len(layout.titles) else ""
        for settings, members in _variants(group):
            values = {
                one.quantity.name: one.numeral for one in members if one.quantity and one.single
            }
            yield Record(
                row=number,
                span=Span(members[0].cell.span.start, members[-1].cell.span.end),
                label=label,
                settings=settings,
                measurements=tuple(members),
                facts=tuple(fact for fact in facts if conditions_met(fact, values)),
            )


def _record_of(table: Table, layout: Layout, one: Measurement) -> int:
    return table.rows[one.row].cells.index(one.cell) if layout.transposed else one.row


_Settings = tuple[tuple[Quantity, Numeral], ...]


def _variants(group: Sequence[Measurement]) -> Iterator[tuple[_Settings, list[Measurement]]]:
    """A row as it is, or once for each variant that its headers tell apart (`bs=1`, `bs=4`)."""
    keys = list(dict.fromkeys(one.header.settings for one in group if one.header.settings))
    if not keys:
        yield (), list(group)
        return
    for key in keys:
        members = [one for one in group if one.header.settings in ((), key)]
        known = quantities()
        settings = tuple((known[name], read_cell(text)[0]) for name, text in key if name in known)
        yield settings, members


def _is_measured(quantity: Quantity | None) -> bool:
    return quantity is not None and quantity.role is Role.MEASUREMENT


def _tells_status(one: Measurement) -> bool:
    return one.quantity is not None and one.quantity.role in (Role.MEASUREMENT, Role.NOTE)
