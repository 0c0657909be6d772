"""What the numbers of a line follow from, by what its header says and no row contradicts.

In few rows that is too little to blame a number, and enough to compute one again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mdbench.diagnosis.arithmetic.bases import Bases, neutral_value
from mdbench.diagnosis.arithmetic.bits import bits_beside
from mdbench.diagnosis.arithmetic.evidence import says_neutral
from mdbench.diagnosis.arithmetic.found import Found, Place, Tried, place_of
from mdbench.diagnosis.arithmetic.laws import MONOMIALS
from mdbench.diagnosis.arithmetic.prior import prior
from mdbench.diagnosis.arithmetic.reading import read_grids
from mdbench.diagnosis.arithmetic.search import try_lines
from mdbench.diagnosis.thresholds import RIVAL_BITS
from mdbench.sheets.measurements import CellKey
from mdbench.sheets.sheet import Sheet


def find_likely(sheets: Iterable[Sheet]) -> Iterator[Found]:
    """The law of each line that its header names, that no row breaks and that has no rival."""
    named: dict[Place, list[Found]] = defaultdict(list)
    for one in _try_named(sheets):
        told = 0.0 if one.law.free else one.evidence.bits or _bits_if_alike(one)
        if told > 0:
            bits = told + prior(one.grid, one.law, one.wanted) - one.cost
            found = Found(one.grid, one.law, one.evidence, bits, named=True, holding=0, failing=0)
            named[place_of(one)].append(found)
    for alternatives in named.values():
        # A ratio with a spread is one of numbers with a spread.
        several = [one for one in alternatives if _has_spreads(one)] or alternatives
        best = max(several, key=lambda found: found.bits)
        near = [one.law for one in several if one.bits > best.bits - RIVAL_BITS]
        sources = {frozenset((one.line, one.at_base) for one in law.terms) for law in near}
        if len(sources) == 1:
            yield best._replace(is_best=True)


def find_explained(sheets: Iterable[Sheet]) -> Iterator[CellKey]:
    """The cells that follow from others as they stand, by any law that their header names.

    That several laws would do is no doubt about what is printed.
    """
    for one in _try_named(sheets):
        numbers = one.grid.lines[one.law.result].numbers
        bases = one.law.base.rows if one.law.base is not None else {}
        if all(says_neutral(one.grid, one.law, row) for row in {*bases.values()}):
            rows = {
                row
                for test in one.evidence.tests
                for row in (test.row, bases.get(test.row, test.row))
            }
            yield from (numbers[row].source.key for row in rows if row in numbers)


def _try_named(sheets: Iterable[Sheet]) -> Iterator[Tried]:
    """The laws that headers name, and that no row breaks."""
    for grid in (grid for sheet in sheets for grid in read_grids(sheet)):
        for one in try_lines(Bases(grid), frozenset()):
            if not one.evidence.failing and prior(grid, one.law, one.wanted) > 0:
                yield one


def _bits_if_alike(one: Tried) -> float:
    """The evidence of ratios that are nearly the same in all rows, if it is clear."""
    if one.law.base is None or one.law.shape not in MONOMIALS:
        return 0.0
    bits = bits_beside(one.evidence.tests, neutral_value(one.grid.lines[one.law.result]))
    return bits if bits > RIVAL_BITS else 0.0


def _has_spreads(found: Found) -> bool:
    """Whether a line prints spreads, and all that it is computed from."""
    lines = [found.law.result, *(term.line for term in found.law.terms)]
    return all(
        any(one.source.numeral.spread is not None for one in numbers.values())
        for numbers in (found.grid.lines[line].numbers for line in lines)
    )
