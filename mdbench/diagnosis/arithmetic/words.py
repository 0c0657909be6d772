"""What the headers say about the arithmetic of a table."""

from functools import lru_cache
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import Law, Shape
from mdbench.numerals.units import Unit
from mdbench.regex import lazy
from mdbench.vocabulary.comparisons import COMPARING, compares
from mdbench.vocabulary.statistics import statistic_of

_RATIO = lazy(
    r"(?i)\b(?:speed-?ups?|ratio|relative|factor|faster|slower|efficiency|scaling|times)\b|加速比|倍|相对"
)
_CHANGE = lazy(r"(?i)\b(?:improvement|reduction|gain|savings?|saved|overhead|change|loss|drop)\b")
_OLD = lazy(
    r"(?i)\b(?:before|baseline|original|old|unoptimi[sz]ed|naive|without|w/o|previous)\b|优化前|原始|改善前"
)
_LISTED = {
    "total": (Shape.SUM,),
    "mean": (Shape.MEAN,),
    "geomean": (Shape.GEOMEAN,),
    "median": (Shape.MEDIAN,),
    "std": (Shape.DEVIATION,),
}
_TOTAL = lazy(r"(?i)^(?:grand )?total\b|\btotal$|^sum\b|\bsum$|^合计|^总")
_SHARE = lazy(
    r"(?i)\bshare\b|(?:%|\bpercent(?:age)?|\bfraction) of\b|^% [^\W\d_]|"
    r"\bproportion\b|占比|割合|비중"
)
_RATE = lazy(r"(?i)\brate\b|率$|율$")
_WORD = lazy(r"[^\W_]+")
_NAME = lazy(r"[^\s()\[\]/,|]+")
_RATIOS = COMPARING | {"variation"}
_STEM = 3
_HYPERFINE = ["Command", "Mean", "Min", "Max", "Relative"]
_BENCHMARKDOTNET = frozenset(("Method", "Mean", "Error", "Ratio"))
_AVERAGE = lazy(r"(?i)\b(?:avg|average|mean|score|overall)\b|平均")


class Wanted(NamedTuple):
    """What a header says that its numbers are computed from others."""

    ratio: bool = False
    change: bool = False
    shapes: tuple[Shape, ...] = ()
    """The ways in which it sums up others."""
    listed: bool = False
    """Whether it sums up others, and nothing else."""

    @property
    def derived(self) -> bool:
        """Whether it says anything of the kind."""
        return self.ratio or self.change or bool(self.shapes)

    @property
    def is_comparison(self) -> bool:
        """Whether it compares numbers with others."""
        return self.ratio or self.change


def wanted_of(line: Line) -> Wanted:
    """What the title of a line says."""
    quantity = line.header.quantity
    return _wanted(line.title, quantity.name if quantity is not None else "", line.header.statistic)


def says_derived(title: str) -> bool:
    """Whether a title alone says that its numbers are computed from others."""
    return _wanted(title, "", "").derived


@lru_cache(maxsize=4096)
def _wanted(title: str, name: str, said: str) -> Wanted:
    if says_share(title):
        # `% of total` is not the total.
        return Wanted()
    ratio = name in _RATIOS or _RATIO.search(title) is not None
    change = name in ("change", "difference") or compares(title)
    # The loss of a model is a score, and no change.
    change = change or (name != "loss" and _CHANGE.search(title) is not None)
    statistic = statistic_of(title) or said
    shapes = _LISTED.get(statistic, ())
    if not shapes and _AVERAGE.search(title) is not None:
        shapes = (Shape.MEAN,)
    # `Avg speedup` is an average, or the speed-up of averages.
    listed = bool(shapes) and name not in ("speedup", "relative")
    if not shapes and _TOTAL.search(title) is not None:
        # `Total tokens/s` may just as well be a product.
        shapes = (Shape.SUM,)
    return Wanted(ratio and not listed, change and not listed, shapes, listed)


def is_old(title: str) -> bool:
    """Whether a header says that others are compared with it: `Before`, `Baseline`."""
    return _OLD.search(title) is not None


def is_in_other_unit(one: Line, other: Line) -> bool:
    """Whether two headers differ in nothing but their units: `Time (s)` and `Time (ms)`.

    A header that is nothing but a unit says so of the one beside it: `Rate in Mbit/s` and `MB/s`.
    """
    mine, theirs = one.header.unit, other.header.unit
    if mine is None or theirs is None or mine.scale == theirs.scale:
        return False
    if mine.dimension != theirs.dimension:
        return False
    words, others = _words_beside(one, mine), _words_beside(other, theirs)
    beside = abs(one.place[0] - other.place[0]) == 1
    if beside and not (words or others):
        return True
    if one.header.quantity != other.header.quantity:
        return False
    if one.header.statistic == other.header.statistic and words == others:
        return True
    return beside and not (words and others)


def _words_beside(line: Line, unit: Unit) -> frozenset[str]:
    """The words of a title without those of its unit."""
    words = frozenset(_WORD.findall(line.title.casefold()))
    return words.difference(_WORD.findall(unit.text.casefold()), {"in"})


def counts_same(one: Line, other: Line) -> bool:
    """Whether two lines are of the same things, counted and by time: `Requests` and `req/s`."""
    short, long = sorted((one.dimension, other.dimension), key=len)
    if long == f"{short}/s":
        return True
    mine, theirs = (_WORD.findall(line.title.casefold()) for line in (one, other))
    return any(
        len(word) >= _STEM and len(another) >= _STEM and word[:_STEM] == another[:_STEM]
        for word in mine
        for another in theirs
    )


def says_average(title: str) -> bool:
    """Whether a row is called an average: `Mean`, `Geomean`."""
    return statistic_of(title) in ("mean", "geomean") or _AVERAGE.search(title) is not None


def says_share(title: str) -> bool:
    """Whether a title says that its numbers are shares of a whole: `% of total`."""
    return _SHARE.search(title) is not None


def is_part(line: Line) -> bool:
    """Whether a title says that its percentages are of something: `% of peak`, `error rate`."""
    if line.dimension != "ratio" or wanted_of(line).derived:
        return False
    return says_share(line.title) or _RATE.search(line.title) is not None


def is_by_tool(grid: Grid, law: Law) -> bool:
    """Whether a law is how a tool with just these columns compares means with a baseline."""
    mine = law.terms[0]
    compared = law.base is not None and not grid.by_rows and mine.power == 1 and not mine.at_base
    return compared and grid.lines[mine.line].title.startswith("Mean") and is_of_tool(grid)


def is_of_tool(grid: Grid) -> bool:
    """Whether a table has just the columns of a tool that compares means with a baseline."""
    titles = [column.header.text.partition(" [")[0] for column in grid.sheet.columns]
    return titles == _HYPERFINE or set(titles) >= _BENCHMARKDOTNET
