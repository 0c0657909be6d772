"""The columns of a table read together: what each one holds, and what each of its cells says."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from heapq import nlargest, nsmallest
from itertools import chain
from typing import TypeVar

from mdbench.markdown.document import Cell, Table
from mdbench.markdown.footnotes import drop_findings, put_back
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Numeral, Style, column_style, read_cell
from mdbench.numerals.digits import count_decimals, shows_decimal_comma
from mdbench.regex import lazy
from mdbench.sheets.borrowed import fill_empty, take_over
from mdbench.sheets.brackets import are_ratios_to_best
from mdbench.sheets.byte_columns import as_memory_shares
from mdbench.sheets.caption_texts import Around
from mdbench.sheets.captions import apply_captions, apply_statistic
from mdbench.sheets.cell_marks import by_links
from mdbench.sheets.column_cells import Cells
from mdbench.sheets.compared_columns import as_named_score, without_running_counts
from mdbench.sheets.counters import Counters, read_counters
from mdbench.sheets.deltas import weigh_all
from mdbench.sheets.identified import identify, measures
from mdbench.sheets.labels import name_labels, qualify_published
from mdbench.sheets.layout import Layout, Series, series_of
from mdbench.sheets.meaning import settle_all
from mdbench.sheets.measurements import POINTED, Measurement, without_points
from mdbench.sheets.part_headers import read_parts
from mdbench.sheets.pivots import name_settings
from mdbench.sheets.proofs import prove_columns
from mdbench.sheets.row_meanings import RowMeanings, is_guess, read_rows, read_titles
from mdbench.sheets.shared_units import share_units
from mdbench.sheets.specifications import as_specified
from mdbench.sheets.statistics import move_statistics, name_statistics, share_quantity
from mdbench.sheets.told_units import tell_units
from mdbench.sheets.variant_names import variant_names
from mdbench.vocabulary.amounts import NUMERIC, scale
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Role, Vocabulary

_FEW_BARE = 4 / 3
_ENOUGH = 0.6
# `152 089` is one number where several cells of a column are written so.
_SPACED = lazy(r"\d{1,3}(?: \d{3}){1,6}")
_POINT = lazy(r"\d\.(?!\d{3}(?!\d))\d|(?<![\d.])0\.\d")
_GROUPS = lazy(r"(?<=\d) (?=\d{3})")
_FEWEST_SPACED = 2
_Said = TypeVar("_Said", int, str)
_NAMES_SPREAD = lazy(
    r"±|\+/-|\u03c3|\b(?:std|stdev|stddev|sd)\b|standard deviation|标准差", re.IGNORECASE
)


class Column:
    """A column of a table, understood; a row where the table is transposed."""

    def __init__(
        self,
        index: int,
        heading: Cell | None,
        header: Header,
        entries: tuple[tuple[Measurement, ...], ...],
        repeat: int,
    ) -> None:
        self.index = index
        """Its place among the columns of its sheet."""
        self.heading = heading
        """The cell that names it; none above surplus cells."""
        self.header = header
        """What it holds. `header.said` is what its title says by itself."""
        self.entries = entries
        """All that each cell says, what it is about first."""
        self.mains = tuple([entry[0] for entry in entries])
        """What each cell is about."""
        self.numbers = tuple([one for one in self.mains if one.numeral.form in NUMERIC])
        """What the cells with a number are about."""
        self.others = self.mains if not self.numbers else ()
        """What the cells without a number are about: most columns of numbers have none."""
        if 0 < len(self.numbers) < len(self.mains):
            self.others = tuple([one for one in self.mains if one.numeral.form not in NUMERIC])
        self.repeat = repeat
        """How many columns before it have the same title."""

    @property
    def title(self) -> tuple[str, int]:
        """Its title, and which of those with this title it is."""
        return self.header.text, self.repeat

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
    def has_numbers(self) -> bool:
        """Whether there is a number in it."""
        return bool(self.numbers)

    @cached_property
    def has_bare_numbers(self) -> bool:
        """Whether a quarter of its numbers lack the unit that the others carry.

        A header or a text may say which one, but here only the cells do.
        """
        unit = self.header.unit
        if self.header.said.unit is not None or unit is None:
            return False
        amounts = ((one.numeral.unit, one.amount) for one in self.numbers)
        carried = sum(
            amount is not None and amount.unit.dimension == unit.dimension
            for text, amount in amounts
            if text
        )
        return carried > 0 and _FEW_BARE * carried <= len(self.numbers)

    @property
    def is_numeric(self) -> bool:
        """Whether most of what stands in it is numbers."""
        words = sum(one.numeral.form is not Form.NOTHING for one in self.others)
        return self.has_numbers and len(self.numbers) >= _ENOUGH * (len(self.numbers) + words)

    @cached_property
    def _extremes(self) -> tuple[Sequence[tuple[Decimal, int]], Sequence[tuple[Decimal, int]]]:
        """The two least and the two greatest numbers, each with its run."""
        values = ((one.numeral.value, one.run) for one in self.mains)
        known = [(value, run) for value, run in values if value is not None]
        return nsmallest(2, known), nlargest(2, known)

    def range_without(self, run: int) -> tuple[Decimal, Decimal] | None:
        """The least and the greatest number of all runs but one; None where they have none."""
        low, high = ([value for value, at in ends if at != run] for ends in self._extremes)
        return (low[0], high[0]) if low else None

    @cached_property
    def _whole_numbers(self) -> tuple[Sequence[float], Mapping[float, int]]:
        """Its whole numbers, sorted, and the place of the first cell that has each."""
        first: dict[float, int] = {}
        for at, one in enumerate(self.mains):
            value = one.numeral.value
            if value is not None and value == int(value):
                first.setdefault(float(value), at)
        return sorted(first), first

    def whole_numbers_near(self, value: float) -> list[float]:
        """The nearest whole numbers on both sides of a value, in the order of their cells."""
        known, places = self._whole_numbers
        at = bisect_left(known, value)
        return sorted(known[max(0, at - 1) : at + 1], key=places.__getitem__)

    @cached_property
    def _by_run(self) -> Mapping[int, Measurement]:
        return {one.run: one for one in self.mains}

    def find(self, run: int) -> Measurement | None:
        """What its cell of a run is about."""
        return self._by_run.get(run)

    @cached_property
    def _digits(self) -> int:
        """What two cells show, so that one mistyped number does not speak for all."""
        found = sorted(
            digits for entry in self.entries for one in entry if (digits := _whole_digits(one))
        )
        return found[-2:][0] if found else 0

    def digits(self, one: Measurement) -> int:
        """How many digits of a whole number count, by itself and by the others; 0 if unknown."""
        return max(self._digits, _whole_digits(one)) if self._digits else 0

    @cached_property
    def _decimals(self) -> Counter[int]:
        return Counter(count_decimals(text) for one in self.mains if (text := one.typed))

    def decimals(self, one: Measurement) -> int | None:
        """How many decimals the other numbers have; None where they differ."""
        return _only_other(self._decimals, None if one.typed is None else count_decimals(one.typed))

    @cached_property
    def _units(self) -> Counter[str]:
        return Counter(one.numeral.unit for one in self.mains if one.numeral.value is not None)

    def usual_unit(self, one: Measurement) -> str:
        """The unit that all other numbers carry; nothing where they differ."""
        return _only_other(self._units, one.numeral.unit) or ""

    def labels(self) -> Iterator[str]:
        """The words in it that may name what a row is about; remarks name all sorts of things."""
        one = self.header.quantity
        if one is None or (one.text and one.role is not Role.NOTE):
            for main in self.mains:
                if main.numeral.form in (Form.TEXT, Form.COUNT):
                    yield plain_text(drop_findings(main.cell.raw))


def _whole_digits(one: Measurement) -> int:
    """How many digits a whole number has before its trailing zeros; 0 for any other number."""
    if one.amount is None or one.amount.quantum != 1 or one.amount.value == 0:
        return 0
    return len(str(abs(int(one.amount.value))).rstrip("0"))


def _only_other(counts: Counter[_Said], mine: _Said | None) -> _Said | None:
    """What all others say alike, one's own left out; None where they differ."""
    others = [said for said, count in counts.items() if count > (said == mine)]
    return others[0] if len(others) == 1 else None


