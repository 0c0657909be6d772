"""What a report says its marks mean: `^ Estimated from …` below a table, `[^1]: …` anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mdbench.blocks import Block, BlockKind
from mdbench.document import Document
from mdbench.grid import Table
from mdbench.source import Span

_FOOTNOTE = re.compile(r"\s{0,3}\[\^(?P<name>[^\]\s]+)\]:\s*(?P<text>.+)")
_MARK = re.compile(
    r"\s*[`(]?(?:<sup>)?(?P<mark>\\?\*{1,3}|\^{1,3}|[†‡§¶※]{1,3}|\[\d{1,2}\]|\d{1,2}(?=</sup>))"
    r"(?:</sup>)?[`)]?(?P<gap>\s*[:=—–-]\s+|\s+|(?<=[^*\s])(?=[A-Z]))(?P<text>\S.*)"
)
_TEXTUAL = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))


@dataclass(frozen=True, slots=True)
class Legend:
    """A mark, what it means, where that is said and for which stretch of the report."""

    marker: str
    text: str
    span: Span
    scope: Span


def collect_legends(document: Document) -> tuple[Legend, ...]:
    """Every explanation of a mark, in the order of the text."""
    return tuple(
        legend
        for block in document.blocks
        if block.kind in _TEXTUAL
        for legend in _read_block(document, block)
    )


def legends_for(table: Table, legends: Sequence[Legend]) -> Mapping[str, Legend]:
    """What each mark means in a table: the nearest explanation counts."""
    nearest: dict[str, Legend] = {}
    for legend in legends:
        held = nearest.get(legend.marker)
        if held is None or _distance(legend, table) < _distance(held, table):
            nearest[legend.marker] = legend
    return nearest


def _distance(legend: Legend, table: Table) -> tuple[bool, bool, int]:
    outside = not (legend.scope.start <= table.span.start < legend.scope.end)
    above = legend.span.start < table.span.start
    return outside, above, abs(legend.span.start - table.span.end)


def _read_block(document: Document, block: Block) -> Iterator[Legend]:
    whole = Span(0, len(document.source.text))
    section = document.sections[block.section] if block.section >= 0 else None
    scope = whole if section is None else Span(section.start, section.end)
    for line in block.lines:
        footnote = _FOOTNOTE.match(line.text)
        if footnote is not None:
            span = Span(line.start + footnote.start("name") - 2, line.end)
            yield Legend(f"[^{footnote['name']}]", footnote["text"].strip(), span, whole)
            continue
        mark = _MARK.match(line.text)
        if mark is not None:
            span = Span(line.start + mark.start("mark"), line.end)
            yield Legend(mark["mark"].lstrip("\\"), mark["text"].strip(), span, scope)
