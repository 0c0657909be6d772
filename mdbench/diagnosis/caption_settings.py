"""Settings that the line above a table states and its column contradicts: `Layers=6 / GBS=512`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.numbers import Number, stated_number
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet
from mdbench.markdown.document import BlockKind
from mdbench.prose.facts import Fact
from mdbench.regex import lazy
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Span

_PROSE = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
_SETTING = lazy(r"[\w-]{1,40}=[\w.]{1,40}")
_SAYS_MORE = lazy(r"\w")


def find_contradicted(
    report: Report, rows: Sequence[RunNumbers]
) -> Iterator[tuple[Fact, tuple[Measurement, ...]]]:
    """The settings of a line of nothing but settings that differ from all cells of the column.

    Another one of them must be in the table, or the line may be about something else.
    """
    runs = by_sheet(rows)
    for line in _caption_lines(report):
        facts = [fact for fact in report.facts if line.start <= fact.span.start < line.end]
        sheet = _only_sheet(report, facts) if len(facts) > 1 else None
        members = runs.get(sheet.number, []) if sheet is not None else []
        found = [(fact, _cells(fact, members)) for fact in facts]
        if not any(_agrees(fact, cells) for fact, cells in found):
            continue
        for fact, cells in found:
            if len({one.value for one in cells}) == 1 and not _agrees(fact, cells):
                yield fact, tuple(one.measurement for one in cells if one.measurement is not None)


def _caption_lines(report: Report) -> Iterator[Span]:
    """The lines that consist of two or more settings."""
    for block in report.document.blocks:
        for line in block.lines if block.kind in _PROSE else ():
            if line.text.count("=") > 1 and not _SAYS_MORE.search(_SETTING.sub("", line.text)):
                yield Span(line.start, line.start + len(line.text))


def _only_sheet(report: Report, facts: Sequence[Fact]) -> Sheet | None:
    scope = facts[0].scope
    about = [
        sheet
        for sheet in report.sheets
        if scope.start <= sheet.table.span.start and sheet.table.span.end <= scope.end
    ]
    return about[0] if len(about) == 1 else None


def _cells(fact: Fact, rows: Sequence[RunNumbers]) -> tuple[Number, ...]:
    """The cells of a setting's column, if it is a count that has one."""
    if not fact.quantity.integer or fact.conditions:
        return ()
    known = (row.variables.get(fact.quantity.name) for row in rows)
    return tuple(one for one in known if one is not None and one.measurement is not None)


def _agrees(fact: Fact, cells: Sequence[Number]) -> bool:
    stated = stated_number(fact.quantity, fact.numeral, fact)
    return stated is not None and stated.value in {one.value for one in cells}
