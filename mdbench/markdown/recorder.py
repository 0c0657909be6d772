"""Record what a Markdown parser finds while its rules run.

Only then does the parser know where the text of each line starts inside quotes and lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Protocol

from mdbench.markdown.document import Block, BlockKind, Section, Table, TableKind, TextLine
from mdbench.markdown.pipe_row import (
    make_row,
    read_alignment,
    split_delimiters,
    split_line,
    trim,
)
from mdbench.source import Span


class ParserState(Protocol):
    """The parser's data for each line; `line` is the next line to read."""

    src: str
    bMarks: list[int]  # noqa: N815
    tShift: list[int]  # noqa: N815
    eMarks: list[int]  # noqa: N815
    sCount: list[int]  # noqa: N815
    bsCount: list[int]  # noqa: N815
    blkIndent: int  # noqa: N815
    line: int

    def is_code_block(self, line: int) -> bool:
        """Whether a line is indented far enough to be code."""


class Recorder:
    """Everything read so far, in source order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.tables: list[Table] = []
        self.sections: list[Section] = []
        self.open: list[int] = []
        self.floor = 0
        self.containers: list[str] = []

    @property
    def section(self) -> int:
        """The innermost open section."""
        return self.open[-1] if self.open else -1

    def enter(self, container: str) -> int:
        """Enter a quote or list; a heading inside does not end a section outside."""
        outer = self.floor
        self.floor = len(self.open)
        self.containers.append(container)
        return outer

    def leave(self, outer: int, end: int) -> None:
        """Leave the innermost quote or list, and end the sections inside."""
        self.containers.pop()
        self.close_sections(self.floor, end)
        self.floor = outer

    def open_section(self, title: str, level: int, span: Span, start: int) -> None:
        """Start a section, and end those that its heading closes."""
        keep = len(self.open)
        while keep > self.floor and self.sections[self.open[keep - 1]].level >= level:
            keep -= 1
        self.close_sections(keep, start)
        self.sections.append(Section(title, level, span, self.section, start, start))
        self.open.append(len(self.sections) - 1)

    def close_sections(self, keep: int, end: int) -> None:
        """End all open sections except the outermost `keep`."""
        for index in self.open[keep:]:
            self.sections[index] = self.sections[index]._replace(end=end)
        del self.open[keep:]

    def add_block(self, kind: BlockKind, lines: Iterable[Span], span: Span, info: str = "") -> None:
        """Add a block."""
        texts = tuple([TextLine(self.text[start:end], start) for start, end in lines])
        self.add_lines(kind, texts, span, info)

    def add_lines(
        self, kind: BlockKind, lines: tuple[TextLine, ...], span: Span, info: str = ""
    ) -> None:
        """Add a block whose lines have been cut."""
        depth = self.containers.count("list")
        self.blocks.append(Block(kind, lines, self.section, span, info, depth))


def cut_line(recorder: Recorder, state: ParserState, line: int, indent: int = -1) -> Span:
    """A line without its prefix: all of its indent, or at most `indent` columns of it."""
    start = state.bMarks[line] + state.tShift[line]
    end = state.eMarks[line]
    if recorder.text[end - 1 : end + 1] == "\r\n":
        end -= 1
    if indent < 0:
        return trim(recorder.text, start, max(start, end))
    first, column = state.bMarks[line], 0
    while first < end and column < indent:
        if state.src[first] == "\t":
            column += 4 - (column + state.bsCount[line]) % 4
        elif state.src[first] == " " or first < start:
            column += 1
        else:
            break
        first += 1
    return Span(first, max(first, end))


def _add_lines(
    kind: BlockKind, recorder: Recorder, state: ParserState, start: int, indent: int = -1
) -> None:
    lines = [cut_line(recorder, state, line, indent) for line in range(start, state.line)]
    recorder.add_block(kind, lines, Span(lines[0].start, lines[-1].end))


def _record_paragraph(recorder: Recorder, state: ParserState, start: int) -> None:
    kind = BlockKind.ITEM if recorder.containers[-1:] == ["list"] else BlockKind.PARAGRAPH
    _add_lines(kind, recorder, state, start)


def _record_code(recorder: Recorder, state: ParserState, start: int) -> None:
    _add_lines(BlockKind.CODE, recorder, state, start, 4 + state.blkIndent)


def _record_html(recorder: Recorder, state: ParserState, start: int) -> None:
    _add_lines(BlockKind.HTML, recorder, state, start, state.blkIndent)


def _record_heading(recorder: Recorder, state: ParserState, start: int) -> None:
    whole = cut_line(recorder, state, start)
    text = recorder.text[whole.start : whole.end]
    level = len(text) - len(text.lstrip("#"))
    body = text.rstrip("#")
    if body[-1:] not in {"", " ", "\t"}:
        body = text
    start = whole.start + level
    title = trim(recorder.text, start, max(start, whole.start + len(body)))
    recorder.open_section(recorder.text[title.start : title.end], level, title, whole.start)
    recorder.add_block(BlockKind.HEADING, [title], whole)


def _record_underlined(recorder: Recorder, state: ParserState, start: int) -> None:
    *lines, underline = [cut_line(recorder, state, line) for line in range(start, state.line)]
    span = Span(lines[0].start, lines[-1].end)
    title = " ".join(recorder.text[line.start : line.end] for line in lines)
    level = 1 if recorder.text[underline.start] == "=" else 2
    recorder.open_section(title, level, span, span.start)
    recorder.add_block(BlockKind.HEADING, lines, Span(span.start, underline.end))


def _record_fence(recorder: Recorder, state: ParserState, start: int) -> None:
    opening = cut_line(recorder, state, start)
    mark = recorder.text[opening.start]
    text = recorder.text[opening.start : opening.end]
    info = text.lstrip(mark)
    last = state.line - 1
    closing = cut_line(recorder, state, last)
    inside = recorder.text[closing.start : closing.end]
    closed = (
        last > start
        and len(inside) >= len(text) - len(info)
        and not inside.strip(mark)
        and not state.is_code_block(last)
    )
    lines = [
        cut_line(recorder, state, line, state.sCount[start])
        for line in range(start + 1, last if closed else state.line)
    ]
    word = info.split(maxsplit=1)[0] if info.strip() else ""
    recorder.add_block(BlockKind.FENCE, lines, Span(opening.start, closing.end), word)


def _record_table(recorder: Recorder, state: ParserState, start: int) -> None:
    lines = [cut_line(recorder, state, line) for line in range(start, state.line)]
    top, *cells = [split_line(recorder.text[a:b], a) for a, b in (lines[0], *lines[2:])]
    header = make_row(lines[0], top, len(top))
    rows = tuple(map(make_row, lines[2:], cells, repeat(len(top))))
    delimiters = split_delimiters(recorder.text[slice(*lines[1])])
    alignments = tuple(map(read_alignment, delimiters))
    span = Span(lines[0].start, lines[-1].end)
    recorder.tables.append(Table(TableKind.PIPE, header, rows, alignments, span, recorder.section))


RECORDS: dict[str, Callable[[Recorder, ParserState, int], None]] = {
    "table": _record_table,
    "code": _record_code,
    "fence": _record_fence,
    "html_block": _record_html,
    "heading": _record_heading,
    "lheading": _record_underlined,
    "paragraph": _record_paragraph,
}
"""How to record a match of each rule, which starts at a given line."""
