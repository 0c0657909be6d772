"""Record what the block rules of markdown-it-py find. The only module that imports it.

While a rule runs, the parser knows where the text of each line starts inside quotes and lists. That
is recorded; its tokens are dropped. Only public names are used. `RULES` lists what must not change
between versions, and tests/markdown/test_block_rules.py checks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt, rules_block
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from mdbench.markdown.document import BlockKind
from mdbench.markdown.pipe_row import count_cells
from mdbench.markdown.pipe_tables import (
    goes_on,
    is_delimiter_row,
    line_text,
    may_be_missing,
)
from mdbench.markdown.recorder import RECORDS, Recorder, cut_line
from mdbench.regex import lazy
from mdbench.source import Span

_Rule = Callable[[StateBlock, int, int, bool], bool]

RULES: dict[str, tuple[_Rule, str]] = {
    "table": (rules_block.table, "paragraph reference"),
    "code": (rules_block.code, ""),
    "fence": (rules_block.fence, "paragraph reference blockquote list"),
    "blockquote": (rules_block.blockquote, "paragraph reference blockquote list"),
    "hr": (rules_block.hr, "paragraph reference blockquote list"),
    "list": (rules_block.list_block, "paragraph reference blockquote"),
    "reference": (rules_block.reference, ""),
    "html_block": (rules_block.html_block, "paragraph reference blockquote"),
    "heading": (rules_block.heading, "paragraph reference blockquote"),
    "lheading": (rules_block.lheading, ""),
    "paragraph": (rules_block.paragraph, ""),
}
"""Each rule with the blocks that it may interrupt, in the order of the rules."""
# Each level costs a pass over its lines and a few Python frames; real reports stop at five.
_MAX_NESTING = 32
_LEVELS = {"blockquote": 1, "list": 2}
_RECORDER = "recorder"
# Lines: the start of the possible paragraph; that of one with a failed table; the next header.
_FIRST, _TRIED, _HEADER = "first", "tried", "header"
_FRONT_MATTER = lazy(r"---[ \t]*\n(?=[\w-]+[ \t]*:)")
_FRONT_MATTER_END = lazy(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_SCRAP = Token("", "", 0)


class _Tokenless(StateBlock):
    """The parser's state without its tokens: all share one that is never read."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:  # noqa: ARG002
        self.level += nesting
        return _SCRAP


def run_block_rules(source: str) -> Recorder:
    """Parse a text with the rules of markdown-it-py."""
    recorder = Recorder(source)
    # Keeps the length, so that offsets stay the same; a trailing space has no meaning.
    text = source.replace("\r\n", " \n").replace("\r", "\n")
    parser = _make_parser()
    state = _Tokenless(text, parser, {_RECORDER: recorder}, [])
    parser.block.tokenize(state, _skip_front_matter(recorder, state), state.lineMax)
    return recorder


class OneBlockParser:
    """Reads single blocks of a recorder's text, which has no other line ends than newlines."""

    def __init__(self, recorder: Recorder) -> None:
        self._state = _Tokenless(recorder.text, _make_parser(), {_RECORDER: recorder}, [])
        self._rules = self._state.md.block.ruler.getRules("")

    def read_block(self, line: int) -> int:
        """Read the block that starts at a line, and a table that follows; return the next line."""
        state = self._state
        state.line = line
        while state.line == line or state.env.get(_HEADER) == state.line - 1:
            any(rule(state, state.line, state.lineMax, False) for rule in self._rules)
        return state.line


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
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable("table")
    ruler = parser.block.ruler
    for name, (rule, interrupted) in RULES.items():
        ruler.at(name, _watch(name, rule), {"alt": interrupted.split()})
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
        # The parser would drop text that is nested too deeply; keep it as a paragraph.
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
    """The rule for tables: one starts where a delimiter row ends a paragraph."""
    if silent:
        return _heads_table(state, start)
    if state.env.pop(_HEADER, None) != start - 1:
        # Another rule reads the block that starts here: maybe a paragraph, up to a table.
        state.env[_FIRST] = start
        return False
    parent, state.parentType = state.parentType, "table"
    terminators = state.md.block.ruler.getRules("blockquote")
    width, missing, line = count_cells(line_text(state, start)), 0, start + 1
    while line < end and goes_on(state, line):
        if any(rule(state, line, end, True) for rule in terminators):
            break
        missing += max(0, width - line_text(state, line).count("|"))
        if not may_be_missing(missing, state.eMarks[line] - state.bMarks[start - 1]):
            break
        line += 1
    state.parentType, state.line = parent, line
    return True


def _heads_table(state: StateBlock, line: int) -> bool:
    """Whether a line of a paragraph makes the line before it a table header."""
    first = state.env[_FIRST]
    if not is_delimiter_row(state, line) or state.env.get(_TRIED) == first:
        return False
    if count_cells(line_text(state, line)) != count_cells(line_text(state, line - 1)):
        state.env[_TRIED] = first
        return False
    state.env[_HEADER] = line - 1
    return True


def _record_found(name: str, state: StateBlock, start: int) -> None:
    """Record what a rule found: a header is a line of its table, not a paragraph."""
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
    """Remove link definitions from a paragraph, as GitHub does when it knows all its lines.

    Its last line may be the header of a table, whatever it contains. A footnote counts as text.
    """

    def corrected(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        text = line_text(state, start)
        if silent or not text.startswith("[") or text.startswith("[^"):
            return False
        parent = state.parentType
        kind = "lheading" if rules_block.lheading(state, start, end, False) else "paragraph"
        if kind == "paragraph":
            rules_block.paragraph(state, start, end, False)
        state.parentType, stop = parent, state.line
        last = stop - (kind == "lheading" or state.env.get(_HEADER) == stop - 1)
        line = _skip_targets(rule, state, start, last)
        state.line = start
        if line == start:
            return False
        if line < last:
            state.line = stop if kind == "lheading" else last
            RECORDS[kind](state.env[_RECORDER], state, line)
        # After nothing but link definitions, an underline is text.
        state.line = last if kind == "lheading" and line == last else stop
        return True

    return corrected


def _skip_targets(rule: _Rule, state: StateBlock, line: int, last: int) -> int:
    """The first line of a paragraph that is not a link definition, up to `last`."""
    state.lineMax, end = last, state.lineMax
    while line < last and rule(state, line, last, False):
        line = state.line
    state.lineMax = end
    return line
