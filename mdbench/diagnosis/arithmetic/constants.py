"""Laws with a constant that the rows of a table agree on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from mdbench.diagnosis.arithmetic.bases import find_baseline
from mdbench.diagnosis.arithmetic.dimensions import composes
from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term
from mdbench.diagnosis.arithmetic.words import counts_same, is_in_other_unit, wanted_of
from mdbench.diagnosis.checks import Interval
from mdbench.diagnosis.laws.constants import agree
from mdbench.diagnosis.thresholds import (
    GENEROUS,
    MOST_LAW_ROWS,
    NEARLY_EQUAL,
    NICE_CONSTANTS,
    ROWS_IF_UNNAMED,
    SAMPLED_ROWS,
)
from mdbench.relations.catalogue import is_related


def with_constant(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Products of one or two lines with a constant that the rows agree on."""
    result = grid.lines[at]
    if len(result.numbers) < ROWS_IF_UNNAMED:
        return
    rows = some_of(list(result.numbers))
    printed = [(result.numbers[row].value, result.numbers[row].doubt) for row in rows]
    columns = {one: sample(grid.lines[one], rows) for one in sources}
    for one in sources:
        for power in (1, -1):
            if _may_agree(printed, (columns[one], power)):
                yield from fit(grid, result, Law(Shape.PRODUCT, at, (Term(one, power),)))
    known = {one for one in (at, *sources) if grid.lines[one].header.quantity is not None}
    for place, one in enumerate(sources):
        for other in sources[place + 1 :]:
            is_known = known.issuperset((at, one, other))
            if is_known:
                # What is known to follow from two others, the catalogue knows.
                law = _as_work(grid, at, one, other)
                if law is not None:
                    yield from _fit_exactly(grid, result, law)
            for powers in ((1, 1), (1, -1), (-1, 1)):
                if is_known and not _is_by_units(grid, at, (one, other), powers):
                    continue
                if _may_agree(printed, (columns[one], powers[0]), (columns[other], powers[1])):
                    terms = Term(one, powers[0]), Term(other, powers[1])
                    fitted = fit(grid, result, Law(Shape.PRODUCT, at, terms))
                    # Each of the three may have been measured.
                    yield from (law._replace(exact=law.exact or is_known) for law in fitted)


def _is_by_units(grid: Grid, at: int, pair: tuple[int, int], powers: tuple[int, int]) -> bool:
    """Whether only the units say that one of three known lines is a product of the others."""
    result, one, other = (grid.lines[each] for each in (at, *pair))
    if not composes(result.dimension, (one.dimension, powers[0]), (other.dimension, powers[1])):
        return False
    several = (line.header.quantity for line in (result, one, other))
    return not is_related(frozenset(meant.name for meant in several if meant is not None))


Sample = Sequence[tuple[float, float]]
"""Some numbers of a line, each with how far it may be off; 0 where there is none."""


def sample(line: Line, rows: Sequence[int]) -> Sample:
    """The numbers of a line in some rows."""
    found = (line.numbers.get(row) for row in rows)
    return [(0.0, 0.0) if one is None else (one.value, one.doubt) for one in found]


def _may_agree(printed: Sample, *factors: tuple[Sample, int]) -> bool:
    """Whether more than half of some rows lead to the same constant."""
    ends: list[tuple[float, float]] = []
    for at, (value, doubt) in enumerate(printed):
        constant, room = value, doubt
        for column, power in factors:
            factor, more = column[at]
            if factor <= 0:
                break
            constant = constant / factor if power > 0 else constant * factor
            room += more
        else:
            width = abs(constant) * room * GENEROUS
            ends.append((constant - width, constant + width))
    if len(ends) < 2:
        return False
    lowest, highest = sorted([low for low, _ in ends]), sorted([high for _, high in ends])
    needed = len(ends) // 2 + 1
    for low, high in ends:
        # Of the intervals that begin before the end of one, those that end before it begins.
        if bisect_right(lowest, high) - bisect_left(highest, low) >= needed:
            return True
    return False


def _as_work(grid: Grid, at: int, one: int, other: int) -> Law | None:
    """A rate of what was done in a time: how much that is in each run, the text may say."""
    if "/s" not in grid.lines[at].dimension:
        return None
    times = [each for each in (one, other) if grid.lines[each].dimension.split("/")[0] == "s"]
    if len(times) != 1 or not grid.lines[one + other - times[0]].is_setting:
        return None
    return Law(Shape.PRODUCT, at, (Term(one + other - times[0]), Term(times[0], -1)))