def read_columns(
    table: Table,
    layout: Layout,
    around: Around,
    notes: Mapping[str, str],
    vocabulary: Vocabulary,
) -> tuple[Column, ...]:
    """Understand the columns of a table, with the help of its neighbours and of its captions.

    `notes` has the remarks that were moved out of cells, by their marks.
    """
    series = series_of(table, layout)
    texts = [
        [put_back(cell.raw, notes) if "[^" in cell.raw else cell.raw for _, _, cell in one.cells]
        for one in series
    ]
    commas = shows_decimal_comma(chain.from_iterable(texts)) or False
    read = name_statistics([read_header(one.title, vocabulary) for one in series])
    read = move_statistics(read, texts)
    counters: dict[int, Counters] = {}
    for one, header in zip(series, read, strict=True):
        if (found := read_counters(header, texts[one.place], vocabulary)) is not None:
            counters[one.place], texts[one.place] = found, found.texts
    readings = [
        _read_cells(header, one, commas, vocabulary)
        for header, one in zip(read, texts, strict=True)
    ]
    firsts = [Cells([numerals[0] for numerals in column]) for column in readings]
    settled = share_quantity(settle_all(read, firsts, vocabulary), firsts, vocabulary)
    headers = by_links(_keep_written(settled, read), texts)
    headers, captions = tell_units(headers, firsts, around.captions, vocabulary)
    headers, _ = tell_units(headers, firsts, around.below, vocabulary)
    rows = RowMeanings()
    if layout.transposed:
        rows = read_titles(layout, series, firsts, vocabulary)
    elif series:
        headers = apply_captions(
            name_settings(headers, firsts, vocabulary), firsts, captions, vocabulary
        )
        told = without_running_counts(as_named_score(headers, firsts), firsts)
        headers = prove_columns(weigh_all(told, firsts), firsts)
        headers = name_labels(headers, firsts, vocabulary)
        headers = apply_statistic(headers, around.captions, vocabulary)
        headers = as_specified(headers, firsts, around.captions, vocabulary)
        headers = as_memory_shares(headers, around.captions)
        headers = qualify_published(take_over(headers, firsts, around.sisters))
        headers = share_units(headers, firsts)
        headers = _keep_written(headers, read)
        if (filled := fill_empty(headers, firsts)) is not headers:
            headers = _keep_written(filled, read)
        rows = read_rows(series, headers, firsts, vocabulary)
    said_by_rows = rows if rows.say_more else None
    columns: list[Column] = []
    seen: dict[str, int] = {}
    for one, header, said in zip(series, headers, readings, strict=True):
        named = counters[one.place].headers if one.place in counters else {}
        entries = _measure(one, header, said, (said_by_rows, named), vocabulary)
        parts = read_parts(header, said, vocabulary)
        if parts:
            entries = [_name_parts(entry, parts, vocabulary) for entry in entries]
        first, repeat = parts[0] if parts else header, seen.get(header.text, 0)
        columns.append(Column(one.place, one.heading, first, tuple(entries), repeat))
        seen[header.text] = repeat + 1
    return tuple(columns)


