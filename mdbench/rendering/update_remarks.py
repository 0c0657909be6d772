"""What an update cannot do, and what the results lack, in words for the person who runs it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import read_grids
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.markdown.inline import plain_text
from mdbench.rendering.result_rows import why_rows_stay
from mdbench.results.bound_cells import BoundCell
from mdbench.results.comparison import BoundTable, Comparison
from mdbench.sheets.measurements import CellKey
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source


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


def list_remarks(report: Report, comparison: Comparison, wanted: Wanted) -> Iterator[str]:
    """What to know, each with its line; without the rows that are removed."""
    source = report.source
    for table in comparison.tables:
        stays = why_rows_stay(table.sheet) if table.sheet is not None else ""
        pruned = wanted.prune and not stays
        asked = (wanted.add_rows and table.surplus) or (wanted.prune and table.lacking)
        if stays and asked:
            line = source.line(table.binding.span.start)
            yield f"{line}: no row is added or removed, because {stays}"
        if table.problem:
            yield f"{source.line(table.binding.span.start)}: {table.problem}"
        lacking = {(run.span.start, where): None for run, where in table.lacking}
        for start, where in () if pruned else lacking:
            yield f"{source.line(start)}: no result has {where}"
        alike = {(run.span.start, where): None for run, where in table.alike}
        for start, where in alike:
            yield f"{source.line(start)}: several rows have {where or 'the same settings'}"
        yield from _about_cells(source, table)
    for number in comparison.numbers:
        if number.problem:
            yield f"{source.line(number.binding.span.start)}: {number.problem}"


def list_unfollowed(
    report: Report, comparison: Comparison, followed: Collection[CellKey]
) -> Iterator[str]:
    """The derived columns that nothing gives, in rows whose bound numbers change."""
    for table in comparison.tables:
        changed = {one.cell.run for one in table.cells if one.drifted and one.text is not None}
        derived = _derived_titles(table.sheet) if changed and table.sheet is not None else ()
        for one in table.unbound:
            if one.column.header.text not in derived:
                continue
            left = [
                cell
                for cell in one.column.mains
                if one.column.is_numeric and cell.run in changed and cell.key not in followed
            ]
            if left:
                line = report.source.line(left[0].cell.span.start)
                header = plain_text(one.column.header.text)
                told = "is not bound, and no arithmetic of the table gives it: check it by hand"
                yield f"{line}: {header} {told}"


def _derived_titles(sheet: Sheet) -> frozenset[str]:
    """The headers that say that their numbers are computed from others: `Speedup vs v1`."""
    lines = (line for grid in read_grids(sheet) for line in grid.lines)
    return frozenset(line.header.text for line in lines if wanted_of(line).derived)


def _about_cells(source: Source, table: BoundTable) -> Iterator[str]:
    for one in table.conflicts:
        at = source.line(one.cell.cell.span.start)
        yield f"{at}: {one.times} results from {one.least} to {one.most} for {one.where}"
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
