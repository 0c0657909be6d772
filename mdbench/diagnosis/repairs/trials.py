"""The rows of a report and its laws, against which repairs are tried."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Protocol

from mdbench.diagnosis.checks import Check, meets
from mdbench.diagnosis.column_amounts import Amounts
from mdbench.diagnosis.laws.computed import Computed
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number, Place, printed_number
from mdbench.diagnosis.printed_elsewhere import RepeatedNumbers
from mdbench.diagnosis.repairs.misfits import Kinds, count_misfits
from mdbench.diagnosis.run_numbers import RunKey, RunNumbers, by_sheet
from mdbench.diagnosis.thresholds import (
    FEWEST_OTHERS,
    FEWEST_ROWS,
    IMPOSSIBLE,
    MOST_EMPTY_ROWS,
    MOST_NOVEL,
    NOVEL,
    RANGE_WIDTH,
)
from mdbench.diagnosis.typical import strangeness
from mdbench.numerals.cell import Form, Status
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.quantities import Role

_REPORT = -1

Settings = tuple[tuple[str, str], ...]
_Alike = dict[tuple[float, ...], set[int]]
"""The runs that have some values."""


class AnyLaw(Protocol):
    """Something that the rows of a sheet follow."""

    @property
    def sheet(self) -> Sheet:
        """The sheet that it is about."""

    @property
    def relation(self) -> Relation:
        """What it says."""

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to it; None where it lacks a number for it."""


