"""How unlikely it is by chance that rows follow a law."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from mdbench.diagnosis.checks import Interval, Stand
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import MEASURED_SPREAD, MOST_PERMUTED, NOISE


class RowTest(NamedTuple):
    """One row against a law."""

    row: int
    printed: Number
    predicted: Interval
    stand: Stand

    @property
    def holds(self) -> bool:
        """Whether the row follows the law."""
        return self.stand in (Stand.HOLDS, Stand.CUT)

    @property
    def is_explained(self) -> bool:
        """Whether the row follows the law, at least if its numbers were cut."""
        return self.holds or self.stand is Stand.ALL_CUT

    @property
    def width(self) -> float:
        """How far what is printed and what is predicted may be apart."""
        printed = self.printed.widest() if self.stand is Stand.CUT else self.printed[1:3]
        width = (printed[1] - printed[0]) + (self.predicted[1] - self.predicted[0])
        return width or 1.0

    @property
    def miss(self) -> float:
        """By what share a number is off."""
        low, high = self.predicted
        gap = max(self.printed.low - high, low - self.printed.high, 0.0)
        return gap / max(abs(low), abs(high), abs(self.printed.value))


def bits_together(tests: Sequence[RowTest], holding: Sequence[RowTest]) -> float:
    """The evidence that some rows hold, by how far apart the numbers of all of them are."""
    if len(holding) < 1:
        return 0.0
    values = sorted(one.printed.value for one in tests)
    # One value far away must not make all others look near to each other.
    spread = values[-1] - values[0] if len(values) < 5 else values[-2] - values[1]
    if len(values) == 1:
        spread = abs(values[0])
    if spread <= 0:
        return 0.0
    rates = [min(1.0, one.width / spread) for one in holding]
    if all(_is_smooth(one.printed) for one in tests):
        # Products of small primes meet each other often.
        top = max(abs(value) for value in values)
        rates = [max(rate, 1 / (1 + math.log2(1 + top))) for rate in rates]
    rate = max(sum(rates) / len(rates), _permuted(tests))
    if rate >= 1:
        return 0.0
    ways = math.comb(len(tests), len(holding))
    return -len(holding) * math.log2(rate) - math.log2(ways)


def bits_if_exact(tests: Sequence[RowTest], holding: Sequence[RowTest]) -> float:
    """The evidence that numbers are computed which would be nearly the same if measured.

    There is none where some rows come near: who computes makes no small mistakes.
    """
    if any(not one.holds and one.miss <= MEASURED_SPREAD for one in tests):
        return 0.0
    widths = (one.width / abs(one.printed.value) for one in holding if one.printed.value)
    bits = sum(max(0.0, math.log2(MEASURED_SPREAD / width)) for width in widths)
    return bits - math.log2(math.comb(len(tests), len(holding)))


def bits_alone(test: RowTest, choices: int) -> float:
    """The evidence of a row that might have followed any of several laws."""
    rate = choices * test.width / abs(test.printed.value) if test.printed.value else 1.0
    return -math.log2(min(rate, 1.0))


def _is_smooth(number: Number) -> bool:
    value = number.value
    if value < 1 or value != int(value) or value > 1 << 40:
        return False
    whole = int(value)
    for prime in (2, 3, 5, 7):
        while whole % prime == 0:
            whole //= prime
    return whole == 1


def _permuted(tests: Sequence[RowTest]) -> float:
    """How often a row's number agrees with what another row should have."""
    few = tests[:MOST_PERMUTED]
    if len(few) < 3:
        return 0.0
    expected = [one.predicted for one in few]
    agreeing = 0
    for at, one in enumerate(few):
        room = NOISE * max(abs(one.printed.low), abs(one.printed.high))
        low, high = one.printed.low - room, one.printed.high + room
        met = [
            place for place, (least, most) in enumerate(expected) if low <= most and least <= high
        ]
        agreeing += len(met) - (at in met)
    return agreeing / (len(few) * (len(few) - 1))


def bits_beside(tests: Sequence[RowTest], neutral: float) -> float:
    """The evidence of ratios, by how far they are from what a baseline says of itself.

    Ratios that are all alike say nothing by how far they are from each other.
    """
    bits = 0.0
    for one in {(one.printed.value, one.predicted): one for one in tests}.values():
        distance = abs(one.printed.value - neutral)
        if one.holds and distance > one.width:
            bits += math.log2(distance / one.width)
    return bits
