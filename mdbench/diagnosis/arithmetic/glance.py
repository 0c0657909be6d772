"""A quick look at a few rows of a table, which rules out most laws that may be tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.arithmetic.evidence import test_row
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import MONOMIALS, Base, Law, Shape, Term
from mdbench.diagnosis.thresholds import DEAD_ZONE, GENEROUS

_Product = tuple[float, float] | None
"""The product of a row and how far it may be off; None where a number is missing."""


class Glance:
    """Some rows of a line. It may take a near miss for a hit, but never overlooks a hit."""

    def __init__(self, grid: Grid, result: int, rows: Sequence[int]) -> None:
        self._grid = grid
        self._rows = rows
        numbers = grid.lines[result].numbers
        printed = [numbers[row] for row in rows]
        self._printed = [(one.value, abs(one.cut - one.value)) for one in printed]
        # Laws of the same numbers follow each other.
        self._last: tuple[tuple[Term, ...], Base | None] = (), None
        self._products: Sequence[_Product] = ()

    def promises(self, law: Law) -> bool:
        """Whether half of the rows seem to follow a law."""
        tested = holding = 0
        for holds in self._test(law):
            tested += 1
            holding += holds
            if holding == 2:
                return True
            if tested - holding > len(self._rows) // 2:
                return False
        return 2 * holding >= tested > 0

    def _test(self, law: Law) -> Iterator[bool]:
        if law.shape not in MONOMIALS or law.larger or law.turned:
            tests = (test_row(self._grid, law, row) for row in self._rows)
            yield from (one.holds for one in tests if one is not None)
            return
        if self._last[0] is not law.terms or self._last[1] is not law.base:
            self._last = law.terms, law.base
            self._products = [self._multiply(law, row) for row in self._rows]
        least, most = law.constant
        more, scale = 1 - least / most, law.scale
        for (value, last), known in zip(self._printed, self._products, strict=True):
            if known is None:
                continue
            product, doubt = known[0] * least, known[1] + more
            room = product * doubt * GENEROUS
            if law.shape is Shape.CHANGE:
                product -= 1
            elif law.shape is Shape.SAVED:
                product = 1 - product
            product *= scale
            yield abs(product - value) <= room * scale + DEAD_ZONE * abs(product) + last

    def _multiply(self, law: Law, row: int) -> _Product:
        base = law.base.rows.get(row, row) if law.base is not None else row
        if law.base is not None and base == row:
            return None
        product, doubt = 1.0, 0.0
        for line, power, at_base in law.terms:
            number = self._grid.lines[line].numbers.get(base if at_base else row)
            if number is None or number.value <= 0:
                return None
            product = product * number.value if power > 0 else product / number.value
            doubt += number.doubt
        return product, doubt
