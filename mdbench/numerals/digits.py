"""Parse bare numbers exactly: digits with separators and an exponent."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.inline import RAISED, flatten
from mdbench.numerals.durations import scan_date
from mdbench.numerals.numeral import Style
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy

NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
"""A pattern for a number in prose; `read_number` parses its matches."""

MOST_DIGITS = 40
GREATEST_EXPONENT = 60

_PLAIN = lazy(r"[+-]?\d{1,40}(?:\.\d{1,40})?")
_BLOB = lazy(r"\d[\d.,'’_\u00a0\u2009\u202f]*|\.\d+")
_EXPONENT = lazy(r"[eE]([+-]?)(\d{1,4})(?![\w.])")
_POWER = lazy(
    r" ?[x×*·] ?10(?:\^|\*\*|\ue000|(?=[+-]\d))[({]?([+-]?\d{1,3})[)}]?\ue001?(?![\w.])",
)
_BARE_POWER = lazy(
    r"(10|2)(?:\^|\*\*)[({]?([+-]?\d{1,3})[)}]?(?![\w.])|(10|2)\ue000([+-]?\d{1,2})\ue001",
)
_SPACED = lazy(r"\d{1,3}(?: \d{3})+\.\d+(?![\d.])")
_SPACED_COMMA = lazy(r"\d{1,3}(?: \d{3}){1,12}[.,]\d{1,40}(?![\d.,])")
_COMMAS = lazy(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_OTHERS = lazy(r"\d{1,3}(?:['’_\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?")
_EUROPEAN = lazy(r"\d{1,3}(?:\.\d{3})+,\d+")
_DECIMAL_COMMA = lazy(r"\d+,\d+")
_SIMPLE = lazy(r"\d+(?:\.\d*)?|\.\d+")


class ParsedNumber(NamedTuple):
    """A number, the place value of its last printed digit, and its end in the text."""

    value: Decimal
    quantum: Decimal
    end: int


def read_number(text: str) -> ParsedNumber | None:
    """Parse a text that is nothing but a number, or return None."""
    bare = text.strip()
    if _PLAIN.fullmatch(bare):
        return _exactly(bare, 0, len(bare))
    number = scan_number(bare.replace("−", "-"), 0)
    return number if number is not None and number.end == len(bare) else None


def scan_number(text: str, at: int, *, decimal_comma: bool = False) -> ParsedNumber | None:
    """Parse the number that starts at `at`. `decimal_comma` decides about ambiguous commas."""
    sign = text[at : at + 1] if text[at : at + 1] in {"+", "-", "–"} else ""
    start = at + len(sign)
    sign = "-" if sign == "–" else sign
    power = _BARE_POWER.match(text, start) if _may_raise(text) else None
    if power is not None and _is_power(power):
        return _raise(sign, power)
    blob = _BLOB.match(text, start)
    if blob is None:
        return None
    spaced = None
    if " " in text:
        spaced = _SPACED_COMMA.match(text, start) if decimal_comma else _SPACED.match(text, start)
    if spaced is not None:
        return _exactly(sign + spaced[0].replace(" ", "").replace(",", "."), 0, spaced.end())
    digits = _read_blob(blob[0], decimal_comma=decimal_comma)
    if digits is None:
        return None
    number, length = digits
    return _with_exponent(text, sign + number, start + length)


def _may_raise(text: str) -> bool:
    return "^" in text or "**" in text or RAISED in text


def _is_power(match: re.Match[str]) -> bool:
    # A superscript 1 or 2 after a 10 is more likely a footnote than a power.
    return match[4] is None or abs(int(match[4])) > (2 if match[3] == "10" else 4)


def _raise(sign: str, match: re.Match[str]) -> ParsedNumber | None:
    base, exponent = match[1] or match[3], int(match[2] or match[4])
    if abs(exponent) > GREATEST_EXPONENT or (base == "2" and exponent < 0):
        return None
    if base == "10" and exponent < 0:
        return _exactly(f"{sign}1", exponent, match.end())
    value = int(base) ** exponent
    return ParsedNumber(Decimal(-value if sign == "-" else value), Decimal(1), match.end())


def _with_exponent(text: str, number: str, end: int) -> ParsedNumber | None:
    exponent = 0
    match = _EXPONENT.match(text, end) if text[end : end + 1] in {"e", "E"} else None
    if match is not None:
        exponent, end = int(match[1] + match[2]), match.end()
    else:
        match = _POWER.match(text, end) if "10" in text[end:] else None
        if match is not None:
            exponent, end = int(match[1]), match.end()
    return _exactly(number, exponent, end)


def _exactly(number: str, exponent: int, end: int) -> ParsedNumber | None:
    if len(number) > MOST_DIGITS + 2 or abs(exponent) > GREATEST_EXPONENT:
        return None
    value = Decimal(f"{number}e{exponent}") if exponent else Decimal(number)
    place = value.as_tuple().exponent
    return ParsedNumber(value, Decimal((0, (1,), int(place))), end)


def _read_blob(blob: str, *, decimal_comma: bool) -> tuple[str, int] | None:
    """The digits in Python's notation, and how many characters of the blob they take."""
    blob = blob.rstrip(",'’_\u00a0\u2009\u202f")
    if len(blob) > 2 * MOST_DIGITS:
        return None
    if _SIMPLE.fullmatch(blob):
        digits = blob.rstrip(".")
        return digits, len(digits)
    whole = _read_separators(blob, decimal_comma=decimal_comma)
    if whole is not None:
        return whole, len(blob)
    first, comma, _ = blob.partition(",")
    if comma and _SIMPLE.fullmatch(first) and _are_listed(blob):
        return first, len(first)
    return None


