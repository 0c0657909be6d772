"""Intervals in cells whose ends follow the same relation as the numbers between them.

The least time of `[40.0 ns 43.2 ns 46.2 ns]` belongs to the largest rate, and the largest to the
least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.verdicts import Verdict, compare
from mdbench.diagnosis.numbers import Number, measured_number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.numerals.cell import Form
from mdbench.source import Span

_Ends = tuple[Number, Number]


def confirmed_ends(row: RunNumbers, verdict: Verdict) -> Iterator[Span]:
    """The cells of a row that have two ends each, if a relation holds for those as well."""
    instance = verdict.instance
    if verdict.fails or verdict.relation.model or not isinstance(instance, Instance):
        return
    ends = [_read_ends(row, variable) for variable in instance.variables]
    spread = [at for at, one in enumerate(ends) if one is not None]
    if len(spread) != 2:
        return
    first, second = (instance.factors[at][1] for at in spread)
    opposed = first * second > 0
    for number in (0, 1):
        chosen = {spread[0]: number, spread[1]: 1 - number if opposed else number}
        if compare(_replace(instance, ends, chosen), verdict.constant).fails:
            return
    for at in spread:
        measurement = instance.variables[at].measurement
        if measurement is not None:
            yield measurement.cell.span


def _read_ends(row: RunNumbers, variable: Number) -> _Ends | None:
    """The least and the largest number that stand in the cell of a number."""
    main = variable.measurement
    if main is None:
        return None
    parts = [
        one
        for one in row.run.measurements
        if one.key == main.key and one.part and one.numeral.form is Form.RANGE
    ]
    found = [one for part in parts if (one := measured_number(part, row.sheet)) is not None]
    if len(found) != 2 or min(one.low for one in found) <= 0:
        return None
    low, high = sorted(found, key=lambda one: one.value)
    return low, high


def _replace(instance: Instance, ends: Sequence[_Ends | None], chosen: dict[int, int]) -> Instance:
    factors = []
    for at, (variable, power) in enumerate(instance.factors):
        pair = ends[at]
        factors.append((variable if pair is None else pair[chosen[at]], power))
    return instance._replace(factors=tuple(factors))
