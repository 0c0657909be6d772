"""Estimates in text: `2 Sec/it ==> 8.36 days` under an item that says `362k steps`.

Estimates are only read if all their factors are certain: each one appears exactly once in the same
clause, or once in the nearest item above it, and there is a sign such as `==>` right before the
result.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Document, TextLine
from mdbench.numerals.digits import read_number
from mdbench.numerals.units import COUNTS, Unit, parse_unit
from mdbench.prose.calculations import find_calculations
from mdbench.regex import lazy
from mdbench.source import Span

_NUMBER = lazy(
    r"(?<![\w.,^])(?P<money>(?:US)?\$ ?)?"
    r"(?P<number>(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?)(?!\d|[.,:]\d)"
    r"(?P<letter> ?(?:[kKMBT](?![\w/])|thousand\b|million\b|billion\b|trillion\b))?"
)
_UNIT = lazy(r"[ -]?(?P<unit>[^\W\d_]+(?:(?: ?/ ?| per | a | an |[ -])[^\W\d_]+){0,3})")
_PER = lazy(
    r" ?/ ?(?P<unit>[^\W\d_]+(?:(?: ?/ ?| per |[ -])[^\W\d_]+)?)| (?:per|an?) (?P<long>[^\W\d_]+)"
)
_LAST_WORD = lazy(r"(?: ?/ ?| per | an? |[ -])[^\W\d_]+$")
_ANNOUNCED = lazy(
    r"[\s`*_)\],]*(?:(?P<sure>=+>|-+>|→|⇒|⟹|➜|=|⟶)|(?P<soft>≈|~|(?:would |will |should )?takes?\b"
    r"|would need|needs|requires|amounts to|comes to))"
    r"[\s`*_(]*(?P<about>(?:~|≈|about|around|roughly|approximately|approx\.?|nearly|almost|over|ca\.?"
    r"|just over|a bit over|less than|more than|<|>|at least|up to)[\s`*_]*)?"
)
# Every announcement has one of these.
_HINTS = (*"=→⇒⟹➜⟶≈~", "->", "take", "need", "requires", "amounts", "comes")
_RANGE = lazy(r"\d ?(?:-|–|—|~|to|or|\.\.) ?$")
_ABOUT = lazy(
    r"(?:[~≈]|\b(?:about|around|roughly|approximately|approx\.?|ca\.?)) ?$",
)
_DIGIT = lazy(r"\d")
_CLAUSE = lazy(r"[.;。；!?]\s+")
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))

# The factors of each result, with their powers.
RELATIONS: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "s": (
        {"step": 1, "s/step": 1},
        {"step": 1, "step/s": -1},
        {"token": 1, "token/s": -1},
        {"token": 1, "token/s/device": -1, "device": -1},
        {"sample": 1, "sample/s": -1},
    ),
    "device*s": ({"device": 1, "s": 1},),
    "node*s": ({"node": 1, "s": 1},),
    "usd": ({"s": 1, "usd/h": 1}, {"device*s": 1, "usd/h": 1}),
}

# Other units in the text that make a factor ambiguous: a price or rate may be for one device.
_DISTURBING: Mapping[str, frozenset[str]] = {
    "s/step": frozenset(("epoch",)),
    "step/s": frozenset(("epoch",)),
    "token/s": frozenset(("epoch", "device", "node")),
    "token/s/device": frozenset(("epoch", "node")),
    "sample/s": frozenset(("epoch", "device", "node")),
    "device": frozenset(("node", "device/node")),
    "usd/h": frozenset(("device", "node")),
}


class NumberInText(NamedTuple):
    """A number with its unit; `multiplier` is the letter after the number."""

    value: Decimal
    quantum: Decimal
    unit: Unit
    multiplier: Decimal
    number: Span
    span: Span
    ranged: bool = False
    """Whether it is the end of a range, `4-5 steps/s`."""
    about: bool = False

    @property
    def counted(self) -> bool:
        """Whether it is exact: a count, with or without a letter, or an integer."""
        return self.quantum >= 1


class Estimate(NamedTuple):
    """A result, and its factors with their powers. `about` if it is approximate."""

    result: NumberInText
    factors: tuple[tuple[NumberInText, int], ...]
    about: bool


def find_estimates(document: Document) -> Iterator[Estimate]:
    """Find the estimates in a report whose factors are all certain."""
    above: list[Block] = []
    for block in document.blocks:
        if block.kind not in _PROSE:
            above.clear()
            continue
        while above and (above[-1].depth >= block.depth or above[-1].section != block.section):
            above.pop()
        for line in block.lines:
            yield from _estimates_of_line(line, above)
        if block.kind is BlockKind.ITEM or _introduces(block):
            above.append(block)


def _introduces(block: Block) -> bool:
    return bool(block.lines) and block.lines[-1].text.rstrip(" *_`").endswith((":", "："))


def _estimates_of_line(line: TextLine, above: Sequence[Block]) -> Iterator[Estimate]:
    if not _may_announce(line.text):
        return
    start = 0
    for end in (*(match.end() for match in _CLAUSE.finditer(line.text)), len(line.text)):
        clause = TextLine(line.text[start:end], line.start + start)
        estimates = tuple(_estimates_of_clause(clause, above)) if _may_announce(clause.text) else ()
        if estimates and not _calculates(line.text, start, end):
            yield from estimates
        start = end


def _may_announce(text: str) -> bool:
    return any(map(text.__contains__, _HINTS)) and _DIGIT.search(text) is not None


def _calculates(text: str, start: int, end: int) -> bool:
    """Whether a calculation begins in this part of a line."""
    return any(start <= one.span.start < end for one in find_calculations(text))


def _estimates_of_clause(clause: TextLine, above: Sequence[Block]) -> Iterator[Estimate]:
    mentions = tuple(find_mentions_of_units(clause))
    for before, result in pairwise(mentions):
        between = clause.text[before.span.end - clause.start : result.span.start - clause.start]
        announced = _ANNOUNCED.fullmatch(between)
        if announced is None:
            continue
        about = announced["soft"] is not None or announced["about"] is not None
        for relation in RELATIONS.get(result.unit.dimension, ()):
            factors = _factors(relation, before, result, mentions, above)
            if factors is not None:
                vague = any(factor.about for factor, _ in factors)
                yield Estimate(result, factors, about or vague)


def _factors(
    relation: Mapping[str, int],
    before: NumberInText,
    result: NumberInText,
    mentions: Sequence[NumberInText],
    above: Sequence[Block],
) -> tuple[tuple[NumberInText, int], ...] | None:
    """The factors, if all are certain; the mention right before the sign must be one of them."""
    if before.unit.dimension not in relation:
        return None
    dimensions = [one.unit.dimension for one in mentions]
    disturbing = {other for factor in relation for other in _DISTURBING.get(factor, ())}
    if dimensions.count(result.unit.dimension) > 1 or disturbing.intersection(dimensions):
        return None
    if disturbing.intersection(_dimensions(above)):
        return None
    found: list[tuple[NumberInText, int]] = []
    for dimension, power in relation.items():
        own = [one for one in mentions if one.unit.dimension == dimension]
        factor = own[0] if len(own) == 1 else None if own else _inherited(dimension, above)
        if factor is None or factor.ranged:
            return None
        found.append((factor, power))
    return tuple(found)


def _inherited(dimension: str, above: Sequence[Block]) -> NumberInText | None:
    """The mention in the nearest item above that has one, if there is only one."""
    for block in reversed(above):
        stated = [
            mention
            for line in block.lines
            for mention in find_mentions_of_units(line)
            if mention.unit.dimension == dimension
        ]
        if stated:
            return stated[0] if len(stated) == 1 else None
    return None


def _dimensions(above: Sequence[Block]) -> Iterator[str]:
    for block in above:
        for line in block.lines:
            yield from (mention.unit.dimension for mention in find_mentions_of_units(line))


def find_mentions_of_units(line: TextLine) -> Iterator[NumberInText]:
    """Find the numbers with units in a text, in order."""
    for match in _NUMBER.finditer(line.text):
        money = match["money"] is not None
        read = _read_price(line.text, match.end()) if money else _read_unit(line.text, match.end())
        figure = read_number(match["number"]) if read is not None else None
        if figure is None or read is None:
            continue
        unit, end = read
        before = line.text[max(0, match.start() - 16) : match.start()]
        letter = (match["letter"] or "").strip().lower()
        yield NumberInText(
            figure.value,
            figure.quantum,
            unit,
            COUNTS[letter] if letter else Decimal(1),
            Span(line.start + match.start("number"), line.start + match.end("number")),
            Span(line.start + match.start(), line.start + end),
            _RANGE.search(before) is not None,
            _ABOUT.search(before) is not None,
        )


def _read_unit(text: str, at: int) -> tuple[Unit, int] | None:
    """Read the longest unit after a number."""
    match = _UNIT.match(text, at)
    if match is None:
        return None
    words = match["unit"]
    while True:
        unit = parse_unit(words)
        if unit is not None:
            return unit, match.start("unit") + len(words)
        shorter = _LAST_WORD.sub("", words)
        if shorter == words:
            return None
        words = shorter


def _read_price(text: str, at: int) -> tuple[Unit, int] | None:
    """Read dollars, or dollars per unit; None if the unit is unknown."""
    per = _PER.match(text, at)
    unit = parse_unit("$" if per is None else f"$/{per['unit'] or per['long']}")
    return None if unit is None else (unit, at if per is None else per.end())