class Trials:
    """All rows of a report and its laws."""

    def __init__(
        self,
        rows: Sequence[RunNumbers],
        laws: Sequence[AnyLaw],
        printed: RepeatedNumbers,
        computed: Callable[[], Iterable[Check]] = tuple,
    ) -> None:
        """Keep them; `computed` are the laws that the tables show, in each row."""
        self._computed = computed
        self.rows = rows
        self.laws = laws
        self.printed = printed
        # How many repairs were tried, for tests that count.
        self.tried: Counter[str] = Counter()
        self._holding: dict[tuple[Relation, str], set[float]] = {}
        self._alike: dict[tuple[int, tuple[str, ...]], _Alike] = {}
        self._found: dict[RunKey, tuple[Verdict, ...]] = {}
        # Few tables of a report have a row that needs a repair.
        self._settings: dict[int, Collection[Settings]] = {}
        self._amounts: dict[tuple[int, int], Amounts] = {}

    @cached_property
    def _laws(self) -> Mapping[int, list[AnyLaw]]:
        return by_sheet(self.laws)

    @cached_property
    def _kinds(self) -> Mapping[int, Kinds]:
        return {row.sheet.number: Kinds(row.sheet) for row in self.rows}

    @cached_property
    def _shares(self) -> Mapping[tuple[int, str], Counter[str]]:
        """How often each value stands in a column: of its sheet, and of the whole report (-1)."""
        found: dict[tuple[int, str], Counter[str]] = defaultdict(Counter)
        for row in self.rows:
            for name, one in row.run.values.items():
                value = str(one.numeral.value)
                found[row.sheet.number, name][value] += 1
                found[_REPORT, name][value] += 1
        return found

    @cached_property
    def _totals(self) -> Mapping[tuple[int, str], int]:
        return {place: counter.total() for place, counter in self._shares.items()}

    def _column(self, one: Measurement) -> Amounts:
        """The amounts in the column of a cell, in base units."""
        place = one.table, one.column
        if place not in self._amounts:
            sheet = self._by_sheet[one.table][0].sheet
            amounts = map(base_amount, sheet.columns[one.column].mains)
            self._amounts[place] = Amounts(each for each in amounts if each is not None)
        return self._amounts[place]

    def laws_of(self, row: RunNumbers) -> Sequence[AnyLaw]:
        """The laws of the row's sheet."""
        return self._laws.get(row.sheet.number, ())

    def verdicts(self, row: RunNumbers) -> Iterable[Verdict]:
        """Every law of the row's sheet that the row has the numbers for."""
        if not self.laws_of(row):
            return ()
        if row.supposed:
            return self._test(row)
        key = row.key
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = tuple(self._test(row))
        return known

    def _test(self, row: RunNumbers) -> Iterator[Verdict]:
        for law in self.laws_of(row):
            verdict = law.test(row) or _test_bounds(law, row)
            if verdict is not None:
                yield verdict

    @cached_property
    def _variants(self) -> Mapping[tuple[int, int], list[RunNumbers]]:
        """The runs of each row of a table that holds several."""
        several = {_row_of(row) for row in self.rows if row.run.variant}
        found: dict[tuple[int, int], list[RunNumbers]] = defaultdict(list)
        for row in self.rows:
            if several and _row_of(row) in several:
                found[_row_of(row)].append(row)
        return found

    def variants(self, row: RunNumbers) -> Iterator[RunNumbers]:
        """The other runs of the same row of the table."""
        for one in self._variants.get(_row_of(row), ()):
            if one.key != row.key:
                yield one

    def failing(self, row: RunNumbers) -> tuple[Verdict, ...]:
        """The laws that the row contradicts."""
        return tuple(verdict for verdict in self.verdicts(row) if verdict.fails)

    def is_cleared(self, row: RunNumbers, verdict: Verdict) -> bool:
        """Whether something else than a wrong number explains why a row does not follow a law.

        A whole column does not follow it. Or a setting is stated in the text: by another value that
        the text has for it the row does, or no row that does has its value.
        """
        relation = verdict.relation
        if not relation.stated and self._is_of_no_column(row, verdict):
            return True
        for one in verdict.instance.variables:
            if _is_stated_setting(one):
                for other in self._stated.get(one.quantity.name, {}).values():
                    if other.value != one.value and self._holds_with(row, relation, other):
                        return True
        if relation.constant is not Constant.ANY:
            return False
        used = {one.quantity.name for one in verdict.instance.variables}
        others = {name: one for name, one in row.stated.items() if _is_stated_setting(one)}
        return any(
            theirs and one.value not in theirs
            for name, one in others.items()
            if name not in used
            for theirs in [self._values_if_holding(relation, name)]
        )

    def _is_of_no_column(self, row: RunNumbers, verdict: Verdict) -> bool:
        """Whether no row follows a law that has its number in a column of measurements."""
        return any(
            self._followed.get((row.sheet.number, verdict.relation, one.measurement.column), 0)
            <= -FEWEST_ROWS
            for one in verdict.instance.variables
            if one.measurement is not None and not one.exact
        )

    @cached_property
    def _followed(self) -> Mapping[tuple[int, Relation, int], int]:
        """How many rows of a column follow a relation; if none does, less by one for each row."""
        holding: Counter[tuple[int, Relation, int]] = Counter()
        failing: Counter[tuple[int, Relation, int]] = Counter()
        for row in self.rows:
            for verdict in self.verdicts(row):
                for one in verdict.instance.variables:
                    if one.measurement is not None and not one.exact:
                        place = row.sheet.number, verdict.relation, one.measurement.column
                        (failing if verdict.fails else holding)[place] += 1
        return {place: holding[place] or -count for place, count in failing.items()}

    def _values_if_holding(self, relation: Relation, name: str) -> set[float]:
        """The values of a stated setting in the rows that follow a relation."""
        known = self._holding.get((relation, name))
        if known is None:
            known = self._holding[relation, name] = {
                row.stated[name].value
                for row in self.rows
                if name in row.stated
                and any(one.relation == relation and not one.fails for one in self.verdicts(row))
            }
        return known

    def _holds_with(self, row: RunNumbers, relation: Relation, setting: Number) -> bool:
        stated = {setting.quantity.name: setting}
        supposed = row._replace(
            variables={**row.variables, **stated}, stated={**row.stated, **stated}, supposed=True
        )
        verdicts = [one for one in self._test(supposed) if one.relation == relation]
        return bool(verdicts) and not any(one.fails for one in verdicts)

    @cached_property
    def _stated(self) -> Mapping[str, Mapping[float, Number]]:
        """The values that the text of the report states for each setting."""
        found: dict[str, dict[float, Number]] = {}
        for row in self.rows:
            for name, one in row.stated.items():
                if one.fact is not None:
                    found.setdefault(name, {})[one.value] = one
        return found

    def misfits(self, row: RunNumbers) -> int:
        """How many cells of the row do not belong where they stand."""
        return count_misfits(row.run.measurements, self.kinds(row))

    def kinds(self, row: RunNumbers) -> Kinds:
        """What the columns of the row's sheet hold."""
        return self._kinds[row.sheet.number]

    def empty_rows(self, row: RunNumbers) -> Sequence[RunNumbers]:
        """The nearest rows of the same sheet that have settings and no measurement."""
        members = self._by_sheet[row.sheet.number]
        empty = [one for one in members if one.run.status is Status.MISSING]
        at = bisect_left(empty, row.run.number, key=lambda one: one.run.number)
        return empty[max(0, at - MOST_EMPTY_ROWS) : at + MOST_EMPTY_ROWS]

    @cached_property
    def _shown(self) -> Mapping[Place, list[Check]]:
        """The laws that the tables show, by the numbers that take part."""
        found: dict[Place, list[Check]] = defaultdict(list)
        for check in self._computed():
            for place in {one.place for one in check.operands if one.place is not None}:
                if check.holds or check.fails:
                    found[place].append(check)
        return found

    def count_broken(self, after: RunNumbers, changed: Collection[CellKey]) -> int:
        """How many laws that the tables show a change breaks, less those that it settles."""
        broken: set[Hashable] = set()
        settled: set[Hashable] = set()
        for one in after.run.measurements:
            number = printed_number(one, after.sheet) if one.key in changed else None
            if number is None or number.place is None:
                continue
            for check in self._shown.get(number.place, ()):
                wanted = check.solve(number.place)
                fits = wanted is not None and meets((number.low, number.high), wanted)
                if wanted is not None and fits is check.fails:
                    (settled if fits else broken).add(check.law)
        return len(broken) - len(settled)

    def repeats(self, row: RunNumbers, after: RunNumbers) -> bool:
        """Whether a change gives the row the settings of another row of its table."""
        mine, number = settings_of(after), row.sheet.number
        if number not in self._settings:
            self._settings[number] = frozenset(map(settings_of, self._by_sheet[number]))
        return mine != settings_of(row) and mine in self._settings[number]

    def has_like(self, after: RunNumbers, names: Collection[str]) -> bool:
        """Whether another row of the table has all the same values of some quantities."""
        number = after.sheet.number
        shared = tuple(sorted(name for name in names if name in after.variables))
        if (number, shared) not in self._alike:
            rows = self._alike[number, shared] = defaultdict(set)
            for row in self._by_sheet[number]:
                if all(name in row.variables for name in shared):
                    rows[_values_of(row, shared)].add(row.run.number)
        alike = self._alike[number, shared].get(_values_of(after, shared), set())
        return not alike <= {after.run.number}

    @cached_property
    def _by_sheet(self) -> Mapping[int, list[RunNumbers]]:
        return by_sheet(self.rows)

    def is_confirmed(self, row: RunNumbers, one: Measurement) -> bool:
        """Whether another table of the report has the same setting for what the row is named."""
        setting = _name_setting(row, one)
        return setting is not None and not self._named.get(setting, set()) <= {row.sheet.number}

    @cached_property
    def _named(self) -> Mapping[tuple[str, str, Decimal | None], set[int]]:
        """The tables that have a setting for a name, if there are several tables."""
        if len(self._by_sheet) == 1:
            return {}
        found: dict[tuple[str, str, Decimal | None], set[int]] = {}
        for row in self.rows:
            for one in row.run.values.values():
                setting = _name_setting(row, one)
                if setting is not None:
                    found.setdefault(setting, set()).add(row.sheet.number)
        return found

    def commonness(self, row: RunNumbers, one: Measurement) -> float:
        """How much of a column, and of the report's columns of that quantity, has a value."""
        if one.quantity is None:
            return 0.0
        name, value = one.quantity.name, str(one.numeral.value)
        return sum(
            self._shares.get(place, Counter())[value] / (self._totals.get(place) or 1)
            for place in ((row.sheet.number, name), (_REPORT, name))
        )

    def surprise(self, before: Measurement, one: Measurement) -> float:
        """How odd a number looks in its column, where `before` stands now: 0 for not at all."""
        amount, quantity = base_amount(one), one.quantity
        if amount is None or quantity is None or one.amount is None or amount <= 0:
            return 0.0
        if not quantity.allows(one.amount.value, one.amount.unit):
            return IMPOSSIBLE
        odd = min(IMPOSSIBLE, strangeness(quantity.name, amount))
        column, printed = self._column(one), base_amount(before)
        if column.count_without(printed) < FEWEST_OTHERS:
            return odd
        if column.has_near(amount, printed):
            return odd
        low, high = column.range_without(printed)
        beyond = max(0.0, math.log10(low / amount), math.log10(amount / high))
        if not beyond:
            return max(odd, NOVEL if quantity.role is Role.SETTING else 0.0)
        width = RANGE_WIDTH + math.log10(high / low) / 2
        return max(odd, min(MOST_NOVEL, NOVEL + beyond / width))


