"""Numbers of sentences that quote a table, with the words that say what they are and of which run.

`The single-node run took 81 s`, `6.2x speedup on 8 threads`, `the highest speedup is 8.9`.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Document, TextLine
from mdbench.numerals.digits import read_number
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.quantities import Role, Vocabulary

_SENTENCE = lazy(r"[.;。；!?](?<!e\.g\.)(?<!i\.e\.)(?<!approx\.)\s+")
_NUMBER = lazy(
    # What stands before it is asked of digits only, not of each character of a text.
    r"(?P<number>\d(?<![\w.,$€£^/@-]\d)(?:(?<=[1-9])\d{0,2}(?:,\d{3})+|\d*)(?:\.\d+)?)"
    r"(?![\d:]|[.,]\d)"
    r"(?:[ *`-]{0,3}(?P<unit>%|[x×](?![\w])|[^\W\d_]+(?:/[^\W\d_]+){0,2}))?"
)
_SINGLE = lazy(r"\bsingle[ -](?P<noun>node|thread|GPU|core|process|worker|device)\b", re.IGNORECASE)
_SIZED = lazy(
    r"\b(?P<name>batch size|sequence length|concurrency)(?: of |=| = | )"
    r"(?P<number>\d{1,7})(?![\w.,]\d)",
    re.IGNORECASE,
)
_SIZES = ("batch size", "sequence length", "concurrency")
_SPEEDUP = lazy(r"\bspeed-?up", re.IGNORECASE)
_ABOUT = lazy(
    r"(?:[~≈]|\b(?:about|around|roughly|approximately|approx\.?|nearly|almost))[ *`]{0,3}$"
)
_BOUND = lazy(
    r"(?:[<>≤≥]|\b(?:over|more than|up to|at least|at most|less than|below|above|under|within|by|"
    r"exceed\w*|to|and|or|between|from|another|additional|than|vs\.?|versus|every|each|per))"
    r"[ *`]{0,3}$",
    re.IGNORECASE,
)
_RANGE = lazy(r"[ *`]{0,3}(?:-|–|—|to|±|\+/-|→|->)[ *`]{0,3}\d")
# Sentences about other runs than those of the table, or about none at all.
_ELSEWHERE = lazy(
    r"\b(?:would|could|should|may|might|expect\w*|estimat\w*|theor\w*|ideal\w*|target\w*|goal|if|"
    r"previous\w*|earlier|before|old|original\w*|instead|unlike|compared|relative|versus|vs|than|"
    r"assum\w*|suppos\w*|about the same|not|never|difference|additional|extra|saved?|saves|"
    r"deviation|std|margin|paper|reported|published|claim\w*)\b|\?",
    re.IGNORECASE,
)
_SAID = lazy(
    r"s?(?:[ *`]{0,3}\([^()]{1,16}\)| (?:with|on|at|for|using) \d{1,6} [^\W\d_]{1,12})?"
    r"[ *`]{0,3}(?:=|:|is|of|was|reaches)?[ *`~≈]{0,4}"
)
_HIGHEST = lazy(r"\b(?:highest|maximum|largest|peak)\b", re.IGNORECASE)
_LOWEST = lazy(r"\b(?:lowest|minimum|smallest|shortest)\b", re.IGNORECASE)
_BEST = lazy(r"\b(?:best|fastest)\b", re.IGNORECASE)
_MEAN = lazy(r"\b(?:averages?|mean|on average)\b", re.IGNORECASE)
# Every word for an extreme or a mean has one of these.
_ENDS = ("est", "mum", "peak", "mean", "average")
_DIGIT = lazy(r"\d")
# A number after another one: the first may tell the run.
_SEVERAL = lazy(r"\d[.,]*[^\d.,]\D*\d")
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))


class Extreme(StrEnum):
    """What a sentence says a number is among those of its column."""

    BEST = "best"
    HIGHEST = "highest"
    LOWEST = "lowest"
    MEAN = "average"


_EXTREMES = (
    (Extreme.HIGHEST, _HIGHEST),
    (Extreme.LOWEST, _LOWEST),
    (Extreme.BEST, _BEST),
    (Extreme.MEAN, _MEAN),
)


class Key(NamedTuple):
    """A setting that tells the run of which a sentence speaks."""

    quantity: str
    value: int


class Quote(NamedTuple):
    """A number of a sentence. `dimension` is that of its unit; a speed-up has none."""

    value: Decimal
    quantum: Decimal
    dimension: str
    scale: Decimal
    about: bool
    text: str
    span: Span


class QuotingSentence(NamedTuple):
    """A sentence with one number of its kind, and what it says about it."""

    text: str
    quote: Quote
    keys: tuple[Key, ...]
    extreme: Extreme | None
    section: int


SPEEDUP = "speedup"


def find_quotes(document: Document, vocabulary: Vocabulary) -> Iterator[QuotingSentence]:
    """Find the sentences that quote one number of a run, or the best or the mean of all."""
    for block in document.blocks:
        if block.kind in _PROSE:
            for line in block.lines:
                if _DIGIT.search(line.text) and _is_likely(line.text.casefold()):
                    yield from _quotes_of_line(block, line, vocabulary)


def _is_likely(folded: str) -> bool:
    """Whether a text may say of which run a number is, or that it is an extreme or a mean."""
    ends = any(map(folded.__contains__, _ENDS))
    return ends or "single" in folded or _SEVERAL.search(folded) is not None


def _quotes_of_line(
    block: Block, line: TextLine, vocabulary: Vocabulary
) -> Iterator[QuotingSentence]:
    start = 0
    for end in (*(match.end() for match in _SENTENCE.finditer(line.text)), len(line.text)):
        sentence = TextLine(line.text[start:end], line.start + start)
        start = end
        if _DIGIT.search(sentence.text) is None:
            continue
        folded = sentence.text.casefold()
        if not _is_likely(folded):
            continue
        likely = any(map(folded.__contains__, _ENDS))
        keys, taken = read_keys(sentence.text, folded, vocabulary)
        extremes = [one for one, words in _EXTREMES if likely and words.search(sentence.text)]
        told = len({key.quantity for key in keys}) == len(keys)
        if not told or len(extremes) > 1 or not (keys or extremes):
            continue
        quotes = list(_numbers(sentence, taken))
        if not quotes or _ELSEWHERE.search(sentence.text):
            continue
        for quote in quotes:
            if sum(one.dimension == quote.dimension for one in quotes) == 1:
                extreme = extremes[0] if extremes else None
                yield QuotingSentence(sentence.text, quote, keys, extreme, block.section)


def read_keys(text: str, folded: str, vocabulary: Vocabulary) -> tuple[tuple[Key, ...], set[int]]:
    """The settings with a number, and where their numbers begin."""
    found: dict[Key, None] = {}
    taken: set[int] = set()
    for match in _SINGLE.finditer(text) if "single" in folded else ():
        name = _setting(match["noun"], vocabulary)
        if name:
            found[Key(name, 1)] = None
    for match in _SIZED.finditer(text) if any(map(folded.__contains__, _SIZES)) else ():
        name = _setting(match["name"], vocabulary)
        if name:
            found[Key(name, int(match["number"]))] = None
            taken.add(match.start("number"))
    for match in _NUMBER.finditer(text):
        name = _setting(match["unit"], vocabulary) if match["unit"] else ""
        if name and match["number"].isdigit():
            found[Key(name, int(match["number"]))] = None
            taken.add(match.start("number"))
    return tuple(found), taken


def _setting(word: str, vocabulary: Vocabulary) -> str:
    """The count of which a word speaks: threads, nodes, GPUs."""
    known = vocabulary.lookup(word) or vocabulary.lookup(f"{word}s")
    counts = known is not None and known.role is Role.SETTING and known.integer
    return known.name if known is not None and counts else ""


def _numbers(sentence: TextLine, taken: set[int]) -> Iterator[Quote]:
    """The numbers with a unit, and those that a speed-up is said to be."""
    text = sentence.text
    for match in _NUMBER.finditer(text):
        if match.start("number") in taken:
            continue
        before = text[max(0, match.start() - 16) : match.start()]
        figure = read_number(match["number"])
        if figure is None or _BOUND.search(before) or _RANGE.match(text, match.end("number")):
            continue
        word = match["unit"] or ""
        unit = parse_unit(word) if word else None
        if unit is not None and unit.dimension not in ("ratio", "count"):
            dimension, scale, end = unit.dimension, unit.scale, match.end()
        elif (not word or word in "x×") and _is_speedup(text, match):
            dimension, scale, end = (
                SPEEDUP,
                Decimal(1),
                match.end() if word else match.end("number"),
            )
        else:
            continue
        span = Span(sentence.start + match.start(), sentence.start + end)
        about = _ABOUT.search(before) is not None
        written = text[match.start() : end].replace("*", "").replace("`", "")
        yield Quote(figure.value, figure.quantum, dimension, scale, about, written, span)


def _is_speedup(text: str, match: re.Match[str]) -> bool:
    """Whether the words next to a number say that it is a speed-up."""
    after = text[match.end() : match.end() + 14]
    before = text[max(0, match.start() - 28) : match.start()]
    if _SPEEDUP.match(after.lstrip(" *`")) and match["unit"]:
        return True
    said = list(_SPEEDUP.finditer(before))
    return bool(said) and _SAID.fullmatch(before, said[-1].end()) is not None
