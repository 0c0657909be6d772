"""Comments that silence findings: `<!-- mdbench: ignore MB301 -->`, and which of them were used.

A comment behind a row, or behind any text, holds for that line. Alone on a line it holds for what
follows: the whole table, or the block. `ignore-file` holds for the report.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mdbench.lint.selection import is_code
from mdbench.markdown.blocks import BlockKind
from mdbench.markdown.grid import TableKind
from mdbench.markdown.parser import Document
from mdbench.regex import lazy
from mdbench.source import Source, Span

_COMMENT = lazy(
    r"<!--[ \t]*+mdbench:[ \t]*+(?P<verb>(?:\w|-(?!->))*)(?!\w|-(?!->))"
    r"(?P<rest>(?:[^\n>-]|-(?!->)){0,400})-->",
    re.IGNORECASE,
)
_WORD = lazy(r"[^\s,]+")
_REASON = lazy(r"(?:^|\s)(?:--|[(:–—])|:(?=\s|$)")
_TICKS = lazy(r"`+")
_CODE_BLOCKS = frozenset((BlockKind.FENCE, BlockKind.CODE))
_VERBS = frozenset(("ignore", "ignore-file"))
# A blanket comment must not hide that a rule broke, nor that it is itself without effect.
_NEVER_BLANKET = ("MB0", "MB9")


class Code(NamedTuple):
    """One code or prefix of a comment; an empty one stands for all."""

    text: str
    span: Span

    def covers(self, code: str) -> bool:
        """Whether a finding with this code is meant."""
        return code.startswith(self.text) if self.text else not code.startswith(_NEVER_BLANKET)


class Suppression(NamedTuple):
    """A comment, the codes it names and the stretch of the report it holds for."""

    span: Span
    codes: tuple[Code, ...]
    scope: Span
    problem: str = ""
    """Why the comment silences nothing: a word in it that is not understood."""


def find_suppressions(document: Document) -> tuple[Suppression, ...]:
    """Every such comment of a report; what stands in code is an example and does not count."""
    text = document.source.text
    if "mdbench:" not in text.lower():
        return ()
    hidden = _code_spans(document)
    blocks = [block.span for block in document.blocks]
    stretches = sorted([*blocks, *(table.span for table in document.tables)])
    return tuple(
        _read_comment(document, match, stretches)
        for match in _COMMENT.finditer(text)
        if not _lies_within(match.start(), hidden)
        and not _in_inline_code(document.source, match.start())
    )


def _code_spans(document: Document) -> list[Span]:
    blocks = [block.span for block in document.blocks if block.kind in _CODE_BLOCKS]
    tables = [table.span for table in document.tables if table.kind is TableKind.FENCE]
    return sorted(blocks + tables)


def _lies_within(offset: int, spans: Sequence[Span]) -> bool:
    at = bisect_right(spans, offset, key=lambda span: span.start)
    return at > 0 and offset < spans[at - 1].end


def _in_inline_code(source: Source, offset: int) -> bool:
    position = source.position(offset)
    return _lies_within(position.column - 1, _inline_code(source.line_text(position.line)))


@lru_cache(maxsize=4)
def _inline_code(line: str) -> tuple[Span, ...]:
    """The stretches between two equally long runs of backticks."""
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(line)]
    alike: dict[int, list[int]] = {}
    for at, (start, end) in enumerate(runs):
        alike.setdefault(end - start, []).append(at)
    found: list[Span] = []
    at = 0
    while at < len(runs):
        start, end = runs[at]
        places = alike[end - start]
        following = bisect_right(places, at)
        if following < len(places):
            at = places[following]
            found.append(Span(end, runs[at][0]))
        at += 1
    return tuple(found)


def _read_comment(
    document: Document, match: re.Match[str], stretches: Sequence[Span]
) -> Suppression:
    span = Span(match.start(), match.end())
    verb = match["verb"].lower()
    if verb not in _VERBS:
        return Suppression(span, (), span, f"`{match['verb']}` is neither ignore nor ignore-file")
    reason = _REASON.search(match["rest"])
    listed = match["rest"][: reason.start()] if reason else match["rest"]
    start = match.start("rest")
    words = [
        Code(word[0].upper(), Span(start + word.start(), start + word.end()))
        for word in _WORD.finditer(listed)
    ]
    unknown = [word for word in words if not is_code(word.text)]
    whole = Span(0, len(document.source.text))
    scope = whole if verb == "ignore-file" else _scope(document.source, span, stretches)
    if unknown:
        said = document.source.cut(unknown[0].span)
        return Suppression(span, (), scope, f"`{said}` is no code of a rule")
    return Suppression(span, tuple(words) or (Code("", span),), scope)


def _scope(source: Source, comment: Span, stretches: Sequence[Span]) -> Span:
    line = source.line(comment.start)
    start = source.line_starts[line - 1]
    text = source.line_text(line)
    end = start + len(text)
    following = bisect_left(stretches, Span(end, end))
    if _is_alone(text) and following < len(stretches):
        return stretches[following]
    return Span(start, end)


@lru_cache(maxsize=4)
def _is_alone(line: str) -> bool:
    """Whether a line has comments and the marks of quotes and lists around it, and nothing else."""
    return not _COMMENT.sub("", line).strip(" \t>")
