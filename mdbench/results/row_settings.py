"""What the rows of a bound table say of their settings, in its columns, headers and around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import read_cell
from mdbench.numerals.numeral import Form, Numeral
from mdbench.results.agreement import Key
from mdbench.results.matching import KEYS, BoundColumn
from mdbench.results.scans import FILE
from mdbench.results.tables import ResultColumn
from mdbench.sheets.measurements import Measurement, Run
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import scale
from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.quantities import Quantity, squash


class Settings(NamedTuple):
    """Where the rows of a table state the settings that results have too."""

    keys: tuple[BoundColumn, ...]
    """The columns that tell rows apart."""
    label: ResultColumn | None
    """What the headers are, in a table with a run in each column."""
    stated: Mapping[str, ResultColumn]
    """What headers and the text around the table state, by the name of its quantity."""
    apart: frozenset[str]
    """The columns of the results in which headers tell runs apart."""

    @property
    def columns(self) -> tuple[ResultColumn, ...]:
        """The columns of the results that runs are matched by."""
        label = () if self.label is None else (self.label,)
        return (*(one.result for one in self.keys), *label, *self.stated.values())

    @property
    def telling(self) -> tuple[str, ...]:
        """The names of those that a result of a run must agree with."""
        label = () if self.label is None else (self.label.name,)
        return (*(one.result.name for one in self.keys), *label, *sorted(self.apart))

    @property
    def vague(self) -> tuple[str, ...]:
        """The names of those that only narrow the results, as far as any result has them."""
        return tuple(one.name for one in self.stated.values() if one.name not in self.apart)

    @property
    def tell_rows_apart(self) -> bool:
        """Whether anything does."""
        return bool(self.telling)

    def of(self, run: Run) -> Iterator[tuple[str, Key]]:
        """What a run says of each setting, by the name of the results' column."""
        yield from _keys_of(run, self.keys, self.stated)
        if self.label is not None:
            yield self.label.name, _read_label(run, self.label)


def read_settings(
    sheet: Sheet, results: Sequence[ResultColumn], bound: Sequence[BoundColumn]
) -> Settings:
    """Find where a table states the settings of its runs."""
    label = _label_column(sheet, results)
    stated = _stated_columns(sheet, results, bound)
    if label is not None:
        stated = {name: one for name, one in stated.items() if one.name != label.name}
    keys = tuple(one for one in bound if one.is_key)
    return Settings(keys, label, stated, _telling_columns(sheet, stated))


def _stated_columns(
    sheet: Sheet, results: Sequence[ResultColumn], bound: Sequence[BoundColumn]
) -> dict[str, ResultColumn]:
    """The columns of the results for settings that are stated outside of the table's columns."""
    taken = {one.result.name for one in bound}
    names = {quantity.name for run in sheet.runs for quantity, _, _ in _stated(run)}
    found: dict[str, ResultColumn] = {}
    for one in results:
        meant = one.quantity
        if meant is not None and meant.name in names and one.name not in taken:
            found.setdefault(meant.name, one)
    return found


def _label_column(sheet: Sheet, results: Sequence[ResultColumn]) -> ResultColumn | None:
    """The column of the results for the headers of a table with a run in each column."""
    if not sheet.layout.transposed:
        return None
    title = plain_text(sheet.layout.titles[0])
    quantity = read_header(title, sheet.vocabulary).quantity
    meant = [one for one in results if quantity is not None and one.quantity == quantity]
    named = [one for one in results if squash(one.name) == squash(title)]
    # `Metric` says what stands below; then the headers are the only names that the results have.
    texts = [one for one in results if not one.is_number and one.name != FILE]
    return next((found[0] for found in (meant, named, texts) if len(found) == 1), None)


def _read_label(run: Run, label: ResultColumn) -> Key:
    """What the header above a run says of its setting."""
    numeral = read_cell(run.label)[0]
    amount = None if label.quantity is None else scale(numeral, label.quantity)
    return Key(label.quantity, numeral, run.label, amount)


def _telling_columns(sheet: Sheet, stated: Mapping[str, ResultColumn]) -> frozenset[str]:
    """The columns of the results for settings in which headers tell the runs of a table apart."""
    said: dict[str, set[str]] = {}
    for run in sheet.runs:
        for one in run.settings:
            said.setdefault(one.quantity.name, set()).add(one.raw)
    return frozenset(stated[name].name for name in said if name in stated and len(said[name]) > 1)


def _stated(run: Run) -> Iterator[tuple[Quantity, Numeral, str]]:
    """The settings of a run that its headers, its section or the text around it state."""
    for setting in run.settings:
        if setting.quantity.role in KEYS:
            yield setting.quantity, setting.numeral, setting.raw
    for fact in run.facts:
        if fact.quantity.role in KEYS:
            yield fact.quantity, fact.numeral, fact.raw


def _keys_of(
    run: Run, keys: Sequence[BoundColumn], stated: Mapping[str, ResultColumn]
) -> Iterator[tuple[str, Key]]:
    """What a run says of each setting, by the name of the results' column."""
    at = {one.column: one for one in run.measurements if one.part == 0}
    for bound in keys:
        cell = at.get(bound.column.index)
        above = None
        if cell is None or cell.numeral.form is Form.NOTHING:
            named = (one for one in run.settings if one.quantity == bound.column.header.quantity)
            above = next(named, None)
        if above is not None:
            amount = scale(above.numeral, above.quantity)
            yield bound.result.name, Key(above.quantity, above.numeral, above.raw, amount)
        elif cell is not None:
            yield bound.result.name, _key(cell)
    for quantity, numeral, raw in _stated(run):
        if quantity.name in stated:
            yield stated[quantity.name].name, Key(quantity, numeral, raw, scale(numeral, quantity))


def _key(cell: Measurement) -> Key:
    return Key(cell.quantity, cell.numeral, cell.cell.raw, cell.amount)
