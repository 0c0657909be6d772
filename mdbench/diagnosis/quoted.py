"""Sentences that quote a number of a table which is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet
from mdbench.diagnosis.thresholds import FEWEST_ROWS, NEAR_QUOTE
from mdbench.diagnosis.typical import median
from mdbench.prose.quotes import SPEEDUP, Extreme, Key, QuotingSentence, find_quotes
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report
from mdbench.source import Span
from mdbench.vocabulary.quantities import Role

_ROUGHLY = 0.1


class Misquote(NamedTuple):
    """A sentence, what it should say, and the cell that it may have quoted instead."""

    sentence: QuotingSentence
    right: str
    what: str
    """What the right number is: `Nodes 32`, `the highest`."""
    place: Span
    """Where the right number stands, or the first of those that it is computed from."""
    instead: tuple[Measurement, str] | None = None


def find_misquotes(report: Report, rows: Sequence[RunNumbers]) -> Iterator[Misquote]:
    """The sentences that name a run and a column of their section, and another number."""
    sheets = list(by_sheet(rows).values())
    if not sheets:
        return
    for sentence in find_quotes(report.document, report.vocabulary):
        table = _table_of(report, sheets, sentence)
        found = table.check(sentence) if table is not None else None
        if found is not None and not _is_elsewhere(sentence, sheets):
            yield found


def _table_of(
    report: Report, sheets: Sequence[Sequence[RunNumbers]], sentence: QuotingSentence
) -> _Table | None:
    """The only table that a sentence can be about, in the nearest section that has one."""
    sections = report.document.sections
    at = sentence.section
    while True:
        scope = (sections[at].start, sections[at].end) if at >= 0 else (0, len(report.source.text))
        tables = [
            table
            for members in sheets
            if scope[0] <= members[0].sheet.table.span.start < scope[1]
            if (table := _Table.read(members, sentence)) is not None
        ]
        if tables or at < 0:
            return tables[0] if len(tables) == 1 else None
        at = sections[at].parent


def _is_elsewhere(sentence: QuotingSentence, sheets: Sequence[Sequence[RunNumbers]]) -> bool:
    """Whether any run that may be meant has the number."""
    return any(
        _fits(sentence, one)
        for members in sheets
        for row in members
        if all(_has(row, key) is not False for key in sentence.keys)
        for one in _values(row, sentence.quote.dimension)
        if sentence.keys or sentence.extreme is Extreme.MEAN
    )


class _Table(NamedTuple):
    """The numbers of the one column that a sentence is about, with their runs."""

    rows: tuple[tuple[RunNumbers, Number], ...]

    @classmethod
    def read(cls, members: Sequence[RunNumbers], sentence: QuotingSentence) -> _Table | None:
        """The table, if it has the settings and the quantity of a sentence."""
        keyed = [row for row in members if all(_has(row, key) is not None for key in sentence.keys)]
        columns: dict[int, list[tuple[RunNumbers, Number]]] = {}
        for row in keyed:
            for one in _values(row, sentence.quote.dimension):
                if one.measurement is not None:
                    columns.setdefault(one.measurement.column, []).append((row, one))
        if not columns:
            return None
        chosen = _named(columns, sentence.text)
        return cls(tuple(columns[chosen])) if chosen is not None else cls(())

    def check(self, sentence: QuotingSentence) -> Misquote | None:
        """What the sentence should say; None if it is right or that is not certain."""
        about = [
            (row, one) for row, one in self.rows if all(_has(row, key) for key in sentence.keys)
        ]
        if not about:
            return None
        if sentence.keys:
            holds = any(_fits(sentence, one) for _, one in about)
            return None if holds else self._keyed(sentence, about)
        if len(about) < FEWEST_ROWS or not _says_column(sentence, about[0][1]):
            return None
        numbers = [one for _, one in about]
        if sentence.extreme is Extreme.MEAN:
            return _check_mean(sentence, numbers)
        return _check_extreme(sentence, numbers)

    def _keyed(
        self, sentence: QuotingSentence, about: Sequence[tuple[RunNumbers, Number]]
    ) -> Misquote | None:
        row, one = about[0]
        cell = one.measurement
        if len(about) != 1 or cell is None:
            return None
        others = [
            (other.measurement, _name_run(run, sentence.keys))
            for run, other in self.rows
            if _fits(sentence, other) and other.measurement is not None
        ]
        if not others and not _is_near(sentence, one.value):
            return None
        instead = others[0] if len(others) == 1 else None
        what = _name_run(row, sentence.keys)
        return Misquote(sentence, cell.numeral.text, what, cell.cell.span, instead)


def _is_near(sentence: QuotingSentence, value: float) -> bool:
    said = float(sentence.quote.value * sentence.quote.scale)
    return min(said, value) > 0 and abs(log(said / value)) < NEAR_QUOTE


def _check_extreme(sentence: QuotingSentence, numbers: Sequence[Number]) -> Misquote | None:
    """The highest or lowest number of a column is another one of it, or nearly the right one."""
    extreme = sentence.extreme
    if extreme is Extreme.BEST:
        extreme = _best_end(sentence.quote.dimension)
    if extreme is None:
        return None
    choose = max if extreme is Extreme.HIGHEST else min
    end = choose(numbers, key=lambda one: one.value)
    if _fits(sentence, end):
        return None
    stands = any(_fits(sentence, one) for one in numbers)
    cell = end.measurement
    if cell is None or not (stands or _is_near(sentence, end.value)):
        return None
    return Misquote(sentence, cell.numeral.text, f"the {sentence.extreme}", cell.cell.span)


def _best_end(dimension: str) -> Extreme | None:
    """Which end of a column is its best: rates and speed-ups should be high, times low."""
    if dimension == SPEEDUP or dimension.endswith("/s"):
        return Extreme.HIGHEST
    return Extreme.LOWEST if dimension == "s" else None


def _check_mean(sentence: QuotingSentence, numbers: Sequence[Number]) -> Misquote | None:
    """A mean that is none of the usual ones, but near to them."""
    values = [one.value for one in numbers]
    cell = numbers[0].measurement
    if min(values) <= 0 or cell is None:
        return None
    mean = sum(values) / len(values)
    means = (
        mean,
        median(values),
        exp(sum(map(log, values)) / len(values)),
        len(values) / sum(1 / one for one in values),
    )
    likely = [numbers[0]._replace(low=one, high=one, cut=one) for one in means]
    if any(_fits(sentence, one) for one in (*likely, *numbers)):
        return None
    if not _is_near(sentence, mean):
        return None
    right = f"{mean / float(sentence.quote.scale):.4g}"
    return Misquote(sentence, right, f"the average of {len(values)} rows", cell.cell.span)


def _named(columns: Mapping[int, Sequence[tuple[RunNumbers, Number]]], text: str) -> int | None:
    """The column that a sentence is about: the only one, or the only one whose title it has."""
    if len(columns) == 1:
        return next(iter(columns))
    said = text.casefold()
    titled = [
        at
        for at, several in columns.items()
        if (cell := several[0][1].measurement) is not None and cell.header.text.casefold() in said
    ]
    return titled[0] if len(titled) == 1 else None


def _has(row: RunNumbers, key: Key) -> bool | None:
    """Whether a run has a setting; None if its table does not say."""
    known = row.variables.get(key.quantity)
    if known is None or known.measurement is None:
        return None
    return known.value == key.value


def _values(row: RunNumbers, dimension: str) -> Iterator[Number]:
    for one in row.numbers.values():
        if one is None or one.quantity.role is not Role.MEASUREMENT:
            continue
        if dimension == SPEEDUP:
            if one.quantity.name == SPEEDUP:
                yield one
        elif one.quantity.unit.dimension == dimension:
            yield one


def _fits(sentence: QuotingSentence, one: Number) -> bool:
    quote = sentence.quote
    value, reach = (float(part * quote.scale) for part in (quote.value, quote.quantum))
    if quote.about:
        reach = max(reach, value * _ROUGHLY)
    low, high = min(one.low, one.cut), max(one.high, one.cut)
    return low <= value + reach and high >= value - reach


def _says_column(sentence: QuotingSentence, one: Number) -> bool:
    cell = one.measurement
    if sentence.quote.dimension == SPEEDUP:
        return True
    return cell is not None and cell.header.text.casefold() in sentence.text.casefold()


def _name_run(row: RunNumbers, keys: Sequence[Key]) -> str:
    """`7 Thread Count`: the settings of a run that a sentence names."""
    told = []
    for key in keys:
        cell = row.variables[key.quantity].measurement
        if cell is not None:
            told.append(f"{cell.header.text} {cell.numeral.text}")
    return " and ".join(told)
