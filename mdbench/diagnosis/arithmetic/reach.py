"""Which columns are too short or too coarse for a law that no header names."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from mdbench.diagnosis.arithmetic.grid import Grid, Line, Name
from mdbench.diagnosis.arithmetic.words import is_of_tool, wanted_of
from mdbench.diagnosis.thresholds import BITS_IF_UNNAMED, ROWS_IF_UNNAMED


def out_of_reach(grids: Iterable[Grid]) -> frozenset[Name]:
    """The names of the columns for which no law can be believed, whatever their rows agree on.

    Tables whose columns have the same name count together.
    """
    named: dict[Name, list[Line]] = defaultdict(list)
    by_tool: set[Name] = set()
    for grid in grids:
        if grid.by_rows:
            continue
        for line in grid.lines:
            named[line.name].append(line)
        if is_of_tool(grid):
            # One row is enough to show what a tool computes.
            by_tool.update(line.name for line in grid.lines)
    return frozenset(
        name
        for name, lines in named.items()
        if _is_out_of_reach(lines, 1 if name in by_tool else ROWS_IF_UNNAMED)
    )


def _is_out_of_reach(lines: Sequence[Line], rows: int) -> bool:
    few = sum(len(line.numbers) for line in lines) < rows
    if not few and sum(map(_most_bits, lines)) >= BITS_IF_UNNAMED:
        return False
    return not any(wanted_of(line).derived for line in lines)


def _most_bits(line: Line) -> float:
    """More evidence than the rows of a line can be, if all of them follow a law."""
    numbers = line.numbers.values()
    least = min((number.high - number.low for number in numbers), default=1.0)
    if least <= 0:
        # An exact number may agree with anything to its last bit.
        return math.inf
    values = [number.value for number in numbers]
    alone = max(map(abs, values), default=0.0) / least
    spread = (max(values) - min(values)) / least if values else 0.0
    return max(math.log2(max(alone, 1.0)), len(values) * math.log2(max(spread, 1.0)))
