"""A part of a total that is out of the proportion that all other rows have to another column."""

from __future__ import annotations

from mdbench.diagnosis.arithmetic.applied import Applied
from mdbench.diagnosis.arithmetic.laws import Shape
from mdbench.diagnosis.checks import Interval, meets
from mdbench.diagnosis.laws.constants import agree
from mdbench.diagnosis.numbers import Number, Place
from mdbench.diagnosis.thresholds import ROWS_IF_UNNAMED


def is_out_of_proportion(failing: Applied, place: Place) -> bool:
    """Whether one number of a sum in a column is odd, as the next column has the same shares."""
    grid, law = failing.found.grid, failing.found.law
    if not grid.by_rows or law.shape is not Shape.SUM:
        return False
    column = failing.test.row
    lines = [grid.lines[at].numbers for at in (law.result, *(term.line for term in law.terms))]
    for other in {at for line in lines for at in line} - {column}:
        pairs = [(line[column], line[other]) for line in lines if column in line and other in line]
        ratios = [_ratio(*pair) for pair in pairs]
        agreed = agree(ratios) if len(ratios) > ROWS_IF_UNNAMED else None
        if agreed is None or agreed.support != len(ratios) - 1:
            continue
        both = agreed.low, agreed.high
        odd = [pair[0] for pair, ratio in zip(pairs, ratios, strict=True) if not meets(ratio, both)]
        if len(odd) == 1 and odd[0].place == place:
            return True
    return False


def _ratio(one: Number, other: Number) -> Interval:
    if min(one.low, other.low) <= 0:
        return 0.0, 0.0
    return one.low / other.high, one.high / other.low
