"""Laws with a constant for each kind of row: the size of a block for each kind of job."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from mdbench.diagnosis.arithmetic.bases import setting_texts
from mdbench.diagnosis.arithmetic.constants import implied, is_telling
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.checks import Interval
from mdbench.diagnosis.laws.constants import agree
from mdbench.diagnosis.thresholds import MOST_FAILING, MOST_LAW_ROWS, ROWS_IF_NAMED

Kinds = Sequence[Sequence[int]]
"""The rows of each kind."""


def with_constants(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Products with one line and a constant for each kind of row, if the rows agree on each."""
    compared = grid.by_rows or wanted_of(grid.lines[at]).is_comparison
    kinds = () if compared else tuple(find_kinds(grid, at))
    for source in sources if kinds else ():
        for power in (1, -1):
            law = Law(Shape.PRODUCT, at, (Term(source, power),), free=True, exact=True)
            found = dict(implied(grid, grid.lines[at], law))
            for several in kinds:
                constants = dict(_agree_by_kind(several, found))
                told = {*constants.values()}
                if told and (power < 0 or all(is_telling(grid, law, one) for one in told)):
                    yield law._replace(constants=constants)


def find_kinds(grid: Grid, at: int) -> Iterator[Kinds]:
    """The rows by what a column says of them, if there are a few of each kind."""
    rows = [*grid.lines[at].numbers][:MOST_LAW_ROWS]
    if len(rows) < 2 * ROWS_IF_NAMED:
        return
    for cells in setting_texts(grid).values():
        kinds: dict[str, list[int]] = defaultdict(list)
        for row in rows:
            kinds[cells.get(row, "")].append(row)
        if len(kinds) > 1 and min(map(len, kinds.values())) >= ROWS_IF_NAMED:
            yield [*kinds.values()]


def _agree_by_kind(kinds: Kinds, found: Mapping[int, Interval]) -> Iterator[tuple[int, Interval]]:
    """The constant of each row; none if the rows of a kind do not agree on one."""
    agreed = [(rows, agree([found[row] for row in rows if row in found])) for rows in kinds]
    support = sum(one.support for _, one in agreed if one is not None)
    if support < (1 - MOST_FAILING) * sum(map(len, kinds)):
        return
    if any(one is None or 2 * one.support <= len(rows) for rows, one in agreed):
        return
    for rows, one in agreed:
        if one is not None:
            yield from ((row, (one.low, one.high)) for row in rows)
