"""What one line of a table may be computed from, and what it would then be in a row."""

import math
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.checks import Interval
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.typical import median


class Shape(StrEnum):
    """How the numbers of a row make up the result."""

    PRODUCT = "product"
    CHANGE = "product less one"
    SAVED = "one less product"
    SUM = "sum"
    MEAN = "mean"
    GEOMEAN = "geometric mean"
    MEDIAN = "median"
    HARMONIC = "harmonic mean"
    DEVIATION = "standard deviation"


MONOMIALS = frozenset((Shape.PRODUCT, Shape.CHANGE, Shape.SAVED))


AVERAGES = frozenset((Shape.MEAN, Shape.GEOMEAN, Shape.MEDIAN))


class Term(NamedTuple):
    """One number of the calculation: a line, and its power in a product or its sign in a sum."""

    line: int
    power: int = 1
    at_base: bool = False
    """Whether the number of the baseline is meant, and not that of the row."""


class Base(NamedTuple):
    """What each row is compared with."""

    kind: str
    """How it was found, in words."""
    rows: Mapping[int, int]
    """The baseline of each row."""
    moves: bool = False
    """Whether each row is compared with the one above it, so that no row is the baseline."""


class Part(NamedTuple):
    """The rows that a law is about, where the others of its line compare in other ways."""

    rows: frozenset[int]
    choices: int
    """The ways in which each of them might have been compared."""


Operands = tuple[tuple[Term, Number], ...]
"""The numbers of a row that take part in a law."""


class Law(NamedTuple):
    """How a line is computed from others."""

    shape: Shape
    result: int
    terms: tuple[Term, ...]
    base: Base | None = None
    constant: Interval = (1.0, 1.0)
    """A factor of the product."""
    constants: Mapping[int, Interval] | None = None
    """The factor of each row, if it depends on the kind of row."""
    free: bool = False
    """Whether the constant was found in the rows."""
    exact: bool = False
    """Whether it may as well be measured, so that only rows to their last digit speak for it."""
    scale: float = 1.0
    """What the result is multiplied with in the end: 100 where a share is printed in per cent."""
    larger: bool = False
    """Whether only the size of a ratio or difference is told, whichever number is the larger."""
    baseline: Number | None = None
    """What the row says of itself that the others are compared with, if they tell the constant."""
    turned: frozenset[int] = frozenset()
    """The rows that say `slower` where others say `faster`: they compare the other way."""
    named: bool = False
    """Whether the title of the result is the name of it: `F1`."""
    part: Part | None = None
    """The rows that it is about; None if it is about all of them."""

    def signature(self, grid: Grid) -> tuple[object, ...]:
        """What tables must have in common for a law to be the same."""
        titles = tuple((grid.lines[one.line].name, *one[1:]) for one in self.terms)
        kind = self.base.kind if self.base is not None else ""
        if self.part is not None:
            # Together, the ways of comparing two lines explain the cells.
            return "mixed", grid.lines[self.result].name, *sorted(one[0] for one in titles)
        # Of a constant that the rows tell, each table may have its own.
        constant = None if self.free else self.constant
        return (
            self.shape,
            grid.lines[self.result].name,
            titles,
            kind,
            constant,
            self.scale,
            grid.by_rows,
            self.larger,
        )

    def operands(self, grid: Grid, row: int) -> Operands | None:
        """The numbers of a row that take part; None where one is missing."""
        if self.constants is not None and row not in self.constants:
            return None
        found: list[tuple[Term, Number]] = []
        lines, base, is_product = grid.lines, self.base, self.shape in MONOMIALS
        for term in self.terms:
            line, _, at_base = term
            at = row
            if at_base:
                if base is None or row not in base.rows:
                    return None
                at = base.rows[row]
            number = lines[line].numbers.get(at)
            if number is None:
                if is_product or self.shape is Shape.DEVIATION:
                    return None
                continue
            found.append((term, number))
        return tuple(found) if len(found) >= (1 if is_product else 2) else None

    def constant_in(self, row: int) -> Interval:
        """The factor of the product in a row."""
        return self.constant if self.constants is None else self.constants[row]

    def predict(self, grid: Grid, row: int) -> Interval | None:
        """What the result of a row would be."""
        operands = self.operands(grid, row)
        return None if operands is None else self.predict_from(operands, row)

    def predict_from(self, operands: Operands, row: int, *, cut: bool = False) -> Interval | None:
        """The same from its operands; with `cut`, if they may have been cut."""
        if cut:
            return self.compute(row, [(term.power, *one.widest()) for term, one in operands])
        return self.compute(row, [(term.power, one.low, one.high) for term, one in operands])

    def compute(self, row: int, terms: Sequence[tuple[int, float, float]]) -> Interval | None:
        """The result of a row from the ends of its operands."""
        ends = list(terms)
        constant = self.constant_in(row)
        if self.shape in MONOMIALS and constant != (1.0, 1.0):
            ends.append((1, *constant))
        found = combine(self.shape, ends)
        if found is None:
            return None
        if self.larger:
            found = _size(self.shape, found)
        elif row in self.turned and self.shape is not Shape.PRODUCT:
            found = -found[1], -found[0]
        elif row in self.turned:
            found = (1 / found[1], 1 / found[0]) if found[0] > 0 else found
        return found[0] * self.scale, found[1] * self.scale