def _row_of(row: RunNumbers) -> tuple[int, int]:
    return row.sheet.number, row.run.number


def _values_of(row: RunNumbers, names: Iterable[str]) -> tuple[float, ...]:
    return tuple(row.variables[name].value for name in names)


def _is_stated_setting(one: Number) -> bool:
    return one.fact is not None and one.quantity.role is Role.SETTING


def _name_setting(row: RunNumbers, one: Measurement) -> tuple[str, str, Decimal | None] | None:
    """What a row is named, if it begins with a name, and a setting of it."""
    first = row.run.measurements[0] if row.run.measurements else None
    if first is None or first.numeral.form is not Form.TEXT or one.quantity is None:
        return None
    return first.numeral.text, one.quantity.name, one.numeral.value


def _test_bounds(law: AnyLaw, row: RunNumbers) -> Verdict | None:
    """Whether a bound or an estimate contradicts a law; that it agrees confirms nothing."""
    if row.with_bounds is None or law.relation.model:
        return None
    verdict = law.test(row.with_bounds)
    if verdict is None or not verdict.fails or isinstance(verdict.instance, Computed):
        return None
    return verdict if verdict.bounded else None


def base_amount(one: Measurement) -> float | None:
    """How much a cell says, in base units."""
    return None if one.amount is None else float(one.amount.value * one.amount.unit.scale)


def settings_of(row: RunNumbers) -> Settings:
    """What a row is about: its settings and names, as they are written."""
    found: list[tuple[str, str]] = []
    for one in row.run.measurements:
        quantity = one.quantity
        if one.part or one.numeral.form is Form.NOTHING:
            continue
        if quantity is None:
            if one.numeral.form is Form.TEXT:
                found.append((one.header.text, one.numeral.text))
        elif quantity.role in (Role.SETTING, Role.IDENTITY):
            amount = base_amount(one)
            said = one.numeral.text if amount is None else f"{amount!r} {one.numeral.note}"
            found.append((quantity.name, said))
    return tuple(sorted(found))
