"""Comparisons of two things by name: `Pool is 2.6x faster than DLL`."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.document import BlockKind, Document
from mdbench.numerals.digits import read_number
from mdbench.regex import lazy
from mdbench.source import Span

_COMPARED = lazy(
    r"(?<![ ])[ ](?:is|was|are|were|runs|performs|uses|needs|takes|consumes|requires)[ ]"
    r"(?:still |also )?[*`]{0,3}(?P<about>[~≈] ?|about |around |roughly |approximately |"
    r"nearly |almost )?"
    r"(?P<number>\d{1,6}(?:\.\d{1,6})?)[ ]?(?P<kind>[x×]|times|%)[*`]{0,3}[ ]"
    r"(?P<word>(?:faster|slower|smaller|larger|bigger|higher|lower|quicker)|"
    r"(?:less|more|fewer)[ ](?P<noun>[^\W\d_]{2,20}))[*`]{0,3}[ ]than[ ]"
    r"(?P<second>[^.;:!?|]{1,80}+)",
    re.IGNORECASE,
)
_CLAUSE_END = lazy(r"[.;:!?|()]")
_LONGEST = 80
_MARKUP = lazy(r"[*`_]")
_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))


class Comparison(NamedTuple):
    """Two names with the words around them, and how they are said to compare."""

    first: str
    """It ends with the name of the first one."""
    second: str
    """It begins with the name of the second one."""
    value: Decimal
    quantum: Decimal
    percent: bool
    about: bool
    noun: str
    """What there is more or less of, if that is said."""
    text: str
    section: int
    span: Span


def find_comparisons(document: Document) -> Iterator[Comparison]:
    """Find the comparisons in the prose of a report."""
    for block in document.blocks:
        for line in block.lines if block.kind in _PROSE else ():
            if " than " not in line.text:
                continue
            for match in _COMPARED.finditer(line.text):
                figure = read_number(match["number"])
                if figure is None:
                    continue
                start, end = match.start("number"), match.end("word")
                yield Comparison(
                    _plain(_before(line.text, match.start())),
                    _plain(match["second"]),
                    figure.value,
                    figure.quantum,
                    match["kind"] == "%",
                    match["about"] is not None,
                    match["noun"] or "",
                    _plain(line.text[start:end]),
                    block.section,
                    Span(line.start + start, line.start + end),
                )


def _before(text: str, end: int) -> str:
    """The clause up to a place."""
    return _CLAUSE_END.split(text[max(0, end - _LONGEST) : end])[-1]


def _plain(text: str) -> str:
    return _MARKUP.sub("", text).strip()