def _read_separators(blob: str, *, decimal_comma: bool) -> str | None:
    """The digits of a number with separators, or None if they are ambiguous."""
    if _EUROPEAN.fullmatch(blob):
        return blob.replace(".", "").replace(",", ".")
    if _DECIMAL_COMMA.fullmatch(blob) and (decimal_comma or _starts_with_zero(blob)):
        return blob.replace(",", ".")
    if _COMMAS.fullmatch(blob):
        return blob.replace(",", "")
    return _drop_separators(blob) if _OTHERS.fullmatch(blob) else None


def _starts_with_zero(blob: str) -> bool:
    return blob.startswith("0,") and len(blob) > 3


def _are_listed(blob: str) -> bool:
    parts = blob.split(",")
    return all(_SIMPLE.fullmatch(part) for part in parts) and (
        len(parts) == 2 or all(len(part) != 3 for part in parts[1:])
    )


def _drop_separators(blob: str) -> str:
    digits = re.sub("['’_\u00a0\u2009\u202f]", "", blob)
    return digits.replace(",", ".")


_COMMA = lazy(r"(?<![\d.,])(\d+),(\d+)(?![\d.,]) ?([A-Za-zμ%][A-Za-zμ%/]*)?")
_SURE_THOUSANDS = lazy(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:,\d{3}|\.\d)")
_SURE_DECIMAL = lazy(r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+,\d+|0,\d\d+)(?![\d.,])")
_NO_STYLE = Style()
_GROUP = 3
_LONGEST = 200
_ENOUGH = 3
COUNTED = frozenset({"device", "node", "core", "step", "layer", "token", "sample", "param"})
"""Dimensions of countable things. They have no decimals: `6,3 GPUs` has no decimal comma."""


def count_decimals(text: str) -> int:
    """How many digits stand behind the decimal point."""
    return len(text.partition(".")[2])


def column_style(raws: Iterable[str]) -> Style:
    """The style that the cells of one column agree on."""
    lengths: list[int] = []
    decimal = thousands = dates = False
    texts = [raw for raw in raws if len(raw) <= _LONGEST]
    whole = "\n".join(texts)
    if "," in whole or "，" in whole:
        for text in [flatten(raw) for raw in texts if "," in raw or "，" in raw]:
            thousands = thousands or _SURE_THOUSANDS.search(text) is not None
            decimal = decimal or _SURE_DECIMAL.search(text) is not None
            for match in _COMMA.finditer(text):
                lengths.append(len(match[2]))
                decimal = decimal or (len(match[2]) != _GROUP and is_measured(match[3] or ""))
    if "-" in whole or "/" in whole:
        dates = any(_is_date(raw) for raw in texts if "," not in raw and "，" not in raw)
    if not (lengths or decimal or dates):
        return _NO_STYLE
    uniform = len(lengths) >= _ENOUGH and len(set(lengths)) == 1 and lengths[0] not in {1, _GROUP}
    return Style(decimal_comma=(decimal or uniform) and not thousands, dates=dates)


def _is_date(raw: str) -> bool:
    likely = raw[:1].isdigit() and ("-" in raw or "/" in raw)
    return likely and scan_date(raw, loose=False) is not None


def shows_decimal_comma(raws: Iterable[str]) -> bool | None:
    """Whether commas are decimal commas: False if they separate thousands, None if unknown."""
    found: bool | None = None
    for raw in raws:
        if "," not in raw or len(raw) > _LONGEST:
            continue
        text = flatten(raw)
        if _SURE_THOUSANDS.search(text):
            return False
        if _SURE_DECIMAL.search(text) or any(
            len(match[2]) != _GROUP and is_measured(match[3] or "")
            for match in _COMMA.finditer(text)
        ):
            found = True
    return found


def is_measured(unit: str) -> bool:
    """Whether a number in this unit may have decimals."""
    known = parse_unit(unit) if unit else None
    return known is not None and known.dimension not in COUNTED
