"""A number printed as a cell prints its own: with its digits, separators, sign and markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import NamedTuple

from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.precision import find_precision
from mdbench.regex import lazy
from mdbench.results.duration_text import write_duration
from mdbench.sheets.columns import Column

_TOKEN = lazy(r"\d(?:[\d.,'’_ \u00a0\u202f]*\d)?|(?<!\d)\.\d+")
# A share of the number is no spread in its unit.
_SPREAD = lazy(r"(?:±|\+/-)\s*(\d+(?:\.\d+)?)(?!\d|\.\d|\s*%)")
_CURRENCIES = ("$", "€", "¥", "£")
_EXPONENT = lazy(
    r"(?<![\d.])\d(?:\.(?P<decimals>\d+))?(?P<e>[eE])(?P<sign>[+-]?)(?P<power>\d+)(?![\d.])"
)
_SEPARATORS = ",.'’_ \u00a0\u202f"
_MINUS = "-\u2212\u2013"
_SINGLE = (Form.NUMBER, Form.COUNT)
_WIDE = Context(prec=60, rounding=ROUND_HALF_EVEN)
_FEWEST_ROUND = 3
_FEWEST_ZEROS = 2
_FEWEST_DIGITS = 2


class Token(NamedTuple):
    """The digits of a number in a text, and how they are written."""

    start: int
    end: int
    point: str
    group: str
    """What separates thousands; nothing if nothing does."""


class Habits(NamedTuple):
    """How the numbers of a column are written."""

    significant: int | None
    """How many digits all have, if they have decimals in different numbers."""
    step: Decimal | None
    """The power of ten that all are multiples of, for whole numbers that were rounded."""
    group: str
    signed: bool
    """Whether positive numbers have a plus."""
    minus: str = "-"
    """The sign of negative numbers."""

    def quantum(self, value: Decimal, own: Decimal) -> Decimal:
        """The place of the last digit to print; `own` is that of the cell."""
        if self.step is not None:
            return self.step
        if self.significant is not None and value:
            return Decimal(1).scaleb(value.adjusted() - self.significant + 1)
        return own


NO_HABITS = Habits(None, None, "", signed=False)


def lone_habits(numeral: Numeral) -> Habits:
    """Those of a number in a sentence: `462,000` was rounded to thousands."""
    text = f"{abs(numeral.value or 0):f}"
    zeros = len(text) - len(text.rstrip("0")) if numeral.quantum == 1 else 0
    return NO_HABITS._replace(step=Decimal(10) ** zeros if zeros >= _FEWEST_ZEROS else None)


def habits_of(column: Column) -> Habits:
    """How a column writes its numbers."""
    numbers = [one for one in column.mains if _is_plain(one.numeral)]
    numerals = [one.numeral for one in numbers]
    precision = find_precision(numerals)
    by_digits = precision is not None and precision.decimals is None
    tokens = (find_token(one.cell.raw, one.numeral, one.pick or 0) for one in numbers)
    groups = [token.group for token in tokens if token is not None and token.group]
    digits = precision.digits if precision is not None and by_digits else None
    rounded = _round_digits(numerals)
    return Habits(
        significant=digits or rounded,
        step=None if rounded else _step(numerals),
        group=groups[0] if groups else "",
        signed=any("+" in one.cell.raw for one in numbers),
        minus=_minus_of(one.cell.raw for one in numbers),
    )


def _minus_of(texts: Iterable[str]) -> str:
    """The sign before the first negative number; a hyphen if there is none."""
    starts = (text.lstrip("*_`")[:1] for text in texts)
    return next((one for one in starts if one in _MINUS and one), "-")


def _round_digits(numerals: Sequence[Numeral]) -> int | None:
    """How many digits whole numbers were rounded to, where that explains more of their zeros."""
    values = {f"{one.value:f}" for one in numerals if one.value}
    if len(values) < _FEWEST_ROUND or any(one.quantum != 1 for one in numerals):
        return None
    told = [len(text.lstrip("-").rstrip("0")) for text in values]
    zeros = [len(text) - len(text.rstrip("0")) for text in values]
    most, fewest = max(told), min(zeros)
    if not fewest or most < _FEWEST_DIGITS:
        return None
    by_chance = sum(most - one for one in told), sum(one - fewest for one in zeros)
    return most if by_chance[0] < by_chance[1] else None


def _is_plain(numeral: Numeral) -> bool:
    return numeral.form in _SINGLE and numeral.value is not None and numeral.quantum is not None


def _step(numerals: Sequence[Numeral]) -> Decimal | None:
    """The power of ten that whole numbers were rounded to; one or two of them show nothing."""
    values = [one.value for one in numerals if one.value]
    if len(set(values)) < _FEWEST_ROUND or any(one.quantum != 1 for one in numerals):
        return None
    zeros = min(len(text) - len(text.rstrip("0")) for text in (f"{one:f}" for one in values))
    return Decimal(10) ** zeros if zeros else None


def find_token(raw: str, numeral: Numeral, pick: int = 0) -> Token | None:
    """Where the digits of a cell's number stand; None where they are not written as digits."""
    if numeral.value is None:
        return None
    found = [token for match in _TOKEN.finditer(raw) if (token := _read(match, numeral.value))]
    if not found:
        return None
    return found[pick] if pick < len(found) else found[0]


