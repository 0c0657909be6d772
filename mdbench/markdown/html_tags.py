"""The tags that make up an HTML table, found in linear time."""

from __future__ import annotations

import re
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.source import Span

_OPENING = lazy(r"<!--|<(/?)(table|thead|tbody|tfoot|tr|th|td)(?=[\s/>])", re.IGNORECASE)
_QUOTED = r"""\s*+"[^"]*+"|\s*+'[^']*+'"""
_REST = lazy(rf"(?:[^>=]|=(?:{_QUOTED})|=(?!{_QUOTED}))*>")
_SPAN = lazy(r"""\b(row|col)span\s*+=\s*+["']?\s*+([0-9]+)""", re.IGNORECASE)
_MAX_ROWSPAN = 65534
_MAX_COLSPAN = 1000


class Tag(NamedTuple):
    """A tag, with its attributes as they are typed."""

    name: str
    closing: bool
    attributes: str
    start: int
    end: int


def scan_tags(text: str, stretch: Span, comment: bool) -> tuple[list[Tag], bool]:
    """The table tags of a stretch, and whether a comment is open at its end."""
    tags: list[Tag] = []
    position = stretch.start
    while True:
        if comment:
            closing = text.find("-->", position, stretch.end)
            if closing < 0:
                return tags, True
            position, comment = closing + 3, False
        opening = _OPENING.search(text, position, stretch.end)
        if opening is None:
            return tags, False
        if opening[2] is None:
            position, comment = opening.end(), True
            continue
        rest = _REST.match(text, opening.end(), stretch.end)
        if rest is None:
            return tags, False
        position = rest.end()
        attributes = text[opening.end() : position]
        name, closing_tag = opening[2].lower(), opening[1] == "/"
        tags.append(Tag(name, closing_tag, attributes, opening.start(), position))


def read_spans(attributes: str) -> tuple[int, int]:
    """The rows and columns that a cell covers; a rowspan of 0 means all rows below."""
    spans = {name.lower(): int(digits[:6]) for name, digits in _SPAN.findall(attributes)}
    rows = spans.get("row", 1) or _MAX_ROWSPAN
    return min(rows, _MAX_ROWSPAN), min(spans.get("col", 1) or 1, _MAX_COLSPAN)
