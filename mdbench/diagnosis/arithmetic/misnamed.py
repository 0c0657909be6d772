"""Columns whose numbers are computed well, but not as their headers say.

Two columns that stand in each other's place, a ratio that is upside down, a factor printed as a
percentage: all rows agree with each other, so it is the header that shows the mistake.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.applied import apply_laws
from mdbench.diagnosis.arithmetic.evidence import test_row
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Law, Shape, Term
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.repairs.scales import ScaledColumn
from mdbench.diagnosis.thresholds import WRONG_SCALES
from mdbench.diagnosis.wording import calculation, printed, wanted_text
from mdbench.regex import lazy

_WORD = lazy(r"[a-z0-9]+(?:[./][a-z0-9]+)*")
_DIRECTION = lazy(r"\(?\b([\w. ]{2,20}?) ?(?:\bto\b|->|→|=>| [-–] ) ?([\w. ]{2,24}?)\)?$")
_TIME = frozenset(("s",))
_FEWEST = 2


class Correction(NamedTuple):
    """A number, and what should be printed instead of it."""

    number: Number
    value: float
    text: str | None = None
    """The text of the cell, where it is not only another number."""


class Misnamed(NamedTuple):
    """A column that contradicts its header as a whole."""

    found: Found
    message: str
    corrections: tuple[Correction, ...]
    remedy: str = "recompute all rows"


def find_misnamed(laws: Sequence[Found]) -> Iterator[Misnamed]:
    """The columns that contradict their headers, each once."""
    tables: dict[tuple[int, bool], list[Found]] = defaultdict(list)
    for one in laws:
        tables[one.grid.sheet.number, one.grid.by_rows].append(one)
    for members in tables.values():
        swapped: set[int] = set()
        for one in members:
            if one.law.result in swapped:
                continue
            partner = _partner(one)
            if one.is_stale:
                yield _recompute(one)
            elif partner is not None:
                swapped |= {one.law.result, partner}
                yield _swap(one, partner)
            elif _is_inverted(one):
                yield _invert(one)
            elif _is_factor(one):
                yield _as_factor(one)


def find_scaled_ratios(laws: Sequence[Found]) -> Iterator[ScaledColumn]:
    """The ratios that are off by a constant factor."""
    for one in laws:
        scaled = one.law.shape is Shape.PRODUCT and one.law.scale in WRONG_SCALES
        if scaled and not one.grid.by_rows:
            result = one.grid.lines[one.law.result]
            cells = tuple(number.source for number in result.numbers.values())
            above, below = (one.grid.lines[term.line].title for term in one.law.terms[:2])
            why = f"{above} / {below} × {one.law.scale:g} in {one.evidence.holding} rows"
            yield ScaledColumn(one.grid.sheet, result.header, one.law.scale, cells, why)


def _recompute(found: Found) -> Misnamed:
    tests = [one for one in found.evidence.tests if one.stand is Stand.FAILS]
    corrections = tuple(Correction(one.printed, sum(one.predicted) / 2) for one in tests)
    title = found.grid.lines[found.law.result].title
    what = "columns" if found.grid.by_rows else "rows"
    first = next(one for one in apply_laws([found]) if one.fails)
    wanted = wanted_text(corrections[0].number, corrections[0].value)
    example = f"{printed(first.operands[0].number)} should be {wanted}, {calculation(first)}"
    where = (
        f"in {found.holding} {what}, but not in {len(tests)}"
        if found.is_partly_stale
        else f"in none of the {len(tests)} {what} of this table, but in {found.holding} {what} of "
        "tables with the same headers"
    )
    message = f"{title} follows from the other numbers {where}: {example}"
    return Misnamed(found, message, corrections)


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.casefold()))


def _partner(found: Found) -> int | None:
    """The column that a column was swapped with: each is computed from what the other names."""
    law, grid = found.law, found.grid
    if law.base is None or len({term.line for term in law.terms}) != 1:
        return None
    if law.shape is not Shape.PRODUCT or found.evidence.holding < 1:
        return None
    used = law.terms[0].line
    result = grid.lines[law.result]
    mine = _own_words(grid, law.result, used)
    if not mine:
        return None
    for at, line in enumerate(grid.lines):
        if at == law.result or line.dimension != result.dimension or not wanted_of(line).ratio:
            continue
        theirs = _words(line.title) - _words(result.title)
        if not theirs or not theirs <= _words(grid.lines[used].title):
            continue
        source = _named_source(grid, mine, used)
        if source is not None and _follows(grid, law, at, source):
            return at
    return None


def _own_words(grid: Grid, result: int, used: int) -> frozenset[str]:
    """The words of a result that the line it is computed from does not have, but another has."""
    mine = _words(grid.lines[result].title) - _words(grid.lines[used].title)
    others = [
        _words(line.title)
        for at, line in enumerate(grid.lines)
        if at not in (result, used) and line.dimension == grid.lines[used].dimension
    ]
    return frozenset(word for word in mine if any(word in one for one in others))


def _named_source(grid: Grid, words: frozenset[str], used: int) -> int | None:
    dimension = grid.lines[used].dimension
    fitting = [
        at
        for at, line in enumerate(grid.lines)
        if at != used and line.dimension == dimension and words <= _words(line.title)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _follows(grid: Grid, law: Law, result: int, source: int) -> bool:
    """Whether another result follows the same law of another source."""
    terms = tuple(term._replace(line=source) for term in law.terms)
    other = law._replace(result=result, terms=terms)
    tests = [
        one for row in grid.lines[result].numbers if (one := test_row(grid, other, row)) is not None
    ]
    return bool(tests) and all(one.holds for one in tests)


def _swap(found: Found, partner: int) -> Misnamed:
    lines = found.grid.lines
    one, other = lines[found.law.result], lines[partner]
    corrections = []
    for row, number in one.numbers.items():
        their = other.numbers.get(row)
        if their is not None and their.value != number.value:
            corrections.append(Correction(number, their.value))
            corrections.append(Correction(their, number.value))
    source = lines[found.law.terms[0].line].title
    message = f"{one.title} and {other.title} are swapped: {_example(found)}, from {source}"
    return Misnamed(found, message, tuple(corrections), "swap the numbers of the two columns")


def _example(found: Found) -> str:
    """`1.85 is 37.0 / 20.0`: the calculation of the first row that follows it."""
    shown = next(one for one in apply_laws([found]) if one.test.holds)
    return f"{printed(shown.operands[0].number)} is {calculation(shown)}"


def _is_inverted(found: Found) -> bool:
    """Whether a speed-up from one thing to another is computed from the other to the one."""
    law, grid = found.law, found.grid
    if law.shape is not Shape.PRODUCT or law.base is not None or len(law.terms) != 2 or law.larger:
        return False
    result = grid.lines[law.result]
    quantity = result.header.quantity
    if quantity is None or quantity.name != "speedup" or found.evidence.failing:
        return False
    said = _DIRECTION.search(result.title)
    # `A to B` may mean A as compared with B: only what should be faster and is not, tells.
    slower = all(number.value < 1 for number in result.numbers.values())
    if said is None or not slower or found.evidence.holding < _FEWEST:
        return False
    above, below = (grid.lines[term.line] for term in sorted(law.terms, key=lambda one: -one.power))
    before, after = _words(said[1]), _words(said[2])
    before, after = before - _shared(above, below), after - _shared(above, below)
    if not _tells(before, after, above, below):
        return False
    is_time = above.dimension in _TIME
    is_rate = above.dimension.endswith("/s") or "throughput" in above.title.casefold()
    from_above = bool(before & _words(above.title)) and bool(after & _words(below.title))
    # Of times, the one before is divided by the one after; of rates, the other way round.
    return (is_rate and not is_time and from_above) or (is_time and not from_above)


def _shared(above: Line, below: Line) -> frozenset[str]:
    return _words(above.title) & _words(below.title)


def _tells(before: frozenset[str], after: frozenset[str], above: Line, below: Line) -> bool:
    """Whether each end of `A to B` names one of the two columns, and not both the same."""
    one, other = _words(above.title), _words(below.title)
    straight = bool(before & one) and bool(after & other)
    turned = bool(before & other) and bool(after & one)
    return straight is not turned


def _invert(found: Found) -> Misnamed:
    law, grid = found.law, found.grid
    turned = law._replace(terms=tuple(Term(one.line, -one.power) for one in law.terms))
    result = grid.lines[law.result]
    corrections = tuple(
        Correction(number, sum(expected) / 2)
        for row, number in result.numbers.items()
        if (expected := turned.predict(grid, row)) is not None
    )
    message = f"{result.title} is upside down in all rows: {_example(found)}"
    return Misnamed(found, message, corrections, "invert the ratio in all rows")


def _is_factor(found: Found) -> bool:
    """Whether a ratio is printed with a percent sign, but not as a percentage."""
    if found.law.scale != 0.01 or found.law.shape is not Shape.PRODUCT:
        return False
    numbers = found.grid.lines[found.law.result].numbers.values()
    return any("%" in number.source.cell.raw for number in numbers)


def _as_factor(found: Found) -> Misnamed:
    result = found.grid.lines[found.law.result]
    corrections = tuple(
        Correction(number, number.value, cell.raw.replace("%", "x"))
        for number in result.numbers.values()
        if "%" in (cell := number.source.cell).raw
    )
    message = f"{result.title} has factors with a percent sign: {_example(found)}"
    return Misnamed(found, message, corrections, "write x instead of %")
