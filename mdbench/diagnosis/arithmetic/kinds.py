"""Laws with a constant for each kind of row: the size of a block for each kind of job."""

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.arithmetic.bases import Bases, Kinds
from mdbench.diagnosis.arithmetic.constants import implied, is_telling
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.checks import Interval
from mdbench.diagnosis.laws.constants import Agreement, agree
from mdbench.diagnosis.thresholds import MOST_FAILING, MOST_LAW_ROWS


def with_constants(bases: Bases, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Products with one line and a constant for each kind of row, if the rows agree on each."""
    grid = bases.grid
    if grid.by_rows or wanted_of(grid.lines[at]).is_comparison:
        return
    kinds = bases.kinds([*grid.lines[at].numbers][:MOST_LAW_ROWS])
    for source in sources if kinds else ():
        for power in (1, -1):
            law = Law(Shape.PRODUCT, at, (Term(source, power),), free=True, exact=True)
            for several in kinds:
                constants = dict(_agree_by_kind(bases, law, several))
                told = {*constants.values()}
                if told and (power < 0 or all(is_telling(grid, law, one) for one in told)):
                    yield law._replace(constants=constants)


def _agree_by_kind(bases: Bases, law: Law, kinds: Kinds) -> Iterator[tuple[int, Interval]]:
    """The constant of each row; none if the rows of a kind do not agree on one."""
    agreed: list[Agreement] = []
    for rows in kinds:
        found = agree([ends for _, ends in implied(bases.grid, law, rows)])
        if found is None or 2 * found.support <= len(rows):
            # Nearly always the first kind: then nobody looks at the others.
            return
        agreed.append(found)
    if sum(one.support for one in agreed) < (1 - MOST_FAILING) * sum(map(len, kinds)):
        return
    for rows, one in zip(kinds, agreed, strict=True):
        yield from ((row, (one.low, one.high)) for row in rows)
