"""What a line of a table may be computed from: everything that a person would try."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from mdbench.diagnosis.arithmetic.bases import find_baseline, find_bases
from mdbench.diagnosis.arithmetic.grid import Grid, Line, Number
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term, multiply
from mdbench.diagnosis.arithmetic.words import Wanted, wanted_of
from mdbench.diagnosis.laws.constants import agree
from mdbench.diagnosis.thresholds import (
    COMPLETE_SHARE,
    GENEROUS,
    MOST_LAW_ROWS,
    MOST_SOURCES,
    NICE_CONSTANTS,
    ROWS_IF_UNNAMED,
    SAMPLED_ROWS,
    WRONG_SCALES,
)
from mdbench.vocabulary.comparisons import direction
from mdbench.vocabulary.statistics import SPREADS

_COUNTED = {"", "count"}
_WORKERS = frozenset(
    ("nodes", "devices", "threads", "cpu_cores", "processes", "sockets", "dp", "instances")
)


def candidates(grid: Grid, at: int, wanted: Wanted) -> Iterator[Law]:
    """The laws that may give a line."""
    sources = _sources(grid, at)
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
    shapes = _shapes(result, wanted, percent=percent)
    laws = chain(
        _pairs(grid, at, sources, shapes),
        _to_base(grid, at, sources, shapes),
        _agreed(grid, at, sources, shapes),
    )
    for law in laws:
        if percent and law.shape is Shape.PRODUCT and law.scale == 1:
            yield law._replace(scale=0.01)
        if law.shape is Shape.PRODUCT and turned:
            yield law._replace(turned=turned)
        else:
            yield law
            plain = law.shape is Shape.PRODUCT and law.base is None and not law.free
            if larger and plain and law.terms[0] < law.terms[1]:
                yield law._replace(larger=True)


def _shapes(result: Line, wanted: Wanted, *, percent: bool) -> tuple[Shape, ...]:
    """Whether numbers may say how many times it is, or how much more or less."""
    if _has_signs(result):
        # `+20%` says how much more it is, not how many times.
        return Shape.CHANGE, Shape.SAVED
    if percent or wanted.change:
        return Shape.PRODUCT, Shape.CHANGE, Shape.SAVED
    return (Shape.PRODUCT,)


def _agreed(grid: Grid, at: int, sources: Sequence[int], shapes: Sequence[Shape]) -> Iterator[Law]:
    """Ratios and changes to a baseline that the rows agree on, whatever the baseline row has."""
    result = grid.lines[at]
    for source in sources:
        if not grid.lines[source].is_setting:
            for power in (1, -1):
                for shape in shapes:
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


def _pairs(grid: Grid, at: int, sources: Sequence[int], shapes: Sequence[Shape]) -> Iterator[Law]:
    """Ratios and changes of two lines."""
    for above in sources:
        for below in sources:
            if above == below:
                continue
            terms = Term(above), Term(below, -1)
            if not _alike(grid.lines[above], grid.lines[below]):
                # An efficiency is a speed-up by threads, but no ratio is one of bytes and seconds.
                units = {grid.lines[one].dimension for one in (at, above, below)}
                if "ratio" not in units or units <= {"ratio", *_COUNTED}:
                    yield Law(Shape.PRODUCT, at, terms)
                continue
            for shape in shapes:
                yield Law(shape, at, terms)
                if grid.lines[at].dimension != "ratio" or shape is Shape.PRODUCT:
                    yield Law(shape, at, terms, scale=100.0)
            for scale in WRONG_SCALES if Shape.PRODUCT in shapes else ():
                yield Law(Shape.PRODUCT, at, terms, scale=scale)


def _differences(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Differences of two lines of one kind, or to a baseline row."""
    unsigned = all(number.value >= 0 for number in grid.lines[at].numbers.values())
    for above in sources:
        # Points are printed without the sign of what they are the difference of.
        percent = grid.lines[above].dimension == "ratio" != grid.lines[at].dimension
        points = 100.0 if percent else _bare_scale(grid.lines[at], grid.lines[above])
        for below in sources:
            if above != below and _alike(grid.lines[above], grid.lines[below]):
                # Without a sign, nobody knows which of two was the larger one.
                terms = Term(above), Term(below, -1)
                if not unsigned or above < below:
                    yield Law(Shape.SUM, at, terms, scale=points, larger=unsigned)
        for base in find_bases(grid, grid.lines[at], grid.lines[above]):
            for sign in (1,) if unsigned else (1, -1):
                terms = Term(above, sign), Term(above, -sign, at_base=True)
                yield Law(Shape.SUM, at, terms, base, scale=points, larger=unsigned)


