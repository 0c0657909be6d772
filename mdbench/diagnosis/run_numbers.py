"""The numbers of a run, by quantity and by column, with what is stated for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, TypeVar

from mdbench.diagnosis.numbers import (
    Number,
    bounded_number,
    given_number,
    measured_number,
    stated_number,
)
from mdbench.diagnosis.peaks import exact_peak
from mdbench.numerals.cell import Form, Numeral
from mdbench.prose.facts import Fact
from mdbench.sheets.measurements import Measurement, Run, StatedSetting
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import scale
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity
from mdbench.vocabulary.statistics import SPREADS

Numbers = Mapping[str, Number]
RunKey = tuple[int, int, int]
"""The number of a sheet, and of its run and variant."""


class _RunNumbersFields(NamedTuple):
    sheet: Sheet
    run: Run
    variables: Numbers
    stated: Numbers
    """What is not in its own cells: settings of the same run in another table, headers, facts."""
    supposed: bool = False
    """Whether the report has other numbers there."""
    open_ended: bool = False
    """Whether bounds and estimates count, with what they leave open."""


class RunNumbers(_RunNumbersFields):
    """A run with its numbers."""

    @property
    def key(self) -> RunKey:
        """Its run: no other one of the report is of this table, row and variant."""
        return self.sheet.number, self.run.number, self.run.variant

    @classmethod
    def read(
        cls, run: Run, sheet: Sheet, stated: Numbers, before: Numbers | None = None
    ) -> "RunNumbers":
        """A run with its numbers; those of cells that were there `before` are taken over."""
        variables = {**_given_variables(run, sheet.vocabulary), **stated}
        for name, measurement in run.values.items():
            known = before.get(name) if before is not None else None
            if known is None or known.measurement is not measurement:
                known = measured_number(measurement, sheet)
            if known is not None:
                variables[name] = known
            elif measurement.numeral.bound:
                # The cell overrules what is stated, though it does not say how much it is.
                variables.pop(name, None)
        return cls(sheet, run, variables, stated)

    @cached_property
    def with_bounds(self) -> "RunNumbers | None":
        """The row with its bounds and estimates; None if it has none."""
        bounded = {
            name: variable
            for name, one in self.run.values.items()
            if one.numeral.bound and (variable := bounded_number(one)) is not None
        }
        if not bounded:
            return None
        return self._replace(variables={**self.variables, **bounded}, open_ended=True)

    def supposing(self, measurements: tuple[Measurement, ...]) -> "RunNumbers":
        """The row as it would be with other cells."""
        run = self.run._replace(measurements=measurements)
        row = self.read(run, self.sheet, self.stated, self.variables)
        return row._replace(supposed=True)

    def settings(self) -> Numbers:
        """The numbers that its own cells set."""
        return {
            name: one
            for name, one in self.variables.items()
            if one.quantity.role is Role.SETTING and one.measurement is not None
        }

    @cached_property
    def cells(self) -> Mapping[int, Measurement]:
        """What the cell of each column is about."""
        return {one.column: one for one in self.run.measurements if one.part == 0}

    @cached_property
    def numbers(self) -> Mapping[int, Number | None]:
        """The number of each column, as far as it is known what it is of."""
        return {at: self._variable(one) if one.single else None for at, one in self.cells.items()}

    @property
    def is_clear(self) -> bool:
        """Whether each of its cells can be of one quantity alone, and is the only one of it."""
        seen: set[str] = set()
        for one in self.run.measurements:
            if one.part or one.numeral.form is not Form.NUMBER:
                continue
            if one.quantity is None:
                if one.header.candidates:
                    return False
                continue
            name = one.quantity.name
            if name in seen or name not in self.variables:
                return False
            seen.add(name)
        return True

    @cached_property
    def columns(self) -> Mapping[str, tuple[Number, ...]]:
        """All numbers of each quantity, where several columns hold it or may be read as it."""
        found: dict[str, list[Number]] = {}
        for one in self.run.measurements:
            for reading in _readings(one):
                variable = self._variable(reading)
                if variable is not None:
                    found.setdefault(variable.quantity.name, []).append(variable)
        return {name: _without_spreads(several) for name, several in found.items()}

    def _variable(self, one: Measurement) -> Number | None:
        known = self.variables.get(one.quantity.name) if one.quantity is not None else None
        if known is not None and known.measurement is one:
            return known
        if self.open_ended and one.numeral.bound:
            return bounded_number(one)
        return measured_number(one, self.sheet)


class _OfSheet(Protocol):
    """A run, or a law."""

    @property
    def sheet(self) -> Sheet:
        """The sheet that it is about."""


_Member = TypeVar("_Member", bound=_OfSheet)


def by_sheet(members: Iterable[_Member]) -> dict[int, list[_Member]]:
    """The runs or the laws of each sheet, by its number."""
    found: dict[int, list[_Member]] = {}
    sheet, several = None, []
    for one in members:
        if one.sheet is not sheet:
            sheet = one.sheet
            several = found.setdefault(sheet.number, [])
        several.append(one)
    return found


def numbers_by_cell(rows: Iterable[RunNumbers]) -> Mapping[int, Number]:
    """The numbers of all runs, by the identity of what was read from their cells."""
    return {id(one.measurement): one for row in rows for one in row.variables.values()}


def known_names(rows: Iterable[RunNumbers]) -> frozenset[str]:
    """The quantities of which some run has a number."""
    return frozenset().union(*(row.variables for row in rows))


def _without_spreads(several: Sequence[Number]) -> tuple[Number, ...]:
    """The numbers without errors and deviations: no relation means those beside a value."""
    values = [
        one
        for one in several
        if one.measurement is None or one.measurement.header.statistic not in SPREADS
    ]
    return tuple(values or several)


def _readings(one: Measurement) -> tuple[Measurement, ...]:
    """What a cell may be: what it was read as, or each thing that its header leaves open."""
    if one.part or one.numeral.form is not Form.NUMBER:
        return ()
    if one.quantity is not None:
        return (one,)
    return tuple(
        one._replace(quantity=candidate, amount=amount)
        for candidate in one.header.candidates
        if (amount := scale(one.numeral, candidate, one.header.unit or candidate.unit)) is not None
    )


def stated_numbers(
    facts: Iterable[Fact] = (), settings: Iterable[StatedSetting] = ()
) -> Mapping[str, Number]:
    """What facts and headers say in numbers."""
    return {
        **dict(_state((fact.quantity, fact.numeral, fact) for fact in facts)),
        **dict(_state((one.quantity, one.numeral, None) for one in settings)),
    }


def _state(
    told: Iterable[tuple[Quantity, Numeral, Fact | None]],
) -> Iterator[tuple[str, Number]]:
    for what, numeral, fact in told:
        known = stated_number(what, numeral, fact)
        if known is not None:
            yield what.name, known


def _given_variables(run: Run, vocabulary: Vocabulary) -> dict[str, Number]:
    """What the project's configuration says, for where the report says nothing."""
    given = vocabulary.extensions
    if not given.constants and not given.peaks:
        return {}
    found = {
        one.quantity: given_number(vocabulary.quantities[one.quantity], one.value)
        for one in given.constants
    }
    peak = exact_peak(run, given.peaks)
    if peak is not None:
        found["peak_tflops"] = given_number(quantity("peak_tflops"), peak.tflops)
    return found
