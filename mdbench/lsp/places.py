"""Find the content at a position: the cell of a table, or a setting in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mdbench.markdown.document import Cell
from mdbench.prose.facts import Fact
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement
from mdbench.source import Source, Span

_PADDING = " \t"


class Heading(NamedTuple):
    """The header cell of a column, or of a row in a transposed table, with its measurements."""

    cell: Cell
    column: Column


def find_measurements(context: Context, offset: int) -> tuple[Measurement, ...]:
    """The measurements of the data cell at a position; empty if there is none."""
    line = _line_at(context.source, offset)
    for sheet in context.sheets:
        if _lies_in(offset, sheet.table.span):
            near = (one for one in sheet.measurements if touches(one.cell.span, line))
            found = [one for one in near if _covers(context.source, one.cell, offset)]
            if found:
                return tuple(one for one in found if one.cell.span == found[0].cell.span)
    return ()


def find_heading(context: Context, offset: int) -> Heading | None:
    """The header at a position."""
    for sheet in context.sheets:
        if _lies_in(offset, sheet.table.span):
            for column in sheet.columns:
                if column.heading is not None and _covers(context.source, column.heading, offset):
                    return Heading(column.heading, column)
    return None


def find_fact(context: Context, offset: int) -> Fact | None:
    """The setting in the text at a position."""
    facts = (fact for fact in context.report.facts if _lies_in(offset, fact.span))
    return min(facts, key=lambda fact: fact.span.end - fact.span.start, default=None)


def findings_on(findings: Iterable[Finding], span: Span) -> Iterator[Finding]:
    """The findings that concern a span."""
    for finding in findings:
        if any(touches(cell, span) for cell in finding.cells):
            yield finding


def touches(one: Span, other: Span) -> bool:
    """Whether two spans overlap; an empty span touches what it is in or next to."""
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


def _line_at(source: Source, offset: int) -> Span:
    line = source.line(offset)
    start = source.line_starts[line - 1]
    return Span(start, start + len(source.line_text(line)))


def _lies_in(offset: int, span: Span) -> bool:
    return span.start <= offset <= span.end


def _covers(source: Source, cell: Cell, offset: int) -> bool:
    """Whether a position is in a cell or its padding."""
    start, end = cell.span
    if offset < start:
        return not source.text[offset:start].strip(_PADDING)
    return offset <= end or not source.text[end:offset].strip(_PADDING)
