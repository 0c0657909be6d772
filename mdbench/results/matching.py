"""Which column of the results a column of a table shows, and which of them tell its rows apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.results.best_words import named_statistic
from mdbench.results.bindings import SAID, said_name
from mdbench.results.tables import ResultColumn
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Role, squash
from mdbench.vocabulary.statistics import SPREADS

KEYS = frozenset((Role.SETTING, Role.IDENTITY))
"""The roles of quantities that tell runs apart."""
# What is measured once is its own mean, and its own total.
_PLAIN = frozenset(("", "mean", "total"))
_ROBUST = frozenset(("iqr", "mad"))
# How often something was measured: it may change with every run.
_COUNTS = frozenset(("rounds", "samples", "steps", "runs"))
_SAID = "the comment says so"
_UNKNOWN = "no column of the results has its meaning or its name"
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

    @property
    def is_averaged(self) -> bool:
        """Whether it shows the mean of several results, by what its header says."""
        return self.column.header.statistic == "mean" and not self.result.statistic


class UnboundColumn(NamedTuple):
    """A column that no column of the results gives, and why."""

    column: Column
    why: str
    is_open: bool = True
    """Whether the results may have it: the header leaves open what it is."""


def bind_columns(
    sheet: Sheet,
    results: Sequence[ResultColumn],
    named: Sequence[str],
    whole: frozenset[str],
    aggregate: str = "",
) -> tuple[tuple[BoundColumn, ...], tuple[UnboundColumn, ...]]:
    """Find the column of the results for each column of a table.

    `named` are the headers that the comment gives an expression for, `aggregate` how it makes
    several results one, and `whole` the columns of the results that hold whole numbers.
    """
    bound: list[BoundColumn] = []
    unbound: list[UnboundColumn] = []
    for column in sheet.columns:
        found = _find(column, results, named, aggregate)
        if isinstance(found, str):
            unbound.append(UnboundColumn(column, found, found != _UNKNOWN))
            continue
        result, how = found
        # What the header says by itself; its cells may have said the rest.
        header = read_header(plain_text(column.header.text), sheet.vocabulary)
        if _lacks_unit(column, result):
            unit = header.unit or (_bare_unit(column) if how == _SAID else None)
            alike = how == _SAID or _is_named(plain_text(column.header.text), result)
            if unit is None or (result.is_bare and not alike):
                unbound.append(UnboundColumn(column, _no_unit(result)))
                continue
            # Who names a column like its header has its values in the unit of the header.
            result = result._replace(unit=unit)
        is_key = _is_key(column, header, result, whole)
        if not is_key and not (result.is_number and column.has_numbers):
            texts = f"{result.name} of the results holds texts, not numbers"
            why = "it holds no numbers" if result.is_number else texts
            unbound.append(UnboundColumn(column, why, not result.is_number))
            continue
        prints = _prints_spread(column)
        spread = _spread_of(result, results) if prints else None
        bound.append(BoundColumn(column, result, is_key, how, spread, prints and spread is None))
    bound = [_as_count(one, bound, sheet) for one in bound]
    above = _settings_above(sheet, results)
    rivals = list(_find_rivals(bound, above, results))
    kept = tuple(one for one in bound if all(one.column is not rival.column for rival in rivals))
    return kept, (*unbound, *rivals)


def _lacks_unit(column: Column, result: ResultColumn) -> bool:
    """Whether a column prints a unit, and nothing says which one the results have."""
    if not result.is_number or result.unit is not None:
        return False
    if result.is_bare:
        return any(one.amount is not None for one in column.mains)
    quantity = column.header.quantity
    dimension = quantity.unit.dimension if quantity is not None else ""
    said = result.quantity is not None or bool(result.candidates)
    return not said and dimension not in ("", "ratio")


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
    bound: Sequence[BoundColumn],
    above: Mapping[int, frozenset[tuple[str, str]]],
    results: Sequence[ResultColumn],
) -> Iterator[UnboundColumn]:
    """The columns that take one result for theirs, of which at most one is right."""
    for one in bound:
        mine = above.get(one.column.index)
        rivals = (
            other
            for other in bound
            if _rivals(one, other, results) and (not mine or mine == above.get(other.column.index))
        )
        rival = next(rivals, None)
        if rival is not None:
            title, own = (plain_text(each.column.header.text) for each in (rival, one))
            why = f"{one.result.name} of the results may also be {title!r}: {bind_by_hand(own)}"
            yield UnboundColumn(one.column, why)


def _rivals(one: BoundColumn, other: BoundColumn, results: Sequence[ResultColumn]) -> bool:
    if one.is_key or one.how == _SAID or _fit(one) > _fit(other):
        return False
    if other.result is not one.result or other.column is one.column:
        return False
    if not _print_the_same(one.column, other.column):
        return True
    # They may print the same by chance, if there is another result that one of them may mean.
    others = [
        each
        for each in results
        if _same_quantity(one.column, each) and each.statistic not in SPREADS
    ]
    return len(others) > 1 and _unit_of(one.column) == _unit_of(other.column)


def _unit_of(column: Column) -> Decimal | None:
    """How large the unit is that a column is printed in."""
    amounts = (one.amount for one in column.mains)
    return next((one.unit.scale for one in amounts if one is not None), None)


def _fit(one: BoundColumn) -> tuple[bool, bool]:
    """Whether a header says the name of its result, and at least which statistic it is."""
    header = one.column.header
    statistic = _statistic_of(one.column)
    says = bool(statistic) and statistic == one.result.statistic
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
    column: Column, results: Sequence[ResultColumn], named: Sequence[str], aggregate: str
) -> tuple[ResultColumn, str] | str:
    title = plain_text(column.header.text)
    if title in named:
        return next(one for one in results if one.name == said_name(title)), _SAID
    results = [one for one in results if not one.name.startswith(SAID)]
    meant = [one for one in results if _means(column, one, aggregate)]
    spelled = [one for one in results if _is_named(title, one)]
    quantity = column.header.quantity
    both = [one for one in spelled if quantity is not None and one.quantity == quantity]
    if len(both) == 1:
        return both[0], "by meaning"
    usual = (_statistic_of(column), "", "mean", "median")
    ranked = ([one for one in meant if one.statistic == wanted] for wanted in usual)
    best = next((found for found in ranked if found), meant)
    for found in (best, [one for one in best if one in spelled]):
        if len(found) == 1:
            return found[0], "by meaning"
    return (spelled[0], "by name") if len(spelled) == 1 else _why_not(column, meant, results)


def _why_not(column: Column, meant: Sequence[ResultColumn], results: Sequence[ResultColumn]) -> str:
    """Why a column is not bound, and what to do."""
    advice = bind_by_hand(plain_text(column.header.text))
    if meant:
        return f"it may be any of {', '.join(one.name for one in meant)}: {advice}"
    same = (one for one in results if _same_quantity(column, one))
    others = [one.name for one in same if one.statistic not in SPREADS]
    statistic = _statistic_of(column)
    if statistic and others:
        return f"the results have no {statistic} of it, only {', '.join(others)}: {advice}"
    return _UNKNOWN


def _no_unit(result: ResultColumn) -> str:
    told = f"the unit of {result.name} is not known"
    return f"{told}: put the unit into its name (`… as time_ms`) or into the header"


def bind_by_hand(title: str) -> str:
    """What to do if a column cannot be bound by its header."""
    return f'bind it with `columns: "{title}" = …` in the comment above the table'


def _statistic_of(column: Column) -> str:
    """The statistic that a header names, also as `Best` or `Worst`."""
    quantity = column.header.quantity
    dimension = quantity.unit.dimension if quantity is not None else ""
    return column.header.statistic or named_statistic(plain_text(column.header.text), dimension)


def _same_quantity(column: Column, result: ResultColumn) -> bool:
    quantity = column.header.quantity
    if quantity is None or result.quantity == quantity:
        return quantity is not None
    # What may be a plain rate is no speed-up: that is computed from the rates.
    is_plain = any(one.name not in COMPARING for one in result.candidates)
    return quantity in result.candidates and not (quantity.name in COMPARING and is_plain)


def _means(column: Column, result: ResultColumn, aggregate: str) -> bool:
    if not _same_quantity(column, result):
        return False
    statistic = _statistic_of(column)
    alike = {result.statistic, statistic} <= _PLAIN or result.statistic == statistic
    # Of several results of a run, the comment may ask for the least.
    asked = not result.statistic and statistic == aggregate
    return alike or asked or (not statistic and result.statistic == "median")


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
