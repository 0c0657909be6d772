"""Totals below a single column of numbers, which no other column shows to be sums."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.diagnosis.arithmetic.bits import RowTest
from mdbench.diagnosis.arithmetic.candidates import rows_since_last
from mdbench.diagnosis.arithmetic.evidence import test_row
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term
from mdbench.diagnosis.checks import Stand, meets
from mdbench.diagnosis.slips import is_slip
from mdbench.diagnosis.thresholds import NEAR_TOTAL, ROWS_IF_NAMED
from mdbench.vocabulary.statistics import statistic_of


def find_lone_totals(grid: Grid) -> Iterator[Law]:
    """The totals that are wrong by a slip of the fingers, or by one row that was not counted.

    Rows may overlap, or be left out of a table. So a total that is anything else is none of ours.
    """
    if not grid.by_rows:
        return
    for at, line in enumerate(grid.lines):
        if statistic_of(line.title) != "total" or len(line.numbers) != 1:
            continue
        (column,) = line.numbers
        rows = rows_since_last(grid, range(at))
        if len(rows) < ROWS_IF_NAMED or any(column not in grid.lines[row].numbers for row in rows):
            continue
        law = Law(Shape.SUM, at, tuple(map(Term, rows)))
        test = test_row(grid, law, column)
        if test is not None and test.stand is Stand.FAILS and _is_mistake(grid, law, test):
            yield law


def _is_mistake(grid: Grid, law: Law, test: RowTest) -> bool:
    """Whether one mistake makes of the sum what is printed."""
    total = sum(test.predicted) / 2
    if abs(test.printed.value - total) > NEAR_TOTAL * abs(total):
        return False
    low, high = test.predicted
    half = (test.printed.high - test.printed.low) / 2
    if is_slip(test.printed.source, test.printed.value, (low - half, high + half)):
        return True
    parts = (grid.lines[term.line].numbers[test.row] for term in law.terms)
    return any(meets(test.printed[1:3], (low - one.high, high - one.low)) for one in parts)
