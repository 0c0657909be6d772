"""Printed digits as intervals, and arithmetic with them.

Ends are floats, which are fast, or `Fraction`s, which are exact; a calculation uses only one of
them. Dividing by an interval that contains zero raises `ZeroDivisionError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = float | Fraction
Kind: TypeAlias = Callable[[Decimal], Number]
"""The type of an interval's ends: `float` or `Fraction`."""

NOISE = 1e-12
"""The relative difference up to which two floats count as equal."""
DOUBT = 1e-9
"""The relative difference below which two ends must be compared as fractions."""


class Interval:
    """All numbers from `low` to `high`, both included. Not a tuple: `+` and `*` mean arithmetic."""

    __slots__ = ("high", "low")

    def __init__(self, low: Number, high: Number) -> None:
        self.low = low
        self.high = high

    def __repr__(self) -> str:
        return f"Interval({self.low!r}, {self.high!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return (self.low, self.high) == (other.low, other.high)

    def __hash__(self) -> int:
        return hash((self.low, self.high))

    @property
    def middle(self) -> Number:
        """The number halfway between the ends."""
        return (self.low + self.high) / 2

    @property
    def exact(self) -> bool:
        """Whether it is a single number."""
        return self.low == self.high

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Interval | Number) -> Interval:
        if isinstance(other, Interval):
            return Interval(self.low + other.low, self.high + other.high)
        return Interval(self.low + other, self.high + other)

    __radd__ = __add__

    def __sub__(self, other: Interval | Number) -> Interval:
        if isinstance(other, Interval):
            return Interval(self.low - other.high, self.high - other.low)
        return Interval(self.low - other, self.high - other)

    def __rsub__(self, other: Number) -> Interval:
        return Interval(other - self.high, other - self.low)

    def __mul__(self, other: Interval | Number) -> Interval:
        if not isinstance(other, Interval):
            ends = self.low * other, self.high * other
            return Interval(*ends) if other >= 0 else Interval(ends[1], ends[0])
        if self.low >= 0 and other.low >= 0:
            return Interval(self.low * other.low, self.high * other.high)
        corners = (
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        )
        return Interval(min(corners), max(corners))

    __rmul__ = __mul__

    def __truediv__(self, other: Interval | Number) -> Interval:
        if not isinstance(other, Interval):
            ends = self.low / other, self.high / other
            return Interval(*ends) if other > 0 else Interval(ends[1], ends[0])
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("division by an interval that contains zero")
        if self.low >= 0 and other.low > 0:
            return Interval(self.low / other.high, self.high / other.low)
        corners = (
            self.low / other.low,
            self.low / other.high,
            self.high / other.low,
            self.high / other.high,
        )
        return Interval(min(corners), max(corners))

    def __rtruediv__(self, other: Number) -> Interval:
        return Interval(other, other) / self

    def __pow__(self, exponent: Number) -> Interval:
        """Raise to a power; a fractional one requires numbers that are not negative."""
        whole = int(exponent)
        if whole != exponent:
            return self._root(exponent)
        if whole < 0:
            if self.low <= 0 <= self.high:
                raise ZeroDivisionError("a negative power of an interval that contains zero")
            return Interval(1, 1) / self**-whole
        low, high = self.low**whole, self.high**whole
        if whole % 2 or self.low >= 0:
            return Interval(low, high)
        return Interval(0 if self.high >= 0 else high, max(low, high))

    def _root(self, exponent: Number) -> Interval:
        if self.low < 0 or (exponent < 0 and self.low == 0):
            raise ArithmeticError("a fractional power of a negative number")
        ends = float(self.low) ** float(exponent), float(self.high) ** float(exponent)
        return Interval(min(ends), max(ends))

    def __contains__(self, number: Number) -> bool:
        return self.low <= number <= self.high

    def meets(self, other: Interval) -> bool:
        """Whether the intervals overlap, up to float errors."""
        gap = max(self.low, other.low) - min(self.high, other.high)
        return gap <= 0 or (isinstance(gap, float) and gap <= NOISE * _size(self, other))

    def is_close_call(self, other: Interval) -> bool:
        """Whether the ends are so close that `meets` should be repeated with fractions."""
        gap = max(self.low, other.low) - min(self.high, other.high)
        doubt = DOUBT * _size(self, other)
        return -doubt <= gap <= doubt


def _size(one: Interval, other: Interval) -> float:
    return float(max(-one.low, one.high, -other.low, other.high))


def least(one: Interval, *others: Interval) -> Interval:
    """The interval of the smallest of several numbers."""
    several = (one, *others)
    return Interval(min(each.low for each in several), min(each.high for each in several))


def greatest(one: Interval, *others: Interval) -> Interval:
    """The interval of the greatest of several numbers."""
    several = (one, *others)
    return Interval(max(each.low for each in several), max(each.high for each in several))


def printed(
    value: Decimal, quantum: Decimal, *, exact: bool = False, kind: Kind = float
) -> Interval:
    """All numbers that round to `value`: 0.86 is [0.855, 0.865]. Counts and settings are exact."""
    middle = kind(value)
    if exact:
        return Interval(middle, middle)
    half = kind(quantum) / 2
    return Interval(middle - half, middle + half)


def cut(value: Decimal, quantum: Decimal, *, kind: Kind = float) -> Interval:
    """All numbers that are truncated to `value`: 0.86 is [0.86, 0.87].

    0.87 itself is not truncated to 0.86; `meets_cut` takes care of that.
    """
    near, step = kind(value), kind(quantum)
    return Interval(near if value > 0 else near - step, near if value < 0 else near + step)


def meets_printed(result: Interval, value: Decimal, quantum: Decimal) -> bool:
    """Whether a result may round to `value`."""
    return result.meets(printed(value, quantum, kind=_kind(result)))


def meets_cut(result: Interval, value: Decimal, quantum: Decimal) -> bool:
    """Whether a result may be truncated to `value`."""
    kind = _kind(result)
    held = cut(value, quantum, kind=kind)
    noise = NOISE * _size(result, held) if kind is float else 0
    below_top = result.low < held.high - noise or value < 0
    above_bottom = result.high > held.low + noise or value > 0
    return below_top and above_bottom and result.meets(held)


def _kind(interval: Interval) -> Kind:
    floats = isinstance(interval.low, float) or isinstance(interval.high, float)
    return float if floats else Fraction


def column_digits(values: Iterable[Decimal]) -> int | None:
    """The number of significant digits of a column's integers; None if it has decimals.

    32200, 62400 and 120000 have three: their trailing zeros were not measured.
    """
    most = 0
    for value in values:
        _, digits, exponent = value.as_tuple()
        if not isinstance(exponent, int) or exponent < 0:
            return None
        most = max(most, len("".join(map(str, digits)).strip("0")))
    return most


def column_quantum(value: Decimal, quantum: Decimal, digits: int | None) -> Decimal:
    """The place of the last significant digit of `value` in a column with `digits`."""
    if not digits or quantum < 1:
        return quantum
    spare = value.adjusted() + 1 - digits
    return max(quantum, Decimal((0, (1,), spare))) if spare > 0 and value else quantum