def _read(match: re.Match[str], value: Decimal) -> Token | None:
    text = match[0]
    for point in ".,":
        for group in ("", *_SEPARATORS.replace(point, "")):
            whole, _, rest = text.partition(point)
            plain = whole.replace(group, "") if group else whole
            used = bool(group) and group in whole
            digits = plain.isdecimal() or (not plain and rest.isdecimal())
            if not digits or (rest and not rest.isdecimal()) or (group and not used):
                continue
            if Decimal(f"{plain or 0}.{rest or 0}") == abs(value):
                return Token(match.start(), match.end(), point, group)
    return None


def round_like(value: Decimal, numeral: Numeral, habits: Habits) -> Decimal:
    """A value in the unit of a cell, to the digits that it is printed with."""
    own = numeral.quantum if numeral.quantum is not None else Decimal(1)
    quantum = habits.quantum(value, own)
    if quantum > 1:
        return _WIDE.multiply(_WIDE.divide(value, quantum).quantize(Decimal(1)), quantum)
    return value.quantize(quantum, context=_WIDE)


def write_like(
    raw: str, numeral: Numeral, value: Decimal, habits: Habits = NO_HABITS, pick: int = 0
) -> str | None:
    """A text with another number in it; None where its number cannot be replaced."""
    token = find_token(raw, numeral, pick) if _is_plain(numeral) else None
    if token is None or numeral.value is None:
        return write_duration(raw, numeral, value) or _write_exponent(raw, numeral, value)
    rounded = round_like(value, numeral, habits)
    before, behind = raw[: token.start], raw[token.end :]
    digits = write_digits(rounded, token._replace(group=token.group or habits.group))
    return _sign(before, numeral.value < 0, rounded < 0, habits) + digits + behind


def _write_exponent(raw: str, numeral: Numeral, value: Decimal) -> str | None:
    """A text with another number in the place of one like `1.2e3`, with as many digits."""
    found = [match for match in _EXPONENT.finditer(raw) if Decimal(match[0]) == numeral.value]
    if len(found) != 1 or not value or value < 0:
        return None
    match = found[0]
    places, width = len(match["decimals"] or ""), len(match["power"])
    power = value.adjusted()
    digits = value.scaleb(-power).quantize(Decimal(1).scaleb(-places), context=_WIDE)
    if digits >= 10:
        power, digits = power + 1, (digits / 10).quantize(digits)
    sign = "-" if power < 0 else match["sign"].replace("-", "")
    text = f"{digits:f}{match['e']}{sign}{abs(power):0{width}d}"
    return raw[: match.start()] + text + raw[match.end() :]


def write_spread(raw: str, spread: Decimal) -> str:
    """A text with another number behind its `±`, to as many decimals."""
    match = _SPREAD.search(raw)
    if match is None:
        return raw
    places = len(match[1].partition(".")[2])
    number = spread.quantize(Decimal(1).scaleb(-places), context=_WIDE)
    return f"{raw[: match.start(1)]}{number:f}{raw[match.end(1) :]}"


def has_spread(raw: str) -> bool:
    """Whether a text has a number behind a `±` that can be written over."""
    return _SPREAD.search(raw) is not None


def drop_spread(raw: str) -> str:
    """A text without its `±` and what stands behind it."""
    start, end = _spread_part(raw)
    return raw[:start] + raw[end:]


def add_spread(raw: str, numeral: Numeral, like: str) -> str:
    """A text with the `±` of another one behind its number, to be written over."""
    token = find_token(raw, numeral)
    if token is None:
        return raw
    start, end = _spread_part(like)
    unit = _unit_before(like, start)
    place = token.end + len(unit) if raw.startswith(unit, token.end) else token.end
    return raw[:place] + like[start:end] + raw[place:]


def _spread_part(raw: str) -> tuple[int, int]:
    """From the blank before the `±` to the number behind it, and its unit if it has the same."""
    match = _SPREAD.search(raw)
    if match is None:
        return len(raw), len(raw)
    start = len(raw[: match.start()].rstrip())
    unit = _unit_before(raw, start)
    return start, match.end() + (len(unit) if raw.startswith(unit, match.end()) else 0)


def _unit_before(raw: str, end: int) -> str:
    number = _TOKEN.search(raw, 0, end)
    return raw[number.end() : end] if number is not None else ""


def write_digits(value: Decimal, token: Token) -> str:
    """The digits of a number, with these separators."""
    size = abs(value)
    text = f"{size:,f}" if token.group else f"{size:f}"
    return "".join(_swap(text, token))


def _swap(text: str, token: Token) -> Iterator[str]:
    for char in text:
        yield token.group if char == "," else token.point if char == "." else char


def _sign(before: str, was: bool, now: bool, habits: Habits) -> str:
    """What stands before a number, with the sign that it has now."""
    if was is now:
        return before
    # A sign stands before the currency.
    coin = before[-1:] if before[-1:] in _CURRENCIES else ""
    stem = before.removesuffix(coin)
    bare = stem[:-1] if stem[-1:] in (*_MINUS, "+") else stem
    sign = habits.minus if now else "+" if habits.signed else ""
    return f"{bare}{sign}{coin}"
