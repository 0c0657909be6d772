"""What a line of a table may be computed from: everything that a person would try."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.bases import WORKERS, Bases
from mdbench.diagnosis.arithmetic.constants import fit, with_constant
from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.kinds import with_constants
from mdbench.diagnosis.arithmetic.laws import Family, Law, Shape, Term
from mdbench.diagnosis.arithmetic.mixed import compare_metrics
from mdbench.diagnosis.arithmetic.named_formulas import find_named
from mdbench.diagnosis.arithmetic.shares import find_fractions, find_shares
from mdbench.diagnosis.arithmetic.words import Wanted, is_in_other_unit, wanted_of
from mdbench.diagnosis.thresholds import COMPLETE_SHARE, MOST_ADDED, MOST_SOURCES, WRONG_SCALES
from mdbench.numerals.words import Status
from mdbench.vocabulary.comparisons import direction
from mdbench.vocabulary.statistics import SPREADS

_COUNTED = {"", "count"}


def candidates(grid: Grid, at: int, wanted: Wanted, bases: Bases) -> Iterator[Family]:
    """The laws that may give a line."""
    sources = _sources(bases, at, wanted)
    yield from _lists(grid, at, sources, wanted)
    yield from find_named(grid, at)
    result = grid.lines[at]
    for source in sources if not grid.by_rows else ():
        if is_in_other_unit(result, grid.lines[source]):
            yield Family((Term(source),), None, (Law(Shape.PRODUCT, at, ()),))
    for law in with_constants(bases, at, sources):
        yield Family(law.terms, None, (law,))
    if wanted.listed:
        return
    yield from find_fractions(grid, at)
    yield from find_shares(grid, at)
    if grid.has_metrics:
        for law in compare_metrics(grid, at, sources) if wanted.is_comparison else ():
            yield Family(law.terms, None, (law,))
        return
    if wanted.is_comparison or result.dimension == "ratio":
        yield from _compare(grid, at, sources, wanted, bases)
    if not (wanted.is_comparison or grid.by_rows or result.header.statistic):
        for law in with_constant(grid, at, sources):
            yield Family(law.terms, None, (law,))
    elif wanted.change:
        yield from _differences(grid, at, sources, bases)


class _Printed(NamedTuple):
    """How ratios may be printed."""

    percent: bool
    turned: frozenset[int]
    larger: bool = False
    """Whether they may be of the larger number to the smaller one."""

    def ways(self, laws: Iterable[Law]) -> Iterator[Law]:
        """What laws may be if they are printed so."""
        for law in laws:
            if law.shape is not Shape.PRODUCT:
                yield law._replace(turned=self.turned) if self.turned else law
                continue
            if self.percent and law.scale == 1:
                yield law._replace(scale=0.01)
            yield law._replace(turned=self.turned) if self.turned else law
            if self.larger and not self.turned:
                yield law._replace(larger=True)


_Kinds = tuple[tuple[Shape, float], ...]
"""Shapes of laws, each with what the result is multiplied with."""
_RATIO: _Kinds = ((Shape.PRODUCT, 1.0),)
# Above one, a bare number may be a share or per cent.
_SHARE: _Kinds = (*_RATIO, (Shape.PRODUCT, 100.0), (Shape.PRODUCT, 0.01))


@lru_cache(maxsize=1024)
def _ways(at: int, kinds: _Kinds, printed: _Printed) -> tuple[Law, ...]:
    return tuple(printed.ways(Law(shape, at, (), scale=scale) for shape, scale in kinds))


def _compare(
    grid: Grid, at: int, sources: Sequence[int], wanted: Wanted, bases: Bases
) -> Iterator[Family]:
    """Ratios and changes of two lines, or against a baseline row."""
    result = grid.lines[at]
    larger = wanted.ratio and all(one.value >= 1 for one in result.numbers.values())
    percent = result.dimension == "ratio" and _has_percent(result)
    shapes = _shapes(result, wanted, percent=percent)
    printed = _Printed(percent, _turned(result))
    yield from _pairs(grid, at, sources, shapes, (printed._replace(larger=larger), printed))
    yield from _to_base(grid, at, sources, shapes, (printed, bases))
    for law in _agreed(grid, at, sources, shapes):
        yield Family(law.terms, None, tuple(printed.ways((law,))))


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
    counts = _workers(grid, sources) if _is_named(result, "efficiency") else []
    for source in sources:
        if not _is_chosen(grid.lines[source]):
            for term in (Term(source, 1), Term(source, -1)):
                for shape in shapes:
                    yield from fit(grid, result, Law(shape, at, (term,)))
                for count in counts:
                    terms = term, Term(count, -1)
                    yield from fit(grid, result, Law(Shape.PRODUCT, at, terms))


def _is_chosen(line: Line) -> bool:
    """Whether a line holds what was chosen: nobody compares that. A size may have come out."""
    return line.is_setting and line.dimension != "byte"


def _has_percent(line: Line) -> bool:
    return any("%" in number.source.cell.raw for number in line.numbers.values())


def _has_signs(line: Line) -> bool:
    texts = (number.source.numeral.text.lstrip() for number in line.numbers.values())
    return any(text[:1] in "+-\u2212" for text in texts)


def _turned(line: Line) -> frozenset[int]:
    """The rows that say less where others say more: `6.6x faster` beside `1.2x slower`."""
    told = {
        row: direction(number.source.numeral.note)
        for row, number in line.numbers.items()
        if number.source.numeral.note
    }
    if not {1, -1} <= set(told.values()):
        return frozenset()
    return frozenset(row for row, way in told.items() if way < 0)


def _pairs(
    grid: Grid,
    at: int,
    sources: Sequence[int],
    shapes: Sequence[Shape],
    printed: tuple[_Printed, _Printed],
) -> Iterator[Family]:
    """Ratios and changes of two lines, printed in one way if they are in order, or in another."""
    result = grid.lines[at].dimension
    alike = [_ways(at, _kinds_if_alike(result, shapes), one) for one in printed]
    scaled = [_ways(at, _scaled(result, shapes), one) for one in printed]
    divisors = [(below, Term(below, -1), grid.lines[below].dimension) for below in sources]
    for above in sources:
        one, dividend = grid.lines[above].dimension, Term(above)
        for below, divisor, other in divisors:
            if above == below:
                continue
            ways = (scaled if one and other else alike)[above > below]
            if one and other and one != other:
                # An efficiency is a speed-up by threads, but no ratio is one of bytes and seconds.
                units = {result, one}
                units |= set() if _counts_workers(grid.lines[below]) else {other}
                kinds = _SHARE if "ratio" in units else _RATIO
                if kinds is _SHARE and not units <= {"ratio", *_COUNTED}:
                    continue
                ways = _ways(at, kinds, printed[above > below])
            yield Family((dividend, divisor), None, ways)


def _kinds_if_alike(dimension: str, shapes: Sequence[Shape]) -> _Kinds:
    kinds = [
        (shape, scale)
        for shape in shapes
        for scale in (1.0, 100.0)
        if scale == 1 or dimension != "ratio" or shape is Shape.PRODUCT
    ]
    return tuple(kinds)


def _scaled(dimension: str, shapes: Sequence[Shape]) -> _Kinds:
    """The same with wrong scales, which only known units can show."""
    wrong = WRONG_SCALES if Shape.PRODUCT in shapes else ()
    return (*_kinds_if_alike(dimension, shapes), *((Shape.PRODUCT, scale) for scale in wrong))


def _differences(grid: Grid, at: int, sources: Sequence[int], bases: Bases) -> Iterator[Family]:
    """Differences of two lines of one kind, or to a baseline row."""
    unsigned = all(number.value >= 0 for number in grid.lines[at].numbers.values())
    for above in sources:
        scale = _bare_scale(grid.lines[at], grid.lines[above])
        ways = (Law(Shape.SUM, at, (), scale=scale, larger=unsigned),)
        for below in sources:
            if above != below and _alike(grid.lines[above], grid.lines[below]):
                # Without a sign, nobody knows which of two was the larger one.
                terms = Term(above), Term(below, -1)
                if not unsigned or above < below:
                    yield Family(terms, None, ways)
        for base in bases.find(grid.lines[at], grid.lines[above]):
            for sign in (1,) if unsigned else (1, -1):
                terms = Term(above, sign), Term(above, -sign, at_base=True)
                yield Family(terms, base, ways)


def _bare_scale(result: Line, source: Line) -> float:
    """Numbers without a unit are in the unit of what they are the difference of.

    So are points, which are printed without the sign of the percentages.
    """
    bare = result.header.unit is None and not any(
        number.source.numeral.unit for number in result.numbers.values()
    )
    if not bare or result.dimension == source.dimension:
        return 1.0
    own, other = (next(iter(line.numbers.values())).scale for line in (result, source))
    return own / other


def _alike(one: Line, other: Line) -> bool:
    return not (one.dimension and other.dimension) or one.dimension == other.dimension


def _to_base(
    grid: Grid,
    at: int,
    sources: Sequence[int],
    shapes: Sequence[Shape],
    how: tuple[_Printed, Bases],
) -> Iterator[Family]:
    """Ratios and changes against a baseline row, and by device."""
    printed, bases = how
    counts = [(Term(count, -1), Term(count, 1, at_base=True)) for count in _workers(grid, sources)]
    ways = _ways(at, tuple((shape, 1.0) for shape in shapes), printed)
    by_device = _ways(at, _RATIO, printed)
    for source in sources:
        if _is_chosen(grid.lines[source]):
            continue
        ratios = [(Term(source, power), Term(source, -power, at_base=True)) for power in (1, -1)]
        for base in bases.find(grid.lines[at], grid.lines[source]):
            for terms in ratios:
                yield Family(terms, base, ways)
                for by in counts:
                    yield Family((*terms, *by), base, by_device)


def _lists(grid: Grid, at: int, sources: Sequence[int], wanted: Wanted) -> Iterator[Family]:
    """Sums and means of the lines before it, or of all others."""
    plain = not grid.by_rows and not grid.lines[at].header.statistic
    shapes = wanted.shapes or ((Shape.SUM,) if plain else ())
    if not shapes or len(sources) < 2:
        return
    if grid.by_rows:
        before = [other for other in range(at) if other in sources]
        since = rows_since_last(grid, before)
        spans = [before, since, rows_of_group(grid, since)]
    else:
        parts = [other for other in sorted(sources) if _adds(grid, at, other, wanted)]
        left, right = [one for one in parts if one < at], [one for one in parts if one > at]
        endings = _endings(left) if Shape.SUM in wanted.shapes else (left[-2:], left[-3:])
        spans = [left, right, *endings, right[:2], parts]
    seen: set[tuple[int, ...]] = set()
    # An F1 score lies between two others, but is not their mean.
    fewest = 3 if "score" in grid.lines[at].title.casefold() else 2
    for span in spans:
        chosen = tuple(other for other in span if not grid.lines[other].header.statistic)
        if len(chosen) >= fewest and chosen not in seen:
            seen.add(chosen)
            scale = _scale_between(grid.lines[at], grid.lines[chosen[0]])
            ways = [Law(shape, at, (), scale=scale) for shape in shapes]
            yield Family(tuple(map(Term, chosen)), None, ways)


def _endings(before: Sequence[int]) -> Iterator[Sequence[int]]:
    """The last few lines: a total may be one of its section, or of what is behind some settings."""
    return (before[-count:] for count in range(2, min(len(before), MOST_ADDED + 1)))


def _scale_between(result: Line, part: Line) -> float:
    """Where only one of two headers has a unit, it is that of both; points are per cent."""
    if part.dimension == result.dimension != "ratio":
        return 1.0
    mine, theirs = (next(iter(line.numbers.values())).scale for line in (result, part))
    return mine / theirs


def rows_since_last(grid: Grid, before: Iterable[int]) -> list[int]:
    """The rows since the last total."""
    found: list[int] = []
    for other in before:
        if wanted_of(grid.lines[other]).listed:
            found.clear()
        else:
            found.append(other)
    return found


def rows_of_group(grid: Grid, before: Sequence[int]) -> list[int]:
    """The rows since the title of their group."""
    last = grid.lines[before[-1]].place[0] if before else 0
    title = max((row for row in grid.sheet.layout.asides if row < last), default=-1)
    return [other for other in before if grid.lines[other].place[0] > title]


def _adds(grid: Grid, at: int, other: int, wanted: Wanted) -> bool:
    """Whether a line may be a part of another: it is measured in the same unit."""
    result, part = grid.lines[at], grid.lines[other]
    kinds = {part.dimension, result.dimension}
    points = part.dimension == "ratio" and not result.dimension and not _is_compared(part)
    alike = len(kinds) == 1 or kinds == _COUNTED or points
    if wanted.listed:
        # `Run 1 | Run 2 | Average (ms)`: only the last one says in which unit.
        alike = alike or (not part.dimension and result.dimension != "ratio")
    return alike and part.is_setting == result.is_setting


def _is_compared(line: Line) -> bool:
    return wanted_of(line).is_comparison


def _sources(bases: Bases, at: int, wanted: Wanted) -> list[int]:
    """The lines that a line may be computed from, the nearest first."""
    grid = bases.grid
    result = grid.lines[at]
    count = len(result.numbers)
    # A total also counts a row that lacks some numbers: what is missing adds nothing.
    needed = 1 if grid.by_rows else max(1, min(COMPLETE_SHARE * count, count - 1))
    rows = result.numbers.keys()
    found = [
        other
        for other, line in enumerate(grid.lines)
        if other != at
        and line.place[1] == 0
        and not (line.is_numbering and not _counts_workers(line))
        and (
            rows == line.numbers.keys()
            or len(rows & line.numbers.keys()) >= needed
            or (Shape.SUM in wanted.shapes and _lacks_nothing(line, rows))
        )
        and _may_be_source(result, line, (wanted, bases.wanted[other]))
    ]
    most = len(found) if grid.by_rows else MOST_SOURCES
    return sorted(found, key=lambda other: (abs(other - at), other > at))[:most]


def _lacks_nothing(line: Line, rows: Iterable[int]) -> bool:
    """Whether a line has a number or a dash in each row: a dash adds nothing to a total."""
    return all(
        row in line.numbers
        or (row in line.words and line.words[row].numeral.status is Status.MISSING)
        for row in rows
    )


def _may_be_source(result: Line, line: Line, said: tuple[Wanted, Wanted]) -> bool:
    """Whether a line may be computed from another: nothing is computed from comparisons.

    Only an efficiency is: it is the speed-up of a device. And of several statistics of one
    quantity, none is computed from another: they are only near each other.
    """
    wanted, theirs = said
    if line.header.statistic in SPREADS and not wanted.ratio:
        return False
    if theirs.is_comparison and not line.is_setting:
        return _is_named(result, "efficiency") and _is_named(line, "speedup")
    one, other = result.header, line.header
    if not other.statistic and wanted.shapes:
        return True
    both = one.statistic != other.statistic and one.quantity == other.quantity
    return not (both and (one.quantity is not None or (one.statistic and other.statistic)))


def _workers(grid: Grid, sources: Sequence[int]) -> list[int]:
    """The lines that count what shares the work."""
    return [other for other in sources if _counts_workers(grid.lines[other])]


def _counts_workers(line: Line) -> bool:
    return _is_named(line, *WORKERS)


def _is_named(line: Line, *names: str) -> bool:
    return line.header.quantity is not None and line.header.quantity.name in names
