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

from mdbench.markdown.document import Block, BlockKind, Document, Table, TextLine
from mdbench.markdown.footnotes import is_definition
from mdbench.markdown.pipe_tables import count_cells, goes_on, is_delimiter_row, line_text, may_lack
from mdbench.markdown.plain import read_plain
from mdbench.markdown.recorder import RECORDS, Recorder, cut_line
from mdbench.regex import lazy
from mdbench.source import Source, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

_Rule = Callable[["StateBlock", int, int, bool], bool]

# Each level costs a pass over its lines and a few Python frames; people stop at five.
_MAX_NESTING = 32
_LEVELS = {"blockquote": 1, "list": 2}
_RECORDER = "recorder"
# Lines: the first of the paragraph, if it is one; the one whose table was none; the next header.
_FIRST, _TRIED, _HEADER = "first", "tried", "header"
_FRONT_MATTER = lazy(r"---[ \t]*\n(?=[\w-]+[ \t]*:)")
_FRONT_MATTER_END = lazy(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)


def parse_document(source: Source) -> Document:
    """Read the structure of a report. Any text is a document: nothing raises."""
    recorder = read_plain(source.text) or _run_rules(source.text)
    recorder.close_sections(0, len(source.text))
    found = sorted(_list_tables(recorder), key=lambda table: table.span)
    tables = [table._replace(number=number) for number, table in enumerate(found)]
    footnotes = tuple(filter(_is_footnote, recorder.blocks))
    told = [block for block in recorder.blocks if not _is_footnote(block)]
    blocks = _cut_tables(told, [table.span for table in tables])
    return Document(source, tuple(recorder.sections), tuple(blocks), tuple(tables), footnotes)


def _list_tables(recorder: Recorder) -> list[Table]:
    tables = [*recorder.tables]
    kinds = {block.kind for block in recorder.blocks}
    # Loaded only where there is something to look into.
    if BlockKind.FENCE in kinds:
        from mdbench.markdown.fence_tables import find_fence_tables  # noqa: PLC0415

        tables += find_fence_tables(recorder.text, recorder.blocks)
    if BlockKind.HTML in kinds:
        from mdbench.markdown.html_tables import find_html_tables  # noqa: PLC0415

        inner = [table.span for table in tables]
        tables += find_html_tables(recorder.text, recorder.blocks, inner)
    return tables


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
            yield block._replace(lines=kept)


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
        rule = _read_table
    elif name == "reference":
        rule = _fix_reference(rule)
    is_recorded = name in RECORDS
    may_begin_with_pipe = name == "table"

    def watched(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent and not may_begin_with_pipe:
            first = state.bMarks[start] + state.tShift[start]
            if state.src.startswith("|", first):
                return False
        found = rule(state, start, end, silent)
        if found and not silent and is_recorded:
            _record_found(name, state, start)
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


def _read_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The rule for tables: one begins where a row of delimiters ends a paragraph."""
    if silent:
        return _heads_table(state, start)
    if state.env.pop(_HEADER, None) != start - 1:
        # Whatever begins here is read by another rule: perhaps a paragraph, up to a table.
        state.env[_FIRST] = start
        return False
    parent, state.parentType = state.parentType, "table"
    terminators = state.md.block.ruler.getRules("blockquote")
    width, lacking, line = count_cells(state, start), 0, start + 1
    while line < end and goes_on(state, line):
        if any(rule(state, line, end, True) for rule in terminators):
            break
        lacking += max(0, width - line_text(state, line).count("|"))
        if not may_lack(lacking, state.eMarks[line] - state.bMarks[start - 1]):
            break
        line += 1
    state.parentType, state.line = parent, line
    return True


def _heads_table(state: StateBlock, line: int) -> bool:
    """Whether a line of a paragraph makes a header of the one before it."""
    first = state.env[_FIRST]
    if not is_delimiter_row(state, line) or state.env.get(_TRIED) == first:
        return False
    if count_cells(state, line) != count_cells(state, line - 1):
        state.env[_TRIED] = first
        return False
    state.env[_HEADER] = line - 1
    return True


def _record_found(name: str, state: StateBlock, start: int) -> None:
    """Write down what a rule has found: a header is a line of its table, and no paragraph."""
    recorder: Recorder = state.env[_RECORDER]
    if name == "table":
        RECORDS[name](recorder, state, start - 1)
    elif name != "paragraph" or state.env.get(_HEADER) != state.line - 1:
        RECORDS[name](recorder, state, start)
    elif start < state.line - 1:
        state.line -= 1
        RECORDS[name](recorder, state, start)
        state.line += 1


def _fix_reference(rule: _Rule) -> _Rule:
    """Take the targets of links out of a paragraph, as GitHub does once it knows all its lines.

    Its last line may be the header of a table whatever it says. A footnote is text to be read.
    """
    from markdown_it.rules_block import lheading, paragraph  # noqa: PLC0415

    def corrected(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        text = line_text(state, start)
        if silent or not text.startswith("[") or text.startswith("[^"):
            return False
        parent = state.parentType
        kind = "lheading" if lheading(state, start, end, False) else "paragraph"
        if kind == "paragraph":
            paragraph(state, start, end, False)
        state.parentType, stop = parent, state.line
        last = stop - (kind == "lheading" or state.env.get(_HEADER) == stop - 1)
        line = _skip_targets(rule, state, start, last)
        state.line = start
        if line == start:
            return False
        if line < last:
            state.line = stop if kind == "lheading" else last
            RECORDS[kind](state.env[_RECORDER], state, line)
        # Below targets alone an underline is text.
        state.line = last if kind == "lheading" and line == last else stop
        return True

    return corrected


def _skip_targets(rule: _Rule, state: StateBlock, line: int, last: int) -> int:
    """The first line of a paragraph that is no target; none reaches beyond the `last` one."""
    state.lineMax, end = last, state.lineMax
    while line < last and rule(state, line, last, False):
        line = state.line
    state.lineMax = end
    return line
