"""The tables that a statement in the surrounding text applies to.

A heading applies to its section, a line to the tables after it in its section, a list or one-liner
right below a table to that table. Nothing applies to a sibling section, except that a section about
settings without a table of its own applies to those that follow.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property

from mdbench.markdown.document import Block, BlockKind, Document, Table
from mdbench.regex import lazy
from mdbench.source import Span

_ABOUT_SETTINGS = lazy(
    r"overview|set-?up|setting|config|hyper-?param|parameters?$|environment|hardware|notation|common|"
    r"general|details?$|others?$|^model$|specification|architecture|"
    r"概要|概述|设置|配置|环境|参数|設定|環境|条件|構成",
    re.IGNORECASE,
)
_ABOUT_RUNS = lazy(
    r"bench|experiment|result|performance|profil|throughput|性能|实验|结果|実験|結果", re.IGNORECASE
)
_ONE_LINER = lazy(
    r"\s*(?:\$ )?(?:(?:perl|python3?|ruby)\s+(?:-\w+\s+)*-\w*[ec]\s*[\"']|(?:awk|bc)\s)"
)
_NO_SECTION = -1
_DEEPEST = 1 << 30
# A longer text before the first subsection is not an introduction to the subsections.
_LONGEST_INTRODUCTION = 4000


class Scopes:
    """The scopes of the blocks of a document."""

    def __init__(self, document: Document) -> None:
        self._sections = document.sections
        self._end = len(document.source.text)
        self._tables = [table.span for table in document.tables]
        self._starts = [table.start for table in self._tables]
        self._ends = [table.end for table in self._tables]
        self._inner: dict[int, int] = {}
        for section in document.sections:
            self._inner.setdefault(section.parent, section.start)
        self._document = document
        self._lifted: dict[int, tuple[int, bool]] = {}
        self._known_bodies: dict[int, tuple[Span, Span, bool]] = {}
        self._about_runs: dict[int, bool] = {}

    @cached_property
    def _items(self) -> list[int]:
        """Where the list items begin."""
        blocks = self._document.blocks
        return [block.span.start for block in blocks if block.kind is BlockKind.ITEM]

    @cached_property
    def _branches(self) -> Mapping[int, tuple[Span, int | None]]:
        indented = any(_column(self._document, table) > 1 for table in self._document.tables)
        # Else no table is in a list, whatever the lists are.
        return dict(_branches(self._document)) if indented else {}

    def find(self, block: Block) -> Span | None:
        """The scope of statements in a block; None if they apply nowhere."""
        for height, branch in enumerate(self._climb(block)):
            if self._has_table(branch):
                # Further up, the table is in another branch of the list.
                return branch if height <= 1 else None
        if block.section not in self._known_bodies:
            self._known_bodies[block.section] = self._bodies(block.section)
        body, own, holds_table = self._known_bodies[block.section]
        if not holds_table:
            return self._lift(block)
        if block.kind is BlockKind.HEADING:
            return body
        if not self._introduces(block, own):
            body = own
            if not self._has_table(own):
                return self._lift(block)
        if block.section != _NO_SECTION:
            # Text below a heading is closer to the tables than the heading.
            body = Span(self._sections[block.section].span.end, body.end)
        return self._place(block, body, own)

    def _has_table(self, span: Span) -> bool:
        first = bisect_left(self._starts, span.start)
        return first < len(self._ends) and self._ends[first] <= span.end

    def _climb(self, block: Block) -> Iterator[Span]:
        """The list branches that contain a block, innermost first."""
        at: int | None = block.span.start if block.kind is BlockKind.ITEM else None
        while at is not None and self._branches:
            branch, at = self._branches[at]
            yield branch

    def _bodies(self, section: int) -> tuple[Span, Span, bool]:
        """A section's body, the part of it before its first subsection; whether it has a table."""
        if section == _NO_SECTION:
            own = Span(0, self._inner.get(_NO_SECTION, self._end))
            return own, own, self._has_table(own)
        body = Span(self._sections[section].start, self._sections[section].end)
        own = Span(body.start, min(self._inner.get(section, body.end), body.end))
        return body, own, self._has_table(body)

    def _introduces(self, block: Block, own: Span) -> bool:
        """Whether a block also applies to the subsections: commands and details rarely do."""
        if block.section == _NO_SECTION or own.end - own.start > _LONGEST_INTRODUCTION:
            return False
        if block.kind is not BlockKind.FENCE and block.depth <= 1:
            return True
        if block.section not in self._about_runs:
            title = self._sections[block.section].title
            told = _ABOUT_RUNS.search(title) or _ABOUT_SETTINGS.search(title)
            self._about_runs[block.section] = told is not None
        return self._about_runs[block.section]

    def _place(self, block: Block, body: Span, own: Span) -> Span | None:
        after = bisect_right(self._ends, block.span.start)
        above = self._tables[after - 1] if after and self._starts[after - 1] >= own.start else None
        below = self._tables[after] if after < len(self._tables) else None
        if above is None:
            return body
        if block.kind is BlockKind.FENCE and any(_ONE_LINER.match(x.text) for x in block.lines):
            return above
        listed = block.kind is BlockKind.ITEM
        if below is None or below.end > own.end:
            return above if listed else None
        if listed and self._lists_follow(own):
            return above
        return Span(block.span.start, below.end)

    def _lists_follow(self, own: Span) -> bool:
        """Whether the lists of a section are below its tables, with none above the first one."""
        first = self._starts[bisect_left(self._starts, own.start)]
        last = self._ends[bisect_right(self._ends, own.end) - 1]
        listed = bisect_left(self._items, own.start)
        if listed < len(self._items) and self._items[listed] < first:
            return False
        following = bisect_left(self._items, last)
        return following < len(self._items) and self._items[following] < own.end

    def _lift(self, block: Block) -> Span | None:
        """The scope of a section about settings without a table: everything after it."""
        if block.section == _NO_SECTION:
            return None if block.kind is BlockKind.FENCE else Span(0, self._end)
        end, speaks = self._lift_section(block.section)
        return Span(self._sections[block.section].start, end) if speaks else None

    def _lift_section(self, at: int) -> tuple[int, bool]:
        """The end of the nearest section around one that has a table; whether one is on settings.

        Only the sections up to that one are asked.
        """
        if at < 0:
            return self._end, False
        if at not in self._lifted:
            section = self._sections[at]
            if self._has_table(Span(section.start, section.end)):
                self._lifted[at] = section.end, False
            else:
                end, speaks = self._lift_section(section.parent)
                speaks = speaks or _ABOUT_SETTINGS.search(section.title) is not None
                self._lifted[at] = end, speaks
        return self._lifted[at]


