"""Which column of the results a column of a table shows, and which of them tell its rows apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import read_flag
from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.results.bindings import SAID, said_name
from mdbench.results.tables import ResultColumn
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import Amount
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Quantity, Role, squash
from mdbench.vocabulary.statistics import SPREADS

KEYS = frozenset((Role.SETTING, Role.IDENTITY))
"""The roles of quantities that tell runs apart."""
# What is measured once is its own mean, and its own total.
_PLAIN = frozenset(("", "mean", "total"))
_ROBUST = frozenset(("iqr", "mad"))
# How often something was measured: it may change with every run.
_COUNTS = frozenset(("rounds", "samples", "steps", "runs"))
_SAID = "the comment says so"
_SLACK = Decimal("1e-9")
_UNIT = lazy(r"[(\[](?P<unit>[^()\[\]]{1,40})[)\]]$")


class BoundColumn(NamedTuple):
    """A column of a table, and the column of the results that it shows."""

    column: Column
    result: ResultColumn
    is_key: bool
    """Whether it tells rows apart, and is not measured."""
    how: str
    """Why these two belong together."""
    spread: ResultColumn | None = None
    """The results' column of what the table prints after `±`."""
    repeats: bool = False
    """Whether that is the deviation of several results of one run, which no column has."""


class UnboundColumn(NamedTuple):
    """A column that no column of the results gives, and why."""

    column: Column
    why: str


class Key(NamedTuple):
    """What a row says of one setting."""

    quantity: Quantity | None
    numeral: Numeral
    raw: str
    amount: Amount | None


def bind_columns(
    sheet: Sheet, results: Sequence[ResultColumn], named: Sequence[str], whole: frozenset[str]
) -> tuple[tuple[BoundColumn, ...], tuple[UnboundColumn, ...]]:
    """Find the column of the results for each column of a table.

    `named` are the headers that the comment gives an expression for, and `whole` the columns of
    the results that hold whole numbers.
    """
    bound: list[BoundColumn] = []
    unbound: list[UnboundColumn] = []
    for column in sheet.columns:
        found = _find(column, results, named)
        if isinstance(found, str):
            unbound.append(UnboundColumn(column, found))
            continue
        result, how = found
        # What the header says by itself; its cells may have said the rest.
        header = read_header(plain_text(column.header.text), sheet.vocabulary)
        if _lacks_unit(column, result):
            unit = header.unit or (_bare_unit(column) if how == _SAID else None)
            if unit is None:
                unbound.append(UnboundColumn(column, f"the unit of {result.name} is not known"))
                continue
            # Who names a column like its header has its values in the unit of the header.
            result = result._replace(unit=unit)
        is_key = _is_key(column, header, result, whole)
        if not is_key and not (result.is_number and column.has_numbers):
            unbound.append(UnboundColumn(column, "it holds no numbers"))
            continue
        prints = _prints_spread(column)
        spread = _spread_of(result, results) if prints else None
        bound.append(BoundColumn(column, result, is_key, how, spread, prints and spread is None))
    bound = [_as_count(one, bound, sheet) for one in bound]
    rivals = list(_find_rivals(bound, _settings_above(sheet, results)))
    kept = tuple(one for one in bound if all(one.column is not rival.column for rival in rivals))
    return kept, (*unbound, *rivals)


def _lacks_unit(column: Column, result: ResultColumn) -> bool:
    """Whether a column prints a unit, and nothing says which one the results have."""
    quantity = column.header.quantity
    dimension = quantity.unit.dimension if quantity is not None else ""
    said = result.unit is not None or result.quantity is not None or bool(result.candidates)
    return result.is_number and not said and dimension not in ("", "ratio")


def _bare_unit(column: Column) -> Unit | None:
    """The unit of a column whose cells print none."""
    units = {one.amount.unit for one in column.mains if one.amount is not None}
    printed = any(one.numeral.unit for one in column.mains)
    return units.pop() if len(units) == 1 and not printed else None


def _as_count(one: BoundColumn, bound: Sequence[BoundColumn], sheet: Sheet) -> BoundColumn:
    """A count of repetitions is measured if the other columns tell all rows apart."""
    quantity = one.column.header.quantity
    if not one.is_key or quantity is None or quantity.name not in _COUNTS:
        return one
    others = [each.column for each in bound if each.is_key and each is not one]
    numbers = {run.number for run in sheet.runs}
    said = {tuple(_raw(column, number) for column in others) for number in numbers}
    return one._replace(is_key=False) if others and len(said) == len(numbers) else one


def _raw(column: Column, run: int) -> str:
    found = column.find(run)
    return found.cell.raw if found is not None else ""


def _settings_above(
    sheet: Sheet, results: Sequence[ResultColumn]
) -> dict[int, frozenset[tuple[str, str]]]:
    """The settings that the header of each column states, if the results have them: `2 nodes`."""
    known = {one.quantity.name for one in results if one.quantity is not None}
    return {
        one.column: frozenset(
            (said.quantity.name, said.raw) for said in run.settings if said.quantity.name in known
        )
        for run in sheet.runs
        for one in run.own
    }


def _find_rivals(
    bound: Sequence[BoundColumn], above: Mapping[int, frozenset[tuple[str, str]]]
) -> Iterator[UnboundColumn]:
    """The columns that take one result for theirs and print other numbers: at most one is right."""
    for one in bound:
        mine = above.get(one.column.index)
        rivals = (
            other
            for other in bound
            if _rivals(one, other) and (not mine or mine == above.get(other.column.index))
        )
        rival = next(rivals, None)
        if rival is not None:
            title = plain_text(rival.column.header.text)
            why = f"{title!r} may be {one.result.name} as well; bind one of them in the comment"
            yield UnboundColumn(one.column, why)


