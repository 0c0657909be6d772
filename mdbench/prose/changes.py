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
_CHANGE = lazy(
    # The same number; what stands before it is asked of digits only.
    r"(?P<before>\d(?<![\w.,$-]\d)(?:(?<=[1-9])\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?)[ ]?"
    r"(?P<unit>%|[^\W\d_]+(?:/[^\W\d_]+)?)?[*`]{0,3}[ ]?"
    rf"(?P<arrow>→|->|⇒|\bto\b|\bdown to\b|\bup to\b)[ ]?[*`]{{0,3}}"
    rf"(?P<after>{_NUMBER})[ ]?(?P<other>%|[^\W\d_]+(?:/[^\W\d_]+)?)[*`]{{0,3}}"
    r"(?:[ ]\((?:[\w -]{1,20}, )?|,[ ](?:an?[ ]|or[ ]|i\.e\.[ ])?)"
    rf"[*`]{{0,3}}(?P<about>[~≈][ ]?|about |around |roughly )?(?P<change>{_NUMBER})[ ]?"
    r"(?P<kind>%|[x×](?!\w))[*`]{0,3}[ ]?(?P<word>faster|slower|speed-?up|reduction|increase|"
    r"decrease|improvement|less|more|lower|higher|smaller|larger|drop|gain|savings?|fewer|\))",
    re.IGNORECASE,
)
# These are shares of the number before the change. What is faster may be counted in either way.
_LESS = frozenset(("reduction", "decrease", "less", "lower", "smaller", "drop", "fewer"))
_MORE = frozenset(("increase", "more", "higher", "larger"))
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
    if "%" not in line.text and "x" not in line.text and "×" not in line.text:
        return
    for match in _CHANGE.finditer(line.text):
        change = _read(match, line.start)
        if change is not None:
            yield change


def _read(match: re.Match[str], start: int) -> Change | None:
    if match["unit"] is None and match["arrow"].endswith("to"):
        return None
    first, second = parse_unit(match["unit"] or match["other"]), parse_unit(match["other"])
    if first is None or second is None or first.dimension != second.dimension:
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
        match["about"] is not None,
        match["word"].lower(),
        text.replace("*", "").replace("`", ""),
        Span(start + match.start("change"), start + match.end("kind")),
    )


def _interval(text: str, unit: Unit) -> Interval | None:
    figure = read_number(text)
    if figure is None:
        return None
    return printed(figure.value, figure.quantum, kind=Fraction) * Fraction(unit.scale)
