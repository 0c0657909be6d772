"""A law of a table in one row: which numbers take part, and what each must be for it to hold."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.bits import RowTest
from mdbench.diagnosis.arithmetic.evidence import test_bounds
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import MONOMIALS, Shape, combine, multiply
from mdbench.diagnosis.arithmetic.prior import is_said
from mdbench.diagnosis.checks import Interval, Operand, Stand
from mdbench.diagnosis.numbers import Number, Place
from mdbench.source import Span


class Applied(NamedTuple):
    """A law in one row."""

    found: Found
    test: RowTest
    operands: tuple[Operand, ...]

    @property
    def stand(self) -> Stand:
        """How the row stands to the law."""
        return self.test.stand

    @property
    def holds(self) -> bool:
        """Whether the row follows the law."""
        return self.test.holds

    @property
    def fails(self) -> bool:
        """Whether the numbers contradict the law."""
        return self.test.stand is Stand.FAILS

    @property
    def law(self) -> Hashable:
        """What tells the law from others."""
        return id(self.found)

    @property
    def bounded(self) -> bool:
        """Whether a bound or an estimate takes part."""
        return any(one.number.bounded for one in self.operands)

    @property
    def rough(self) -> bool:
        """Whether an estimate takes part, so that the law confirms no number."""
        return any(one.number.about for one in self.operands)

    @property
    def cut(self) -> Number | None:
        """The result, if the law only holds if it was cut instead of rounded."""
        return self.test.printed if self.test.stand is Stand.CUT else None

    @property
    def cells(self) -> Iterator[Span]:
        """The cells of the numbers that take part."""
        return (one.number.source.cell.span for one in self.operands)

    @property
    def told_by_rows(self) -> bool:
        """Whether the law has a constant that nothing but other rows tells."""
        return self.found.law.free

    def solve(self, place: Place) -> Interval | None:
        """What a number must be for the law to hold; None where that cannot be told."""
        if self.operands[0].number.place == place:
            return self.test.predicted
        mine = next((one for one in self.operands[1:] if one.number.place == place), None)
        others = [one for one in self.operands[1:] if one.number.place != place]
        if mine is None or len(others) + 2 != len(self.operands):
            return None
        if self.found.law.shape in MONOMIALS:
            return self._solve_product(mine, others)
        if self.found.law.shape in (Shape.SUM, Shape.MEAN):
            return self._solve_sum(mine, others)
        return None

    def compute(self, place: Place) -> float | None:
        """The same, from the others without their rounding."""
        solved = self.as_printed().solve(place) or self.solve(place)
        return None if solved is None else (solved[0] + solved[1]) / 2

    def as_printed(self) -> "Applied":
        """The law with its numbers taken for exact."""
        operands = tuple(one._replace(number=one.number.as_printed()) for one in self.operands)
        ends = [(one.power, one.number.low, one.number.high) for one in operands[1:]]
        predicted = self.found.law.compute(self.test.row, ends) or self.test.predicted
        return self._replace(operands=operands, test=self.test._replace(predicted=predicted))

    def _solve_product(self, mine: Operand, others: Sequence[Operand]) -> Interval | None:
        result, law = self.operands[0].number, self.found.law
        low, high = (end / law.scale for end in result.widest())
        if law.shape is Shape.CHANGE:
            low, high = low + 1, high + 1
        elif law.shape is Shape.SAVED:
            low, high = 1 - high, 1 - low
        terms = [(-one.power, one.number.low, one.number.high) for one in others]
        solved = multiply([(1, low, high), (-1, *law.constant_in(self.test.row)), *terms])
        if solved is None or mine.power > 0:
            return solved
        return 1 / solved[1], 1 / solved[0]

    def _solve_sum(self, mine: Operand, others: Sequence[Operand]) -> Interval:
        result = self.operands[0].number
        count = len(self.operands) - 1 if self.found.law.shape is Shape.MEAN else 1
        ends = [(one.power, one.number.low, one.number.high) for one in others]
        rest = combine(Shape.SUM, ends) or (0.0, 0.0)
        low, high = result.low * count - rest[1], result.high * count - rest[0]
        return (low, high) if mine.power > 0 else (-high, -low)


def apply_laws(laws: Iterable[Found]) -> Iterator[Applied]:
    """Every law in every row; one relation that is seen from several of its lines counts once."""
    seen: set[tuple[object, ...]] = set()
    for found in sorted(laws, key=_rank):
        for test in (*found.evidence.tests, *test_bounds(found.grid, found.law)):
            operands = tuple(operands_of(found.grid, found, test))
            key = _identity(found, operands)
            if key not in seen:
                seen.add(key)
                yield Applied(found, test, operands)


def _rank(found: Found) -> tuple[bool, bool, bool, float]:
    """The first is told: it says which of the numbers is computed from the others."""
    said = is_said(found.grid, found.law)
    return not found.named, not found.is_best, not said, -found.bits


def _identity(found: Found, operands: Sequence[Operand]) -> tuple[object, ...]:
    places = sorted(
        (one.number.source.key, one.number.source.part, one.at_base) for one in operands
    )
    if found.law.shape is Shape.PRODUCT:
        return found.law.shape, found.law.free, tuple(places)
    return found.law.shape, tuple(places)


def operands_of(grid: Grid, found: Found, test: RowTest) -> Iterator[Operand]:
    """The result and the numbers that it is computed from."""
    yield Operand(test.printed, 0)
    for term, number in found.law.operands(grid, test.row) or ():
        yield Operand(number, term.power, term.at_base)
