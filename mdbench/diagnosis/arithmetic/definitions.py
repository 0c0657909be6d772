"""Columns whose header says how they are computed, whatever their numbers show.

An efficiency beside speed-ups and threads is the speed-up of a thread, and an improvement beside
`Before` and `After` compares the two. Where all rows say something else, it is the column that
needs a second look, not a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mdbench.diagnosis.arithmetic.bases import WORKERS
from mdbench.diagnosis.arithmetic.bits import RowTest
from mdbench.diagnosis.arithmetic.evidence import test_row, weigh
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term
from mdbench.diagnosis.arithmetic.misnamed import Correction, Misnamed
from mdbench.diagnosis.arithmetic.reading import Grids
from mdbench.diagnosis.arithmetic.words import is_old, wanted_of
from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.thresholds import CLEARLY_OFF, MOST_LAW_ROWS, ROWS_IF_NAMED
from mdbench.diagnosis.wording import name_number, printed, shorten, wanted_text
from mdbench.sheets.sheet import Sheet


def find_undefined(
    sheets: Iterable[Sheet], grids: Grids, laws: Iterable[Found]
) -> Iterator[Misnamed]:
    """The efficiencies and improvements that do not follow from the columns beside them."""
    explained = {(one.grid.sheet.number, one.law.result) for one in laws if not one.grid.by_rows}
    for sheet in sheets:
        names = {one.header.quantity.name for one in sheet.columns if one.header.quantity}
        divided = {"efficiency", "speedup"} <= names and names & WORKERS
        if not divided and not any(is_old(one.header.text) for one in sheet.columns):
            continue
        grid = next(iter(grids.of(sheet)), None)
        if grid is None or grid.by_rows:
            continue
        for law in _efficiencies(grid) if divided else ():
            if (sheet.number, law.result) not in explained:
                yield from _judge(grid, law)
        for at in range(2, len(grid.lines)):
            if (sheet.number, at) not in explained:
                yield from _compare(grid, at)


def _compare(grid: Grid, at: int) -> Iterator[Misnamed]:
    """An improvement beside two columns, `Before` and `After`, that the only row does not show.

    Several rows that all disagree show that something else is meant; one alone shows nothing.
    """
    result, pair = grid.lines[at], grid.lines[at - 2 : at]
    kinds = [line.dimension for line in grid.lines]
    alone = pair[0].dimension and kinds.count(pair[0].dimension) == 2
    if not alone or pair[0].dimension != pair[1].dimension or result.dimension != "ratio":
        return
    olds = [is_old(line.title) for line in pair]
    if sum(olds) != 1 or len(result.numbers) != 1 or not wanted_of(result).is_comparison:
        return
    old, new = at - 2 + olds.index(True), at - 2 + olds.index(False)
    terms = Term(new), Term(old, -1)
    turned = Term(old), Term(new, -1)
    readings = [
        Law(shape, at, both, scale=scale)
        for both in (terms, turned)
        for shape in (Shape.SAVED, Shape.CHANGE, Shape.PRODUCT)
        for scale in (1.0, 100.0, 0.01)
    ]
    rows = [*result.numbers]
    tests = [one for law in readings for row in rows if (one := test_row(grid, law, row))]
    if not tests or not all(one.stand is Stand.FAILS and _is_clear(one) for one in tests):
        return
    evidence = weigh(grid, readings[0], rows)
    corrections = tuple(
        Correction(one.printed, sum(one.predicted) / 2)
        for one in evidence.tests
        if sum(one.predicted) > 0
    )
    if len(corrections) == len(rows):
        found = Found(grid, readings[0], evidence, evidence.bits, True, 0, len(rows))
        yield Misnamed(found, _describe_change(grid, readings, rows[0]), corrections)


def _describe_change(grid: Grid, readings: Sequence[Law], row: int) -> str:
    """`Improvement 35.9% does not follow from 7.27 s and 3.94 s: that is 45.8%`."""
    law = readings[0]
    result = grid.lines[law.result].numbers[row]
    new, old = (printed(grid.lines[term.line].numbers[row]) for term in law.terms)
    predicted = law.predict(grid, row) or (0.0, 0.0)
    wanted = wanted_text(result, sum(predicted) / 2)
    return f"{name_number(result)} does not follow from {old} and {new}: it is {wanted} less"


def _efficiencies(grid: Grid) -> Iterator[Law]:
    named = [
        one.header.quantity.name if one.header.quantity is not None else "" for one in grid.lines
    ]
    ratios = [at for at, name in enumerate(named) if name == "speedup"]
    counts = [at for at, name in enumerate(named) if name in WORKERS]
    # Of several, nobody knows which one is meant.
    if named.count("efficiency") == len(ratios) == len(counts) == 1:
        terms = Term(ratios[0]), Term(counts[0], -1)
        yield Law(Shape.PRODUCT, named.index("efficiency"), terms)


def _judge(grid: Grid, law: Law) -> Iterator[Misnamed]:
    evidence = weigh(grid, law, [*grid.lines[law.result].numbers][:MOST_LAW_ROWS])
    # Every definition agrees on one thread.
    tests = [one for one in evidence.tests if not _is_alone(grid, law, one)]
    failing = [one for one in tests if one.stand is Stand.FAILS and _is_clear(one)]
    if len(failing) < ROWS_IF_NAMED or len(failing) < len(tests):
        return
    corrections = tuple(Correction(one.printed, sum(one.predicted) / 2) for one in failing)
    found = Found(grid, law, evidence, evidence.bits, True, evidence.holding, len(failing))
    yield Misnamed(found, _describe(grid, law, failing), corrections)


def _describe(grid: Grid, law: Law, failing: Sequence[RowTest]) -> str:
    """`Efficiency is Speedup / Threads in none of 4 rows: 2.51x / 4 is 62.8%, not 81%`."""
    lines = [grid.lines[at] for at in (law.result, *(term.line for term in law.terms))]
    result, ratio, count = (shorten(line.title) for line in lines)
    first = failing[0]
    told = " / ".join(printed(line.numbers[first.row]) for line in lines[1:])
    wanted = wanted_text(first.printed, sum(first.predicted) / 2)
    return (
        f"{result} is {ratio} / {count} in none of {len(failing)} rows: "
        f"{told} is {wanted}, not {printed(first.printed)}"
    )


def _is_alone(grid: Grid, law: Law, test: RowTest) -> bool:
    count = grid.lines[law.terms[1].line].numbers.get(test.row)
    return count is not None and count.value == 1


def _is_clear(test: RowTest) -> bool:
    return abs(test.printed.value / (sum(test.predicted) / 2) - 1) > CLEARLY_OFF
