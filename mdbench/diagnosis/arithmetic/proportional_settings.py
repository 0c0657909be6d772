"""Settings that are another one times a whole number in every row but one: `Ranks` and `Nodes`."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.diagnosis.arithmetic.constants import implied
from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term
from mdbench.diagnosis.arithmetic.witnesses import Witnesses
from mdbench.diagnosis.checks import Interval, meets
from mdbench.diagnosis.laws.constants import agree
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.slips import is_slip
from mdbench.diagnosis.thresholds import DIGITS_IF_MISTYPED, ROWS_IF_NAMED, ROWS_IF_UNNAMED


def find_odd_settings(grid: Grid, witnesses: Witnesses | None) -> Iterator[Law]:
    """The laws that one row alone breaks, by a slip or against a number in the text.

    Whoever chooses settings may leave a proportion on purpose. So anything else is none of ours.
    """
    settings = [
        (at, line)
        for at, line in enumerate(grid.lines)
        if line.is_setting and not grid.by_rows and len(line.numbers) > ROWS_IF_UNNAMED
    ]
    for at, line in settings:
        for other, source in settings:
            law = Law(Shape.PRODUCT, at, (Term(other),), free=True)
            found = _proportion(grid, law) if at != other else None
            if found is None:
                continue
            constant, row = found
            said = law._replace(constant=(constant, constant))
            wanted = source.numbers[row].value * constant
            stated = witnesses is not None and witnesses.find(grid, said) is not None
            if stated or (_is_mistyped(line.numbers[row], wanted) and not _fits(source, row, line)):
                yield said


def _proportion(grid: Grid, law: Law) -> tuple[float, int] | None:
    """The whole number that all rows lead to but one, and that row."""
    line, source = grid.lines[law.result], grid.lines[law.terms[0].line]
    ends = dict(implied(grid, law, line.numbers))
    agreed = agree(list(ends.values()))
    if agreed is None or agreed.support != len(ends) - 1 or agreed.support < ROWS_IF_UNNAMED:
        return None
    constant = float(round((agreed.low + agreed.high) / 2))
    both: Interval = (agreed.low, agreed.high)
    odd = [row for row, one in ends.items() if not meets(one, both)]
    different = {source.numbers[row].value for row in ends if row not in odd}
    if len(odd) != 1 or len(different) < ROWS_IF_NAMED:
        return None
    return (constant, odd[0]) if both[0] <= constant <= both[1] and constant >= 1 else None


def _is_mistyped(printed: Number, wanted: float) -> bool:
    """Whether one slip makes of a number with enough digits what is printed."""
    digits = sum(char.isdigit() for char in printed.source.typed or "")
    return digits >= DIGITS_IF_MISTYPED and is_slip(printed.source, printed.value, (wanted, wanted))


def _fits(source: Line, row: int, line: Line) -> bool:
    """Whether the other number of the row may be the wrong one just as well."""
    constant = line.numbers[row].value / source.numbers[row].value
    return constant.is_integer()