def _keep_written(headers: Sequence[Header], read: Sequence[Header]) -> tuple[Header, ...]:
    """The headers, those that were decided by others with what they said by themselves."""
    pairs = zip(headers, read, strict=True)
    return tuple(one if one is said else one._replace(as_written=said) for one, said in pairs)


def _read_cells(
    header: Header, texts: Sequence[str], decimal_comma: bool, vocabulary: Vocabulary
) -> list[tuple[Numeral, ...]]:
    style = column_style(texts)
    whole = "\n".join(texts)
    spaced: set[str] = set()
    if " " in whole:
        spaced = {text for text in texts if " " in text and _SPACED.fullmatch(text.strip())}
    if spaced and sum(text in spaced for text in texts) >= _FEWEST_SPACED:
        texts = [_GROUPS.sub("", text) if text in spaced else text for text in texts]
    if "," in header.text and variant_names(header.text, vocabulary):
        # What stands there is one number for each variant, whatever its digits look like.
        texts = [text.replace(",", ", ") for text in texts]
    elif decimal_comma:
        style = style._replace(decimal_comma=True)
        if len(POINTED.findall(whole)) >= _FEWEST_SPACED and not _POINT.search(whole):
            texts = [without_points(text) for text in texts]
    if header.quantity is not None:
        dates = style.dates or header.quantity.role is Role.NOTE
        style = Style(style.decimal_comma, dates, header.quantity.integer)
    if "±" in whole or "+/-" in whole or "(" in whole:
        # A number behind a deviation is something else.
        named = _NAMES_SPREAD.search(header.text)
        spreads = named is not None and named.start() > 0
        style = style._replace(measures=measures(header), spreads=spreads)
    # Most columns repeat a few texts again and again.
    read = {text: read_cell(text, style) for text in set(texts)}
    return [read[text] for text in texts]


