"""Numbers of a sentence, with their units and the words before them that say how they are meant."""

import re
from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from mdbench.numerals.digits import read_number
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy

_FIGURE = lazy(
    # What stands before it is asked of digits only, not of each character of a text.
    r"(?P<number>\d(?:(?<=[\d%x]-\d)|(?<![\w.,:/^@-]\d))(?:(?<=[1-9])\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?)"
    r"(?![\d:]|[.,]\d|-(?:bit|way|core|node|thread|byte|shot|fold|layer|stage|word))"
    r"(?:(?P<letter>[kKM](?![\w])))?"
    r"(?:[ -]{0,3}(?P<unit>%|[x×](?!\w)|倍|times(?= (?:as|more|less|faster|slower|higher|lower|"
    r"larger|bigger|smaller|longer|shorter|better|cheaper|the)\b)|"
    r"(?:requests|queries|tokens|rows|items|images|samples|files|messages|"
    r"records|events|frames|ops|operations|iterations|steps)(?:/| per )s(?:ec(?:ond)?)?\b|"
    r"[^\W\d_]+(?:/[^\W\d_]+){0,2}))?"
)
_BEFORE = 28
_RANGE = lazy(r"[ ]*(?:-|–|—|to|and)[ ]*$")
_TIMES = frozenset(("倍", "times"))
_SIGNS = frozenset("$€£")
_LETTERS = {"k": 1000, "K": 1000, "M": 1_000_000}
# A number that is one of these, or stands behind them, is no result: a version, an item of a list.
_NO_FIGURE = lazy(
    r"(?:\b(?:v|version|line|lines|step|phase|part|level|tier|section|table|figure|fig\.?|layer|"
    r"question|test|run|issue|case|port|top|python|ubuntu|node\.js|java|php|go|rust|cuda|gcc)"
    r"|[#№]\w*)[ ]*$",
    re.IGNORECASE,
)
_RESULTS = frozenset(("s", "byte", "ratio", "usd", "eur", "J", "W", "flop"))
_LINKING = frozenset(
    "a an and as at by for from in is of on or over than that the to under via vs was when with "
    "across after before between".split()
)
_TWICE = lazy(r"\b(?:twice|double)\b(?= (?:as|the))", re.IGNORECASE)


class Bound(StrEnum):
    """How the words before a number say that it is meant."""

    EXACT = ""
    ABOUT = "about"
    UP_TO = "up to"
    LEAST = "at least"
    MOST = "at most"


_UP_TO = lazy(r"\b(?:up to|as much as|as high as|maximum of)[ ]*(?:an? )?$", re.IGNORECASE)
_LEAST = lazy(
    r"(?:[>≥]=?|\b(?:over|more than|at least|above|exceed\w*|no less than|minimum of|greater than|"
    r"higher than))[ ]*$",
    re.IGNORECASE,
)
_MOST = lazy(
    r"(?:[<≤]=?|\b(?:under|less than|at most|below|within|no more than|lower than|fewer than|"
    r"as low as))[ ]*$",
    re.IGNORECASE,
)
_ABOUT = lazy(
    r"(?:[~≈±]|\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|circa|some|ca\.))"
    r"[ ]*$",
    re.IGNORECASE,
)
_BOUNDS = (
    (Bound.UP_TO, _UP_TO),
    (Bound.LEAST, _LEAST),
    (Bound.MOST, _MOST),
    (Bound.ABOUT, _ABOUT),
)


class Figure(NamedTuple):
    """A number of a sentence, with its unit and the word behind it."""

    value: Decimal
    quantum: Decimal
    unit: Unit | None
    noun: str
    bound: Bound
    start: int
    end: int
    low: bool = False
    """Whether it is the lower end of a range, and the next one is the upper end."""
    high: bool = False

    @property
    def is_times(self) -> bool:
        """Whether it is a ratio, such as `2.4x`."""
        return self.unit is not None and self.unit.dimension == "ratio" and self.unit.scale == 1

    @property
    def is_percent(self) -> bool:
        """Whether it is in per cent."""
        return self.unit is not None and self.unit.dimension == "ratio" and self.unit.scale != 1

    @property
    def is_result(self) -> bool:
        """Whether it is measured in some unit, and not a count of something."""
        unit = self.unit
        return unit is not None and (unit.dimension in _RESULTS or "/" in unit.dimension)

    @property
    def is_bare(self) -> bool:
        """Whether it has neither a unit nor a noun."""
        return self.unit is None and not self.noun

    @property
    def plain(self) -> bool:
        """Whether it is said of one number, and not a bound or the end of a range."""
        return not self.low and not self.high and self.bound in (Bound.EXACT, Bound.ABOUT)


def find_figures(text: str) -> Iterator[Figure]:
    """The numbers of a sentence that may be results."""
    for match in _TWICE.finditer(text) if "as" in text or "the" in text else ():
        bound = _bound(text[max(0, match.start() - _BEFORE) : match.start()])
        bound = Bound.ABOUT if bound is Bound.EXACT else bound
        yield Figure(Decimal(2), Decimal(1), parse_unit("x"), "x", bound, *match.span())
    before: Figure | None = None
    for match in _FIGURE.finditer(text):
        found = _read_figure(text, match)
        if found is None:
            continue
        if before is not None:
            near = before.end <= found.start and before.unit in (None, found.unit)
            if near and _RANGE.fullmatch(text, before.end, found.start):
                unit = before.unit or found.unit
                before, found = before._replace(low=True, unit=unit), found._replace(high=True)
            yield before
        before = found
    if before is not None:
        yield before


def _read_figure(text: str, match: re.Match[str]) -> Figure | None:
    start = match.start()
    before = text[max(0, start - _BEFORE) : start]
    figure = read_number(match["number"])
    priced = before[-1:] in _SIGNS if before else False
    if figure is None or (not priced and _NO_FIGURE.search(before) is not None):
        return None
    if priced:
        before, start = before[:-1], start - 1
    bound = _bound(before)
    word = match["unit"] or ""
    unit = parse_unit("x" if word in _TIMES else _per(word)) if word else None
    if unit is not None and unit.dimension in ("count", "step") and "/" not in unit.dimension:
        unit = None
    if priced:
        unit = parse_unit(text[start])
    scale = _LETTERS.get(match["letter"] or "", 1)
    end = match.end() if unit is not None and not priced else match.end("number")
    if match["letter"]:
        end = max(end, match.end("letter"))
    noun = "" if word in _LINKING else word.casefold()
    fewest = 1 if match["letter"] else 2
    quantum = max(figure.quantum, _rounded(match["number"], figure.quantum, fewest)) * scale
    return Figure(figure.value * scale, quantum, unit, noun, bound, start, end)


def _bound(before: str) -> Bound:
    return next((name for name, words in _BOUNDS if words.search(before)), Bound.EXACT)


def _per(word: str) -> str:
    return word.replace(" per ", "/")


def _rounded(text: str, quantum: Decimal, fewest: int) -> Decimal:
    """The place of the last significant digit: so many trailing zeros come from rounding."""
    digits = text.replace(",", "")
    zeros = len(digits) - len(digits.rstrip("0"))
    return Decimal(10) ** zeros if quantum == 1 and zeros >= fewest else quantum