class Family(NamedTuple):
    """Several ways in which a line may be computed from the same numbers."""

    terms: tuple[Term, ...]
    base: Base | None
    ways: Sequence[Law]
    """The laws, without the numbers."""

    def law(self, way: Law) -> Law:
        """One of the laws."""
        return way._replace(terms=self.terms, base=self.base)


def _size(shape: Shape, found: Interval) -> Interval:
    """A ratio that is not below one, or a difference that is not below zero."""
    low, high = found
    if shape is Shape.SUM:
        return (low, high) if low >= 0 else (max(0.0, -high), max(-low, high))
    if low <= 0 or low >= 1:
        return found
    return (1 / high, 1 / low) if high < 1 else (1.0, max(high, 1 / low))


def combine(shape: Shape, ends: Sequence[tuple[int, float, float]]) -> Interval | None:
    """The result of numbers that are known to lie between two ends each."""
    if shape in MONOMIALS:
        product = multiply(ends)
        if product is None or shape is Shape.PRODUCT:
            return product
        low, high = product
        return (low - 1, high - 1) if shape is Shape.CHANGE else (1 - high, 1 - low)
    if shape is Shape.GEOMEAN:
        product = multiply(ends)
        return None if product is None else tuple_root(product, len(ends))
    if shape in _OF_ALL:
        return _OF_ALL[shape](ends)
    low = sum([power * (one if power > 0 else other) for power, one, other in ends])
    high = sum([power * (other if power > 0 else one) for power, one, other in ends])
    count = len(ends) if shape is Shape.MEAN else 1
    return low / count, high / count


def multiply(ends: Sequence[tuple[int, float, float]]) -> Interval | None:
    """The product of numbers above zero, each to its power."""
    low = high = 1.0
    for power, least, most in ends:
        if least <= 0:
            return None
        if power > 0:
            low *= least
            high *= most
        else:
            low /= most
            high /= least
    return low, high


def tuple_root(product: Interval, degree: int) -> Interval:
    """The ends of a root."""
    return product[0] ** (1 / degree), product[1] ** (1 / degree)


def _median(ends: Sequence[tuple[int, float, float]]) -> Interval:
    return median([low for _, low, _ in ends]), median([high for *_, high in ends])


def _harmonic(ends: Sequence[tuple[int, float, float]]) -> Interval | None:
    if min(low for _, low, _ in ends) <= 0:
        return None
    below = [sum(1 / end[side] for end in ends) for side in (1, 2)]
    return len(ends) / below[0], len(ends) / below[1]


def _deviation(ends: Sequence[tuple[int, float, float]]) -> Interval:
    """From the deviation of a whole population to that of a sample."""
    values = [(low + high) / 2 for _, low, high in ends]
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    doubt = max(high - low for _, low, high in ends) / 2
    population = math.sqrt(squares / len(values))
    sample = math.sqrt(squares / (len(values) - 1))
    return population - doubt, sample + doubt


_OF_ALL: Mapping[Shape, Callable[[Sequence[tuple[int, float, float]]], Interval | None]] = {
    Shape.DEVIATION: _deviation,
    Shape.MEDIAN: _median,
    Shape.HARMONIC: _harmonic,
}
