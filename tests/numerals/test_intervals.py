"""Intervals contain every number that rounds or truncates to the printed digits."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mdbench.numerals.intervals import (
    Interval,
    column_digits,
    column_quantum,
    cut,
    greatest,
    least,
    meets_cut,
    meets_printed,
    printed,
)

WIDE = Context(prec=200)
FRACTIONS = st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**6)
DECIMALS = st.decimals(min_value=-(10**30), max_value=10**30, allow_nan=False, allow_infinity=False)
QUANTA = st.integers(min_value=-25, max_value=5).map(lambda place: Decimal((0, (1,), place)))


@st.composite
def held(draw: st.DrawFn) -> tuple[Interval, Fraction]:
    """An interval and a number in it."""
    low, inside, high = sorted(draw(st.tuples(FRACTIONS, FRACTIONS, FRACTIONS)))
    return Interval(low, high), inside


@pytest.mark.parametrize(
    ("value", "quantum", "low", "high"),
    [
        pytest.param("0.86", "0.01", "0.855", "0.865", id="decimals"),
        pytest.param("1024", "1", "1023.5", "1024.5", id="an integer"),
        pytest.param("-3.5", "0.1", "-3.55", "-3.45", id="a negative number"),
        pytest.param("120000", "1000", "119500", "120500", id="a coarse integer"),
    ],
)
def test_printed_digits_are_the_interval_that_rounds_to_them(
    value: str, quantum: str, low: str, high: str
) -> None:
    assert printed(Decimal(value), Decimal(quantum), kind=Fraction) == Interval(
        Fraction(low), Fraction(high)
    )


def test_a_count_is_exact() -> None:
    assert printed(Decimal(8), Decimal(1), exact=True) == Interval(8.0, 8.0)


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        pytest.param("0.86", "0.86", "0.87", id="away from zero"),
        pytest.param("-0.86", "-0.87", "-0.86", id="a negative number towards zero"),
        pytest.param("0.00", "-0.01", "0.01", id="zero from both sides"),
    ],
)
def test_truncated_digits_are_the_interval_truncated_to_them(
    value: str, low: str, high: str
) -> None:
    assert cut(Decimal(value), Decimal("0.01"), kind=Fraction) == Interval(
        Fraction(low), Fraction(high)
    )


@given(DECIMALS, QUANTA, st.sampled_from([ROUND_HALF_EVEN, ROUND_HALF_UP]))
def test_interval_contains_every_rounded_number(truth: Decimal, quantum: Decimal, way: str) -> None:
    shown = truth.quantize(quantum, rounding=way, context=WIDE)
    exact = Interval(Fraction(truth), Fraction(truth))
    assert Fraction(truth) in printed(shown, quantum, kind=Fraction)
    assert meets_printed(exact, shown, quantum)
    assert meets_printed(Interval(float(truth), float(truth)), shown, quantum)


@given(DECIMALS, QUANTA)
def test_interval_contains_every_truncated_number(truth: Decimal, quantum: Decimal) -> None:
    shown = truth.quantize(quantum, rounding=ROUND_DOWN, context=WIDE)
    assert Fraction(truth) in cut(shown, quantum, kind=Fraction)
    assert meets_cut(Interval(Fraction(truth), Fraction(truth)), shown, quantum)


@pytest.mark.parametrize("kind", [float, Fraction])
def test_the_next_number_is_not_truncated_to_this_one(
    kind: Callable[[int], float | Fraction],
) -> None:
    assert not meets_cut(Interval(kind(32), kind(32)), Decimal(31), Decimal(1))
    assert not meets_cut(Interval(kind(-32), kind(-32)), Decimal(-31), Decimal(1))
    assert meets_cut(Interval(kind(31), kind(31)), Decimal(31), Decimal(1))


OPERATIONS: dict[str, tuple[Callable[..., Interval], Callable[..., Fraction]]] = {
    "sum": (lambda a, b: a + b, lambda x, y: x + y),
    "difference": (lambda a, b: a - b, lambda x, y: x - y),
    "product": (lambda a, b: a * b, lambda x, y: x * y),
    "smaller": (least, min),
    "greater": (greatest, max),
}


@pytest.mark.parametrize("name", OPERATIONS)
@given(one=held(), other=held())
def test_result_contains_the_true_result(
    name: str, one: tuple[Interval, Fraction], other: tuple[Interval, Fraction]
) -> None:
    on_intervals, on_numbers = OPERATIONS[name]
    assert on_numbers(one[1], other[1]) in on_intervals(one[0], other[0])


def without_zero(held: tuple[Interval, Fraction]) -> tuple[Interval, Fraction]:
    """The same, moved past zero if it contains zero."""
    interval, number = held
    if not interval.low <= 0 <= interval.high:
        return held
    moved = 1 - interval.low
    return interval + moved, number + Fraction(moved)


@given(held(), held().map(without_zero))
def test_quotient_contains_the_true_quotient(
    one: tuple[Interval, Fraction], other: tuple[Interval, Fraction]
) -> None:
    assert one[1] / other[1] in one[0] / other[0]


@given(held(), st.integers(min_value=-5, max_value=5))
def test_power_contains_the_true_power(one: tuple[Interval, Fraction], exponent: int) -> None:
    assume(exponent >= 0 or not one[0].low <= 0 <= one[0].high)
    assert one[1] ** exponent in one[0] ** exponent


@given(held(), FRACTIONS)
def test_a_number_is_an_interval_of_itself(
    one: tuple[Interval, Fraction], number: Fraction
) -> None:
    interval, point = one[0], Interval(number, number)
    assert interval + number == number + interval == interval + point
    assert interval - number == interval - point
    assert number - interval == point - interval
    assert interval * number == number * interval == interval * point
    assume(number)
    assert interval / number == interval / point


def test_a_root_is_a_power() -> None:
    assert Interval(4.0, 9.0) ** 0.5 == Interval(2.0, 3.0)


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(lambda: 1 / Interval(-1, 1), id="division"),
        pytest.param(lambda: Interval(0, 1) ** -1, id="a negative power"),
        pytest.param(lambda: Interval(-4.0, 4.0) ** 0.5, id="a root of a negative number"),
    ],
)
def test_undefined_result_raises(work: Callable[[], Interval]) -> None:
    with pytest.raises(ArithmeticError):
        work()


def test_floats_meet_despite_rounding_errors() -> None:
    assert Interval(0.1 + 0.2, 1.0).meets(Interval(0.0, 0.3))
    assert not Interval(0.3001, 1.0).meets(Interval(0.0, 0.3))


def test_fractions_meet_exactly() -> None:
    third = Fraction(1, 3)
    assert Interval(third, Fraction(1)).meets(Interval(Fraction(0), third))
    assert not Interval(third + Fraction(1, 10**30), Fraction(1)).meets(
        Interval(Fraction(0), third)
    )


def test_a_close_call_is_detected() -> None:
    assert Interval(1.0, 2.0).is_close_call(Interval(0.0, 1.0 - 1e-11))
    assert not Interval(1.0, 2.0).is_close_call(Interval(0.0, 0.99))
    assert not Interval(1.0, 2.0).is_close_call(Interval(0.0, 1.5))


@pytest.mark.parametrize(
    ("column", "value", "quantum"),
    [
        pytest.param("32200 62400 120000", "120000", "1000", id="three digits"),
        pytest.param("32200 62400 120000", "32200", "100", id="three digits of a smaller one"),
        pytest.param("597333 413000", "413000", "1", id="six digits"),
        pytest.param("9 20 100", "9", "1", id="never finer than printed"),
        pytest.param("9 20 100", "100", "100", id="one digit"),
        pytest.param("0 0", "0", "1", id="nothing but zeros"),
        pytest.param("29 30", "30", "1", id="a zero that others show"),
    ],
)
def test_an_integer_has_the_significant_digits_of_its_column(
    column: str, value: str, quantum: str
) -> None:
    digits = column_digits(map(Decimal, column.split()))
    assert column_quantum(Decimal(value), Decimal(1), digits) == Decimal(quantum)


def test_a_column_with_decimals_keeps_the_printed_digits() -> None:
    digits = column_digits([Decimal("3.5"), Decimal(100)])
    assert digits is None
    assert column_quantum(Decimal(100), Decimal(1), digits) == 1
