"""Markdown to sections, blocks and tables, each with its exact place in the source.

markdown-it-py decides what is what. Its block rules are run one by one under our eyes: while a
rule runs, the parser knows where each line's text begins inside quotes and lists. Nothing is
kept of its tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal

from mdbench.blocks import Block, BlockKind, Section, TextLine
from mdbench.classes import dataclass, replace
from mdbench.fence_table import find_fence_tables
from mdbench.footnotes import is_definition
from mdbench.grid import Table
from mdbench.html_table import find_html_tables
from mdbench.patterns import Pattern
from mdbench.plain_blocks import read_plain
from mdbench.recorder import RECORDS, Recorder, cut_line
from mdbench.source import Source, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

__all__ = ["Block", "BlockKind", "Document", "Section", "TextLine", "parse_document"]

_Rule = Callable[["StateBlock", int, int, bool], bool]

# Each level costs a pass over its lines and a few Python frames; people stop at five.
_MAX_NESTING = 32
_LEVELS = {"blockquote": 1, "list": 2}
_RECORDER = "recorder"
_HEADER = "header"
_FRONT_MATTER = Pattern(r"---[ \t]*\n(?=[\w-]+[ \t]*:)")
_FRONT_MATTER_END = Pattern(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_LONE_TAG = Pattern(r"</?[A-Za-z][A-Za-z0-9-]*(?:[ \t][^<>]*|/)?>[ \t]*")
_UNDERLINE = Pattern(r"-+[ \t]*")


@dataclass(frozen=True, slots=True)
class Document:
    """A report taken apart. Blocks and tables are in source order; no block has a table's lines."""

    source: Source
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...]
    footnotes: tuple[Block, ...] = ()
    """The blocks that mdbench itself has put below tables: not the author's words."""


def parse_document(source: Source) -> Document:
    """Read the structure of a report. Any text is a document: nothing raises."""
    recorder = read_plain(source.text) or _run_rules(source.text)
    recorder.close_sections(0, len(source.text))
    tables = [*recorder.tables, *find_fence_tables(source.text, recorder.blocks)]
    inner = [table.span for table in tables]
    tables += find_html_tables(source.text, recorder.blocks, inner)
    tables.sort(key=lambda table: table.span)
    footnotes = tuple(filter(_is_footnote, recorder.blocks))
    told = [block for block in recorder.blocks if not _is_footnote(block)]
    blocks = _cut_tables(told, [table.span for table in tables])
    return Document(source, tuple(recorder.sections), tuple(blocks), tuple(tables), footnotes)


def _is_footnote(block: Block) -> bool:
    textual = block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM)
    return textual and all(is_definition(line.text) for line in block.lines)


def _cut_tables(blocks: Iterable[Block], stretches: Sequence[Span]) -> Iterator[Block]:
    """The blocks without the lines that a table has."""
    ends = [stretch.end for stretch in stretches]
    for block in blocks:
        index = bisect_right(ends, block.span.start)
        if index == len(ends) or stretches[index].start >= block.span.end:
            yield block
            continue
        kept = tuple(line for line in block.lines if not _touches(line, stretches, ends))
        if kept:
            yield replace(block, lines=kept)


def _touches(line: TextLine, stretches: Sequence[Span], ends: Sequence[int]) -> bool:
    index = bisect_right(ends, line.start)
    return index < len(ends) and stretches[index].start < line.end


@cache
def _make_state_class() -> type[StateBlock]:
    from markdown_it.rules_block import StateBlock  # noqa: PLC0415  (costly, and not always needed)
    from markdown_it.token import Token  # noqa: PLC0415

    scrap = Token("", "", 0)

    class Tokenless(StateBlock):
        """The parser's state without its tokens: all are written over one that nobody reads."""

        def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:  # noqa: ARG002
            self.level += nesting
            return scrap

    return Tokenless


def _run_rules(source: str) -> Recorder:
    recorder = Recorder(source)
    # As long as the source, so that offsets are the same: a space at a line's end says nothing.
    text = source.replace("\r\n", " \n").replace("\r", "\n")
    parser = _make_parser()
    state = _make_state_class()(text, parser, {_RECORDER: recorder}, [])
    parser.block.tokenize(state, _skip_front_matter(recorder, state), state.lineMax)
    return recorder


def _skip_front_matter(recorder: Recorder, state: StateBlock) -> int:
    opening = _FRONT_MATTER.match(state.src)
    closing = _FRONT_MATTER_END.search(state.src, opening.end()) if opening else None
    if closing is None:
        return 0
    last = state.src.count("\n", 0, closing.start())
    lines = [cut_line(recorder, state, line) for line in range(1, last)]
    recorder.add_block(BlockKind.FENCE, lines, Span(0, closing.end()), "yaml")
    return last + 1


@cache
def _make_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415  (costly, and not always needed)

    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    ruler = parser.block.ruler
    for rule in ruler.__rules__:
        ruler.at(rule.name, _watch(rule.name, rule.fn), {"alt": rule.alt})
    return parser


def _watch(name: str, rule: _Rule) -> _Rule:
    if name in _LEVELS:
        return _watch_container(name, rule)
    if name == "table":
        rule = _mend_table(rule)
    elif name == "reference":
        rule = _mend_reference(rule)
    record = RECORDS.get(name)
    may_begin_with_pipe = name == "table"

    def watched(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent and not may_begin_with_pipe:
            if state.parentType == "table" and _ends_table(state, start):
                return True
            if state.src.startswith("|", state.bMarks[start] + state.tShift[start]):
                return False
        found = rule(state, start, end, silent)
        if found and not silent and record is not None:
            record(state.env[_RECORDER], state, start)
        return found

    return watched


def _watch_container(name: str, rule: _Rule) -> _Rule:
    def watched(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        # The parser drops whatever is nested too deep; as a paragraph it is kept.
        if state.level + _LEVELS[name] >= _MAX_NESTING:
            return False
        if silent:
            first = state.bMarks[start] + state.tShift[start]
            return not state.src.startswith("|", first) and rule(state, start, end, silent)
        recorder: Recorder = state.env[_RECORDER]
        outer = recorder.enter(name)
        found = rule(state, start, end, silent)
        recorder.leave(outer, state.eMarks[max(state.line - 1, 0)])
        return found

    return watched


def _text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _ends_table(state: StateBlock, line: int) -> bool:
    """Whether GitHub ends a table where markdown-it sees one more row."""
    text = _text(state, line)
    return text.rstrip(" \t") == "|" or (text[:1] == "<" and _LONE_TAG.fullmatch(text) is not None)


def _mend_table(rule: _Rule) -> _Rule:
    """Read in GitHub's order: a line that begins another block is no header."""

    def mended(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if not rule(state, start, end, True) or _UNDERLINE.fullmatch(_text(state, start + 1)):
            return False
        # A header that has ended a paragraph was a line of it, and can begin nothing else.
        if state.env.get(_HEADER) != start:
            if _begins_block(state, start, end, silent):
                return False
            state.env[_HEADER] = start
        return silent or rule(state, start, end, False)

    return mended


def _begins_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    parent = state.parentType
    if not silent:
        state.parentType = "table"
    begins = any(
        rule(state, start, end, True) for rule in state.md.block.ruler.getRules("blockquote")
    )
    state.parentType = parent
    return begins


def _mend_reference(rule: _Rule) -> _Rule:
    """A footnote is text to be read, not the target of a link."""

    def mended(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return not _text(state, start).startswith("[^") and rule(state, start, end, silent)

    return mended
