"""Find the arithmetic of a report's tables: which lines follow from which others.

Everything that a person would try is tried, and what the rows agree on is believed as far as their
agreement is unlikely by chance. What the headers say counts as evidence too.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.bases import find_baseline, find_bases
from mdbench.diagnosis.arithmetic.evidence import Evidence, test_row, weigh
from mdbench.diagnosis.arithmetic.grid import Grid, Line, Number, read_grids
from mdbench.diagnosis.arithmetic.laws import MONOMIALS, Law, Shape, Term, multiply
from mdbench.diagnosis.arithmetic.words import Wanted, prior, wanted_of
from mdbench.diagnosis.laws.constants import agree
from mdbench.diagnosis.thresholds import (
    BITS_IF_FEW,
    BITS_IF_NAMED,
    BITS_IF_UNNAMED,
    COMPLETE_SHARE,
    DEAD_ZONE,
    MOST_FAILING,
    MOST_READINGS,
    MOST_SOURCES,
    NICE_CONSTANTS,
    ROWS_IF_NAMED,
    ROWS_IF_STALE,
    ROWS_IF_UNNAMED,
    WRONG_SCALES,
)
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import direction
from mdbench.vocabulary.statistics import SPREADS

_SAMPLE = 4
_MOST_ROWS = 200
# Products of intervals are a little wider than the sum of their widths.
_GENEROUS = 1.2


class Found(NamedTuple):
    """A law that the rows of a table follow, with the evidence for it."""

    grid: Grid
    law: Law
    evidence: Evidence
    bits: float
    """The evidence of all tables with these headers, with what the headers say."""
    named: bool
    """Whether the headers say that there is such a law."""
    holding: int
    """How many rows of all these tables follow it."""
    failing: int

    @property
    def is_stale(self) -> bool:
        """Whether no row of the table follows what those of all other tables follow."""
        return self.evidence.failing == len(self.evidence.tests) > 1


class _Tried(NamedTuple):
    grid: Grid
    law: Law
    evidence: Evidence
    cost: float
    wanted: Wanted


def find_arithmetic(sheets: Iterable[Sheet]) -> tuple[Found, ...]:
    """The laws that the lines of the tables follow."""
    grids = [grid for sheet in sheets for grid in read_grids(sheet)]
    tried = [one for grid in grids for at in range(len(grid.lines)) for one in _try_line(grid, at)]
    pooled: dict[tuple[object, ...], list[_Tried]] = defaultdict(list)
    for one in tried:
        pooled[one.law.signature(one.grid)].append(one)
    by_names: dict[tuple[object, ...], list[Grid]] = defaultdict(list)
    for grid in grids:
        by_names[_names(grid)].append(grid)
    for members in pooled.values():
        members.extend(_in_sister_tables(members, by_names[_names(members[0].grid)]))
    believed = [found for members in pooled.values() for found in _believe(members)]
    return tuple(_leave_out_weak(believed))


def _names(grid: Grid) -> tuple[object, ...]:
    return grid.by_rows, tuple(line.name for line in grid.lines)


def _in_sister_tables(members: Sequence[_Tried], sisters: Sequence[Grid]) -> Iterator[_Tried]:
    """The same law in the tables with the same headers where it did not look promising."""
    first = members[0]
    known = {one.grid.sheet.number for one in members}
    if first.law.free or len(sisters) == len(known):
        return
    for grid in sisters:
        if grid.sheet.number in known:
            continue
        law = _move(first.law, grid)
        result = grid.lines[first.law.result]
        if law is not None:
            evidence = weigh(grid, law, [*result.numbers][:_MOST_ROWS])
            if evidence.tests:
                yield _Tried(grid, law, evidence, first.cost, first.wanted)


def _move(law: Law, grid: Grid) -> Law | None:
    """A law of one table as that of another one with the same lines."""
    if law.base is None:
        return law
    source = grid.lines[next(term.line for term in law.terms if term.at_base)]
    for base in find_bases(grid, grid.lines[law.result], source):
        if base.kind == law.base.kind:
            return law._replace(base=base)
    return None


def _leave_out_weak(believed: Iterable[Found]) -> Iterator[Found]:
    """The laws of each line without those that others explain better."""
    lines: dict[tuple[int, bool, int], list[Found]] = defaultdict(list)
    for one in believed:
        lines[one.grid.sheet.number, one.grid.by_rows, one.law.result].append(one)
    for several in lines.values():
        ranked = sorted(several, key=lambda one: -one.bits)
        best = ranked[0]
        yield best
        for one in ranked[1:MOST_READINGS]:
            # Two readings that blame different rows: what one explains, the other must not blame.
            apart = not _lines_of(one.law) & _lines_of(best.law)
            alike = one.law.shape is best.law.shape and one.law.constant == best.law.constant
            if apart and alike and one.bits >= best.bits / 2:
                yield one


def _lines_of(law: Law) -> frozenset[int]:
    return frozenset(term.line for term in law.terms)


def _believe(members: Sequence[_Tried]) -> Iterator[Found]:
    first = members[0]
    words = prior(first.grid, first.law, first.wanted)
    if first.law.free:
        # Each table has a constant of its own, so each stands for itself.
        for one in members:
            yield from _believe_all([one], words)
    else:
        yield from _believe_all(members, words)


def _believe_all(members: Sequence[_Tried], words: float) -> Iterator[Found]:
    holding = sum(one.evidence.holding for one in members)
    failing = sum(one.evidence.failing for one in members)
    first = members[0]
    bits = sum(one.evidence.bits for one in members) + words - first.cost
    named = words > 0
    enough = BITS_IF_NAMED if named else BITS_IF_UNNAMED
    rows = ROWS_IF_NAMED if named else ROWS_IF_UNNAMED
    if named and bits >= BITS_IF_FEW:
        # Where all rows follow, nobody is blamed.
        rows = ROWS_IF_NAMED - 1 if failing else 1
    if first.grid.by_rows and first.law.shape in first.wanted.shapes:
        # A total of many numbers that holds to the last digit is no chance.
        rows = 1
    most = MOST_FAILING if not first.law.free else MOST_FAILING / 2
    if named and first.law.shape in first.wanted.shapes:
        most = 0.5
    # Of three rows, one may be wrong.
    many = failing > most * (holding + failing) and not (failing == 1 and holding > 1)
    if bits < enough or holding < rows or many:
        return
    for one in members:
        alone = len(one.evidence.tests) == 1 and holding >= ROWS_IF_NAMED
        # A table that wholly disagrees with the others is one mistake, not many.
        whole = one.evidence.failing == len(one.evidence.tests) > 1
        stale = named and whole and holding >= ROWS_IF_STALE
        if alone or stale or one.evidence.failing <= one.evidence.holding:
            yield Found(one.grid, one.law, one.evidence, bits, named, holding, failing)


def _try_line(grid: Grid, at: int) -> Iterator[_Tried]:
    """The laws that may give a line, and that some of its rows follow."""
    result = grid.lines[at]
    wanted = wanted_of(result)
    if result.is_setting or not result.title or _is_numbering(result):
        return
    if grid.by_rows and not wanted.derived:
        return
    rows = [*result.numbers][:_MOST_ROWS]
    sample = _some(rows)
    sources = _sources(grid, at)
    count = 0
    promising: list[Law] = []
    for law in _candidates(grid, at, sources, wanted):
        count += 1
        if _is_promising(grid, law, sample):
            promising.append(law)
    cost = math.log2(max(count, 1))
    for law in promising:
        known = law.baseline.measurement.run if law.baseline is not None else -1
        evidence = weigh(grid, law, rows if known in (-1, *rows) else [known, *rows])
        if evidence.holding:
            yield _Tried(grid, law, evidence, cost, wanted)


def _sources(grid: Grid, at: int) -> list[int]:
    """The lines that a line may be computed from, the nearest first."""
    result = grid.lines[at]
    count = len(result.numbers)
    needed = max(1, min(COMPLETE_SHARE * count, count - 1))
    found = [
        other
        for other, line in enumerate(grid.lines)
        if other != at
        and sum(row in line.numbers for row in result.numbers) >= needed
        and not _is_numbering(line)
        and line.place[1] == 0
        and _may_be_source(result, line)
    ]
    most = len(found) if grid.by_rows else MOST_SOURCES
    return sorted(found, key=lambda other: (abs(other - at), other > at))[:most]


def _may_be_source(result: Line, line: Line) -> bool:
    """Whether a line may be computed from another: nothing is computed from comparisons.

    Only an efficiency is: it is the speed-up of a device. And of several statistics of one
    quantity, none is computed from another: they are only near each other.
    """
    if line.header.statistic in SPREADS and not wanted_of(result).ratio:
        return False
    if wanted_of(line).is_comparison and not line.is_setting:
        return _is_named(result, "efficiency") and _is_named(line, "speedup")
    one, other = result.header, line.header
    if not other.statistic and wanted_of(result).shapes:
        return True
    both = one.statistic != other.statistic and one.quantity == other.quantity
    return not (both and one.quantity is not None)


def _is_named(line: Line, name: str) -> bool:
    return line.header.quantity is not None and line.header.quantity.name == name


def _is_numbering(line: Line) -> bool:
    """Whether a line only counts the rows."""
    values = [number.value for number in line.numbers.values()]
    return len(values) > 2 and values in (
        list(range(1, len(values) + 1)),
        list(range(len(values))),
    )


def _is_promising(grid: Grid, law: Law, sample: Sequence[int]) -> bool:
    """Whether half of some rows seem to follow a law."""
    tested = holding = 0
    for row in sample:
        holds = _seems_to_hold(grid, law, row)
        if holds is not None:
            tested += 1
            holding += holds
            if holding == 2:
                return True
    return 2 * holding >= tested > 0


def _seems_to_hold(grid: Grid, law: Law, row: int) -> bool | None:
    """A quick look that may take a near miss for a hit, but never overlooks a hit."""
    if law.shape not in MONOMIALS or law.larger or law.turned:
        test = test_row(grid, law, row)
        return None if test is None else test.holds
    printed = grid.lines[law.result].numbers.get(row)
    base = law.base.rows.get(row, row) if law.base is not None else row
    if printed is None or (law.base is not None and base == row):
        return None
    product, doubt = law.constant[0], 1 - law.constant[0] / law.constant[1]
    for line, power, at_base in law.terms:
        number = grid.lines[line].numbers.get(base if at_base else row)
        if number is None or number.value <= 0:
            return None
        product = product * number.value if power > 0 else product / number.value
        doubt += number.doubt
    room, last = product * doubt * _GENEROUS, abs(printed.cut - printed.value)
    if law.shape is Shape.CHANGE:
        product -= 1
    elif law.shape is Shape.SAVED:
        product = 1 - product
    product *= law.scale
    return abs(product - printed.value) <= room * law.scale + DEAD_ZONE * abs(product) + last


def _some(rows: Sequence[int]) -> Sequence[int]:
    """A few rows from all over a table."""
    return rows[:: max(1, len(rows) // _SAMPLE)][: _SAMPLE + 1]


def _candidates(grid: Grid, at: int, sources: Sequence[int], wanted: Wanted) -> Iterator[Law]:
    yield from _lists(grid, at, sources, wanted)
    result = grid.lines[at]
    if wanted.listed:
        return
    if wanted.is_comparison or result.dimension == "ratio":
        yield from _compare(grid, at, sources, wanted)
    if not (wanted.is_comparison or grid.by_rows or result.header.statistic):
        yield from _with_constant(grid, at, sources)
    elif wanted.change:
        yield from _differences(grid, at, sources)


def _compare(grid: Grid, at: int, sources: Sequence[int], wanted: Wanted) -> Iterator[Law]:
    """Ratios and changes of two lines, or against a baseline row."""
    result = grid.lines[at]
    turned = _turned(result)
    larger = wanted.ratio and all(one.value >= 1 for one in result.numbers.values())
    percent = result.dimension == "ratio" and _has_percent(result)
    signed = _has_signs(result)
    laws = chain(_pairs(grid, at, sources), _to_base(grid, at, sources), _agreed(grid, at, sources))
    for law in laws:
        if signed and law.shape is Shape.PRODUCT:
            # `+20%` says how much more it is, not how many times.
            continue
        if percent and law.shape is Shape.PRODUCT and law.scale == 1:
            yield law._replace(scale=0.01)
        if law.shape is Shape.PRODUCT and turned:
            yield law._replace(turned=turned)
        else:
            yield law
            plain = law.shape is Shape.PRODUCT and law.base is None and not law.free
            if larger and plain and law.terms[0] < law.terms[1]:
                yield law._replace(larger=True)


def _agreed(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Ratios and changes to a baseline that the rows agree on, whatever the baseline row has."""
    result = grid.lines[at]
    for source in sources:
        if not grid.lines[source].is_setting:
            for power in (1, -1):
                for shape in (Shape.PRODUCT, Shape.CHANGE, Shape.SAVED):
                    yield from _fit(grid, result, Law(shape, at, (Term(source, power),)))