def _rivals(one: BoundColumn, other: BoundColumn) -> bool:
    if one.is_key or one.how == _SAID or _fit(one) > _fit(other):
        return False
    same = other.result is one.result and other.column is not one.column
    return same and not _print_the_same(one.column, other.column)


def _fit(one: BoundColumn) -> tuple[bool, bool]:
    """Whether a header says the name of its result, and at least which statistic it is."""
    header = one.column.header
    says = bool(header.statistic) and header.statistic == one.result.statistic
    return _is_named(plain_text(header.text), one.result), says


def _is_named(title: str, result: ResultColumn) -> bool:
    """Whether a header is the name of a column, with a unit or without."""
    match = _UNIT.search(title)
    bare = title[: match.start()] if match and parse_unit(match["unit"]) is not None else title
    return squash(result.name) in (squash(title), squash(bare))


def _print_the_same(one: Column, other: Column) -> bool:
    """Whether two columns show one quantity, in two units for example."""
    return all(
        _overlap(first, second)
        for first in one.mains
        if (second := other.find(first.run)) is not None
    )


def _overlap(one: Measurement, other: Measurement) -> bool:
    if one.amount is None or other.amount is None:
        return one.amount is other.amount
    first, second = one.amount, other.amount
    apart = abs(first.value * first.unit.scale - second.value * second.unit.scale)
    digits = first.quantum * first.unit.scale + second.quantum * second.unit.scale
    return not apart or 2 * apart < digits


def _find(
    column: Column, results: Sequence[ResultColumn], named: Sequence[str]
) -> tuple[ResultColumn, str] | str:
    title = plain_text(column.header.text)
    if title in named:
        return next(one for one in results if one.name == said_name(title)), _SAID
    results = [one for one in results if not one.name.startswith(SAID)]
    meant = [one for one in results if _means(column, one)]
    spelled = [one for one in results if _is_named(title, one)]
    quantity = column.header.quantity
    both = [one for one in spelled if quantity is not None and one.quantity == quantity]
    if len(both) == 1:
        return both[0], "by meaning"
    usual = (column.header.statistic, "", "mean", "median")
    ranked = ([one for one in meant if one.statistic == statistic] for statistic in usual)
    best = next((found for found in ranked if found), meant)
    for found in (best, [one for one in best if one in spelled]):
        if len(found) == 1:
            return found[0], "by meaning"
    if len(spelled) == 1:
        return spelled[0], "by name"
    if meant:
        several = ", ".join(one.name for one in meant)
        return f"it may be any of {several}"
    return "no column of the results has its meaning or its name"


def _means(column: Column, result: ResultColumn) -> bool:
    quantity, statistic = column.header.quantity, column.header.statistic
    if quantity is None:
        return False
    same = result.quantity == quantity or quantity in result.candidates
    alike = {result.statistic, statistic} <= _PLAIN or result.statistic == statistic
    return same and (alike or (not statistic and result.statistic == "median"))


def _is_key(column: Column, header: Header, result: ResultColumn, whole: frozenset[str]) -> bool:
    words = not column.is_numeric and not result.is_number
    # Cells with ✓ and ✗ may be a setting, whatever else they may be.
    quantity = header.quantity if words else column.header.quantity
    if quantity is not None:
        return quantity.role in KEYS
    if not column.is_numeric or not result.is_number:
        return True
    numerals = [one.numeral for one in column.mains if one.numeral.value is not None]
    return result.name in whole and all(one.quantum == 1 for one in numerals)


def _prints_spread(column: Column) -> bool:
    return any(one.numeral.spread is not None for one in column.mains)


def _spread_of(result: ResultColumn, results: Sequence[ResultColumn]) -> ResultColumn | None:
    spreads = [
        one
        for one in results
        if one.statistic in SPREADS and one.quantity == result.quantity and one.is_number
    ]
    return choose_spread(result, spreads)


def choose_spread(result: ResultColumn, spreads: Sequence[ResultColumn]) -> ResultColumn | None:
    """The spread of a column: of several, the deviation belongs to a mean, and never to others."""
    if result.statistic not in _PLAIN:
        spreads = [one for one in spreads if one.statistic in _ROBUST]
    elif len(spreads) > 1:
        spreads = [one for one in spreads if one.statistic == "std"]
    return spreads[0] if len(spreads) == 1 else None


def agrees(key: Key, value: object, result: ResultColumn) -> bool:
    """Whether a row and a result have the same setting."""
    if value is None:
        return key.numeral.form is Form.NOTHING
    if isinstance(value, bool):
        return read_flag(key.numeral.text) is value
    if isinstance(value, str):
        return _same_words(key, value)
    number = as_decimal(value)
    if number is None or key.numeral.value is None:
        return _same_words(key, str(value))
    quantity = key.quantity
    if quantity is None or key.amount is None:
        return _is_near(key.numeral.value, number)
    printed = key.amount.value * key.amount.unit.scale
    return _is_near(printed, number * unit_of(result, quantity).scale)


def _same_words(key: Key, value: str) -> bool:
    texts = key.raw or key.numeral.text, value
    mine, other = (" ".join(plain_text(text).casefold().split()) for text in texts)
    return mine == other or (squash(mine) == squash(other) != "")


def _is_near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _SLACK * max(abs(one), abs(other))


def unit_of(result: ResultColumn, quantity: Quantity) -> Unit:
    """The unit that the values of a column are in."""
    return result.unit if result.unit is not None else quantity.unit


def as_decimal(value: object) -> Decimal | None:
    """A number of the results, exactly as it prints; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return number if number.is_finite() else None
