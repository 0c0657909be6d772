"""Lines whose titles are the name of a formula: an F1 score, a range, an average of calls."""

from collections.abc import Iterator
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Family, Law, Shape, Term
from mdbench.regex import lazy
from mdbench.vocabulary.statistics import statistic_of

_UNITS = lazy(r" ?[(\[][^()\[\]]*[)\]]")
_F1 = lazy(r"(?i)^(?:.{1,20} )?f1(?:[- ]?(?:score|measure))?$|^f[- ]?(?:score|measure)$")
_PRECISION = lazy(r"(?i)precision|\bprec\b\.?|(?:^|\s)p$|精确率|查准率|適合率|précision|präzision")
_RECALL = lazy(r"(?i)recall|\brec\b\.?|(?:^|\s)r$|召回率|查全率|再現率|rappel|trefferquote")
_TOTAL = lazy(r"(?i)^(?:total|sum)\b|\btotal$")
_AVERAGE = lazy(r"(?i)^(?:avg|average|mean)\b|\b(?:avg|average|mean)$")
_COUNT = lazy(
    r"(?i)^(?:#|n|(?:# ?|no\.? of |number of |num )?(?:calls|count|counts|runs|iterations|samples|"
    r"requests|invocations|hits|queries|items|ops|events))$"
)
_SUMMED = lazy(r"^\w[^+|]{0,30}(?: ?\+ ?\w[^+|]{0,30}){1,4}$")
_RANGE = lazy(r"(?i)^(?:range|spread|max ?[-−–] ?min)$")


class _Formula(NamedTuple):
    shape: Shape
    terms: tuple[Term, ...]


def find_named(grid: Grid, at: int) -> Iterator[Family]:
    """The formula that the title of a line names, if the table has one line for each part."""
    title = _bare(grid.lines[at])
    names = (_F1, _RANGE, _AVERAGE, _SUMMED)
    if grid.by_rows or not any(one.search(title) for one in names):
        return
    others = {
        other: _bare(line)
        for other, line in enumerate(grid.lines)
        if other != at and line.place[1] == 0
    }
    found: _Formula | None = None
    if _SUMMED.search(title):
        found = _sum(title, others)
    elif _F1.search(title):
        found = _harmonic(others)
    elif _RANGE.search(title):
        found = _difference(grid, others)
    else:
        found = _quotient(grid, at, others)
    if found is not None:
        law = Law(found.shape, at, (), scale=_scale(grid, at, found), named=True)
        yield Family(found.terms, None, (law,))


def _scale(grid: Grid, at: int, found: _Formula) -> float:
    """A sum under a header without a unit is in the unit of its parts."""
    result, part = grid.lines[at], grid.lines[found.terms[0].line]
    if found.shape is not Shape.SUM or result.dimension or not part.dimension:
        return 1.0
    return 1 / next(iter(part.numbers.values())).scale


def _bare(line: Line) -> str:
    return _UNITS.sub("", line.title).strip()


def _sum(title: str, titles: dict[int, str]) -> _Formula | None:
    """`enc + dec` beside `enc` and `dec`."""
    wanted = [part.strip().casefold() for part in title.split("+")]
    parts = [[at for at, one in titles.items() if one.casefold() == name] for name in wanted]
    if any(len(one) != 1 for one in parts):
        return None
    return _Formula(Shape.SUM, tuple(Term(one[0]) for one in parts))


def _harmonic(titles: dict[int, str]) -> _Formula | None:
    parts = [
        [at for at, title in titles.items() if name.search(title) is not None]
        for name in (_PRECISION, _RECALL)
    ]
    if any(len(one) != 1 for one in parts):
        return None
    return _Formula(Shape.HARMONIC, tuple(Term(one[0]) for one in parts))


def _difference(grid: Grid, titles: dict[int, str]) -> _Formula | None:
    ends = [
        [at for at in titles if name in (grid.lines[at].header.statistic, statistic_of(titles[at]))]
        for name in ("max", "min")
    ]
    if any(len(one) != 1 for one in ends):
        return None
    return _Formula(Shape.SUM, (Term(ends[0][0]), Term(ends[1][0], -1)))


def _quotient(grid: Grid, at: int, titles: dict[int, str]) -> _Formula | None:
    """The average of calls: their total by their number."""
    alike = grid.lines[at].dimension
    totals = [
        other
        for other, title in titles.items()
        if _TOTAL.search(title) and grid.lines[other].dimension == alike
    ]
    counts = [other for other, title in titles.items() if _COUNT.search(title)]
    if not alike or len(totals) != 1 or len(counts) != 1:
        return None
    return _Formula(Shape.PRODUCT, (Term(totals[0]), Term(counts[0], -1)))
