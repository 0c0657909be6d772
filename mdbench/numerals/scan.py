"""Parse one quantity in a text: bound, currency, number, spread, unit."""

import re
from decimal import Decimal
from typing import NamedTuple

from mdbench.numerals.bounds import scan_bound
from mdbench.numerals.digits import ParsedNumber, is_measured, scan_number
from mdbench.numerals.durations import scan_duration
from mdbench.numerals.numeral import Form, Numeral, Style
from mdbench.numerals.units import COUNTS, LONGEST_UNIT, parse_unit
from mdbench.regex import lazy

_MONEY = lazy(r"(?:US)?[$€¥£] ?(?=[\d.+-])|(?:USD|EUR|RMB|CNY) ?(?=\d)")
_CURRENCIES = frozenset("$€¥£")
_MINUS = frozenset("-−")
_MONEY_STARTS = frozenset("$€¥£UERC")
_FACTOR_SIGNS = frozenset("xX×")
_FACTOR = lazy(r"[xX×] ?(?=[\d.])")
_TIMES = lazy(r"\* ?(?=\d{1,6}$)")
_SPREAD = lazy(
    r"\s*(?:±|\+/-|\+-|\+/−|(?:\u03c3|std\.?(?: ?dev\.?)?|stdev|stddev|sd)\b ?[=:]?)\s*"
    r"(?:(?P<unknown>∞)|(?=[\d.]))",
    re.IGNORECASE,
)
_UNIT_RUN = lazy(r"[^\d()\[\]{},;|±\n†‡§¶*^?+=<>:\ue000\ue001]{1,64}")
_PER_MANY = lazy(
    r" ?[$€¥£A-Za-z]{0,12} ?(?:/|per ) ?1 ?(?:[KkMmBb]|thousand|million|billion) ?[A-Za-z]{2,12}"
    r"(?![\w/])"
)
_UNIT_ENDS = frozenset("/~→–-")
_LETTER = lazy(
    r" ?(?:(?:[KkMmBbGgTt]|[Bb]n|thousand|million|billion|trillion)(?![\w-])|"
    r"(?:тыс|млн|млрд|трлн|Tsd|Mio|Mrd)\b\.?|[百백]?[万만]|[萬亿億억千천])|"
    r"[nµμ](?= ?±|$)"
)


class Scan(NamedTuple):
    """A quantity and where it ends."""

    numeral: Numeral
    end: int


class Spread(NamedTuple):
    """A spread in the unit of its value, None if it is not known, and where it ends."""

    amount: Decimal | None
    unit: str
    end: int


def scan_quantity(text: str, at: int, style: Style) -> Scan | None:
    """Parse the quantity that starts at `at`, or return None."""
    start = at
    bound, at = scan_bound(text, at)
    duration = scan_duration(text, at) if text[at : at + 1].isdigit() else None
    if duration is not None:
        numeral = Numeral(Form.NUMBER, text[start : duration.end], duration.seconds,
                          duration.quantum, "s", bound=bound)  # fmt: skip
        return Scan(numeral, duration.end)
    minus = text[at : at + 1] in _MINUS
    if (minus or text[at : at + 1] == "+") and text[at + 1 : at + 2] in _CURRENCIES:
        at += 1
    else:
        minus = False
    first = text[at : at + 1]
    money = _MONEY.match(text, at) if first in _MONEY_STARTS else None
    factor = _FACTOR.match(text, at) if first in _FACTOR_SIGNS else None
    if factor is None and style.counts:
        factor = _TIMES.match(text, at)
    if money is not None or factor is not None:
        at = (money or factor).end()  # type: ignore[union-attr]
    number = _scan_number(text, at, style)
    if number is None:
        return None
    if minus:
        number = number._replace(value=-number.value)
    unit, end = scan_unit(text, number.end)
    spread = scan_spread(text, end, (number.value, unit), style)
    if spread is not None:
        unit, end = spread.unit, spread.end
    if money is not None:
        unit = _join_money(money[0].strip(), unit)
    elif factor is not None and not unit:
        unit = "x"
    elif factor is not None:
        return None
    numeral = Numeral(Form.NUMBER, text[start:end].strip(), number.value, number.quantum, unit,
                      spread=spread and spread.amount, bound=bound)  # fmt: skip
    return Scan(numeral, end)


