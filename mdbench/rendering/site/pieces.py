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

from mdbench.numerals.units import parse_unit
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
    r"|(?P<comment><!--(?:[^\n-]|-(?!->)){0,400}-->)"
    r"|(?P<look></?(?:b|i|em|strong|sup|sub|code|s|del|u|small|font|span|center|kbd)(?:\s[^<>]*)?>)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])",
    re.IGNORECASE,
)
# A number and the word behind it, which may be its unit.
_NUMBER_SPACE = lazy(r"(?<=[0-9]) (?=[^\W\d_%°$€]|[%°µ])")
_SPREAD = lazy(r"(?<=\S) ± (?=\S)")
_WORD = lazy(r"[^\s|(),;]+")
# Words in which a browser would break a line: `GPT-3`, `Megatron-LM`, `A100/80GB`.
_NAME = lazy(r"(?<![^\s(])[\w.+:]+(?:[-/–][\w.+:]+)+(?![^\s),;:])")
_LONGEST_NAME = 24
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
    NAME = "name"
    """Words that no line break may part."""


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
    return tuple(_cut(keep_units(text), start, marks))


def keep_units(text: str) -> str:
    """The text, as long as before, without a line break before a unit or beside a `±`."""
    if not any(character.isdigit() for character in text):
        return text
    spaces = [
        found.start()
        for found in _NUMBER_SPACE.finditer(text)
        if (word := _WORD.match(text, found.end())) and parse_unit(word[0].rstrip(".*`"))
    ]
    for found in _SPREAD.finditer(text):
        spaces += found.start(), found.end() - 1
    for at in spaces:
        text = f"{text[:at]}\u00a0{text[at + 1 :]}"
    return text


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
        yield from _plain(text[done : found.start()], start + done, marks)
        done = found.end()
        findings = _overlapping(Span(start + found.start(), start + done), marks)
        # A comment is not shown, unless there is something to say about it.
        told = findings and found.lastgroup == "comment"
        read = TextPiece(found[0], Look.CODE) if told else _read(found)
        if read is not None:
            yield read._replace(findings=findings)
    yield from _plain(text[done:], start + done, marks)


def _plain(text: str, start: int, marks: Sequence[Mark]) -> Iterator[TextPiece]:
    """Plain text, with its names as pieces of their own."""
    for piece in _split(text, start, marks):
        done = 0
        for found in _NAME.finditer(piece.text):
            if len(found[0]) <= _LONGEST_NAME:
                if found.start() > done:
                    yield piece._replace(text=html.unescape(piece.text[done : found.start()]))
                yield piece._replace(text=found[0], look=Look.NAME)
                done = found.end()
        if done < len(piece.text):
            yield piece._replace(text=html.unescape(piece.text[done:]))


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
