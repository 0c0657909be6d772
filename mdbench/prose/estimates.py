"""Estimates in a text: `2 Sec/it ==> 8.36 days` under an item that says `362k steps`.

An estimate is read only where everything it follows from is certain: each of its factors stands
once in its own clause, or once in the nearest item above it, and a sign that announces a result
stands right before the result.
"""

from __future__ import annotations

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
_HINT = lazy(
    r"[=→⇒⟹➜⟶≈~]|->|\b(?:takes?|needs?|requires|amounts|comes)\b",
)
_RANGE = lazy(r"\d ?(?:-|–|—|~|to|or|\.\.) ?$")
_ABOUT = lazy(
    r"(?:[~≈]|\b(?:about|around|roughly|approximately|approx\.?|ca\.?)) ?$",
)
_CLAUSE = lazy(r"(?<=[.;。；!?])\s+")
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))

# What follows from what: the powers of the factors of a result.
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

# What makes another sum of it wherever it is mentioned: a price or a rate may be for one device.
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
    """A number with its unit; `multiplier` is the letter behind the number."""

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
        """Whether it is exact: a count, whatever letter stands behind it, or a whole number."""
        return self.quantum >= 1


class Estimate(NamedTuple):
    """A result, and the powers of what it follows from. `about` where it claims no precision."""

    result: NumberInText
    factors: tuple[tuple[NumberInText, int], ...]
    about: bool


def find_estimates(document: Document) -> Iterator[Estimate]:
    """The estimates of a report whose factors are all certain."""
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
    if _HINT.search(line.text) is None:
        return
    calculated = [calculation.span for calculation in find_calculations(line.text)]
    start = 0
    for end in (*(match.end() for match in _CLAUSE.finditer(line.text)), len(line.text)):
        clause = TextLine(line.text[start:end], line.start + start)
        done = any(start <= span.start < end for span in calculated)
        start = end
        if not done:
            yield from _estimates_of_clause(clause, above)


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
    """Each factor, if it is certain; what stands right before the sign must be one of them."""
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
    """What the nearest item above says of it, if it says it once."""
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
    """The numbers of a text that have a unit, in its order."""
    for match in _NUMBER.finditer(line.text):
        figure = read_number(match["number"])
        money = match["money"] is not None
        read = _read_price(line.text, match.end()) if money else _read_unit(line.text, match.end())
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
    """The longest unit that stands behind a number."""
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
    """Dollars, or dollars per something; None where that something is unknown."""
    per = _PER.match(text, at)
    unit = parse_unit("$" if per is None else f"$/{per['unit'] or per['long']}")
    return None if unit is None else (unit, at if per is None else per.end())
