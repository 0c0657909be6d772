"""Which rows follow a law, and what that is worth as evidence for it."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.bits import RowTest, bits_alone, bits_if_exact, bits_together
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import MONOMIALS, Base, Law, Operands, Shape, combine
from mdbench.diagnosis.arithmetic.words import is_by_tool, says_average, says_share
from mdbench.diagnosis.checks import Interval, Stand, meets
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import (
    DEAD_ZONE,
    NOT_CUT,
    ROWS_IF_NAMED,
    ROWS_IF_SHARP,
    SHARP_SHARE,
    SHARP_WIDTHS,
    TELLING_WIDTHS,
)

_AVERAGES = frozenset((Shape.MEAN, Shape.GEOMEAN, Shape.MEDIAN))
# What people print of a baseline, whichever way its column compares: `0%`, `1.00x`, `100`.
_NEUTRAL = (0.0, 1.0, 100.0)
_SUMMED_UP = ("", "mean", "total")


class Evidence(NamedTuple):
    """The rows that a law was tested on, and how unlikely their agreement is by chance."""

    tests: tuple[RowTest, ...]
    holding: int
    failing: int
    """How many numbers must be wrong for the rows that fail."""
    bits: float
    wrong_bases: frozenset[int] = frozenset()
    """The baselines that all rows contradict which are compared with them, and in the same way."""


def test_row(grid: Grid, law: Law, row: int) -> RowTest | None:
    """How a row stands to a law; None if it lacks a number, or is its own baseline."""
    if not _is_about(law, row):
        return None
    printed = grid.lines[law.result].numbers.get(row)
    if law.baseline is not None and row == law.baseline.source.run:
        printed = law.baseline
    operands = law.operands(grid, row) if printed is not None else None
    if printed is None or operands is None:
        return None
    predicted = law.predict_from(operands, row)
    if predicted is None:
        return None
    stand = _stand(law, row, operands, (printed, predicted))
    if stand is Stand.FAILS and not _may_be_blamed(grid, law, row, (printed, operands)):
        return None
    return RowTest(row, printed, predicted, stand) if stand is not None else None


def _is_about(law: Law, row: int) -> bool:
    if law.part is not None and row not in law.part.rows:
        return False
    return law.base is None or law.base.rows.get(row, row) != row


def _may_be_blamed(grid: Grid, law: Law, row: int, numbers: tuple[Number, Operands]) -> bool:
    """Whether a row that fails is one that the law is about."""
    printed, operands = numbers
    if not grid.by_rows:
        if _is_average(grid, law, row, printed):
            return False
    elif law.part is None and grid.sheet.columns[row].header.statistic not in _SUMMED_UP:
        # The total of minima may be a sum or a minimum.
        return False
    if law.base is not None and law.base.moves:
        return not _skips_rows(grid, law, row, printed)
    if law.shape in _AVERAGES and len(operands) < len(law.terms):
        # Nobody knows what an average counts for a number that lacks or cannot be read.
        return False
    if law.shape is not Shape.SUM:
        return True
    return not (_never_adds_up(grid, row, printed) or _is_between(printed, operands, grid))


def _skips_rows(grid: Grid, law: Law, row: int, printed: Number) -> bool:
    """Whether a row is compared with an earlier one than that above it, which was discarded."""
    earlier = (other for other in grid.lines[law.result].numbers if other < row)
    bases = (law._replace(base=Base("an earlier row", {row: other})) for other in earlier)
    found = (one.predict(grid, row) for one in bases)
    return any(ends is not None and meets(printed.widest(), ends) for ends in found)


def _is_between(printed: Number, parts: Operands, grid: Grid) -> bool:
    """Whether a row of totals has an average in a column: it is between what would be added."""
    values = [number.value for term, number in parts if term.power > 0]
    all_added = grid.by_rows and len(values) == len(parts)
    return all_added and 0 < min(values) <= printed.value <= max(values)


def _is_average(grid: Grid, law: Law, row: int, printed: Number) -> bool:
    """Whether a row of averages has the average of its column, and not what its numbers give."""
    if not says_average(grid.labels.get(row, "")):
        return False
    numbers = grid.lines[law.result].numbers
    parts = [
        one
        for at, one in numbers.items()
        if at != row and one.value > 0 and not says_average(grid.labels.get(at, ""))
    ]
    if len(parts) < ROWS_IF_NAMED:
        return False
    shapes = Shape.MEAN, Shape.GEOMEAN
    found = (combine(shape, [(1, one.low, one.high) for one in parts]) for shape in shapes)
    return any(ends is not None and meets(printed.widest(), ends) for ends in found)


def has_baseline(grid: Grid, law: Law, row: int) -> bool:
    """Whether a row is compared with its base: that is a baseline, and the row itself is none."""
    if law.base is None or law.base.moves or law.base.rows[row] == row:
        return True
    return says_neutral(grid, law, law.base.rows[row]) and not says_neutral(grid, law, row)


def says_neutral(grid: Grid, law: Law, row: int) -> bool:
    """Whether a baseline does not say of itself that it is compared with another row."""
    printed = grid.lines[law.result].numbers.get(row)
    predicted = _of_itself(grid, law, row)
    if printed is None or predicted is None:
        return True
    return printed.widest()[0] <= predicted <= printed.widest()[1]


def _of_itself(grid: Grid, law: Law, row: int) -> float | None:
    """What a baseline says if it is compared with itself."""
    predicted = law._replace(base=Base("itself", {row: row})).predict(grid, row)
    return None if predicted is None else sum(predicted) / 2


def _test_baselines(grid: Grid, law: Law, tests: Sequence[RowTest]) -> Iterator[RowTest]:
    """The baselines that others are compared with, and that say something else of themselves."""
    if law.base is None or law.base.moves:
        return
    needed = 1 if is_by_tool(grid, law) else ROWS_IF_NAMED
    stands: dict[int, list[bool]] = defaultdict(list)
    for one in tests:
        stands[law.base.rows[one.row]].append(one.stand is Stand.HOLDS)
    for row, held in stands.items():
        printed, predicted = grid.lines[law.result].numbers.get(row), _of_itself(grid, law, row)
        if printed is None or predicted is None or printed.value in _NEUTRAL:
            continue
        if len(held) >= needed and all(held) and not says_neutral(grid, law, row):
            yield RowTest(row, printed, (predicted, predicted), Stand.FAILS)


def _never_adds_up(grid: Grid, row: int, number: Number) -> bool:
    """Whether a number in a row of totals is a percentage, and none of the same whole."""
    if not grid.by_rows or says_share(grid.labels.get(row, "")):
        return False
    one = number.source
    unit = one.amount.unit if one.amount is not None else one.header.unit
    return one.numeral.unit == "%" or (unit is not None and unit.text == "%")


def _stand(
    law: Law, row: int, operands: Operands, compared: tuple[Number, Interval]
) -> Stand | None:
    """How what is printed stands to what was predicted; None if it only says about how much."""
    printed, predicted = compared
    if meets((printed.low, printed.high), predicted):
        # That nothing is nothing shows no law.
        return Stand.HOLDS if printed.value or printed.exact else Stand.NEAR
    if printed.about:
        return None
    widest = printed.widest()
    if meets(widest, predicted):
        return Stand.CUT if printed.value else Stand.NEAR
    for _, number in operands:
        if number.about:
            return Stand.NEAR
    # That all of several numbers were cut is no explanation.
    few = len(law.terms) <= 2 or law.shape in MONOMIALS
    loose = law.predict_from(operands, row, cut=True) if few else None
    if loose is not None and meets(widest, loose):
        return Stand.ALL_CUT
    gap = max(widest[0] - predicted[1], predicted[0] - widest[1])
    # A sum has no more digits than its parts, but a ratio may be one of unrounded numbers.
    room = DEAD_ZONE if law.shape in MONOMIALS else 0.0
    near = gap <= room * max(abs(predicted[0]), abs(predicted[1]))
    return Stand.CLOSE if near else Stand.FAILS


def test_bounds(grid: Grid, law: Law) -> Iterator[RowTest]:
    """The rows that only state a bound: they may contradict a law, but confirm nothing."""
    for row, bound in grid.lines[law.result].bounds.items():
        predicted = law.predict(grid, row)
        if predicted is not None:
            fails = not meets(predicted, (bound.low, bound.high))
            yield RowTest(row, bound, predicted, Stand.FAILS if fails else Stand.NEAR)


def weigh(grid: Grid, law: Law, rows: Sequence[int]) -> Evidence:
    """Test a law on rows, and count the evidence for it."""
    tests = tuple(one for row in rows if (one := test_row(grid, law, row)) is not None)
    tests = (*_test_baselines(grid, law, tests), *tests)
    # That nothing is nothing speaks neither for a law nor against it.
    telling = [one for one in tests if one.printed.value or one.stand is not Stand.NEAR]
    distinct = {(one.printed.value, one.predicted): one for one in telling}.values()
    holding = [one for one in distinct if one.holds]
    wrong = _wrong_bases(grid, law, tests)
    failing = len(wrong) + sum(
        one.stand is Stand.FAILS and _base_of(law, one.row) not in wrong for one in tests
    )
    if law.part is not None:
        bits = sum(bits_alone(one, law.part.choices) for one in holding)
    else:
        bits = bits_together([*distinct], holding)
    if law.exact:
        bits = min(bits, bits_if_exact(tests, holding))
    if law.free and holding:
        # One row was used up to find each constant.
        constants = {law.constant_in(one.row) for one in holding}
        bits *= (len(holding) - len(constants)) / len(holding)
    return Evidence(tests, sum(one.holds for one in tests), failing, bits, wrong)


def _base_of(law: Law, row: int) -> int | None:
    return None if law.base is None else law.base.rows.get(row)


def _wrong_bases(grid: Grid, law: Law, tests: Sequence[RowTest]) -> frozenset[int]:
    """The rows that say that they are the baseline, and by one other number would be that."""
    if law.base is None or law.base.moves or law.shape not in MONOMIALS or law.larger:
        return frozenset()
    groups: dict[int, list[RowTest]] = defaultdict(list)
    for one in tests:
        groups[law.base.rows.get(one.row, one.row)].append(one)
    return frozenset(
        row
        for row, group in groups.items()
        if len(group) >= ROWS_IF_NAMED
        and all(one.stand is Stand.FAILS for one in group)
        and (printed := grid.lines[law.result].numbers.get(row)) is not None
        and printed.value in _NEUTRAL
        and says_neutral(grid, law, row)
        and _agree_on_factor(law, group)
    )


def _agree_on_factor(law: Law, group: Sequence[RowTest]) -> bool:
    """Whether what rows print is what is predicted for them, times one factor."""
    low, high = 0.0, math.inf
    for one in group:
        least, most = _as_ratio(law, one.printed[1:3])
        below, above = _as_ratio(law, one.predicted)
        if least <= 0 or below <= 0:
            return False
        low, high = max(low, least / above), min(high, most / below)
    return low <= high


def _as_ratio(law: Law, ends: Interval) -> Interval:
    """The ratio that a change or a saving tells of."""
    low, high = ends[0] / law.scale, ends[1] / law.scale
    if law.shape is Shape.PRODUCT:
        return low, high
    return (1 - high, 1 - low) if law.shape is Shape.SAVED else (1 + low, 1 + high)


def sharpen(several: Sequence[Evidence]) -> Iterator[Evidence]:
    """Where nearly all hold to their last digit, a number that is near is wrong all the same.

    Who rounds all other numbers has not cut a result and what it was computed from as well.
    """
    tests = [test for one in several for test in one.tests]
    exact = sum(test.stand is Stand.HOLDS and _is_telling(test) for test in tests)
    sharp = exact >= ROWS_IF_SHARP and exact >= SHARP_SHARE * len(tests)
    for one in several:
        off = {test.row for test in one.tests if _is_off(test)} if sharp else frozenset[int]()
        judged = tuple(
            test._replace(stand=Stand.FAILS) if test.row in off else test for test in one.tests
        )
        yield one._replace(tests=judged, failing=one.failing + len(off)) if off else one


def _is_telling(test: RowTest) -> bool:
    """Whether a row would have shown a number that is off."""
    low, high = test.predicted
    doubt = test.printed.high - test.printed.low
    return high - low <= max(TELLING_WIDTHS * doubt, NOT_CUT * abs(test.printed.value))


def _is_off(test: RowTest) -> bool:
    gap = max(test.printed.low - test.predicted[1], test.predicted[0] - test.printed.high)
    if test.stand is Stand.ALL_CUT:
        return gap > NOT_CUT * max(abs(test.predicted[0]), abs(test.predicted[1]))
    return test.stand is Stand.CLOSE and gap > SHARP_WIDTHS * test.width
