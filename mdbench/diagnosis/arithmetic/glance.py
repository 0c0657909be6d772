"""A quick look at a few rows of a table, which rules out most laws that may be tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.arithmetic.constants import Sample, sample
from mdbench.diagnosis.arithmetic.evidence import test_row
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import MONOMIALS, Base, Family, Law, Shape
from mdbench.diagnosis.thresholds import DEAD_ZONE, GENEROUS

_Products = Sequence[tuple[float, float, float, float]]
"""Of each row, what is printed and its last digit, a product and how far that may be off."""


class Glance:
    """Some rows of a line. It may take a near miss for a hit, but never overlooks a hit."""

    def __init__(self, grid: Grid, result: int, rows: Sequence[int]) -> None:
        self._grid = grid
        self._rows = rows
        self._most_failing = len(rows) // 2
        numbers = grid.lines[result].numbers
        printed = ((row, numbers[row]) for row in rows)
        self._printed = [(row, one.value, abs(one.cut - one.value)) for row, one in printed]
        self._samples: dict[int, Sample] = {}
        self._known: dict[tuple[object, ...], tuple[Sequence[Law], list[Law]]] = {}
        self._base: Base | None = None
        self._base_rows = rows
        self._based_on: tuple[int | None, ...] = ()
        self._base_samples: dict[int, Sample] = {}

    def promising(self, family: Family) -> Iterator[Law]:
        """The laws that half of the rows seem to follow."""
        base = family.base
        if base is not None and base is not self._base:
            # Many families in a row have the same baseline.
            self._base, self._base_samples = base, {}
            self._base_rows = [base.rows.get(row, row) for row in self._rows]
            self._based_on = tuple(map(base.rows.get, self._rows))
        # Several baselines are often the same row.
        key = family.terms, self._based_on if base is not None else ()
        known = self._known.get(key)
        if known is None or known[0] is not family.ways:
            known = self._known[key] = family.ways, list(self._promising(family))
        return map(family.law, known[1])

    def _promising(self, family: Family) -> Iterator[Law]:
        products: _Products | None = None
        for way in family.ways:
            if way.shape in MONOMIALS and not way.turned and way.constants is None:
                if products is None:
                    products = self._multiply(family)
                if not way.larger:
                    if self._seems_to_hold(way, products):
                        yield way
                    continue
                if not _may_hold_somewhere(way, products):
                    continue
            if self._holds(family.law(way)):
                yield way

    def _holds(self, law: Law) -> bool:
        tested = holding = 0
        for row in self._rows:
            test = test_row(self._grid, law, row)
            if test is None:
                continue
            tested += 1
            holding += test.holds
            if holding == 2:
                return True
            if tested - holding > self._most_failing:
                return False
        return 2 * holding >= tested > 0

    def _seems_to_hold(self, way: Law, products: _Products) -> bool:
        least, most = way.constant
        more, scale, shape = 1 - least / most, way.scale, way.shape
        failing = holding = 0
        for value, last, factors, doubt in products:
            product = factors * least
            room = product * (doubt + more) * GENEROUS
            if shape is Shape.CHANGE:
                product -= 1
            elif shape is Shape.SAVED:
                product = 1 - product
            product *= scale
            if abs(product - value) <= room * scale + DEAD_ZONE * abs(product) + last:
                holding += 1
                if holding == 2:
                    return True
            else:
                failing += 1
                if failing > self._most_failing:
                    return False
        return holding >= failing and holding > 0

    def _multiply(self, family: Family) -> _Products:
        base = family.base
        bases = self._base_rows
        columns = [
            (self._sample_base(line) if at_base else self._sample(line), power)
            for line, power, at_base in family.terms
        ]
        found: list[tuple[float, float, float, float]] = []
        for at, (row, value, last) in enumerate(self._printed):
            if base is not None and bases[at] == row:
                continue
            product, doubt = 1.0, 0.0
            for column, power in columns:
                factor, more = column[at]
                if factor <= 0:
                    break
                product = product * factor if power > 0 else product / factor
                doubt += more
            else:
                found.append((value, last, product, doubt))
        return found

    def _sample(self, line: int) -> Sample:
        if line not in self._samples:
            self._samples[line] = sample(self._grid.lines[line], self._rows)
        return self._samples[line]

    def _sample_base(self, line: int) -> Sample:
        if line not in self._base_samples:
            self._base_samples[line] = sample(self._grid.lines[line], self._base_rows)
        return self._base_samples[line]


def _may_hold_somewhere(way: Law, products: _Products) -> bool:
    """Whether some row comes near a ratio of the larger number to the smaller one."""
    for value, last, product, doubt in products:
        size = max(product, 1 / product) * way.scale
        if abs(size - value) <= size * (doubt * GENEROUS + DEAD_ZONE) + last:
            return True
    return False