def _fit_exactly(grid: Grid, result: Line, law: Law) -> Iterator[Law]:
    """The law with the constant that most rows lead to, if they agree on one."""
    intervals = [ends for _, ends in implied(grid, law, [*result.numbers][:MOST_LAW_ROWS])]
    agreed = agree(intervals) if len(intervals) > 2 else None
    if agreed is not None and 2 * agreed.support > len(intervals):
        yield law._replace(constant=(agreed.low, agreed.high), free=True, exact=True)


def fit(grid: Grid, result: Line, law: Law) -> Iterator[Law]:
    """The law with the constant that most rows lead to, if it is one that people use."""
    intervals = [ends for _, ends in implied(grid, law, [*result.numbers][:MOST_LAW_ROWS])]
    agreed = agree(intervals) if len(intervals) > 2 else None
    if agreed is None or 2 * agreed.support < len(intervals):
        return
    if wanted_of(result).is_comparison:
        agreed_on = agreed.low, agreed.high
        yield law._replace(constant=agreed_on, free=True, baseline=find_baseline(result))
        return
    found = law._replace(constant=(agreed.low, agreed.high), free=True)
    like = any(
        term.power > 0 and _may_be_alike(grid.lines[term.line], result) for term in law.terms
    )
    if like and len(law.terms) == 1:
        if is_telling(grid, law, found.constant):
            yield found._replace(exact=True)
        return
    for nice in NICE_CONSTANTS:
        if agreed.low <= nice <= agreed.high:
            if len(law.terms) > 1 or nice != 1 or law.terms[0].power < 0:
                yield law._replace(constant=(nice, nice))
            return
    if not like:
        # What is measured is nearly in proportion to much, what is computed is exactly.
        alone = len(law.terms) == 1
        yield found._replace(exact=alone and not _is_amount(grid, result, law.terms[0]))


def is_telling(grid: Grid, law: Law, constant: Interval) -> bool:
    """Whether a line that is another one times a constant may be computed from it.

    Units have a factor of their own, and who measures a thing twice has nearly the same.
    """
    apart = constant[0] > NEARLY_EQUAL or constant[1] < 1 / NEARLY_EQUAL
    return apart and not is_in_other_unit(grid.lines[law.result], grid.lines[law.terms[0].line])


def _may_be_alike(one: Line, other: Line) -> bool:
    """Whether two lines may be measured in one unit."""
    known = one.dimension and other.dimension
    return not known or one.dimension == other.dimension


def _is_amount(grid: Grid, result: Line, term: Term) -> bool:
    """Whether what was done is told twice: as a rate, and as a time or an amount."""
    source = grid.lines[term.line]
    kinds = result.dimension, source.dimension
    if not any("/s" in kind for kind in kinds):
        return False
    if term.power < 0:
        return any(kind.split("/")[0] == "s" for kind in kinds)
    return counts_same(result, source)


def implied(grid: Grid, law: Law, rows: Iterable[int]) -> Iterator[tuple[int, Interval]]:
    """The constant that each of some rows of the result leads to."""
    factors = [(grid.lines[term.line].numbers, term.power) for term in law.terms]
    shape, results = law.shape, grid.lines[law.result].numbers
    for row in rows:
        printed = results[row]
        low, high = printed.low, printed.high
        if shape is not Shape.PRODUCT:
            low, high = _as_product(shape, low, high)
        if low <= 0:
            continue
        for numbers, power in factors:
            number = numbers.get(row)
            if number is None or number.low <= 0:
                break
            if power > 0:
                low, high = low / number.high, high / number.low
            else:
                low, high = low * number.low, high * number.high
        else:
            yield row, (low, high)


def _as_product(shape: Shape, low: float, high: float) -> Interval:
    """What the product must be for a change or a saving to be what is printed."""
    return (low + 1, high + 1) if shape is Shape.CHANGE else (1 - high, 1 - low)


def some_of(rows: Sequence[int]) -> Sequence[int]:
    """A few rows from all over a table."""
    return rows[:: max(1, len(rows) // SAMPLED_ROWS)][: SAMPLED_ROWS + 1]
