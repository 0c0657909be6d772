"""Laws that several rows break, and what their failing has in common."""

from __future__ import annotations

from mdbench.diagnosis.arithmetic.evidence import Evidence
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Law, Shape
from mdbench.diagnosis.checks import Stand, meets
from mdbench.diagnosis.thresholds import ROWS_IF_NAMED, STALE_NEAR


def only_doubles(grid: Grid, law: Law, evidence: Evidence) -> bool:
    """Whether a sum mostly adds a number to itself: what is twice as much is no total."""
    if law.shape is not Shape.SUM:
        return False
    rows = [test.row for test in evidence.tests if test.holds]
    operands = [law.operands(grid, row) or () for row in rows]
    equal = sum(len({number.value for _, number in each}) == 1 for each in operands)
    return 2 * equal > len(rows)


def is_partly_stale(evidence: Evidence) -> bool:
    """Whether few rows follow a law, and all others come near to it."""
    off = [test for test in evidence.tests if test.stand is Stand.FAILS]
    if not ROWS_IF_NAMED <= evidence.holding < len(off):
        return False
    return all(
        abs(test.printed.value - sum(test.predicted) / 2) <= STALE_NEAR * abs(test.printed.value)
        for test in off
    )


def is_miscounted(grid: Grid, law: Law, evidence: Evidence) -> bool:
    """Whether all means that fail were divided by one too many, or all by one too few."""
    if law.shape is not Shape.MEAN:
        return False
    count = len(law.terms)
    tests = [
        test
        for test in evidence.tests
        # Nobody knows what was made of a number that lacks.
        if test.stand is Stand.FAILS and len(law.operands(grid, test.row) or ()) == count
    ]
    for wrong in (count + 1, count - 1):
        ends = [tuple(end * count / wrong for end in test.predicted) for test in tests]
        if all(
            meets(test.printed.widest(), (low, high))
            for test, (low, high) in zip(tests, ends, strict=True)
        ):
            return True
    return False
