"""Numbers as they are typed: slips of the fingers, and a number printed like another one."""

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain, pairwise
from typing import NamedTuple

from mdbench.diagnosis.thresholds import (
    DOUBLED_COST,
    DROPPED_COST,
    LONGEST_NUMBER,
    POINT_COST,
    POINT_MOVES,
    SIGN_COST,
    TRANSPOSED_COST,
)
from mdbench.numerals.cell import Numeral
from mdbench.numerals.digits import count_decimals
from mdbench.numerals.units import COUNTS
from mdbench.sheets.measurements import Measurement, swap_separators

Interval = tuple[float, float]
_DIGITS = "0123456789"
_MINUS = "-−–"
# What may be less than nothing: of any other quantity a minus is not a slip.
_SIGNED = frozenset(("change", "difference"))


class Slip(NamedTuple):
    """What may have been meant, what went wrong, and how unlikely that is."""

    text: str
    what: str
    cost: float


def typed_slips(text: str, decimals: int) -> Iterator[Slip]:
    """What may have been meant by a typed number; `decimals` is what its column prints.

    A text that begins with a minus has the other sign than what is typed.
    The more variants of a slip there are, the likelier one of them fits by chance: `cost` is to
    be raised by the share of all numbers that would fit, times `SLIP_VARIANTS` of the slip.
    """
    if len(text) > LONGEST_NUMBER:
        return
    yield Slip(f"-{text}", "the wrong sign", SIGN_COST)
    typed = [at for at, char in enumerate(text) if char.isdigit()]
    for left, right in pairwise(typed):
        # The point between two digits stays where it is: 87.2 for 82.7.
        first, second = text[left], text[right]
        swapped = f"{text[:left]}{second}{text[left + 1 : right]}{first}{text[right + 1 :]}"
        if first != second and not _is_padded(swapped):
            yield Slip(swapped, "two digits transposed", TRANSPOSED_COST)
    for places in POINT_MOVES:
        moved = neat(move_point(text, places), decimals)
        yield Slip(moved, f"off by a factor of {10 ** abs(places)}", POINT_COST)
    for at, char in enumerate(text):
        if char.isdigit() and text[at + 1 : at + 2] == char:
            yield Slip(text[:at] + text[at + 1 :], "a digit doubled", DOUBLED_COST)
    for at in range(len(text) + 1):
        for digit in _DIGITS:
            longer = text[:at] + digit + text[at:]
            if not _is_padded(longer) and count_decimals(longer) == decimals:
                yield Slip(longer, "a digit dropped", DROPPED_COST)


def _is_padded(text: str) -> bool:
    """Whether a number begins with a zero that nobody writes."""
    return text[:1] == "0" and text[1:2].isdigit()


def neat(text: str, decimals: int) -> str:
    """A number without decimals that are none, for a column that has no decimals."""
    whole, _, fraction = text.partition(".")
    return whole if not decimals and not fraction.strip("0") else text


def move_point(text: str, places: int) -> str:
    """A number with its decimal point moved and its digits kept: 701658.5 by -3 is 701.6585."""
    whole, _, fraction = text.replace(",", "").partition(".")
    digits = whole + fraction
    point = len(whole) + places
    while point > 1 and digits[:1] == "0":
        digits, point = digits[1:], point - 1
    if point <= 0:
        return "0." + "0" * -point + digits
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"


def with_number(one: Measurement, number: str) -> str | None:
    """The cell's text with another number in it; None where that would not be read back.

    With a minus before it, the number gets the other sign than it has now.
    """
    span = one.typed_span
    if one.numeral.value is None or span is None:
        return None
    raw, digits = one.cell.raw, number.removeprefix("-")
    before, behind = raw[: span[0]], raw[span[1] :]
    turned = digits != number
    if turned:
        before = _turn(before)
    text = before + (swap_separators(digits) if one.has_decimal_comma else digits) + behind
    read, now = (_read_pick(each, one) for each in (text, raw))
    was = now.value or one.numeral.value
    if read.value is None or abs(read.value) != Decimal(digits.replace(",", "")):
        return None
    kept = not read.value or (read.value < 0) is ((was < 0) is not turned)
    return text if kept and read.unit == one.numeral.unit and _may_turn(one, turned) else None


def _read_pick(text: str, one: Measurement) -> Numeral:
    """What a cell says; where it has a number for each variant, the one that is meant."""
    found, pick = one.read(text), one.pick or 0
    return found[pick] if pick < len(found) else found[0]


def _turn(before: str) -> str:
    """What stands before a number, with the other sign."""
    if before[-1:] in ("", "+") or before[-1:] not in _MINUS:
        return before.removesuffix("+") + "-"
    return before[:-1] + "+"


def _may_turn(one: Measurement, turned: bool) -> bool:
    signed = one.quantity is not None and one.quantity.name in _SIGNED
    return not turned or signed or one.numeral.text.lstrip()[:1] == "+"


def print_like(one: Measurement, value: float) -> str | None:
    """A value in base units as the cell would print it: in its unit, to its digits.

    It begins with a minus where its sign is not that of the cell.
    """
    numeral, amount = one.numeral, one.amount
    if amount is None or numeral.value is None or numeral.quantum is None:
        return None
    if not numeral.value and (not _may_turn(one, turned=True) or numeral.unit.lower() in COUNTS):
        return None
    letter = amount.value / numeral.value if numeral.value else Decimal(1)
    # What floating point adds must not decide about a half: 2.51 / 4 is 0.6275.
    number = Decimal(f"{value:.14g}") / (amount.unit.scale * letter)
    if not number.is_finite() or abs(number) > Decimal(10) ** 18:
        return None
    printed = format(abs(number).quantize(numeral.quantum, ROUND_HALF_UP), "f")
    turned = (number < 0) is not (numeral.value < 0)
    if turned and not _may_turn(one, turned):
        return None
    return f"-{printed}" if turned else printed


def is_slip(one: Measurement, value: float, expected: Interval) -> bool:
    """Whether one slip of the fingers makes of a number near the expected one what is printed."""
    typed = one.typed
    if typed is None or not value:
        return False
    ratio = value / float(typed.replace(",", ""))
    texts = (slip.text for slip in typed_slips(typed, count_decimals(typed)))
    meant = (float(text.replace(",", "")) * ratio for text in chain(texts, _other_digits(typed)))
    return any(expected[0] <= each <= expected[1] for each in meant)


def _other_digits(typed: str) -> Iterator[str]:
    for at, char in enumerate(typed):
        if char.isdigit():
            yield from (typed[:at] + digit + typed[at + 1 :] for digit in _DIGITS if digit != char)
