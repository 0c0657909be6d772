"""Changes that a sentence works out itself: `403 ms → 902 ms (124 % increase)`."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from mdbench.markdown.document import TextLine
from mdbench.numerals.digits import read_number
from mdbench.numerals.intervals import Interval, printed
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.source import Span

_NUMBER = r"(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?"
# The same number; what stands before it is asked of digits only.
_FIRST = r"\d(?<![\w.,$-]\d)(?:(?<=[1-9])\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?"
_UNIT = r"%|[^\W\d_]+(?:/[^\W\d_]+)?"
_TO = r"→|->|⇒|\bto\b|\bdown to\b|\bup to\b"
_THAN = r"\bvs\b\.?|\bversus\b|\binstead of\b|\bcompared (?:to|with)\b"
_KIND = r"(?P<kind>%|[x×](?!\w))[*`]{0,3}"
_WORDS = (
    r"faster|slower|speed-?up|reduction|increase|decrease|improvement|less|more|lower|higher|"
    r"smaller|larger|drop|gain|savings?|fewer"
)
_CHANGE = lazy(
    rf"(?P<before>{_FIRST})[ ]?(?P<unit>{_UNIT})?[*`]{{0,3}}[ ]?"
    rf"(?:(?P<arrow>{_TO})[ ]?|\)?[ ](?:{_THAN})[ ](?:[^\W\d_][\w ./-]{{0,30}} ?\()?)"
    rf"[*`]{{0,3}}(?P<after>{_NUMBER})[ ]?(?P<other>{_UNIT})[*`]{{0,3}}"
    r"(?:(?P<equals>\)?[ ](?:=|is|—|–|-)[ ](?:an?[ ])?)|[ ]\((?:[\w -]{1,20}, )?|"
    r",[ ](?:an?[ ]|or[ ]|i\.e\.[ ]|which is (?:an?[ ])?)?)"
    rf"[*`]{{0,3}}(?P<about>[~≈][ ]?|about |around |roughly )?[-+−]?(?P<change>{_NUMBER})[ ]?"
    rf"{_KIND}(?:[ ](?!or\b|and\b)[^\W\d_]+){{0,2}}?[ ]?(?P<word>{_WORDS}|\)|$)",
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
_LESS = frozenset(("reduction", "decrease", "less", "lower", "smaller", "drop", "fewer"))
_MORE = frozenset(("increase", "more", "higher", "larger"))
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
    if arrow or " to " in text or "vs" in text or "versus" in text:
        for match in _CHANGE.finditer(text):
            change = _read(match, line.start, match["about"] is not None, match["word"])
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
    word = said[0].removesuffix("s") if said is not None else ""
    return _read(match, start, about is not None and about[0].strip() not in "+-", word)


def _read(match: re.Match[str], start: int, about: bool, word: str) -> Change | None:
    if match["unit"] is None and (match["arrow"] or "to").endswith("to"):
        return None
    first, second = parse_unit(match["unit"] or match["other"]), parse_unit(match["other"])
    if match.groupdict().get("word") == "" and not match["equals"]:
        return None
    if first is None or second is None or first.dimension != second.dimension:
        return None
    if first.dimension not in _RESULTS and "/" not in first.dimension:
        # From 4 to 8 threads, something else is 1.9x faster.
        return None
    before, after = _interval(match["before"], first), _interval(match["after"], second)
    stated = read_number(match["change"])
    if before is None or after is None or stated is None or min(before.low, after.low) <= 0:
        return None
    text = match.string[match.start("before") : match.end("other")]
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


def _interval(text: str, unit: Unit) -> Interval | None:
    figure = read_number(text)
    if figure is None:
        return None
    return printed(figure.value, figure.quantum, kind=Fraction) * Fraction(unit.scale)