def _branches(document: Document) -> Iterator[tuple[int, tuple[Span, int | None]]]:
    """Map the start of each list item to its branch and the start of its parent item."""
    opened: list[Block] = []

    def close(at: int, depth: int, column: int) -> Iterator[tuple[int, tuple[Span, int | None]]]:
        while opened and (
            opened[-1].depth >= depth
            or (column < _DEEPEST and _column(document, opened[-1]) > column)
        ):
            start = opened.pop().span.start
            yield start, (Span(start, at), opened[-1].span.start if opened else None)

    for place in _by_start(document):
        start = place.span.start
        if isinstance(place, Table):
            # Only the indent shows whether a table still belongs to the item before it.
            yield from close(start, _DEEPEST, _column(document, place))
        elif place.kind is BlockKind.ITEM:
            yield from close(start, place.depth, _DEEPEST)
            opened.append(place)
        elif opened:
            yield from close(start, place.depth + 1, _DEEPEST)
    yield from close(len(document.source.text), 0, 0)


def _by_start(document: Document) -> list[Block | Table]:
    places: list[Block | Table] = [*document.blocks, *document.tables]
    return sorted(places, key=lambda place: place.span)


def _column(document: Document, place: Block | Table) -> int:
    """The column where the text of a block or a table starts."""
    source = document.source
    if isinstance(place, Block):
        return source.position(place.lines[0].start if place.lines else place.span.start).column
    text = source.line_text(source.line(place.span.start))
    return len(text) - len(text.lstrip(" \t>")) + 1