def _measure(
    series: Series,
    header: Header,
    readings: Sequence[tuple[Numeral, ...]],
    told: tuple[RowMeanings | None, Mapping[int, Header]],
    vocabulary: Vocabulary,
) -> list[tuple[Measurement, ...]]:
    """For each cell of a column, everything it says.

    `told` is what the rows say, and the headers of the cells that have one of their own.
    """
    rows, named = told
    table, place = series.table, series.place
    guessed, ratios = is_guess(header), are_ratios_to_best(readings)
    # Where all numbers are in one unit, one that is missing would be too.
    uniform = guessed and len({one[0].unit for one in readings if one[0].value is not None}) == 1
    entries: list[tuple[Measurement, ...]] = []
    for at, ((row, run, cell), numerals) in enumerate(zip(series.cells, readings, strict=True)):
        # A sentence that no header explains is not what its row measures.
        silent = header.quantity is None and numerals[0].form is Form.TEXT
        meant = header if silent else named.get(at, header)
        if rows is not None and not silent:
            meant = rows.read(meant, run)
        entry = []
        for part, numeral in enumerate(numerals):
            quantity, amount = identify(numeral, meant, part, vocabulary)
            if meant is not header and rows is not None and rows.misfits(header, meant, numeral):
                quantity, amount = header.quantity, None
            bare = not numeral.unit and (numeral.form is not Form.NOTHING or not uniform)
            if guessed and meant is header and bare:
                quantity, amount = None, None
            if part and ratios:
                quantity = vocabulary.quantities["relative"]
                amount = scale(numeral, quantity)
            entry.append(
                Measurement(cell, meant, quantity, numeral, amount, table, row, run, place, part)
            )
        entries.append(tuple(entry))
    return entries


def _name_parts(
    entry: tuple[Measurement, ...], parts: Sequence[Header], vocabulary: Vocabulary
) -> tuple[Measurement, ...]:
    """What a cell says, each of its numbers by the header that is named for it."""
    if len(entry) != len(parts):
        return entry
    named = []
    for one, header in zip(entry, parts, strict=True):
        meant, amount = identify(one.numeral, header, 0, vocabulary)
        named.append(one._replace(header=header, quantity=meant, amount=amount))
    return tuple(named)