def _join_money(sign: str, unit: str) -> str:
    """The unit of `$3.2/hour` is `$/hour`, that of `$5.4k` is `k $`."""
    if not unit or unit.startswith("/"):
        return sign + unit
    if unit.startswith("per "):
        return f"{sign} {unit}"
    return f"{unit} {sign}"


def _scan_number(text: str, at: int, style: Style) -> ParsedNumber | None:
    number = scan_number(text, at, decimal_comma=style.decimal_comma)
    if number is None or text[number.end : number.end + 1] != ",":
        return number
    # `6,3` is two numbers, `17,89 ms` is one: with a unit, it is a decimal.
    whole = scan_number(text, at, decimal_comma=True)
    if whole is not None and whole.end > number.end and is_measured(scan_unit(text, whole.end)[0]):
        return whole
    return number


def scan_spread(text: str, at: int, of: tuple[Decimal, str], style: Style) -> Spread | None:
    """Parse the plus-minus part at `at`, after a value and its unit."""
    sign = _SPREAD.match(text, at) if at < len(text) else None
    if sign is None:
        return None
    if sign["unknown"] is not None:
        return Spread(None, of[1], sign.end())
    number = scan_number(text, sign.end(), decimal_comma=style.decimal_comma)
    if number is None:
        return None
    told, end = scan_unit(text, number.end)
    return _convert_spread(number.value, told, of, style, end)


def _convert_spread(
    spread: Decimal, told: str, of: tuple[Decimal, str], style: Style, end: int
) -> Spread | None:
    """A spread in the unit of its value; per cent are of the value, unless it is in per cent."""
    value, unit = of
    if told == "%" and unit != "%" and (unit or style.measures):
        return Spread(abs(value) * spread / 100, unit, end)
    if not unit or told in {"", unit}:
        return Spread(spread, unit or told, end)
    mine, theirs = parse_unit(unit), parse_unit(told)
    if mine is None or theirs is None or mine.dimension != theirs.dimension:
        return None
    return Spread(spread * theirs.scale / mine.scale, unit, end)


def scan_unit(text: str, at: int) -> tuple[str, int]:
    """Find the longest unit, or magnitude letter, that starts at `at`."""
    if at >= len(text):
        return "", at
    many = _PER_MANY.match(text, at) if "1" in text[at:] else None
    if many is not None and _is_unit(many[0].strip()):
        return many[0].strip(), many.end()
    run = _UNIT_RUN.match(text, at)
    if run is None:
        return "", at
    candidate = run[0][: LONGEST_UNIT + 1]
    ends = [at for at, one in enumerate(candidate) if one in _UNIT_ENDS or one.isspace()]
    for end in reversed([*filter(None, ends), len(candidate)][:8]):
        words = candidate[:end].strip()
        if words and words[-1] not in "/-" and _is_unit(words) and _closes(text, at + end):
            return words, at + end
    letter = _LETTER.match(text, at)
    if letter is not None:
        return letter[0].strip(" ."), letter.end()
    return "", at


def _is_unit(words: str) -> bool:
    return parse_unit(words) is not None and (words[0] != "-")


def _closes(text: str, end: int) -> bool:
    """Whether a unit may end here; `4x4` and `3D-` continue."""
    following = text[end : end + 1]
    return not (following.isalnum() and following.isascii()) and following != "_"


def is_letter(unit: str) -> bool:
    """Whether the unit is just a magnitude: K, M, B, 万."""
    return unit.lower() in COUNTS


def is_east_asian(text: str) -> bool:
    """Whether the text starts with a Chinese or Japanese character."""
    return "\u3040" <= text[:1] <= "\u30ff" or "\u4e00" <= text[:1] <= "\u9fff"
