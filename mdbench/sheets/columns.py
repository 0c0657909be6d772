"""The columns of a table read together: what each one holds, and what each of its cells says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from mdbench.markdown.footnotes import drop_findings, put_back
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Numeral, Style, column_style, read_cell
from mdbench.numerals.digits import shows_decimal_comma
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.sheets.captions import apply_captions
from mdbench.sheets.deltas import weigh_all
from mdbench.sheets.layout import Layout, Series
from mdbench.sheets.meaning import settle, settle_all
from mdbench.sheets.pivots import name_settings
from mdbench.sheets.records import Measurement
from mdbench.vocabulary.amounts import NUMERIC, Amount, scale
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary

__all__ = ["NUMERIC", "Column", "identify", "measure", "read_columns"]

_ENOUGH = 0.6
_PHASES = lazy(r"phases? ?1 ?[,/&] ?(?:phase ?)?2|阶段1[,，、]", re.IGNORECASE)


class Column(NamedTuple):
    """A series of cells under its header; a row where the table is transposed."""

    series: Series
    header: Header
    readings: tuple[tuple[Numeral, ...], ...]
    """What each cell says, its main reading first."""

    @property
    def numeric(self) -> bool:
        """Whether there is a number in it."""
        return any(numerals[0].form in NUMERIC for numerals in self.readings)

    @property
    def is_open(self) -> bool:
        """Whether the header leaves it to others to say what the cells are."""
        if self.header.quantity is None:
            return not self.header.candidates
        return self.header.quantity.name == "value" or self.is_guess

    @property
    def is_guess(self) -> bool:
        """Whether nothing but the unit of some cells says what the others are."""
        if self.header.quantity is None or self.header.why != "the unit of its cells":
            return False
        return self.header.said.quantity is None and not self.header.said.candidates

    def labels(self) -> Iterator[str]:
        """The words in it that may name what a row is about; remarks name all sorts of things."""
        one = self.header.quantity
        if one is None or (one.text and one.role is not Role.NOTE):
            for (_, cell), numerals in zip(self.series.cells, self.readings, strict=True):
                if numerals[0].form in (Form.TEXT, Form.COUNT):
                    yield plain_text(drop_findings(cell.raw))


def read_columns(
    series: Sequence[Series],
    captions: Sequence[str],
    notes: Mapping[str, str],
    vocabulary: Vocabulary,
    *,
    transposed: bool,
) -> tuple[Column, ...]:
    """Understand the columns of a table, with the help of its neighbours and of its captions.

    `notes` has the remarks that were moved out of cells, by their marks.
    """
    texts = [[put_back(cell.raw, notes) for _, cell in one.cells] for one in series]
    commas = shows_decimal_comma(chain.from_iterable(texts)) or False
    read = [read_header(one.title, vocabulary) for one in series]
    readings = [
        tuple(_read_cells(header, one, commas)) for header, one in zip(read, texts, strict=True)
    ]
    firsts = [[numerals[0] for numerals in column] for column in readings]
    headers = _keep_written(settle_all(read, firsts, vocabulary), read)
    if not transposed and series:
        headers = apply_captions(
            name_settings(headers, firsts, vocabulary), firsts, captions, vocabulary
        )
        headers = _keep_written(weigh_all(headers, firsts), read)
    return tuple(map(Column, series, headers, readings))


def _keep_written(headers: Sequence[Header], read: Sequence[Header]) -> tuple[Header, ...]:
    """The headers, those that were decided by others with what they said by themselves."""
    pairs = zip(headers, read, strict=True)
    return tuple(one if one is said else one._replace(as_written=said) for one, said in pairs)


def _read_cells(
    header: Header, texts: Sequence[str], decimal_comma: bool
) -> Iterator[tuple[Numeral, ...]]:
    style = column_style(texts)
    if _PHASES.search(header.text):
        # What stands there is one number for each phase, whatever its digits look like.
        texts = [text.replace(",", ", ") for text in texts]
    elif decimal_comma:
        style = style._replace(decimal_comma=True)
    if header.quantity is not None:
        dates = style.dates or header.quantity.role is Role.NOTE
        style = Style(style.decimal_comma, dates, counts=header.quantity.integer)
    # Most columns repeat a few texts again and again.
    read: dict[str, tuple[Numeral, ...]] = {}
    for text in texts:
        if text not in read:
            read[text] = read_cell(text, style)
        yield read[text]


def measure(
    columns: Sequence[Column], layout: Layout, vocabulary: Vocabulary
) -> Iterator[list[Measurement]]:
    """For each column, everything its cells say, in their order."""
    metrics = {} if layout.transposed else _metrics_of_rows(columns, vocabulary)
    for column in columns:
        yield list(_measure_column(column, layout, metrics if column.is_open else {}, vocabulary))


def _measure_column(
    column: Column, layout: Layout, metrics: Mapping[int, Header], vocabulary: Vocabulary
) -> Iterator[Measurement]:
    guess = column.is_guess
    for (record, cell), numerals in zip(column.series.cells, column.readings, strict=True):
        row = column.series.index if layout.transposed else record
        header = column.header
        if record in metrics:
            header = metrics[record]._replace(
                text=header.text, settings=header.settings, as_written=header.as_written
            )
        for part, numeral in enumerate(numerals):
            quantity, amount = identify(numeral, header, part, vocabulary)
            if guess and header is column.header and not numeral.unit:
                quantity, amount = None, None
            yield Measurement(cell, header, quantity, numeral, amount, row, record, part)


def identify(
    numeral: Numeral, header: Header, part: int, vocabulary: Vocabulary
) -> tuple[Quantity | None, Amount | None]:
    """The quantity and the amount of one reading: by the header, or by a unit that tells alone."""
    is_note = header.quantity is not None and header.quantity.role is Role.NOTE
    if numeral.form in NUMERIC and (part > 0 or is_note):
        by_unit = vocabulary.quantity_of_unit(numeral.unit)
        if by_unit is not None:
            return by_unit, scale(numeral, by_unit)
    if part > 0 and numeral.form not in (Form.RANGE, Form.PAIR):
        return None, None
    if numeral.form not in NUMERIC or is_note or header.quantity is None:
        return header.quantity, None
    amount = scale(numeral, header.quantity, header.unit)
    if amount is None and numeral.unit:
        rival = vocabulary.quantity_of_unit(numeral.unit)
        if rival is not None and rival in header.said.candidates:
            # `Throughput` of images in one row, of tokens in the next.
            return rival, scale(numeral, rival)
        sister = _sister(numeral, header.quantity, vocabulary)
        if sister is not None:
            return sister, scale(numeral, sister)
    return header.quantity, amount


def _sister(numeral: Numeral, one: Quantity, vocabulary: Vocabulary) -> Quantity | None:
    """`-13 ms` among changes in per cent is a difference, and the other way round."""
    unit = parse_unit(numeral.unit)
    if unit is None or one.name not in COMPARING or unit.dimension not in one.instead:
        return None
    return vocabulary.quantities[one.instead[unit.dimension]]


def _metrics_of_rows(columns: Sequence[Column], vocabulary: Vocabulary) -> dict[int, Header]:
    """Where a column names the metric of each row, the header that its other cells go by."""
    names = next((one for one in columns if _lists_metrics(one.header.quantity)), None)
    if names is None:
        return {}
    read = {row: read_header(plain_text(cell.raw), vocabulary) for row, cell in names.series.cells}
    known = sum(header.quantity is not None for header in read.values())
    if known < _ENOUGH * len(read):
        return {}
    cells: dict[int, list[Numeral]] = {}
    for column in columns:
        if column.is_open:
            for (row, _), numerals in zip(column.series.cells, column.readings, strict=True):
                cells.setdefault(row, []).append(numerals[0])
    return {row: settle(header, cells.get(row, ()), vocabulary) for row, header in read.items()}


def _lists_metrics(quantity: Quantity | None) -> bool:
    return quantity is not None and quantity.name == "metric"
