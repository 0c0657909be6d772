"""Comparisons of different metrics, each in a way of its own: `+7 %`, `1.4x`, `-3 ms`.

In a table with a metric in each row, `Change` says how much more there is of one and how much less
of another, as its author liked it. A pair of columns is what is compared if each cell follows from
it in some way; a cell that follows in none is compared with what most others are.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Law, Part, Shape, Term
from mdbench.diagnosis.checks import meets
from mdbench.diagnosis.numbers import Number, unit_of
from mdbench.sheets.factors import is_times

_Way = tuple[Shape, int]
"""How two numbers are compared, and the power of the first one."""
_FACTORS: tuple[_Way, ...] = ((Shape.PRODUCT, -1), (Shape.PRODUCT, 1))
_CHANGES: tuple[_Way, ...] = (
    (Shape.CHANGE, -1),
    (Shape.SAVED, -1),
    (Shape.CHANGE, 1),
    (Shape.SAVED, 1),
)
_DIFFERENCES: tuple[_Way, ...] = ((Shape.SUM, -1), (Shape.SUM, 1))


def compare_metrics(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """The laws of each pair of columns, each about the cells that compare in one way."""
    printed = grid.lines[at].numbers
    for first, second in combinations(sorted(sources), 2):
        left, right = grid.lines[first].numbers, grid.lines[second].numbers
        ways = {
            row: _ways_of(number, left[row])
            for row, number in printed.items()
            if row in left and row in right
        }
        laws = {
            way: Law(way[0], at, (Term(first, way[1]), Term(second, -way[1])))
            for way in {one for several in ways.values() for one in several}
        }
        fitting = {
            row: [way for way in several if _holds(grid, laws[way], row)]
            for row, several in ways.items()
        }
        if 2 * sum(map(bool, fitting.values())) <= len(ways):
            continue
        votes = Counter(way for several in fitting.values() for way in several)
        parts: dict[tuple[_Way, int], list[int]] = defaultdict(list)
        for row, several in ways.items():
            open_ways = [way for way in several if _is_signed_alike(grid, laws[way], row)]
            way = max(fitting[row] or open_ways or several, key=votes.__getitem__)
            parts[way, len(several)].append(row)
        for (way, count), members in parts.items():
            yield laws[way]._replace(part=Part(frozenset(members), count))


def _ways_of(number: Number, compared: Number) -> tuple[_Way, ...]:
    """The ways in which a printed number may compare numbers such as another one."""
    unit = unit_of(number.source)
    if unit is not None and is_times(unit):
        return _FACTORS
    if unit is not None and unit.dimension != "ratio":
        return _DIFFERENCES
    # `+20%` says how much more it is, not how many times.
    signed = number.source.numeral.text.lstrip()[:1] in "+-\u2212"
    ways = _CHANGES if signed else (*_CHANGES, *_FACTORS)
    theirs = unit_of(compared.source)
    alike = unit is None or (theirs is not None and theirs.dimension == "ratio")
    return (*ways, *_DIFFERENCES) if alike else ways


def _is_signed_alike(grid: Grid, law: Law, row: int) -> bool:
    predicted = law.predict(grid, row)
    return predicted is not None and sum(predicted) * grid.lines[law.result].numbers[row].value > 0


def _holds(grid: Grid, law: Law, row: int) -> bool:
    predicted = law.predict(grid, row)
    return predicted is not None and meets(grid.lines[law.result].numbers[row].widest(), predicted)
