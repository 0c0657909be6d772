"""Parse the usual blocks of Markdown: text, lists, fences, pipe tables, comments and HTML.

Importing a Markdown parser takes longer than checking a report, running it takes a third of that
time, and most blocks do not need it. This parser handles unambiguous Markdown. It leaves the block
of any other line (quotes, rare HTML, link definitions, underlined titles, indented code) to
markdown-it-py: outside of lists and quotes, a block does not depend on those before it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mdbench.markdown.document import BlockKind, TextLine
from mdbench.markdown.pipe_row import count_cells
from mdbench.markdown.pipe_tables import may_be_missing
from mdbench.markdown.recorder import RECORDS, Recorder
from mdbench.regex import lazy
from mdbench.source import Span

if TYPE_CHECKING:
    from mdbench.markdown.block_rules import OneBlockParser

_BLANK = " \t"
_DIGITS = frozenset("0123456789")
_DELIMITERS = frozenset("|-: \t")
_MOST_LEVELS = 10
# The tags that begin a block of HTML wherever they stand at the start of a line.
_BLOCK_TAGS = lazy(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|"
    r"details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|"
    r"head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|"
    r"p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|/?>|$)",
    re.IGNORECASE | re.ASCII,
)


class _NotPlainError(Exception):
    """A line needs the full parser."""


def read_blocks(text: str) -> Recorder | None:
    """Parse a text, with the full parser's help; None if the full parser has to read all of it."""
    if text.startswith("---") or any(space in text for space in "\r\v\f"):
        return None
    reader = _BlockReader(text)
    reader.read()
    return reader.recorder


class _BlockReader:
    """Reads block by block. It has the same attributes as the parser state that recorders read."""

    def __init__(self, text: str) -> None:
        self.src = text
        self.recorder = Recorder(text)
        self.lines = text.split("\n")
        if not self.lines[-1].strip(_BLANK):
            del self.lines[-1]
        self.bMarks: list[int] = []
        self.eMarks: list[int] = []
        start = 0
        for line in self.lines:
            self.bMarks.append(start)
            start += len(line) + 1
            self.eMarks.append(start - 1)
        self.tShift = [len(line) - len(line.lstrip(_BLANK)) for line in self.lines]
        self.texts = [*(line.strip(_BLANK) for line in self.lines), ""]
        self.has_tabs = "\t" in text
        self.sCount = self.tShift[:]
        self.bsCount = [0] * len(self.lines)
        self.blkIndent = 0
        self.line = 0
        self.items: list[int] = []
        """The column where the text of each open list item starts, outermost first."""
        self.outer = (0, 0, 0)
        """The line of the last block outside of lists; how many blocks and tables precede it."""
        self.other: OneBlockParser | None = None

    def is_code_block(self, line: int) -> bool:
        """Whether a line is indented far enough to be code; a tab always is."""
        return self.sCount[line] >= 4 or "\t" in self.lines[line][: self.tShift[line]]

    def read(self) -> None:
        """Read all lines."""
        while self.line < len(self.lines):
            if not self.texts[self.line]:
                self.line += 1
                continue
            try:
                self._read_block(self.line)
            except _NotPlainError:
                self._leave_to_parser()

    def _leave_to_parser(self) -> None:
        """Let the full parser read the outermost block that is being read, from its start."""
        if self.other is None:
            from mdbench.markdown.block_rules import OneBlockParser  # noqa: PLC0415

            self.other = OneBlockParser(self.recorder)
        start, blocks, tables = self.outer
        del self.recorder.blocks[blocks:], self.recorder.tables[tables:]
        self.recorder.containers, self.items = [], []
        self.line = self.other.read_block(start)

    def _indent(self, line: int) -> int:
        if self.has_tabs and "\t" in self.lines[line][: self.tShift[line]]:
            raise _NotPlainError
        return self.sCount[line]

    def _read_block(self, start: int) -> None:
        self._mark_outer(start)
        indent, text = self._indent(start), self.texts[start]
        while self.items and indent < self.items[-1]:
            self.items.pop()
        self._mark_outer(start)
        inner = self.items[-1] if self.items else 0
        kind = _find_kind(text)
        if kind == "item" and indent - inner < 4:
            self._read_item(start, indent, text)
        elif kind == "text" and (self.items or indent == 0) and indent - inner < 4:
            if self._begins_table(start):
                self._read_table(start)
            else:
                self._read_paragraph(start)
        elif indent or self.items:
            raise _NotPlainError
        elif kind == "heading":
            self._record(kind, start, start + 1)
        elif kind == "fence":
            self._read_fence(start, text)
        elif kind == "html":
            self._read_html(start, text)
        else:
            # A thematic break, which is not recorded.
            self.line = start + 1

    def _mark_outer(self, start: int) -> None:
        if not self.items:
            self.outer = start, len(self.recorder.blocks), len(self.recorder.tables)

    def _record(self, kind: str, start: int, end: int) -> None:
        self.line = end
        self.recorder.containers = ["list"] * len(self.items)
        RECORDS[kind](self.recorder, self, start)

    def _read_item(self, start: int, indent: int, text: str) -> None:
        mark = _measure_mark(text)
        words = text[mark:].lstrip(_BLANK)
        gap = len(text) - mark - len(words)
        if not words or gap > 4 or "\t" in text[mark : mark + gap] or _find_kind(words) != "text":
            raise _NotPlainError
        if len(self.items) == _MOST_LEVELS:
            raise _NotPlainError
        self.items.append(indent + mark + gap)
        self.tShift[start] = self.items[-1]
        if self._begins_table(start):
            raise _NotPlainError
        self._read_paragraph(start)

    def _read_paragraph(self, start: int) -> None:
        end = start + 1
        while self._goes_on(end):
            end += 1
        opening = self.lines[start][self.tShift[start] :]
        # It may be a link definition, which is not text.
        named = opening.startswith("[") and not opening.startswith("[^")
        if named and any("]:" in line for line in self.lines[start:end]):
            raise _NotPlainError
        self.line = end
        # As `RECORDS` would, but these lines have been cut already.
        texts = [opening.rstrip(_BLANK), *self.texts[start + 1 : end]]
        lines = tuple(
            [
                TextLine(text, self.bMarks[line] + self.tShift[line])
                for line, text in enumerate(texts, start)
            ]
        )
        kind = BlockKind.ITEM if self.items else BlockKind.PARAGRAPH
        self.recorder.containers = ["list"] * len(self.items)
        self.recorder.add_lines(kind, lines, Span(lines[0].start, lines[-1].end))

    def _goes_on(self, line: int) -> bool:
        """Whether a line belongs to the paragraph before it."""
        text = self.texts[line]
        if not text:
            return False
        indent, inner = self._indent(line), self.items[-1] if self.items else 0
        if indent - inner >= 4:
            if self._count_delimiters(line + 1):
                raise _NotPlainError
            return True
        kind = _find_kind(text)
        if kind == "text":
            if not text.strip("=") or not text.strip("-"):
                raise _NotPlainError
            return not self._begins_table(line)
        if kind == "item":
            outer = self.items[-2] if len(self.items) > 1 else 0
            counts_on = text[0] in _DIGITS and text[:2] not in {"1.", "1)"}
            is_empty = len(text) == _measure_mark(text)
            if is_empty or (counts_on if indent >= inner else indent - outer >= 4):
                raise _NotPlainError
        elif indent or not (self.items or text.strip("-")):
            raise _NotPlainError
        return False

    def _read_fence(self, start: int, text: str) -> None:
        mark = text[0]
        length = len(text) - len(text.lstrip(mark))
        if mark == "`" and mark in text[length:]:
            raise _NotPlainError
        end = start + 1
        while end < len(self.lines) and not self._closes_fence(end, mark, length):
            end += 1
        self._record("fence", start, min(end + 1, len(self.lines)))

    def _read_html(self, start: int, text: str) -> None:
        """Read a comment up to its end, or other HTML up to a blank line."""
        end = start + 1
        if not text.startswith("<!--"):
            while self.texts[end]:
                end += 1
        elif "-->" not in text:
            while end < len(self.lines) and "-->" not in self.texts[end]:
                end += 1
            end = min(end + 1, len(self.lines))
        self._record("html_block", start, end)

    def _closes_fence(self, line: int, mark: str, length: int) -> bool:
        text = self.texts[line]
        return len(text) >= length and not text.strip(mark) and not self.is_code_block(line)

    def _begins_table(self, line: int) -> bool:
        """Whether a line is the header of a table, judging by the next one."""
        columns = self._count_delimiters(line + 1)
        if not columns:
            return False
        if self.items or self._indent(line) or self._indent(line + 1):
            raise _NotPlainError
        if columns != self._count_cells(line):
            raise _NotPlainError
        return True

    def _count_delimiters(self, line: int) -> int:
        text = self.texts[line]
        return _count_columns(text) if text and _DELIMITERS.issuperset(text) else 0

    def _count_cells(self, line: int) -> int:
        text = self.texts[line]
        if text != text.strip():
            # Parsers disagree about which spaces are blank.
            raise _NotPlainError
        return count_cells(text)

    def _read_table(self, start: int) -> None:
        end = start + 2
        while text := self.texts[end]:
            if _find_kind(text) != "text":
                break
            if self._indent(end) or text == "|" or not text.strip():
                raise _NotPlainError
            end += 1
        cells = (end - start) * self._count_delimiters(start + 1)
        if not may_be_missing(cells, self.eMarks[end - 1] - self.bMarks[start]):
            raise _NotPlainError
        self._record("table", start, end)


