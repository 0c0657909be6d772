"""Totals that a sentence works out itself: `412 + 460 + 204 h, in total 1,076`."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from mdbench.markdown.document import TextLine
from mdbench.numerals.digits import read_number
from mdbench.numerals.intervals import Interval, printed
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.source import Span

_NUMBER = r"(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w.,/:-]?\d)"
_FIRST = r"\d(?<![\w.,:/$^-]\d)(?:(?<=[1-9])\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?(?![\w.,/:-]?\d)"
_AND = r"(?:and|und|et|y|e|и)"
_UNIT = rf"(?:[ ]?(?!{_AND}\b)[^\W\d_]{{1,12}}(?:/[^\W\d_]{{1,8}})?)?"
_ADDED = rf"{_FIRST}{_UNIT}(?:[ ]?\+[ ]?{_NUMBER}{_UNIT}){{1,11}}"
_LISTED = rf"{_FIRST}{_UNIT}(?:,[ ]{_NUMBER}{_UNIT}){{1,11}},?[ ]{_AND}[ ]{_NUMBER}{_UNIT}"
_TOTAL = (
    r"in total|(?:for )?a total of|totals?|totaling|totalling|altogether|together|combined|"
    r"adds? up to|adding up to|sums? (?:up )?to|in sum|zusammen|insgesamt|in Summe|au total|"
    r"en tout|en total|in totale|en conjunto|итого"
)
_AFTER = lazy(
    rf"(?P<parts>{_ADDED}|{_LISTED})\)?[,:;]?[ ](?:(?:is|are|makes?|gives?|so|and|or)[ ])?"
    rf"(?:(?P<word>{_TOTAL})(?:[ ](?:is|are|it's))?[:,]?[ ](?P<sum>{_NUMBER})(?P<unit>{_UNIT})|"
    rf"(?P<behind>{_NUMBER})(?P<other>{_UNIT})[ ](?:{_TOTAL})\b)",
    re.IGNORECASE,
)
_BEFORE = lazy(
    rf"(?P<sum>{_FIRST})(?P<unit>{_UNIT})(?:[ ](?:{_TOTAL}))?[ ]?\((?P<parts>{_ADDED})\)",
    re.IGNORECASE,
)
_PART = lazy(rf"(?P<number>{_NUMBER})(?P<unit>{_UNIT})")
_LOOSE = lazy(
    r"(?:[-−*×·/^<>≤≥~≈(+]|\b(?:about|around|roughly|nearly|almost|over|than|least|up to))[ ]*$",
    re.IGNORECASE,
)
_HINTS = ("total", "gether", "ombined", " up to ", "sum", "Sum", "sammen", "samt", "tout", "того")
_NEARLY = (Fraction(4, 5), Fraction(5, 4))
_LETTERS = frozenset("kmgbt")


class Total(NamedTuple):
    """Numbers of a sentence, and what they are said to be in total."""

    parts: tuple[Interval, ...]
    stated: Decimal
    quantum: Decimal
    text: str
    """The numbers as they are written."""
    span: Span
    """Where the total is stated."""

    @property
    def sum(self) -> Interval:
        """What the numbers add up to."""
        return sum(self.parts[1:], self.parts[0])

    def is_wrong(self) -> bool:
        """Whether it is not their sum, rounded or truncated, but near it."""
        quantum, stated = Fraction(self.quantum), Fraction(self.stated)
        ratio = stated / self.sum.middle
        near = _NEARLY[0] < ratio < _NEARLY[1]
        return near and not self.sum.meets(Interval(stated - quantum, stated + quantum))


def find_totals(line: TextLine) -> Iterator[Total]:
    """Find the totals in a line whose numbers have the same unit."""
    text = line.text
    added = " + " in text
    told = any(map(text.__contains__, _HINTS))
    patterns = [_AFTER] * told + [_BEFORE] * (added and "(" in text)
    for pattern in patterns:
        for match in pattern.finditer(text):
            found = _read(match, line.start)
            if found is not None:
                yield found


def _read(match: re.Match[str], start: int) -> Total | None:
    behind = match.groupdict().get("behind") is not None
    place, unit = ("behind", match["other"]) if behind else ("sum", match["unit"])
    parts = [*_PART.finditer(match["parts"])]
    units = [one["unit"].strip() for one in parts]
    before = match.string[max(0, match.start() - 12) : match.start()]
    figures = [read_number(one["number"]) for one in parts]
    stated = read_number(match[place])
    if stated is None or _LOOSE.search(before) or not _agree(units, unit.strip()):
        return None
    read = [one for one in figures if one is not None and one.value > 0]
    if len(read) < len(figures) or max(one.value for one in read) >= stated.value:
        return None
    return Total(
        tuple(printed(one.value, one.quantum, kind=Fraction) for one in read),
        stated.value,
        max(stated.quantum, _rounded(match[place])),
        match["parts"],
        Span(start + match.start(place), start + match.end(place)),
    )


def _agree(units: list[str], unit: str) -> bool:
    """Whether numbers may be added as they are: what they count may differ, units may not."""
    known = {one for one in units if one and parse_unit(one) is not None}
    if any(one.lower() in _LETTERS for one in (*units, unit)) and {*units} != {unit}:
        return False
    if len(known) > 1 or (unit and known and parse_unit(unit) is not None and unit not in known):
        return False
    # In `1 h + 30 and 20` a unit stands behind some of the numbers only.
    return not known or all(one in known for one in units) or not any(units[:-1])


def _rounded(text: str) -> Decimal:
    """The place of the last digit that is not zero; a single zero may have been measured."""
    digits = text.replace(",", "")
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal(10) ** zeros if "." not in digits and zeros > 1 else Decimal(0)
