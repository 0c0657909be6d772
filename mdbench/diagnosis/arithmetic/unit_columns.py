"""Columns of one quantity in two units, of which one repeats the numbers of the other."""

from collections.abc import Iterable, Iterator

from mdbench.diagnosis.arithmetic.grid import Line
from mdbench.diagnosis.arithmetic.reading import Grids
from mdbench.diagnosis.arithmetic.words import is_in_other_unit
from mdbench.diagnosis.repairs.scales import ScaledColumn
from mdbench.diagnosis.thresholds import NEARLY_EQUAL, ROWS_IF_NAMED
from mdbench.sheets.sheet import Sheet


def find_repeating_columns(sheets: Iterable[Sheet], grids: Grids) -> Iterator[ScaledColumn]:
    """The columns with the numbers of one before them, under a header with another unit."""
    for sheet in sheets:
        if not _has_two_units(sheet):
            continue
        grid = next((one for one in grids.of(sheet) if not one.by_rows), None)
        lines = grid.lines if grid is not None else ()
        for at, line in enumerate(lines):
            for before in lines[:at]:
                if is_in_other_unit(line, before) and _repeats(line, before):
                    factor = _unit_size(line) / _unit_size(before)
                    cells = tuple(number.source for number in line.numbers.values())
                    why = f"{before.title} has the same numbers in {len(cells)} rows"
                    yield ScaledColumn(sheet, line.header, factor, cells, why)
                    break


def _has_two_units(sheet: Sheet) -> bool:
    """Whether two columns are in different units of one dimension."""
    units = [one.header.unit for one in sheet.columns if one.header.unit is not None]
    return len({(one.dimension, one.scale) for one in units}) > len(
        {one.dimension for one in units}
    )


def _repeats(line: Line, before: Line) -> bool:
    """Whether all numbers are printed as in another column, although they cannot be the same."""
    ratio = _unit_size(line) / _unit_size(before)
    if 1 / NEARLY_EQUAL <= ratio <= NEARLY_EQUAL or line.numbers.keys() != before.numbers.keys():
        return False
    printed = [number.source.numeral.value for number in line.numbers.values()]
    theirs = [number.source.numeral.value for number in before.numbers.values()]
    return printed == theirs and len({one for one in printed if one}) >= ROWS_IF_NAMED


def _unit_size(line: Line) -> float:
    return next(iter(line.numbers.values())).scale