def _find_kind(text: str) -> str:
    """The kind of block that a line starts, regardless of its context."""
    first = text[0]
    if first == "|" or first.isalpha():
        return "text"
    if first == "<" and (text.startswith("<!--") or _BLOCK_TAGS.match(text)):
        return "html"
    if first in "<>":
        raise _NotPlainError
    if first == "#":
        marks = len(text) - len(text.lstrip("#"))
        return "heading" if marks <= 6 and text[marks : marks + 1] in {"", *_BLANK} else "text"
    if first in "`~" and text.startswith(3 * first):
        return "fence"
    if first in "*-_" and text.count(first) >= 3 and not text.strip(first + _BLANK):
        return "rule"
    return "item" if _measure_mark(text) else "text"


def _measure_mark(text: str) -> int:
    """The length of the list marker at the start of a text; 0 if there is none."""
    length = 1
    if text[0] in _DIGITS:
        length = len(text) - len(text.lstrip("0123456789")) + 1
        if length > 10 or text[length - 1 : length] not in {".", ")"}:
            return 0
    elif text[0] not in "*-+":
        return 0
    return length if text[length : length + 1] in {"", *_BLANK} else 0


def _count_columns(delimiters: str) -> int:
    """The number of columns in a delimiter row; 0 if it is not one."""
    if delimiters[0] == "-" and delimiters[1:2] in {"", *_BLANK}:
        return 0
    if not delimiters.strip("-"):
        # GitHub takes the line above for a title.
        return 0
    pieces = [piece.strip(_BLANK) for piece in delimiters.split("|")]
    pieces = pieces[not pieces[0] : len(pieces) - (len(pieces) > 1 and not pieces[-1])]
    rules = [piece.removeprefix(":").removesuffix(":") for piece in pieces]
    return len(rules) if all(rule and not rule.strip("-") for rule in rules) else 0
