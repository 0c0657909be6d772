"""What a number should be by the others as they are printed, without their rounding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.laws.instances import Instance, apply
from mdbench.diagnosis.laws.products import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.typical import median


def printed_value(variable: Number, verdicts: Sequence[Verdict]) -> float | None:
    """What a person would compute: by a formula if one fails, else by what other rows have."""
    for verdict in sorted(verdicts, key=lambda one: one.constant.low != one.constant.high):
        instance = verdict.instance
        if not isinstance(instance, Instance):
            continue
        for one, power in instance.factors:
            if _are_one_cell(one, variable) and abs(power) == 1:
                constant, rest = _constant(verdict), instance.printed(one)
                if constant is not None and rest > 0:
                    value = (constant / rest) ** power
                    return value + variable.offset - one.offset
    return None


def _are_one_cell(one: Number, other: Number) -> bool:
    mine, theirs = one.measurement, other.measurement
    return mine is not None and theirs is not None and mine.cell is theirs.cell


def _constant(verdict: Verdict) -> float | None:
    """The constant itself, or the middle one of those that the rows which agree have."""
    low, high = verdict.constant.low, verdict.constant.high
    if low == high:
        return low
    found = [one for one in _constants(verdict) if low <= one <= high]
    return median(found) if found else None


def _constants(verdict: Verdict) -> Iterator[float]:
    for row in verdict.constant.rows:
        instance = apply(verdict.relation, row.variables)
        if instance is not None:
            yield instance.printed()
