"""Changes that a sentence works out itself: `403 ms → 902 ms (124 % increase)`."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from mdbench.markdown.document import TextLine
from mdbench.numerals.digits import ParsedNumber, read_number
from mdbench.numerals.intervals import Interval, printed
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.source import Span

_NUMBER = r"(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+|,\d{1,2}(?![\d,]))?"
# The same number; what stands before it is asked of digits only.
_FIRST = r"\d(?<![\w.,$-]\d)(?:(?<=[1-9])\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+|,\d{1,2}(?![\d,]))?"
_UNIT = r"%|[^\W\d_]+(?:/[^\W\d_]+)?"
_TO = r"→|->|⇒|\b(?:to|down to|up to|auf|à|a|до)\b"
_THAN = r"\bvs\b\.?|\bversus\b|\binstead of\b|\bcompared (?:to|with)\b"
_KIND = r"(?P<kind>%|[x×](?!\w))[*`]{0,3}"
_WORDS = (
    r"faster|slower|speed-?up|reduction|increase|decrease|improvement|less|more|lower|higher|"
    r"smaller|larger|drop|gain|savings?|fewer|weniger|kleiner|niedriger|schneller|mehr|höher|"
    r"größer|moins|menos|menor|meno|plus rapide|más rápido|меньше|быстрее|больше"
)
_THAT_IS = (
    r"i\.e\.|that is|which is|that's|meaning|so|also|d\. ?h\.|das (?:ist|sind)|soit|"
    r"c'est-à-dire|es decir|o sea|cioè|то есть"
)
_CHANGE = lazy(
    rf"(?P<before>{_FIRST})[ ]?(?P<unit>{_UNIT})?[*`]{{0,3}}[ ]?"
    rf"(?:(?P<arrow>{_TO})[ ]?|\)?[ ](?:{_THAN})[ ](?:[^\W\d_][\w ./-]{{0,30}} ?\()?)"
    rf"[*`]{{0,3}}(?P<after>{_NUMBER})(?:[ ]?(?P<other>{_UNIT}))?[*`]{{0,3}}"
    rf"(?:(?P<equals>(?:\)?[ ](?:=|is|—|–|-)|,? (?:{_THAT_IS}),?)[ ](?:an?[ ])?)|"
    r"[ ]\((?:[\w -]{1,20}, )?|,[ ](?:an?[ ]|or[ ])?)"
    r"(?:(?:an? )?(?P<lead>reduction|increase|decrease|drop|gain|saving|improvement) of |"
    r"(?:an? )?gain de |на |um |by )?"
    rf"[*`]{{0,3}}(?P<about>[~≈][ ]?|about |around |roughly |ca\. |rund |environ |около )?"
    rf"[-+−]?(?P<change>{_NUMBER})[ ]?"
    rf"{_KIND}(?:[ ](?!or\b|and\b)[^\W\d_]+){{0,2}}?[ ]?"
    rf"(?P<word>(?:{_WORDS})\b(?P<more>[ ]+[^\W\d_])?|\)|[.;]?$|[.;][ ])",
    re.IGNORECASE,
)
_SAID_FIRST = lazy(
    rf"(?P<change>{_FIRST})[ ]?{_KIND}(?P<words>(?:[ -][^\W\d_]+){{0,5}})[*`]{{0,3}}"
    r"(?:[ ]?\(|,[ ]|:[ ]|[ ](?=from))[*`]{0,3}(?:(?:(?:up |down )?from )[*`]{0,3})?"
    rf"(?P<before>{_NUMBER})[ ]?(?P<unit>{_UNIT})?[*`]{{0,3}}[ ]?(?P<arrow>{_TO}|{_THAN})[ ]?"
    rf"[*`]{{0,3}}(?P<after>{_NUMBER})[ ]?(?P<other>{_UNIT})(?![\w/]|[*`]{{0,3}}[ ]?(?:→|->|vs))",
    re.IGNORECASE,
)
_ABOUT = lazy(
    r"(?:[~≈+-]|\b(?:about|around|roughly|approximately|nearly|almost))[ *`]{0,3}$",
    re.IGNORECASE,
)
# A number that is only a bound, or one of several, does not have to follow from the others.
_LOOSE = lazy(
    r"(?:[<>≤≥–—-]|\b(?:up to|over|more than|at least|at most|less than|under|to|and|between|"
    r"another|further|the|of))[ *`]{0,3}$",
    re.IGNORECASE,
)
_CHANGED = lazy(
    rf"\b(?:{_WORDS}|(?:reduc|improv|increas|decreas|dropp|cut|shr[iau]n|gr[eo]w|fell|f[ae]ll|rose|"
    r"ris[ei]|sav|accelerat|outperform|speed|sped|plus)\w*)\b",
    re.IGNORECASE,
)
_CLAUSE = lazy(r"[.;:!?|()](?=\s)|[()]")
_REACH = 60
# These are shares of the number before the change. What is faster may be counted in either way.
_LESS = frozenset(
    "reduction decrease less lower smaller drop fewer weniger kleiner niedriger moins menos menor "
    "meno меньше".split()
)
_MORE = frozenset("increase more higher larger mehr höher größer больше".split())
_HINTS = (" to ", "versus", " auf ", " à ", " до ", "de ")
_FROM = lazy(r"\b(?:from|von|de|da|от|\u0441)[ *`]{1,4}$", re.IGNORECASE)
_TO_WORDS = frozenset(("to", "uf", "à", "a", "до"))
_BARE = Unit("", "", Decimal(1))
_FEW = 12
_DECIMALS = 3
_RESULTS = frozenset(("s", "byte", "ratio", "usd", "eur", "J", "W", "flop"))
_NEARLY = Fraction(1, 10)


class Change(NamedTuple):
    """Two numbers of a sentence, and the change between them that it states."""

    before: Interval
    after: Interval
    points: bool
    """Whether they are percentages, which may also be subtracted."""
    stated: Decimal
    quantum: Decimal
    percent: bool
    about: bool
    word: str
    """What it is called: `reduction`."""
    text: str
    """The two numbers as they are written."""
    span: Span
    """Where the change is stated."""

    def readings(self) -> Iterator[Interval]:
        """All that the change may be, in the unit that it is stated in."""
        up, down = self.after / self.before, self.before / self.after
        if not self.percent:
            yield from (up, down)
        elif self.word in _LESS:
            yield from ((1 - up) * 100, (1 - down) * 100)
        elif self.word in _MORE:
            yield from ((up - 1) * 100, (down - 1) * 100)
        else:
            for ratio in (up, down):
                yield from ((ratio - 1) * 100, (1 - ratio) * 100, ratio * 100)
        if self.points:
            yield (self.after - self.before) * 100
            yield (self.before - self.after) * 100

    def holds(self) -> bool:
        """Whether one of the readings is what is stated, to its digits or truncated."""
        quantum, stated = Fraction(self.quantum), Fraction(self.stated)
        reach = max(quantum, stated * _NEARLY) if self.about else quantum
        wanted = Interval(stated - reach, stated + reach)
        return any(one.meets(wanted) for one in self.readings())


def find_changes(line: TextLine) -> Iterator[Change]:
    """Find the changes in a line whose two numbers have the same unit."""
    text = line.text
    if "%" not in text and "x" not in text and "×" not in text:
        return
    arrow = "→" in text or "->" in text or "⇒" in text
    if arrow or "vs" in text or any(map(text.__contains__, _HINTS)):
        for match in _CHANGE.finditer(text):
            word = match["lead"] or match["word"].split(" ")[0]
            change = _read(match, line.start, match["about"] is not None, word)
            if change is not None:
                yield change
    if arrow or "vs" in text or " from " in text or "instead" in text or "compared" in text:
        for match in _SAID_FIRST.finditer(text):
            change = _read_said_first(match, line.start)
            if change is not None:
                yield change


def _read_said_first(match: re.Match[str], start: int) -> Change | None:
    """A change that is stated before the two numbers, if words around it say that it is one."""
    text = match.string
    before = _CLAUSE.split(text[max(0, match.start() - _REACH) : match.start()])[-1]
    about = _ABOUT.search(before)
    told = before if about is None else before[: about.start()]
    if _LOOSE.search(told) is not None:
        return None
    said = _CHANGED.search(match["words"])
    alone = not match["words"] and match["kind"] != "%"
    if said is None and not alone and _CHANGED.search(before) is None:
        return None
    word = said[0] if said is not None else ""
    word = word if word.endswith("ss") else word.removesuffix("s")
    return _read(match, start, about is not None and about[0].strip() not in "+-", word)


def _read(match: re.Match[str], start: int, about: bool, word: str) -> Change | None:
    units = _units(match)
    if units is None or (match["unit"] is None and not _is_told(match)):
        return None
    found = match.groupdict()
    told = found.get("word", "x").strip(" .;") or found.get("lead") or match["kind"] != "%"
    if not told and not match["equals"]:
        return None
    first, second = units
    before, after = _interval(match["before"], first), _interval(match["after"], second)
    stated = _read_number(match["change"])
    if before is None or after is None or stated is None or min(before.low, after.low) <= 0:
        return None
    text = match.string[match.start("before") : match.end("other" if match["other"] else "after")]
    return Change(
        before,
        after,
        match["other"] == "%",
        stated.value,
        stated.quantum,
        match["kind"] == "%",
        about,
        word.lower(),
        text.replace("*", "").replace("`", ""),
        Span(start + match.start("change"), start + match.end("kind")),
    )


def _read_number(text: str) -> ParsedNumber | None:
    """A number; a comma before one or two digits is a decimal comma."""
    return read_number(text if len(text) - text.rfind(",") > _DECIMALS else text.replace(",", "."))


def _units(match: re.Match[str]) -> tuple[Unit, Unit] | None:
    """The units of two numbers that may be compared; none are needed if both were measured."""
    if match["other"] is None:
        return (_BARE, _BARE) if match["unit"] is None and _is_measured(match) else None
    first, second = parse_unit(match["unit"] or match["other"]), parse_unit(match["other"])
    if first is None or second is None or first.dimension != second.dimension:
        return None
    # From 4 to 8 threads, something else is 1.9x faster.
    measured = first.dimension in _RESULTS or "/" in first.dimension
    return (first, second) if measured else None


def _is_told(match: re.Match[str]) -> bool:
    """Whether a number without a unit is for certain what the other one is compared with."""
    if (match["arrow"] or "")[-2:].strip().casefold() not in _TO_WORDS:
        return True
    found = match.groupdict()
    if found.get("more") and not found["equals"]:
        # From 8 to 16 GB, 40% more time is needed.
        return False
    start = match.start("before")
    return _FROM.search(match.string, max(0, start - _REACH), start) is not None


def _is_measured(match: re.Match[str]) -> bool:
    """Whether one of two numbers without a unit is none that anybody chooses."""
    return any(_is_odd(match[one]) for one in ("before", "after"))


def _is_odd(text: str) -> bool:
    if not text.replace(",", "").isdigit():
        return True
    number = int(text.replace(",", ""))
    while number and number % 2 == 0:
        number //= 2
    return number > _FEW and number % 5 != 0


def _interval(text: str, unit: Unit) -> Interval | None:
    figure = _read_number(text)
    if figure is None:
        return None
    return printed(figure.value, figure.quantum, kind=Fraction) * Fraction(unit.scale)
