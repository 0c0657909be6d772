"""A law in one row: which numbers take part, and what each must be for it to hold."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.evidence import RowTest, Stand, test_bounds
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import MONOMIALS, Interval, Shape, combine, multiply
from mdbench.diagnosis.arithmetic.search import Found
from mdbench.diagnosis.numbers import Number
from mdbench.sheets.measurements import CellKey

Place = tuple[CellKey, int]
"""A cell, and which of its numbers."""


class Operand(NamedTuple):
    """A number that takes part in a law: in which place, and as what."""

    number: Number
    power: int
    """0 for the result."""
    at_base: bool

    @property
    def place(self) -> Place:
        """Its cell."""
        return self.number.source.key, self.number.source.part


class Applied(NamedTuple):
    """A law in one row."""

    found: Found
    test: RowTest
    operands: tuple[Operand, ...]

    @property
    def fails(self) -> bool:
        """Whether the numbers contradict the law."""
        return self.test.stand is Stand.FAILS


def apply_laws(laws: Iterable[Found]) -> Iterator[Applied]:
    """Every law in every row; one relation that is seen from several of its lines counts once."""
    seen: set[tuple[object, ...]] = set()
    for found in sorted(laws, key=lambda one: (not one.named, -one.bits)):
        for test in (*found.evidence.tests, *test_bounds(found.grid, found.law)):
            operands = tuple(operands_of(found.grid, found, test))
            key = _identity(found, operands)
            if key not in seen:
                seen.add(key)
                yield Applied(found, test, operands)


def _identity(found: Found, operands: Sequence[Operand]) -> tuple[object, ...]:
    places = sorted((one.place, one.at_base) for one in operands)
    if found.law.shape is Shape.PRODUCT:
        return found.law.shape, found.law.free, tuple(places)
    return found.law.shape, tuple(places)


def operands_of(grid: Grid, found: Found, test: RowTest) -> Iterator[Operand]:
    """The result and the numbers that it is computed from."""
    yield Operand(test.printed, 0, at_base=False)
    for term, number in found.law.operands(grid, test.row) or ():
        yield Operand(number, term.power, term.at_base)


def as_printed(law: Applied) -> Applied:
    """A law with its numbers taken for exact."""
    operands = tuple(one._replace(number=one.number.as_printed()) for one in law.operands)
    ends = [(one.power, one.number.low, one.number.high) for one in operands[1:]]
    predicted = law.found.law.compute(law.test.row, ends) or law.test.predicted
    return law._replace(operands=operands, test=law.test._replace(predicted=predicted))


def solve(law: Applied, place: Place) -> Interval | None:
    """What a number must be for a law to hold; None where that cannot be told."""
    if law.operands[0].place == place:
        return law.test.predicted
    mine = next(one for one in law.operands[1:] if one.place == place)
    others = [one for one in law.operands[1:] if one.place != place]
    if len(others) + 2 != len(law.operands):
        return None
    if law.found.law.shape in MONOMIALS:
        return _solve_product(law, mine, others)
    if law.found.law.shape in (Shape.SUM, Shape.MEAN):
        return _solve_sum(law, mine, others)
    return None


def _solve_product(law: Applied, mine: Operand, others: Sequence[Operand]) -> Interval | None:
    result, (least, most) = law.operands[0].number, law.found.law.constant
    scale = law.found.law.scale
    low, high = (end / scale for end in result.widest())
    if law.found.law.shape is Shape.CHANGE:
        low, high = low + 1, high + 1
    elif law.found.law.shape is Shape.SAVED:
        low, high = 1 - high, 1 - low
    terms = [(-one.power, one.number.low, one.number.high) for one in others]
    solved = multiply([(1, low, high), (-1, least, most), *terms])
    if solved is None or mine.power > 0:
        return solved
    return 1 / solved[1], 1 / solved[0]


def _solve_sum(law: Applied, mine: Operand, others: Sequence[Operand]) -> Interval:
    result = law.operands[0].number
    count = len(law.operands) - 1 if law.found.law.shape is Shape.MEAN else 1
    ends = [(one.power, one.number.low, one.number.high) for one in others]
    rest = combine(Shape.SUM, ends) or (0.0, 0.0)
    low, high = result.low * count - rest[1], result.high * count - rest[0]
    return (low, high) if mine.power > 0 else (-high, -low)
