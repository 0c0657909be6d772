"""Shares of a whole: each number of a line by the total of them all."""

from collections.abc import Iterator

from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Family, Law, Shape, Term
from mdbench.diagnosis.arithmetic.words import says_share, wanted_of
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import ROWS_IF_NAMED
from mdbench.vocabulary.statistics import statistic_of

_PERCENT = ("%", "percent", "percentage", "pct")
_ALL = 100.0
_TITLED = ("total", "sum", "all", "overall")


def find_fractions(grid: Grid, at: int) -> Iterator[Family]:
    """What a line of percentages may be computed from: cells of a part and its whole."""
    result = grid.lines[at]
    if grid.by_rows or result.place[1] or result.dimension not in ("", "ratio"):
        return
    for part, line in enumerate(grid.lines[:-1]):
        whole = grid.lines[part + 1]
        pair = line.place[1] == 0 and whole.place == (line.place[0], 1)
        if pair and all(one.exact for one in whole.numbers.values()):
            ways = [Law(Shape.PRODUCT, at, (), scale=scale) for scale in (1.0, _ALL)]
            yield Family((Term(part), Term(part + 1, -1)), None, ways)


def find_shares(grid: Grid, at: int) -> Iterator[Family]:
    """What a line of shares may be computed from: a line, and its printed or summed total."""
    rows, named = grid.lines[at].numbers, _ends_in_all(grid, at)
    if grid.by_rows or not (named or says_share(grid.lines[at].title)):
        return
    for source, line in enumerate(grid.lines):
        comparison = wanted_of(line).is_comparison or line.dimension == "ratio"
        if source == at or line.place[1] or line.is_numbering or comparison:
            continue
        totals = [row for row in line.numbers if _is_total(grid, row)]
        parts = [number for row, number in line.numbers.items() if row not in totals]
        if len(parts) < ROWS_IF_NAMED or min(one.low for one in parts) < 0:
            continue
        if len(rows.keys() & line.numbers.keys()) >= ROWS_IF_NAMED:
            for whole in _wholes(parts, [line.numbers[row] for row in totals]):
                yield Family(
                    (Term(source),),
                    None,
                    (Law(Shape.PRODUCT, at, (), constant=whole, named=named),),
                )


def _ends_in_all(grid: Grid, at: int) -> bool:
    """Whether a line is called `%` or `weight %`, and its total is all of it."""
    line = grid.lines[at]
    last = line.title.casefold().split()[-1:]
    return (
        bool(last)
        and last[0] in _PERCENT
        and any(
            _is_total(grid, row) and float(number.source.numeral.value or 0) == _ALL
            for row, number in line.numbers.items()
        )
    )


def _is_total(grid: Grid, row: int) -> bool:
    label = grid.labels.get(row, "")
    return bool(statistic_of(label)) or label.strip(" *_:").casefold() in _TITLED


def _wholes(parts: list[Number], totals: list[Number]) -> Iterator[tuple[float, float]]:
    """One by the total, as it is printed and as the sum of all parts."""
    low, high = sum(one.low for one in parts), sum(one.high for one in parts)
    ends = [(low, high), *((one.low, one.high) for one in totals if not low <= one.value <= high)]
    for least, most in ends:
        if least > 0:
            yield 1 / most, 1 / least
