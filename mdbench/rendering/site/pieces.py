"""Split Markdown into pieces of plain text for a page, each with its findings.

No part of a report becomes HTML. Tags are shown as text, except line breaks and tags that only
change the style. Only links to web pages become links.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urlsplit

from mdbench.regex import lazy
from mdbench.source import Span

_INLINE = lazy(
    r"(?<!`)(?P<ticks>`++)(?P<code>[^`\n]+)(?P=ticks)(?!`)"
    r"|\[!\[(?P<badge>[^\[\]\n]*)\]\([^()\s]*\)\]\([^()\s]*\)"
    r"|!\[(?P<image>[^\[\]\n]*)\]\([^()\n]*\)"
    r"|\[(?P<label>[^\[\]\n]+)\]\((?P<href>[^()\s]*(?:\([^()\s]*\)[^()\s]*)?)(?:\s[^()\n]*)?\)"
    r"|\*\*(?P<strong>[^*\n]+)\*\*"
    r"|(?<![\w*])\*(?P<soft>[^*\s][^*\n]*)\*(?![\w*])"
    r"|<(?P<address>https?://[^<>\s]+)>"
    r"|(?P<rest><br\s*/?>)"
    r"|(?P<look></?(?:b|i|em|strong|sup|sub|code|s|del|u|small|font|span|center|kbd)(?:\s[^<>]*)?>)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])",
    re.IGNORECASE,
)
_WEB = frozenset(("http", "https"))
_UNSEEN = lazy(r"[\x00-\x20]")


class Look(StrEnum):
    """The style of a piece."""

    TEXT = "text"
    CODE = "code"
    STRONG = "strong"
    SOFT = "soft"
    LINK = "link"
    BREAK = "break"


class Mark(NamedTuple):
    """A span of the report with a finding on it."""

    span: Span
    finding: int


class TextPiece(NamedTuple):
    """A text, its style, and the numbers of its findings."""

    text: str
    look: Look = Look.TEXT
    href: str = ""
    findings: tuple[int, ...] = ()


def cut_markdown(text: str, start: int = 0, marks: Sequence[Mark] = ()) -> tuple[TextPiece, ...]:
    """The pieces of a line of Markdown at offset `start`."""
    return tuple(_cut(text, start, marks))


def cut_verbatim(text: str, start: int = 0, marks: Sequence[Mark] = ()) -> tuple[TextPiece, ...]:
    """The pieces of a line that is shown verbatim, such as one in a code fence."""
    return tuple(_split(text, start, marks))


def safe_link(address: str) -> str:
    """The URL of a web page; empty for scripts and files."""
    bare = html.unescape(address).strip("<>")
    if _UNSEEN.search(bare):
        return ""
    try:
        parts = urlsplit(bare)
    except ValueError:
        return ""
    return bare if parts.scheme.lower() in _WEB and parts.netloc else ""


def _cut(text: str, start: int, marks: Sequence[Mark]) -> Iterator[TextPiece]:
    done = 0
    for found in _INLINE.finditer(text):
        for piece in _split(text[done : found.start()], start + done, marks):
            yield piece._replace(text=html.unescape(piece.text))
        done = found.end()
        read = _read(found)
        if read is not None:
            on = Span(start + found.start(), start + done)
            yield read._replace(findings=_overlapping(on, marks))
    for piece in _split(text[done:], start + done, marks):
        yield piece._replace(text=html.unescape(piece.text))


def _read(found: re.Match[str]) -> TextPiece | None:
    kind = found.lastgroup or ""
    text = found[kind]
    if kind in ("href", "address"):
        href = safe_link(text)
        label = html.unescape(found["label"]).replace("`", "") if kind == "href" else text
        return TextPiece(label, Look.LINK if href else Look.TEXT, href)
    if kind in ("badge", "image"):
        return TextPiece(f"[image: {text}]" if text else "[image]", Look.SOFT)
    if kind == "code":
        return TextPiece(text.strip() or text, Look.CODE)
    if kind in ("strong", "soft"):
        return TextPiece(html.unescape(text), Look(kind))
    looks = {"rest": TextPiece("", Look.BREAK), "escaped": TextPiece(text)}
    return looks.get(kind)


def _split(text: str, start: int, marks: Sequence[Mark]) -> Iterator[TextPiece]:
    """Split plain text where a finding starts or ends."""
    end = start + len(text)
    edges = {start, end}
    for span, _ in marks:
        edges.update(edge for edge in span if start < edge < end)
    order = sorted(edges)
    for left, right in pairwise(order):
        findings = _overlapping(Span(left, right), marks)
        yield TextPiece(text[left - start : right - start], findings=findings)


def _overlapping(span: Span, marks: Sequence[Mark]) -> tuple[int, ...]:
    return tuple(
        sorted(
            {
                mark.finding
                for mark in marks
                if mark.span.start < span.end and mark.span.end > span.start
            }
        )
    )
