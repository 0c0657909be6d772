"""How much the words and units of headers speak for a law, before any row is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.diagnosis.arithmetic.dimensions import composes, count_units
from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Law, Shape
from mdbench.diagnosis.arithmetic.words import (
    Wanted,
    counts_same,
    is_by_tool,
    is_in_other_unit,
    is_old,
    is_part,
    wanted_of,
)
from mdbench.diagnosis.thresholds import (
    ADJACENT_BITS,
    BEFORE_AFTER_BITS,
    NAMED_BITS,
    NAMED_SOURCE_BITS,
    TOOL_BITS,
    UNLIKELY_BITS,
)
from mdbench.regex import lazy

_NAME = lazy(r"[^\s()\[\]/,|+]+")
_WORD = lazy(r"[^\W_]{2,}")
_PRICE = lazy(r"(?:usd|eur)/(?:h|s|device)")
_QUOTIENT = lazy(r"(?i)^(?P<part>.+?) ?(?:/| per ) ?(?P<whole>[^/]+)$")


def prior(grid: Grid, law: Law, wanted: Wanted) -> float:
    """How many bits the words and units are worth for a law."""
    certain = _certain(grid, law, wanted)
    bits = _general(grid, law, wanted)
    bits += _particular(grid, law) if bits > 0 else 0.0
    return max(certain, bits) if certain else bits


def is_said(grid: Grid, law: Law) -> bool:
    """Whether headers leave no doubt that a line is computed from the others.

    A price for an hour is given, and not computed from what it comes to.
    """
    if _PRICE.match(grid.lines[law.result].dimension):
        return False
    if _certain(grid, law, wanted_of(grid.lines[law.result])) == 0:
        return False
    if _quotient(grid, law) is None and _is_quotient_of(grid, law):
        # One of the others is.
        return False
    return not _is_by_units(grid, law) or _has_most_units(grid, law)


def _certain(grid: Grid, law: Law, wanted: Wanted) -> float:
    """What it is worth that headers leave no doubt about a law."""
    result = grid.lines[law.result]
    lines = [grid.lines[term.line] for term in law.terms]
    if law.named or _is_share_of(grid, law, wanted) or _is_quotient_of(grid, law):
        return NAMED_BITS + NAMED_SOURCE_BITS
    summed = law.shape in wanted.shapes
    in_other_unit = len(lines) == 1 and is_in_other_unit(result, lines[0])
    return NAMED_BITS if summed or in_other_unit or _is_by_units(grid, law) else 0.0


def _general(grid: Grid, law: Law, wanted: Wanted) -> float:
    """What it is worth that a header speaks of a comparison, or of something else."""
    result = grid.lines[law.result]
    lines = [grid.lines[term.line] for term in law.terms]
    compared = len(law.terms) > 1 or law.free
    alike = len({line.dimension for line in lines}) == 1
    is_ratio = compared and alike and law.shape is not Shape.SUM
    is_change = law.shape in (Shape.CHANGE, Shape.SAVED, Shape.SUM) and wanted.change
    is_change = is_change or (law.part is not None and wanted.is_comparison)
    is_share = is_part(result)
    of_whole = not compared and law.constant != (1.0, 1.0) and is_share
    wanted_ratio = wanted.ratio or (is_share and not law.free)
    if is_change or of_whole or (is_ratio and law.shape is Shape.PRODUCT and wanted_ratio):
        return NAMED_BITS
    if law.shape is Shape.PRODUCT and wanted.ratio and any(line.is_setting for line in lines):
        return NAMED_BITS / 2
    something_else = is_ratio and result.dimension not in ("", "ratio")
    return -UNLIKELY_BITS if not law.exact and (wanted.derived or something_else) else 0.0


def _particular(grid: Grid, law: Law) -> float:
    """What it is worth that a header says what is compared with what."""
    result = grid.lines[law.result]
    lines = [grid.lines[term.line] for term in law.terms]
    title = result.title.casefold()
    bits = 0.0
    named = any(line.title and line.title.casefold() in title for line in lines)
    if named or any(_alone_has_word_of(grid, law.result, term.line) for term in law.terms):
        bits += NAMED_SOURCE_BITS
    if _names_baseline(grid, law):
        bits += NAMED_SOURCE_BITS
    if len(lines) == 2 and law.base is None:
        olds = sum(is_old(line.title) for line in lines)
        if olds == 1 or _names_both(title, *(line.title.casefold() for line in lines)):
            bits += BEFORE_AFTER_BITS
    if min(abs(term.line - law.result) for term in law.terms) == 1:
        bits += ADJACENT_BITS
    return bits + TOOL_BITS if is_by_tool(grid, law) else bits


def _alone_has_word_of(grid: Grid, result: int, source: int) -> bool:
    """Whether a header has a word that only one other header has: `cold vs A`, `cold build`."""
    shared = _words(grid.lines[result].title) & _words(grid.lines[source].title)
    others = (line for at, line in enumerate(grid.lines) if at not in (result, source))
    return bool(shared.difference(*(_words(line.title) for line in others)))


def _names_baseline(grid: Grid, law: Law) -> bool:
    """Whether a header names the row that all are compared with, and no other: `vs net/http`."""
    rows = set(law.base.rows.values()) if law.base is not None else set()
    if len(rows) != 1:
        return False
    title = _words(grid.lines[law.result].title)
    shared = {row: title & _words(label) for row, label in grid.labels.items()}
    mine = shared.pop(rows.pop(), frozenset())
    return bool(mine) and not any(mine <= one for one in shared.values())


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.casefold()))


def _is_by_units(grid: Grid, law: Law) -> bool:
    """Whether the unit of a line is made of those of others: `GB/s` beside `GB` and `s`."""
    plain = law.shape is Shape.PRODUCT and law.constant == (1.0, 1.0) and law.base is None
    if not plain or len(law.terms) < 2:
        return False
    factors = ((_dimension(grid.lines[term.line]), term.power) for term in law.terms)
    return composes(grid.lines[law.result].dimension, *factors)


def _dimension(line: Line) -> str:
    """The dimension of a line; whole numbers without a unit count something."""
    if line.dimension:
        return line.dimension
    whole = all(number.source.numeral.quantum == 1 for number in line.numbers.values())
    return "count" if whole else ""


def _has_most_units(grid: Grid, law: Law) -> bool:
    """Whether the unit of the result is made of the others, and not one of them of it."""
    most = max(count_units(grid.lines[term.line].dimension) for term in law.terms)
    return count_units(grid.lines[law.result].dimension) > most


def _is_share_of(grid: Grid, law: Law, wanted: Wanted) -> bool:
    """Whether a line is a share of what it is called after: `err %` beside `errors`."""
    pair = None if wanted.derived else _quotient(grid, law)
    if pair is None:
        return False
    result, (part, whole) = grid.lines[law.result], pair
    counts = {part.dimension, whole.dimension} <= {"", "count"}
    return result.dimension == "ratio" and counts and counts_same(result, part)


def _is_quotient_of(grid: Grid, law: Law) -> bool:
    """Whether a header is made of those of two others: `rps/vCPU` beside `max rps` and `vCPU`."""
    result = grid.lines[law.result]
    if (pair := _quotient(grid, law)) is not None:
        return _is_made_of(result, *pair)
    plain = law.shape is Shape.PRODUCT and not law.free and law.base is None
    if not plain or [term.power for term in law.terms] != [1, 1]:
        return False
    one, other = (grid.lines[term.line] for term in law.terms)
    return _is_made_of(one, result, other) or _is_made_of(other, result, one)


def _is_made_of(line: Line, part: Line, whole: Line) -> bool:
    match = _QUOTIENT.search(line.title.casefold())
    if match is None:
        return False
    return _is_called(part, match["part"]) and _is_called(whole, match["whole"])


def _quotient(grid: Grid, law: Law) -> Sequence[Line] | None:
    """The two lines of which a law is the quotient."""
    plain = law.shape is Shape.PRODUCT and not law.free and law.base is None
    if not plain or sorted(term.power for term in law.terms) != [-1, 1]:
        return None
    return [grid.lines[one.line] for one in sorted(law.terms, key=lambda one: -one.power)]


def _is_called(line: Line, name: str) -> bool:
    """Whether a line is called by a name, in the singular or the plural."""
    words = _NAME.findall(line.title.casefold())
    wanted = _NAME.findall(name)
    short = [[word.removesuffix("s") for word in each] for each in (words, wanted)]
    return bool(wanted) and short[0][-len(wanted) :] == short[1]


def _names_both(title: str, one: str, other: str) -> bool:
    """Whether a title has the words that tell two others apart: `Speedup (FP32 to FP16)`."""
    mine, theirs = frozenset(_NAME.findall(one)), frozenset(_NAME.findall(other))
    apart = (mine - theirs, theirs - mine)
    return all(apart) and (mine ^ theirs) <= frozenset(_NAME.findall(title))
