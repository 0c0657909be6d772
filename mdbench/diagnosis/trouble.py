"""A row whose numbers contradict each other, and the repairs that would mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mdbench.diagnosis.comparisons import Comparison
from mdbench.diagnosis.divisibility import count_indivisible
from mdbench.diagnosis.laws import Law, Row, Verdict
from mdbench.diagnosis.misfits import Kinds, column_kinds, count_misfits, has_foreign_unit
from mdbench.diagnosis.repairs import (
    MISSING,
    Change,
    Mistake,
    Repair,
    amend,
    main_cells,
    suppose_shifts,
    suppose_swaps,
    suppose_values,
)
from mdbench.numerals import Form, Status
from mdbench.quantities import Role
from mdbench.records import Measurement

_CLOSE = 0.2
_SETTING_PENALTY = 0.5
_NOVELTY_PENALTY = 0.3
_NOT_RESULT_PENALTY = 0.3
_OTHER_ROW_COST = 1.3
_MOST_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Trouble:
    """A row, what fails in it, and the best repairs, equals together."""

    row: Row
    failing: tuple[Verdict, ...]
    repairs: tuple[Repair, ...]
    left: tuple[Verdict, ...] = ()
    """What would still fail after the first repair."""
    move: Repair | None = None
    """With the first repair, the measurements would fit this other row."""


@dataclass(frozen=True)
class Bench:
    """All rows of a report and its laws, against which repairs are tried."""

    rows: Sequence[Row]
    laws: Sequence[Law | Comparison]

    @cached_property
    def _laws(self) -> dict[int, list[Law | Comparison]]:
        found: dict[int, list[Law | Comparison]] = {}
        for law in self.laws:
            found.setdefault(id(law.sheet), []).append(law)
        return found

    @cached_property
    def _kinds(self) -> dict[int, Kinds]:
        return {id(row.sheet): column_kinds(row.sheet) for row in self.rows}

    @cached_property
    def _shares(self) -> dict[tuple[int, str], Counter[str]]:
        """How often each value stands in a column: of its sheet, and of the whole report (0)."""
        found: dict[tuple[int, str], Counter[str]] = {}
        for row in self.rows:
            for name, one in row.record.values.items():
                for place in (id(row.sheet), 0):
                    counter = found.setdefault((place, name), Counter())
                    counter[str(one.numeral.value)] += 1
        return found

    def verdicts(self, row: Row) -> Iterator[Verdict]:
        """Every law of the row's sheet that the row has the numbers for."""
        for law in self.laws_of(row):
            verdict = law.test(row)
            if verdict is not None:
                yield verdict

    def laws_of(self, row: Row) -> Sequence[Law | Comparison]:
        """The laws of the row's sheet."""
        return self._laws.get(id(row.sheet), ())

    def failing(self, row: Row) -> tuple[Verdict, ...]:
        """The laws that the row contradicts."""
        return tuple(verdict for verdict in self.verdicts(row) if verdict.fails)

    def misfits(self, row: Row) -> int:
        """How many cells of the row do not belong where they stand."""
        return count_misfits(row.record.measurements, self.kinds(row))

    def kinds(self, row: Row) -> Kinds:
        """What the columns of the row's sheet hold."""
        return self._kinds[id(row.sheet)]

    def share(self, row: Row, name: str, value: str, *, everywhere: bool) -> float:
        """How much of a column, or of the report's columns of that quantity, has a value."""
        counter = self._shares.get((0 if everywhere else id(row.sheet), name), Counter())
        return counter[value] / (counter.total() or 1)


def find_trouble(bench: Bench) -> Iterator[Trouble]:
    """Every row that contradicts a law or holds cells that cannot be of their column."""
    for row in bench.rows:
        failing = bench.failing(row)
        foreign = sum(has_foreign_unit(one) for one in main_cells(row))
        if failing or foreign:
            trouble = _examine(bench, row, failing)
            if trouble.failing or trouble.repairs:
                yield trouble


def _examine(bench: Bench, row: Row, failing: tuple[Verdict, ...]) -> Trouble:
    candidates = [
        *(suppose_values(row, failing) if failing else ()),
        *suppose_swaps(row),
        *suppose_shifts(row, bench.kinds(row)),
        *_suppose_other_rows(bench, row, failing),
    ]
    mending = [repair for repair in candidates if _mends(bench, row, repair)]
    if mending:
        return Trouble(row, failing, _best(bench, row, mending, failing))
    return _examine_shifts(bench, row, failing)


def _examine_shifts(bench: Bench, row: Row, failing: tuple[Verdict, ...]) -> Trouble:
    """Units alone can show a shift, even where the shifted numbers belong to another row."""
    before = bench.misfits(row)
    fitting = [
        (len(bench.failing(after)), repair.cost, repair, after)
        for repair in suppose_shifts(row, bench.kinds(row))
        if before and not bench.misfits(after := amend(row, repair))
    ]
    if not fitting:
        return Trouble(row, failing, ())
    _, _, repair, after = min(fitting, key=lambda one: one[:2])
    left = bench.failing(after)
    moves = [move for move in _suppose_other_rows(bench, after, left) if _mends(bench, after, move)]
    return Trouble(row, failing, (repair,), left, moves[0] if moves else None)