def _bare_scale(result: Line, source: Line) -> float:
    """Numbers without a unit are in the unit of what they are the difference of."""
    bare = result.header.unit is None and not any(
        number.measurement.numeral.unit for number in result.numbers.values()
    )
    if not bare or result.dimension == source.dimension:
        return 1.0
    own, other = (next(iter(line.numbers.values())).scale for line in (result, source))
    return own / other


def _alike(one: Line, other: Line) -> bool:
    return not (one.dimension and other.dimension) or one.dimension == other.dimension


def _to_base(grid: Grid, at: int, sources: Sequence[int], shapes: Sequence[Shape]) -> Iterator[Law]:
    """Ratios and changes against a baseline row, and by device."""
    counts = [other for other in sources if _is_named(grid.lines[other], *_WORKERS)]
    for source in sources:
        if grid.lines[source].is_setting:
            continue
        for base in find_bases(grid, grid.lines[at], grid.lines[source]):
            for power in (1, -1):
                terms = Term(source, power), Term(source, -power, at_base=True)
                for shape in shapes:
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
    alike = part.dimension == result.dimension or {part.dimension, result.dimension} == _COUNTED
    return alike and part.is_setting == result.is_setting


def _with_constant(grid: Grid, at: int, sources: Sequence[int]) -> Iterator[Law]:
    """Products of one or two lines with a constant that the rows agree on."""
    result = grid.lines[at]
    if len(result.numbers) < ROWS_IF_UNNAMED:
        return
    rows = some_of(list(result.numbers))
    printed = [(result.numbers[row].value, result.numbers[row].doubt) for row in rows]
    columns = {one: _sample(grid.lines[one], rows) for one in sources}
    for one in sources:
        for power in (1, -1):
            if _may_agree(printed, (columns[one], power)):
                yield from _fit(grid, result, Law(Shape.PRODUCT, at, (Term(one, power),)))
    for place, one in enumerate(sources):
        for other in sources[place + 1 :]:
            if all(grid.lines[each].header.quantity is not None for each in (at, one, other)):
                # What is known to follow from two others, the catalogue knows.
                continue
            for powers in ((1, 1), (1, -1), (-1, 1)):
                if _may_agree(printed, (columns[one], powers[0]), (columns[other], powers[1])):
                    terms = Term(one, powers[0]), Term(other, powers[1])
                    yield from _fit(grid, result, Law(Shape.PRODUCT, at, terms))


_Sample = Sequence[tuple[float, float]]
"""Some numbers of a line, each with how far it may be off; 0 where there is none."""


def _sample(line: Line, rows: Sequence[int]) -> _Sample:
    found = (line.numbers.get(row) for row in rows)
    return [(0.0, 0.0) if one is None else (one.value, one.doubt) for one in found]


def _may_agree(printed: _Sample, *factors: tuple[_Sample, int]) -> bool:
    """Whether more than half of some rows lead to the same constant."""
    ends: list[tuple[float, float]] = []
    for at, (value, doubt) in enumerate(printed):
        constant, room = value, doubt
        for column, power in factors:
            factor, more = column[at]
            if factor <= 0:
                break
            constant = constant / factor if power > 0 else constant * factor
            room += more
        else:
            width = abs(constant) * room * GENEROUS
            ends.append((constant - width, constant + width))
    needed = len(ends) // 2 + 1
    for low, high in ends if len(ends) > 1 else ():
        meeting = [1 for least, most in ends if low <= most and least <= high]
        if len(meeting) >= needed:
            return True
    return False


def _fit(grid: Grid, result: Line, law: Law) -> Iterator[Law]:
    """The law with the constant that most rows lead to, if it is one that people use."""
    intervals = []
    for row, printed in list(result.numbers.items())[:MOST_LAW_ROWS]:
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


def _sources(grid: Grid, at: int) -> list[int]:
    """The lines that a line may be computed from, the nearest first."""
    result = grid.lines[at]
    count = len(result.numbers)
    needed = max(1, min(COMPLETE_SHARE * count, count - 1))
    found = [
        other
        for other, line in enumerate(grid.lines)
        if other != at
        and len(result.numbers.keys() & line.numbers.keys()) >= needed
        and not is_numbering(line)
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


def _is_named(line: Line, *names: str) -> bool:
    return line.header.quantity is not None and line.header.quantity.name in names


def is_numbering(line: Line) -> bool:
    """Whether a line only counts the rows."""
    values = [number.value for number in line.numbers.values()]
    return len(values) > 2 and values in (
        list(range(1, len(values) + 1)),
        list(range(len(values))),
    )


def some_of(rows: Sequence[int]) -> Sequence[int]:
    """A few rows from all over a table."""
    return rows[:: max(1, len(rows) // SAMPLED_ROWS)][: SAMPLED_ROWS + 1]
