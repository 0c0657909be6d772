"""The examples in a rule's documentation, with the places that the rule must report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.source import Span

OPEN, CLOSE = "«", "»"
_FENCE = lazy(
    r"^(?P<ticks>`{3,})(?P<kind>bad|good)\n(?P<text>.*?)^(?P=ticks)$", re.MULTILINE | re.DOTALL
)
_MARK = lazy(f"[{OPEN}{CLOSE}]")


class Example(NamedTuple):
    """Part of a report. `spans` are the places between the marks, which are removed."""

    good: bool
    text: str
    spans: tuple[Span, ...]
    place: Span
    """The place of the whole example in the documentation."""


def find_examples(documentation: str) -> Iterator[Example]:
    """Find the examples of a rule, in order."""
    for fence in _FENCE.finditer(documentation):
        text, spans = _take_marks(fence["text"])
        yield Example(fence["kind"] == "good", text, spans, Span(fence.start(), fence.end()))


def _take_marks(marked: str) -> tuple[str, tuple[Span, ...]]:
    places = [mark.start() - taken for taken, mark in enumerate(_MARK.finditer(marked))]
    spans = tuple(Span(start, end) for start, end in zip(places[::2], places[1::2], strict=True))
    return _MARK.sub("", marked), spans
