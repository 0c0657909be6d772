"""Tables pasted into code fences: pipe tables, and what tools print."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Cell, Table, TableKind, TextLine
from mdbench.markdown.pipe_row import make_row, merge_titles, read_alignment, split_line
from mdbench.regex import lazy
from mdbench.source import Span

_LANGUAGES = frozenset(
    {"", "text", "txt", "plain", "plaintext", "console", "output", "log", "md", "markdown"}
)
# Tools use pipes and hyphens, or box-drawing characters (U+2500 to U+257F).
_UPRIGHT = "│┃┆┇┊┋╎╏║╽╿"
_LEVEL = "─━┄┅┈┉╌╍═╼╾"
_DRAWING = {
    code: "|" if chr(code) in _UPRIGHT else "-" if chr(code) in _LEVEL else "+"
    for code in range(0x2500, 0x2580)
}
_RULE_CHARACTERS = frozenset("|+-=: \t")
_CROSSING = lazy(r"[|+]")
_RULE_PART = lazy(r":?[-=]+:?")
_MAX_HEADER_LINES = 4
# A number after a gap, a colon or an equals sign: no table or listing is without one.
_PRINTED = lazy(r"\S(?: {2,}|\t *|[:=] ?)[-+<>~$[]{0,2}\d|[%x] \d")


class _Line(NamedTuple):
    """A line of a fence: a rule, a row of cells, or other text if it has neither."""

    span: Span
    cells: tuple[Cell, ...] = ()
    rule: tuple[str, ...] = ()
    bordered: bool = False
    crossed: bool = False


def find_fence_tables(text: str, blocks: Iterable[Block]) -> Iterator[Table]:
    """Find the tables in fences whose language is text or tool output."""
    for block in blocks:
        if block.kind is BlockKind.FENCE and block.info.lower() in _LANGUAGES:
            lines = [_read_line(line) for line in block.lines]
            drawn = list(_find_tables(lines, block.section))
            yield from drawn
            first, last = block.lines[:1], block.lines[-1:]
            if first and _PRINTED.search(text, first[0].start, last[0].end):
                yield from _find_printed(text, block, drawn)


def _find_printed(text: str, block: Block, drawn: Sequence[Table]) -> Iterator[Table]:
    """Find the tables and listings without strokes, between those that are drawn."""
    # Only imported if needed.
    from mdbench.markdown.aligned_tables import find_aligned_tables  # noqa: PLC0415
    from mdbench.markdown.listings import find_listings  # noqa: PLC0415

    for piece in _pieces_between(block.lines, drawn):
        aligned = list(find_aligned_tables(text, piece, block.section))
        yield from aligned
        for rest in _pieces_between(piece, aligned):
            yield from find_listings(text, rest, block.section)


def _pieces_between(
    lines: Sequence[TextLine], tables: Iterable[Table]
) -> Iterator[Sequence[TextLine]]:
    """The runs of lines that belong to no table."""
    start = 0
    for table in sorted(tables, key=lambda table: table.span):
        first = bisect_left(lines, table.span.start, key=lambda line: line.end)
        yield lines[start:first]
        start = bisect_left(lines, table.span.end, key=lambda line: line.start)
    yield lines[start:]


def _read_line(line: TextLine) -> _Line:
    drawn = line.text.translate(_DRAWING).strip()
    start = line.start + len(line.text) - len(line.text.lstrip())
    span = Span(start, start + len(drawn))
    bordered, crossed = drawn.startswith(("|", "+")), "+" in drawn
    if "|" not in drawn and not crossed:
        return _Line(span)
    if _RULE_CHARACTERS.issuperset(drawn):
        parts = [part.strip() for part in _CROSSING.split(drawn)]
        inner = parts[parts[0] == "" : len(parts) - (parts[-1] == "")]
        if inner and all(_RULE_PART.fullmatch(part) for part in inner):
            return _Line(span, (), tuple(inner), bordered, crossed)
    found = split_line(drawn, start) if "|" in drawn else []
    # Without the drawing, the text is as the author wrote it.
    cells = [Cell(line.text[a - line.start : b - line.start], Span(a, b)) for _, (a, b), _ in found]
    return _Line(span, tuple(cells), (), bordered, crossed)


def _find_tables(lines: Sequence[_Line], section: int) -> Iterator[Table]:
    free = 0
    for index, line in enumerate(lines):
        # The rule under a header distinguishes a table from shell pipes.
        if index <= free or not line.rule or len(lines[index - 1].cells) != len(line.rule):
            continue
        first, end = _find_header(lines, free, index), _find_end(lines, index)
        rows = [row for row in lines[index + 1 : end] if row.cells]
        # A box around one column is more likely a drawing than a table.
        if rows and (len(line.rule) > 1 or not line.crossed):
            yield _make_table(section, (lines[first:index], line, rows), lines[end - 1])
        free = end - 1


def _find_header(lines: Sequence[_Line], free: int, rule: int) -> int:
    first = rule - 1
    lowest = max(free, rule - _MAX_HEADER_LINES) if lines[first].bordered else first
    while first > lowest and _continues(lines[first - 1], lines[rule - 1]):
        first -= 1
    return first


def _continues(line: _Line, header: _Line) -> bool:
    return line.bordered and len(line.cells) == len(header.cells)


def _find_end(lines: Sequence[_Line], rule: int) -> int:
    """The index after the last line of the table whose rule is at `rule`."""
    bordered, width = lines[rule - 1].bordered, len(lines[rule].rule)
    end = rule + 1
    while end < len(lines):
        line = lines[end]
        if line.rule and (len(line.rule) != width or lines[end - 1].rule):
            break
        if not line.rule and (not line.cells or line.bordered != bordered):
            break
        end += 1
    return end


def _make_table(
    section: int, parts: tuple[Sequence[_Line], _Line, Sequence[_Line]], last: _Line
) -> Table:
    headers, rule, rows = parts
    width = len(rule.rule)
    top, *body = (make_row(line.span, line.cells, width) for line in (headers[-1], *rows))
    merged = merge_titles([cell.raw for cell in line.cells] for line in headers)
    return Table(
        TableKind.FENCE,
        top,
        tuple(body),
        tuple(read_alignment(part) for part in rule.rule),
        Span(headers[0].span.start, last.span.end),
        section,
        merged if len(headers) > 1 else (),
    )