def _suppose_other_rows(
    bench: Bench, row: Row, failing: Sequence[Verdict]
) -> Iterator[Repair]:
    """The measurements belong to another row of the table, which has none."""
    measured = [one for one in main_cells(row) if _is_measured(one)]
    if not failing or bench.misfits(row):
        return
    for other in bench.rows:
        if other.sheet is not row.sheet or other.record.status is not Status.MISSING:
            continue
        theirs = [one for one in main_cells(other) if _is_measured(one)]
        if len(theirs) != len(measured) or any(one.numeral.value is not None for one in theirs):
            continue
        here = [Change(one, MISSING) for one in measured if one.numeral.form is not Form.NOTHING]
        there = [
            Change(one, mine.numeral.text)
            for one, mine in zip(theirs, measured, strict=True)
            if mine.numeral.form is not Form.NOTHING
        ]
        filled = amend(other, Repair(Mistake.OTHER_ROW, "", tuple(there), 0.0))
        verdicts = list(bench.verdicts(filled))
        tested = {verdict.relation for verdict in verdicts if not verdict.fails}
        if len(tested) == len(verdicts) and all(one.relation in tested for one in failing):
            title = f"the measurements are those of {_describe(other)}"
            yield Repair(Mistake.OTHER_ROW, title, (*here, *there), _OTHER_ROW_COST)


def _describe(row: Row) -> str:
    """A row by the number it begins with."""
    first = main_cells(row)[0]
    return f"the row with {first.header.text} {first.cell.raw}"


def _is_measured(one: Measurement) -> bool:
    return one.header.quantity is not None and one.header.quantity.role is Role.MEASUREMENT


def _mends(bench: Bench, row: Row, repair: Repair) -> bool:
    """Whether after a repair nothing fails, nothing that held is lost and nothing is absurd."""
    after = amend(row, repair)
    verdicts = list(bench.verdicts(after))
    if any(verdict.fails for verdict in verdicts):
        return False
    if repair.mistake is not Mistake.OTHER_ROW:
        held = sum(not verdict.fails for verdict in bench.verdicts(row))
        if len(verdicts) < held + 1 and len(verdicts) <= held:
            return False
    if bench.misfits(after) > (0 if bench.misfits(row) else bench.misfits(row)):
        return False
    if count_indivisible(after.variables) > count_indivisible(row.variables):
        return False
    return _is_possible(after) and not _repeats(bench, row, after)


def _is_possible(row: Row) -> bool:
    return all(
        one.quantity.allows(one.amount.value, one.amount.unit)
        for one in row.record.values.values()
        if one.quantity is not None and one.amount is not None
    )


def _repeats(bench: Bench, row: Row, after: Row) -> bool:
    """Whether a repair would give the row the settings of another row of its table."""
    mine = _settings(after)
    if mine == _settings(row):
        return False
    return any(
        other.sheet is row.sheet and other.record is not row.record and _settings(other) == mine
        for other in bench.rows
    )


def _settings(row: Row) -> tuple[tuple[str, float], ...]:
    return tuple(
        sorted(
            (name, one.value)
            for name, one in row.variables.items()
            if one.quantity.role is Role.SETTING
        )
    )


def _best(
    bench: Bench, row: Row, mending: Sequence[Repair], failing: Sequence[Verdict]
) -> tuple[Repair, ...]:
    ranked = sorted(
        ((repair.cost + _doubt(bench, row, repair, failing), at) for at, repair in enumerate(mending))
    )
    least = ranked[0][0]
    return tuple(mending[at] for cost, at in ranked[:_MOST_SHOWN] if cost <= least + _CLOSE)


def _doubt(bench: Bench, row: Row, repair: Repair, failing: Iterable[Verdict]) -> float:
    """How unlikely it is that just these cells are wrong."""
    if repair.mistake not in (Mistake.VALUE, Mistake.DIGITS):
        return 0.0
    one = repair.changes[0].measurement
    if one.quantity is None:
        return 0.0
    name, value = one.quantity.name, str(one.numeral.value)
    doubt = 0.0
    if one.quantity.role is Role.SETTING:
        doubt += bench.share(row, name, value, everywhere=False)
        doubt += bench.share(row, name, value, everywhere=True)
        doubt += 0.0 if _all_settings(failing) else _SETTING_PENALTY
        after = amend(row, repair).record.values.get(name)
        known = after is not None and bench.share(
            row, name, str(after.numeral.value), everywhere=False
        )
        doubt += 0.0 if known else _NOVELTY_PENALTY
    elif all(verdict.relation.result != name for verdict in failing):
        doubt += _NOT_RESULT_PENALTY
    return doubt


def _all_settings(failing: Iterable[Verdict]) -> bool:
    return all(
        variable.quantity.role is Role.SETTING
        for verdict in failing
        for variable in verdict.instance.variables
    )
