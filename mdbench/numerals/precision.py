"""The precision of the numbers in a column."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from mdbench.numerals.cell import Numeral


class Precision(NamedTuple):
    """A number of decimals or, if those vary, a number of significant digits.

    `unit` is the text after each number.
    """

    decimals: int | None
    digits: int
    unit: str = ""

    def quantum(self, value: float) -> float:
        """The place value of the last printed digit."""
        return float(10.0 ** -self._places(value))

    def write(self, value: float) -> str | None:
        """Format a value like the column does; None if no digit would be left."""
        if not math.isfinite(value) or value <= 0:
            return None
        places = self._places(value)
        # A float is exact to fifteen digits: 0.0525 must not become slightly less than itself.
        exact = Decimal(f"{value:.14g}")
        rounded = exact.quantize(Decimal(1).scaleb(-max(places, 0)), rounding=ROUND_HALF_UP)
        if places < 0:
            step = Decimal(1).scaleb(-places)
            rounded = (exact / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step
        return f"{rounded:f}{self.unit}" if rounded else None

    def _places(self, value: float) -> int:
        leading = math.floor(math.log10(abs(value))) if value else 0
        if self.decimals is None:
            return self.digits - 1 - leading
        # A number smaller than the column's last place keeps its first digit.
        return max(self.decimals, -leading)


def find_precision(numerals: Sequence[Numeral]) -> Precision | None:
    """The common precision of numbers; None if there are none, or if their units differ."""
    known = [one for one in numerals if one.value and one.quantum]
    units = {one.unit for one in known}
    if not known or len(units) > 1:
        return None
    unit = units.pop()
    decimals = Counter(_decimals(one) for one in known)
    digits = Counter(_digits(one) for one in known)
    most_decimals, most_digits = (counts.most_common(1)[0][0] for counts in (decimals, digits))
    by_digits = len(decimals) > 1 and len(digits) == 1
    return Precision(None if by_digits else most_decimals, most_digits, f" {unit}" if unit else "")


def _decimals(numeral: Numeral) -> int:
    exponent = numeral.quantum.adjusted() if numeral.quantum is not None else 0
    return max(0, -exponent)


def _digits(numeral: Numeral) -> int:
    value, quantum = numeral.value, numeral.quantum
    if value is None or quantum is None:
        return 1
    return max(1, value.adjusted() - quantum.adjusted() + 1)