def _has_percent(line: Line) -> bool:
    return any("%" in number.measurement.cell.raw for number in line.numbers.values())


def _has_signs(line: Line) -> bool:
    texts = (number.measurement.numeral.text.lstrip() for number in line.numbers.values())
    return any(text[:1] in "+-\u2212" for text in texts)


def _turned(line: Line) -> frozenset[int]:
    """The rows that say less where others say more: `6.6x faster` beside `1.2x slower`."""
    told = {
        row: direction(number.measurement.numeral.note)
        for row, number in line.numbers.items()
        if number.measurement.numeral.note
    }
    if not {1, -1} <= set(told.values()):
        return frozenset()
    return frozenset(row for row, way in told.items() if way < 0)


def _pairs(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Ratios and changes of two lines."""
    for above in sources:
        for below in sources:
            if above == below:
                continue
            terms = Term(above), Term(below, -1)
            if not _alike(grid.lines[above], grid.lines[below]):
                yield Law(Shape.PRODUCT, at, terms)
                continue
            for shape in (Shape.PRODUCT, Shape.CHANGE, Shape.SAVED):
                yield Law(shape, at, terms)
                yield Law(shape, at, terms, scale=100.0)
            for scale in WRONG_SCALES:
                yield Law(Shape.PRODUCT, at, terms, scale=scale)


def _differences(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Differences of two lines of one kind, or to a baseline row."""
    unsigned = all(number.value >= 0 for number in grid.lines[at].numbers.values())
    for above in sources:
        # Points are printed without the sign of what they are the difference of.
        percent = grid.lines[above].dimension == "ratio" != grid.lines[at].dimension
        points = 100.0 if percent else 1.0
        for below in sources:
            if above != below and _alike(grid.lines[above], grid.lines[below]):
                law = Law(Shape.SUM, at, (Term(above), Term(below, -1)), scale=points)
                yield law
                if unsigned and above < below:
                    yield law._replace(larger=True)
        for base in find_bases(grid, grid.lines[at], grid.lines[above]):
            for sign in (1, -1):
                terms = Term(above, sign), Term(above, -sign, at_base=True)
                yield Law(Shape.SUM, at, terms, base, scale=points)


def _alike(one: Line, other: Line) -> bool:
    return not (one.dimension and other.dimension) or one.dimension == other.dimension


def _to_base(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Ratios and changes against a baseline row, and by device."""
    counts = [other for other in sources if grid.lines[other].is_setting]
    for source in sources:
        if grid.lines[source].is_setting:
            continue
        for base in find_bases(grid, grid.lines[at], grid.lines[source]):
            for power in (1, -1):
                terms = Term(source, power), Term(source, -power, at_base=True)
                for shape in (Shape.PRODUCT, Shape.CHANGE, Shape.SAVED):
                    yield Law(shape, at, terms, base)
                for count in counts:
                    by = Term(count, -1), Term(count, 1, at_base=True)
                    yield Law(Shape.PRODUCT, at, (*terms, *by), base)


def _lists(grid: Grid, at: int, sources: Sequence[int], wanted: Wanted) -> Iterator[Law]:
    """Sums and means of the lines before it, or of all others."""
    if grid.by_rows:
        before = [other for other in range(at) if other in sources]
        spans = [before, _since_last(grid, before)]
    else:
        left = [other for other in sorted(sources) if other < at and _adds(grid, at, other)]
        right = [other for other in sorted(sources) if other > at and _adds(grid, at, other)]
        spans = [left, right, left[-2:], left[-3:], right[:2], [*left, *right]]
    plain = not grid.by_rows and not grid.lines[at].header.statistic
    shapes = wanted.shapes or ((Shape.SUM,) if plain else ())
    seen: set[tuple[int, ...]] = set()
    # An F1 score lies between two others, but is not their mean.
    fewest = 3 if "score" in grid.lines[at].title.casefold() else 2
    for span in spans:
        chosen = tuple(other for other in span if not grid.lines[other].header.statistic)
        if len(chosen) >= fewest and chosen not in seen:
            seen.add(chosen)
            for shape in shapes:
                yield Law(shape, at, tuple(map(Term, chosen)))


def _since_last(grid: Grid, before: Sequence[int]) -> list[int]:
    """The rows since the last total."""
    found: list[int] = []
    for other in before:
        if wanted_of(grid.lines[other]).listed:
            found.clear()
        else:
            found.append(other)
    return found


def _adds(grid: Grid, at: int, other: int) -> bool:
    """Whether a line may be a part of another: it is measured in the same unit."""
    result, part = grid.lines[at], grid.lines[other]
    return part.dimension == result.dimension and part.is_setting == result.is_setting


def _with_constant(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Products of one or two lines with a constant that the rows agree on."""
    result = grid.lines[at]
    for one in sources:
        for power in (1, -1):
            yield from _fit(grid, result, Law(Shape.PRODUCT, at, (Term(one, power),)))
    for place, one in enumerate(sources):
        for other in sources[place + 1 :]:
            for powers in ((1, 1), (1, -1), (-1, 1)):
                terms = Term(one, powers[0]), Term(other, powers[1])
                yield from _fit(grid, result, Law(Shape.PRODUCT, at, terms))


def _fit(grid: Grid, result: Line, law: Law) -> Iterator[Law]:
    """The law with the constant that most rows lead to, if it is one that people use."""
    if not _may_agree(grid, result, law):
        return
    intervals = []
    for row, printed in list(result.numbers.items())[:_MOST_ROWS]:
        operands = law.operands(grid, row)
        if operands is None:
            continue
        inverse = [(-term.power, number.low, number.high) for term, number in operands]
        found = multiply([(1, *_as_product(law.shape, printed)), *inverse])
        if found is not None:
            intervals.append(found)
    agreed = agree(intervals) if len(intervals) > 2 else None
    if agreed is None or 2 * agreed.support < len(intervals):
        return
    if wanted_of(result).is_comparison:
        agreed_on = agreed.low, agreed.high
        yield law._replace(constant=agreed_on, free=True, baseline=find_baseline(result))
        return
    like = any(
        term.power > 0 and grid.lines[term.line].dimension == result.dimension for term in law.terms
    )
    for nice in NICE_CONSTANTS:
        if agreed.low <= nice <= agreed.high:
            same = nice == 1 and law.terms[0].power > 0
            if len(law.terms) > 1 or not (like or same):
                yield law._replace(constant=(nice, nice))
            return
    if like:
        # What is measured in one unit is often nearly in proportion, and never computed so.
        return
    yield law._replace(constant=(agreed.low, agreed.high), free=True)


def _as_product(shape: Shape, printed: Number) -> tuple[float, float]:
    """What the product must be for the result to be what is printed."""
    if shape is Shape.CHANGE:
        return printed.low + 1, printed.high + 1
    return (1 - printed.high, 1 - printed.low) if shape is Shape.SAVED else printed[1:3]


def _may_agree(grid: Grid, result: Line, law: Law) -> bool:
    """Whether two of some rows lead to the same constant."""
    seen: list[tuple[float, float]] = []
    for row in _some(list(result.numbers)):
        printed = result.numbers[row]
        low, high = _as_product(law.shape, printed)
        constant = (low + high) / 2
        if constant <= 0:
            continue
        doubt = (high - low) / constant
        for line, power, _ in law.terms:
            number = grid.lines[line].numbers.get(row)
            if number is None or number.value <= 0:
                break
            constant = constant / number.value if power > 0 else constant * number.value
            doubt += number.doubt
        else:
            room = constant * doubt * _GENEROUS
            if any(abs(constant - one) <= room + other for one, other in seen):
                return True
            seen.append((constant, room))
    return False
