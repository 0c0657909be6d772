"""Cells that follow from others: what they are after some of those were changed.

Nothing is bound to the results here. The laws that the table followed before still hold after.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.evidence import test_row
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Law, Shape
from mdbench.diagnosis.arithmetic.likely import find_likely
from mdbench.diagnosis.arithmetic.reading import read_grids
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.diagnosis import Diagnosis, diagnose
from mdbench.diagnosis.laws.bindings import bound
from mdbench.diagnosis.laws.instances import apply, group_key
from mdbench.diagnosis.laws.products import Law as KnownLaw
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.numerals.cell import read_cell
from mdbench.results.printing import (
    add_spread,
    drop_spread,
    habits_of,
    has_spread,
    round_like,
    write_like,
    write_spread,
)
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet

_RELATIVE = "relative"


class Known(NamedTuple):
    """What is known of the cells of a report."""

    exact: Mapping[CellKey, float]
    """What the results say of the bound cells, in base units."""
    changed: frozenset[CellKey]
    """The cells that are not what they were."""
    spreads: Mapping[CellKey, float]
    """How far the results of the bound cells are spread, for their size."""


class Derived(NamedTuple):
    """A cell, and the text that follows for it: often the one that it has."""

    cell: Measurement
    text: str
    keeps_spread: bool = False
    """Whether it prints a spread that nothing gives."""


def find_derived(before: Diagnosis, after: Report, known: Known) -> Iterator[Derived]:
    """The cells that follow from changed ones, and that nothing is bound to."""
    grids = {
        (sheet.number, grid.by_rows): grid for sheet in after.sheets for grid in read_grids(sheet)
    }
    told: set[CellKey] = set()
    tables = {key[0] for key in known.changed}
    likely = find_likely(sheet for sheet in before.report.sheets if sheet.number in tables)
    for found in (*before.arithmetic, *likely):
        grid = grids.get((found.grid.sheet.number, found.grid.by_rows))
        # A baseline that nobody prints is that of the old numbers.
        free = found.law.free and wanted_of(found.grid.lines[found.law.result]).is_comparison
        if grid is not None and found.is_best and not found.is_stale and not free:
            for one in _by_arithmetic(found, grid, known):
                if one.cell.key not in told:
                    told.add(one.cell.key)
                    yield one
    for made in _by_relations(before, after, known):
        if made.cell.key not in told:
            told.add(made.cell.key)
            yield made


def _by_relations(before: Diagnosis, after: Report, known: Known) -> Iterator[Derived]:
    """What the known relations say that the rows followed before, also of rows that are new."""
    if not before.laws:
        return
    old = {row.key for row in before.rows}
    held = {(id(one.relation), row.key) for row, one in before.verdicts if not one.fails}
    for row in diagnose(after).rows:
        for law in before.laws:
            follows = (id(law.relation), row.key) in held or row.key not in old
            if law.sheet.number == row.sheet.number and follows:
                made = _by_relation(law, row, known)
                if made is not None:
                    yield made


def _by_arithmetic(found: Found, grid: Grid, known: Known) -> Iterator[Derived]:
    law = _follow(found, grid)
    if law.larger:
        law = _signed(found, law)
    failing = {one.row for one in found.evidence.tests if one.stand is Stand.FAILS}
    model = _model_of_spreads(found)
    for row, number in grid.lines[law.result].numbers.items():
        key = number.source.key
        operands = law.operands(grid, row) or ()
        keys = {one.source.key for _, one in operands}
        # The number that was the baseline counts as well as the one that is it now.
        was = {one.source.key for _, one in found.law.operands(grid, row) or ()}
        if key in known.exact or row in failing or not (keys | was) & known.changed:
            continue
        ends = [(term.power, *_ends(one, known)) for term, one in operands]
        wanted = law.compute(row, ends)
        if wanted is not None:
            spread = _relative_spread(law, [one.source for _, one in operands], known)
            for made in _write(grid, number, wanted):
                if spread is None:
                    yield made._replace(keeps_spread=made.cell.numeral.spread is not None)
                else:
                    size = sum(wanted) / 2 * spread / _letter(number)
                    yield _with_spread(made, size, model, len(keys) == 1)


def _relative_spread(law: Law, operands: Sequence[Measurement], known: Known) -> float | None:
    """How far a ratio is spread for its size, as its results are; None if that is not known."""
    keys = [one.key for one in operands]
    if law.shape is not Shape.PRODUCT or not all(key in known.spreads for key in keys):
        return None
    # What is divided by itself is one, exactly.
    return math.hypot(*(known.spreads[key] for key in keys)) if len(set(keys)) > 1 else 0.0


def _model_of_spreads(found: Found) -> str:
    """A cell with a spread, where that of the baseline prints none; empty if there is no such."""
    bare, spread = "", ""
    for row, number in found.grid.lines[found.law.result].numbers.items():
        one = number.source
        keys = {each.source.key for _, each in found.law.operands(found.grid, row) or ()}
        if one.numeral.spread is not None:
            spread = one.cell.raw
        if len(keys) == 1 and one.numeral.spread is None:
            bare = one.cell.raw
    return spread if bare else ""


def _with_spread(made: Derived, spread: float, model: str, is_base: bool) -> Derived:
    """A ratio with its spread; the baseline has one only if `model`, from its column, is empty."""
    numeral = made.cell.numeral
    if numeral.spread is None and not model:
        return made
    if is_base and model:
        return made._replace(text=drop_spread(made.text))
    text = made.text
    if numeral.spread is None:
        text = add_spread(text, read_cell(text)[0], model)
    text = write_spread(text, Decimal(repr(spread)))
    return Derived(made.cell, text, not has_spread(text))


def _signed(found: Found, law: Law) -> Law:
    """The law with a sign, if all numbers follow it so: they may not always be above."""
    signed = found.law._replace(larger=False)
    tests = [test_row(found.grid, signed, one.row) for one in found.evidence.tests]
    return law._replace(larger=False) if all(one and one.holds for one in tests) else law


def _follow(found: Found, grid: Grid) -> Law:
    """The law, with another baseline if the best of the column is another row now."""
    law, base = found.law, found.law.base
    line = next((one.line for one in law.terms if one.at_base), None)
    told = found.grid.lines[law.result].numbers
    rows = {at for row, at in base.rows.items() if row in told} if base is not None else set()
    if base is None or line is None or len(rows) != 1:
        return law
    law = law._replace(base=base._replace(rows=dict.fromkeys(grid.lines[line].numbers, *rows)))
    header = grid.lines[law.result].header
    if header.quantity is None or header.quantity.name != _RELATIVE:
        return law
    # A row that was not compared with the baseline yet says nothing of how that was chosen.
    old = {row: one.value for row, one in found.grid.lines[line].numbers.items() if row in told}
    new = {row: one.value for row, one in grid.lines[line].numbers.items()}
    for choose in (min, max):
        if rows == {choose(old, key=old.__getitem__)}:
            best = choose(new, key=new.__getitem__)
            return law._replace(base=base._replace(rows=dict.fromkeys(new, best)))
    return law


def _ends(number: Number, known: Known) -> tuple[float, float]:
    exact = known.exact.get(number.source.key)
    return (number.low, number.high) if exact is None else (exact, exact)


def _write(grid: Grid, number: Number, wanted: tuple[float, float]) -> Iterator[Derived]:
    one = number.source
    low, high = wanted
    if one.numeral.value is None:
        return
    if low < high and low <= number.high and number.low <= high:
        # Computed from rounded numbers, it may well be what is printed.
        yield Derived(one, one.cell.raw)
        return
    made = _change(grid.sheet, one, (low + high) / 2 / _letter(number))
    if made is not None:
        yield made


def _letter(number: Number) -> float:
    """How many base units one printed unit is, letters such as k included."""
    value = number.source.numeral.value
    return number.value / float(value) if value else number.scale


def _change(sheet: Sheet, one: Measurement, printed: float) -> Derived | None:
    """A cell with another number, in the unit that it is printed in; None if it cannot be."""
    value, habits = Decimal(repr(printed)), habits_of(sheet.columns[one.column])
    if not value.is_finite():
        return None
    if round_like(value, one.numeral, habits) == one.numeral.value:
        return Derived(one, one.cell.raw)
    text = write_like(one.cell.raw, one.numeral, value, habits, one.pick or 0)
    return Derived(one, text) if text is not None else None


def _by_relation(law: KnownLaw, row: RunNumbers, known: Known) -> Derived | None:
    """What a known relation says of its result, in a row whose other numbers changed."""
    variables = {name: _exactly(one, known) for name, one in bound(row, law.binding).items()}
    wanted = variables.get(law.relation.result)
    instance = apply(law.relation, variables)
    if instance is None or wanted is None or wanted.measurement is None:
        return None
    constant = law.constants.get(group_key(instance, row.run))
    if constant is None:
        return None
    one = wanted.measurement
    keys = {each.measurement.key for each in instance.variables if each.measurement is not None}
    if one.key in known.exact or not (keys - {one.key}) & known.changed or wanted.offset:
        return None
    solved = instance.solve(wanted, constant.low, constant.high)
    if solved is None or one.numeral.value is None:
        return None
    low, high = solved
    if low <= wanted.high and wanted.low <= high:
        return Derived(one, one.cell.raw)
    letter = wanted.value / float(one.numeral.value) if one.numeral.value else wanted.scale
    return _change(row.sheet, one, (low + high) / 2 / letter)


def _exactly(one: Number, known: Known) -> Number:
    exact = known.exact.get(one.measurement.key) if one.measurement is not None else None
    if exact is None or one.offset:
        return one
    return one._replace(value=exact, low=exact, high=exact, cut=exact)
