"""What an update cannot do, and what the results lack, in words for the person who runs it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import Line
from mdbench.diagnosis.arithmetic.likely import find_likely
from mdbench.diagnosis.arithmetic.reading import read_grids
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.diagnosis import diagnose
from mdbench.markdown.comments import find_mistyped
from mdbench.markdown.document import Document
from mdbench.markdown.inline import plain_text
from mdbench.regex import lazy
from mdbench.rendering.result_rows import why_rows_stay, would_empty
from mdbench.results.bound_cells import BoundCell
from mdbench.results.comparison import BoundTable, Comparison
from mdbench.results.derived import Derived
from mdbench.results.matching import KEYS, UnboundColumn, bind_by_hand
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.sheets.report import Report
from mdbench.source import Source

# What is a part of a whole changes with the whole.
_PART = lazy(
    r"\b(?:share|fraction|proportion|percent(?:age)?|normali[sz]ed|rank)\b|% of|占比|割合",
    re.IGNORECASE,
)


_NOTHING: Mapping[CellKey, Derived] = MappingProxyType({})


class Wanted(NamedTuple):
    """What to do with rows that results and table do not share."""

    add_rows: bool = False
    prune: bool = False


def is_behind(comparison: Comparison) -> bool:
    """Whether something that is bound cannot be compared, or cannot be written."""
    return any(map(_is_open, comparison.tables)) or any(one.problem for one in comparison.numbers)


def _is_open(table: BoundTable) -> bool:
    unclear = table.problem or table.unsaid or table.conflicts or table.alike
    # One row may have been measured elsewhere; if no row has a result, something is wrong.
    unmatched = table.lacking and not table.cells
    return bool(unclear or unmatched) or any(map(_is_fixed, table.cells))


def list_remarks(
    report: Report,
    comparison: Comparison,
    wanted: Wanted,
    followed: Mapping[CellKey, Derived] = _NOTHING,
) -> Iterator[str]:
    """What to know, each with its line; without the rows that are removed."""
    source = report.source
    for table in comparison.tables:
        stays = why_rows_stay(table.sheet) if table.sheet is not None else ""
        line = source.line(table.binding.span.start)
        empties = wanted.prune and would_empty(table)
        asked = (wanted.add_rows and table.surplus) or (wanted.prune and table.lacking)
        if stays and asked:
            yield f"{line}: no row is added or removed, because {stays}"
        elif empties:
            yield f"{line}: no row is removed, because none of them has a result: check the comment"
        if table.problem:
            yield f"{line}: {table.problem}"
        if not wanted.prune or stays or empties:
            yield from _about_lacking(source, table, followed)
        alike = {(run.span.start, where): None for run, where in table.alike}
        for start, where in alike:
            told = f"several rows have {where or 'the same settings'}"
            yield f"{source.line(start)}: {told}: add a column that tells them apart"
        yield from _about_cells(source, table)
    for number in comparison.numbers:
        if number.problem:
            yield f"{source.line(number.binding.span.start)}: {number.problem}"


def _about_lacking(
    source: Source, table: BoundTable, followed: Mapping[CellKey, Derived]
) -> Iterator[str]:
    """The rows without a result, and which of their cells change all the same."""
    told: dict[tuple[int, str], dict[str, None]] = {}
    for run, where in table.lacking:
        headers = told.setdefault((run.span.start, where), {})
        for one in run.own:
            if one.key in followed and followed[one.key].text != one.cell.raw:
                headers[plain_text(one.header.text)] = None
    for (start, where), headers in told.items():
        verb = "is" if len(headers) == 1 else "are"
        but = f", except {' and '.join(headers)}, which {verb} recomputed" if headers else ""
        yield f"{source.line(start)}: no result has {where}: its numbers stay as they are{but}"


def list_mistyped(document: Document) -> Iterator[str]:
    """The comments that bind nothing because of a mistake in them, each with its line."""
    for span, wrong in find_mistyped(document):
        yield f"{document.source.line(span.start)}: nothing is bound here: {wrong}"


class Left(NamedTuple):
    """Numbers that stay as they are beside numbers that change."""

    told: str
    """What to do about it, with its line."""
    is_stale: bool
    """Whether they were computed from numbers that change, by what their header says."""


def list_left(
    report: Report,
    comparison: Comparison,
    followed: Mapping[CellKey, Derived],
    right: Collection[CellKey],
) -> Iterator[Left]:
    """The columns and spreads that nothing gives, in tables whose bound numbers change.

    `right` are the cells that are right after the update although they did not follow.
    """
    known = {*followed, *right}
    for table in comparison.tables:
        changed = [one for one in table.cells if one.drifted and one.text is not None]
        if table.sheet is None or table.problem:
            continue
        runs = {one.cell.run for one in changed}
        derived = list_derived(table)
        for one in table.unbound:
            is_derived = one in derived
            everywhere = one.is_open or (is_derived and not changed)
            left = _cells_left(one.column, None if everywhere else runs, known)
            if left:
                at = one.column.heading or left[0].cell
                stale = is_derived or (bool(changed) and one.is_open)
                line = report.source.line(at.span.start)
                yield Left(f"{line}: {_about_column(one, is_derived)}", stale)
        spreads = [one.cell for one in changed if one.keeps_spread]
        spreads += [one.cell for one in followed.values() if _is_of(one, table)]
        yield from _spreads_left(report.source, spreads)


def list_orphans(report: Report, comparison: Comparison) -> Iterator[Left]:
    """The columns of ratios to a row that is removed because it has no result."""
    for table in comparison.tables:
        sheet = table.sheet
        if sheet is None or not table.lacking or why_rows_stay(sheet) or would_empty(table):
            continue
        removed = {run.number for run, _ in table.lacking}
        for found in (*diagnose(report).arithmetic, *find_likely([sheet])):
            base, grid = found.law.base, found.grid
            bases = set(base.rows.values()) if base is not None else set()
            if grid.sheet.number == sheet.number and found.is_best and bases & removed:
                line = report.source.line(table.binding.span.start)
                header = plain_text(grid.lines[found.law.result].header.text)
                told = "is relative to a row that is removed, and stays as it is: check it"
                yield Left(f"{line}: {header} {told}", True)


def _is_of(one: Derived, table: BoundTable) -> bool:
    mine = table.sheet is not None and one.cell.key[0] == table.sheet.number
    return mine and one.keeps_spread


def _cells_left(
    column: Column, runs: Collection[int] | None, known: Collection[CellKey]
) -> list[Measurement]:
    """The numbers of a column that nothing gives, in these runs or in all."""
    quantity = column.header.quantity
    if not column.is_numeric or (quantity is not None and quantity.role in KEYS):
        return []
    return [
        one
        for one in column.mains
        if one.is_number and (runs is None or one.run in runs) and one.key not in known
    ]


def _about_column(one: UnboundColumn, is_derived: bool) -> str:
    header = plain_text(one.column.header.text)
    if is_derived:
        told = "not all of its numbers follow from the results or from the other columns"
        return f"{header}: {told}: check them, or {bind_by_hand(header)}"
    if one.is_open:
        return f"{header} is not bound and stays as it is: {one.why}"
    return f"{header} is not bound and stays as it is"


def _spreads_left(source: Source, cells: Sequence[Measurement]) -> Iterator[Left]:
    columns = {one.header.text: one for one in reversed(cells)}
    for header, one in columns.items():
        line = source.line(one.cell.span.start)
        told = "the results have no spread for it, so the number after ± stays as it is"
        yield Left(f"{line}: {plain_text(header)}: {told}: check it", True)


def list_derived(table: BoundTable) -> tuple[UnboundColumn, ...]:
    """The columns of numbers that are computed from others, by what their headers say.

    Nothing is bound to them, and their numbers grow old with those of the others.
    """
    if table.sheet is None or table.problem or not table.unbound:
        return ()
    lines = (line for grid in read_grids(table.sheet) for line in grid.lines)
    titles = {line.header.text for line in lines if _is_derived(line)}
    return tuple(one for one in table.unbound if one.column.header.text in titles)


def _is_derived(line: Line) -> bool:
    return wanted_of(line).derived or _PART.search(plain_text(line.title)) is not None


def _about_cells(source: Source, table: BoundTable) -> Iterator[str]:
    for one in table.conflicts:
        at = source.line(one.cell.cell.span.start)
        told = f"{one.times} results from {one.least} to {one.most} for {one.where}"
        advice = "narrow them with `where`, or name an aggregate, such as `aggregate: median`"
        yield f"{at}: {told}: {advice}"
    for cell in table.unsaid:
        at, header = source.line(cell.cell.cell.span.start), plain_text(cell.cell.header.text)
        yield f"{at}: {header} {plain_text(cell.cell.cell.raw)}: {cell.why} for {cell.where}"
    for bound in filter(_is_fixed, table.cells):
        at, header = source.line(bound.cell.cell.span.start), plain_text(bound.cell.header.text)
        printed = plain_text(bound.cell.cell.raw)
        wanted = f"the results say {bound.value.normalize():f}, and it cannot be rewritten"
        yield f"{at}: {header} {printed}: {wanted}"


def _is_fixed(cell: BoundCell) -> bool:
    """Whether a cell is not in step, and holds no number that can be replaced: `3h 20m`."""
    return cell.drifted and cell.text is None
