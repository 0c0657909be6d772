"""Sentences that compare two runs, or two columns, by another factor than their table has."""

from collections.abc import Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet
from mdbench.diagnosis.thresholds import FAR_COMPARISON
from mdbench.numerals.cell import Form
from mdbench.prose.comparisons_in_text import Comparison, find_comparisons
from mdbench.regex import lazy
from mdbench.sheets.report import Report
from mdbench.vocabulary.quantities import Role, Vocabulary

_ROUGHLY = 0.1
_MARKUP = lazy(r"[*`_]|<[^<>]{1,40}>")
_SHORTEST_NAME = 2
Named = Mapping[str, Sequence[Number]]


class WrongComparison(NamedTuple):
    """A comparison, and the two numbers that it should be about."""

    comparison: Comparison
    first: Number
    second: Number


def find_wrong_comparisons(report: Report, rows: Sequence[RunNumbers]) -> Iterator[WrongComparison]:
    """The comparisons of two names with one number each that none of the numbers explain."""
    comparisons = list(find_comparisons(report.document))
    if not comparisons:
        return
    sheets = list(by_sheet(rows).values())
    for one in comparisons:
        found = [
            pair
            for members in _near(report, sheets, one)
            for names in (_rows_by_name(members), _columns_by_name(members))
            for pair in _pairs(names, one)
            if _is_about(pair[0], one, report.vocabulary)
        ]
        if len(found) == 1 and not any(_explains(one, *pair) for pair in found):
            first, second = found[0]
            if abs(log(_ratio(one) / (first.value / second.value))) < FAR_COMPARISON or (
                abs(log(_ratio(one) / (second.value / first.value))) < FAR_COMPARISON
            ):
                yield WrongComparison(one, first, second)


def _near(
    report: Report, sheets: Sequence[Sequence[RunNumbers]], one: Comparison
) -> list[Sequence[RunNumbers]]:
    """The tables of the section that a sentence stands in."""
    sections = report.document.sections
    if one.section < 0:
        return list(sheets)
    start, end = sections[one.section].start, sections[one.section].end
    return [each for each in sheets if start <= each[0].sheet.table.span.start < end]


def _is_about(number: Number, one: Comparison, vocabulary: Vocabulary) -> bool:
    """Whether a number is of what there is said to be more or less."""
    if not one.noun:
        return True
    meant = vocabulary.lookup(one.noun)
    return meant is not None and meant.unit.dimension == number.quantity.unit.dimension


def _ratio(one: Comparison) -> float:
    return float(one.value) / 100 + 1 if one.percent else float(one.value)


def _explains(one: Comparison, first: Number, second: Number) -> bool:
    """Whether two numbers compare as it is said, in either direction."""
    value = float(one.value)
    reach = max(float(one.quantum), value * _ROUGHLY if one.about else 0.0)
    for above, below in ((first, second), (second, first)):
        low, high = above.low / below.high, above.high / max(below.low, 1e-300)
        ends = (
            [(low, high), (low - 1, high - 1)]
            if not one.percent
            else [(100 * (low - 1), 100 * (high - 1)), (100 * (1 - high), 100 * (1 - low))]
        )
        if any(start <= value + reach and end >= value - reach for start, end in ends):
            return True
    return False


def _pairs(names: Named, one: Comparison) -> Iterator[tuple[Number, Number]]:
    """The numbers of the two names that can be compared."""
    first = _ending(one.first, names)
    second = _beginning(one.second, names)
    if first is None or second is None or first == second:
        return
    for a in names[first]:
        for b in names[second]:
            if a.quantity == b.quantity and _lines_up(a, b) and min(a.low, b.low) > 0:
                yield a, b


def _lines_up(a: Number, b: Number) -> bool:
    """Whether two numbers stand in the same row or the same column."""
    one, two = a.measurement, b.measurement
    if one is None or two is None:
        return False
    return (one.row == two.row) != (one.column == two.column)


def _ending(text: str, names: Named) -> str | None:
    said = text.casefold()
    fitting = [name for name in names if said == name or said.endswith(f" {name}")]
    return max(fitting, key=len) if fitting else None


def _beginning(text: str, names: Named) -> str | None:
    said = text.casefold().removeprefix("the ")
    fitting = [
        name
        for name in names
        if said.startswith(name) and not said[len(name) : len(name) + 1].isalnum()
    ]
    return max(fitting, key=len) if fitting else None


def _rows_by_name(rows: Sequence[RunNumbers]) -> Named:
    """The measured numbers of each row, by the text that it begins with."""
    found: dict[str, list[Number]] = {}
    for row in rows:
        first = next(iter(row.cells.values()), None)
        if first is not None and first.numeral.form is Form.TEXT:
            found.setdefault(_name(first.cell.raw), []).extend(_measured(row))
    return {name: several for name, several in found.items() if len(name) >= _SHORTEST_NAME}


def _columns_by_name(rows: Sequence[RunNumbers]) -> Named:
    found: dict[str, list[Number]] = {}
    for row in rows:
        for one in _measured(row):
            if one.measurement is not None:
                found.setdefault(_name(one.measurement.header.text), []).append(one)
    return {name: several for name, several in found.items() if len(name) >= _SHORTEST_NAME}


def _name(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split()).casefold()


def _measured(row: RunNumbers) -> Iterator[Number]:
    for one in row.numbers.values():
        if one is not None and one.quantity.role is Role.MEASUREMENT:
            yield one
