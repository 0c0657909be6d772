"""Explanations of markers: `^ Estimated from …` below a table, `[^1]: …` anywhere."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Block, BlockKind, Document, Table
from mdbench.markdown.footnotes import has_note
from mdbench.regex import lazy
from mdbench.source import Span

Legends = Mapping[str, Sequence["Legend"]]
"""The explanations of each marker, in the order of the text."""

_FOOTNOTE = lazy(r"\s{0,3}\[\^(?P<name>[^\]\s]+)\]:\s*(?P<text>.+)")
_MARK = lazy(
    r"\s*[`(]?(?:<sup>)?(?P<mark>\\?\*{1,3}|\^{1,3}|[†‡§¶※]{1,3}|\[\d{1,2}\]|\d{1,2}(?=</sup>))"
    r"(?:</sup>)?[`)]?(?P<gap>\s*[:=—–-]\s+|\s+|(?<=[^*\s])(?=[A-Z]))(?P<text>\S.*)",
)
# The first character of a line that explains a marker; a digit may be a superscript.
_OPENINGS = frozenset("`(<\\*^†‡§¶※[0123456789")
_TEXTUAL = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
# How many explanations of a marker are checked on each side of a table.
_NEIGHBOURS = 8


class Legend(NamedTuple):
    """A marker, its meaning, the place of the explanation, and its scope in the report."""

    marker: str
    text: str
    span: Span
    scope: Span


def collect_legends(document: Document) -> Legends:
    """Collect all explanations of markers."""
    found: dict[str, list[Legend]] = {}
    starts = [table.span.start for table in document.tables]
    for block in (*document.blocks, *document.footnotes):
        if block.kind in _TEXTUAL:
            for legend in _read_block(document, block, starts):
                found.setdefault(legend.marker, []).append(legend)
    return found


def moved_notes(legends: Legends) -> dict[str, str]:
    """The notes that were moved from cells to footnotes, by marker."""
    return {mark: known[-1].text for mark, known in legends.items() if has_note(mark)}


def explain(marker: str, table: Table, legends: Legends) -> Legend | None:
    """Find the explanation of a marker for a table: the nearest one, preferably below it."""
    known = legends.get(marker, ())
    at = bisect_left(known, table.span.end, key=lambda legend: legend.span.start)
    near = [
        legend
        for legend in known[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
        if legend.scope.start <= table.span.start < legend.scope.end
    ]
    return min(near, key=lambda legend: _distance(legend, table), default=None)


def _distance(legend: Legend, table: Table) -> tuple[bool, int]:
    return legend.span.start < table.span.start, abs(legend.span.start - table.span.end)


def _read_block(document: Document, block: Block, tables: Sequence[int]) -> Iterator[Legend]:
    for line in block.lines:
        footnote = _FOOTNOTE.match(line.text) if "[^" in line.text else None
        if footnote is not None:
            span = Span(line.start + footnote.start("name") - 2, line.end)
            whole = Span(0, len(document.source.text))
            yield Legend(f"[^{footnote['name']}]", footnote["text"].strip(), span, whole)
            continue
        mark = _MARK.match(line.text) if line.text.lstrip()[:1] in _OPENINGS else None
        if mark is not None:
            span = Span(line.start + mark.start("mark"), line.end)
            scope = _reach(document, block, tables)
            yield Legend(mark["mark"].lstrip("\\"), mark["text"].strip(), span, scope)


def _reach(document: Document, block: Block, tables: Sequence[int]) -> Span:
    """The section of an explanation; the whole report if that section has no table."""
    whole = Span(0, len(document.source.text))
    if block.section < 0:
        return whole
    section = document.sections[block.section]
    first = bisect_left(tables, section.start)
    inside = first < len(tables) and tables[first] < section.end
    return Span(section.start, section.end) if inside else whole
