"""Sentences that sum up a column of a table by what is not so.

A claim is checked where its words name one column of one table of its section, or of the nearest
section around it that has such a table. If a claim is true of hardly any row, it is about something
else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from math import log
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.grid import Grid, Line, read_grids
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import FEWEST_ROWS, NEAR_QUOTE
from mdbench.markdown.inline import plain_text
from mdbench.numerals.digits import read_number
from mdbench.numerals.units import parse_unit
from mdbench.prose.quotes import Key, read_keys
from mdbench.prose.summaries import Kind, Summary
from mdbench.regex import lazy
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report
from mdbench.vocabulary.statistics import statistic_of

_UNIT_IN_TITLE = lazy(r" ?[(\[][^()\[\]]*[)\]]| ?[↑↓]")
_ARTICLE = lazy(r"(?i)^(?:the|our|a|an) ")
_SAVED = lazy(r"(?i)\b(?:sav\w+|reduc\w+|less|lower|decrease|drop)\b")
_GAINED = lazy(r"(?i)\b(?:improv\w+|gain\w*|increase|speed-?up|faster|higher|better)\b")
_QUANTITIES = lazy(
    r"(?i)\b(?:memory|latency|accuracy|throughput|size|cost|energy|power|time|bandwidth|loss)\b"
)
_TIMES = frozenset(("time", "run time", "runtime", "execution time", "wall time", "duration"))
_NOT_MEASURED = lazy(
    r"(?i)\b(?:ideal|theor\w*|target|goal|expected|peak|limit|reference|baseline)\b"
)
_ADDED = frozenset(("s", "byte", "j", "usd", "token", "count", "flop", ""))
_HIGH_IS_GOOD = frozenset(("speedup", "efficiency", "mfu", "hfu", "accuracy"))


class WrongSummary(NamedTuple):
    """A claim, what is wrong with it in words, and the cells that show it."""

    summary: Summary
    message: str
    cells: tuple[Measurement, ...]


def find_wrong_summaries(report: Report, summaries: Iterable[Summary]) -> Iterator[WrongSummary]:
    """The claims that their column contradicts."""
    tables = [_Table.read(grid) for sheet in report.sheets for grid in read_grids(sheet)]
    along = [table for table in tables if not table.grid.by_rows]
    for one in summaries:
        for table, line in _column_of(report, along, one):
            found = _check(table, line, one, report)
            if found is not None:
                yield found


class _Table(NamedTuple):
    grid: Grid
    rows: frozenset[int]
    """The rows that were measured: no totals, averages and goals."""

    @classmethod
    def read(cls, grid: Grid) -> _Table:
        rows = {row for line in grid.lines for row in line.numbers}
        labels = grid.labels
        return cls(grid, frozenset(row for row in rows if _is_measured(labels.get(row, ""))))

    def numbers(self, line: Line) -> dict[int, Number]:
        """The numbers of a column in the rows that were measured."""
        return {row: one for row, one in line.numbers.items() if row in self.rows}


def _is_measured(label: str) -> bool:
    return statistic_of(label) in ("", None) and _NOT_MEASURED.search(label) is None


def _column_of(
    report: Report, tables: Sequence[_Table], one: Summary
) -> Iterator[tuple[_Table, Line]]:
    """The only column that a claim can be about, in the nearest section that has one."""
    sections, at = report.document.sections, one.section
    while True:
        scope = (sections[at].start, sections[at].end) if at >= 0 else (0, len(report.source.text))
        found = [
            (table, line)
            for table in tables
            if scope[0] <= table.grid.sheet.table.span.start < scope[1]
            for line in _lines_of(table.grid, one)
        ]
        if found or at < 0:
            yield from found if len(found) == 1 else ()
            return
        at = sections[at].parent


def _lines_of(grid: Grid, one: Summary) -> list[Line]:
    """The columns that the words of a claim may mean."""
    lines = [line for line in grid.lines if not line.is_setting and line.place[1] == 0]
    unit = parse_unit(one.unit.replace("×", "x")) if one.unit else None
    if unit is not None:
        lines = [line for line in lines if line.dimension in (unit.dimension, "")]
    if one.title:
        wanted = _key(one.title)
        return [line for line in lines if _key(line.title) == wanted] or _usual(wanted, lines)
    if one.kind is Kind.TOTAL:
        return [line for line in lines if unit and line.dimension == unit.dimension]
    if one.kind in (Kind.BEST, Kind.WORST):
        return _usual("time", lines) or _usual("throughput", lines)
    return [line for line in lines if _compares(grid, line, one)]


def _key(title: str) -> str:
    """A title without its unit, and without its article and plural."""
    plain = _UNIT_IN_TITLE.sub("", plain_text(title)).strip().casefold().replace("-", "")
    return _ARTICLE.sub("", plain).removesuffix("s")


def _usual(said: str, lines: Sequence[Line]) -> list[Line]:
    """The columns that are usually called so, whatever their titles are."""
    if said in _TIMES:
        return [line for line in lines if line.dimension == "s"]
    if said == "throughput":
        return [line for line in lines if line.dimension.endswith("/s")]
    return []


def _compares(grid: Grid, line: Line, one: Summary) -> bool:
    """Whether a column says how much is saved or gained, and of nothing else than a claim."""
    words = _SAVED if one.verb.casefold().startswith(("sav", "reduc")) else _GAINED
    if not wanted_of(line).is_comparison or words.search(line.title) is None:
        return False
    titles = " ".join(each.title for each in grid.lines).casefold()
    return all(word.casefold() in titles for word in _QUANTITIES.findall(one.sentence))


def _check(table: _Table, line: Line, one: Summary, report: Report) -> WrongSummary | None:
    numbers = table.numbers(line)
    if len(numbers) < FEWEST_ROWS or any(number.about for number in numbers.values()):
        return None
    if one.kind is Kind.RANGE:
        return _check_range(line, numbers, one)
    if one.kind is Kind.TOTAL:
        return _check_total(line, numbers, one)
    return _check_holder(table, line, numbers, one, report)


def _ends(text: str, one: Summary, line: Line, number: Number) -> tuple[float, float] | None:
    """A number of a sentence, as far as its digits go, in base units."""
    figure = read_number(text)
    if figure is None:
        return None
    scale = _scale(one, line, number)
    if scale is None:
        return None
    value, reach = float(figure.value) * scale, float(figure.quantum) * scale
    return value - reach, value + reach


def _scale(one: Summary, line: Line, number: Number) -> float | None:
    if not one.unit:
        return number.scale
    unit = parse_unit(one.unit.replace("×", "x"))
    if unit is None or (line.dimension and unit.dimension != line.dimension):
        return None
    if not line.dimension:
        # Under `Saved (%)` and the like, the numbers themselves have no unit.
        return number.scale if unit.text in line.title else None
    return float(unit.scale)


def _check_range(line: Line, numbers: Mapping[int, Number], one: Summary) -> WrongSummary | None:
    outside: list[Number] = []
    compares = wanted_of(line).is_comparison
    counted = 0
    for number in numbers.values():
        printed = number.source.numeral.value
        if compares and printed in (Decimal(0), Decimal(1), Decimal(100)):
            # The baseline is compared with itself.
            continue
        counted += 1
        low = _ends(one.low, one, line, number) if one.low else (float("-inf"), 0.0)
        high = _ends(one.high, one, line, number) if one.high else (0.0, float("inf"))
        if low is None or high is None:
            return None
        if number.widest()[1] < low[0] or number.widest()[0] > high[1]:
            outside.append(number)
    if not outside or 2 * len(outside) > counted or counted < FEWEST_ROWS:
        return None
    worst = outside[0].source
    rows = f"in {len(outside)} rows" if len(outside) > 1 else "in one row"
    told = "" if len(outside) == 1 else ", for example"
    message = f"{_title(line)} is not {one.text} {rows}{told}: it is {worst.numeral.text}"
    return WrongSummary(one, message, tuple(number.source for number in outside[:6]))


def _check_total(line: Line, numbers: Mapping[int, Number], one: Summary) -> WrongSummary | None:
    first = next(iter(numbers.values()))
    ends = _ends(one.low, one, line, first)
    added = line.dimension in _ADDED and not line.header.statistic
    if ends is None or not added or min(number.low for number in numbers.values()) <= 0:
        return None
    low, high = (sum(end) for end in zip(*(n.widest() for n in numbers.values()), strict=True))
    said = (ends[0] + ends[1]) / 2
    stands = any(ends[0] <= n.high and n.low <= ends[1] for n in line.numbers.values())
    if stands or (ends[0] <= high and low <= ends[1]):
        return None
    total = sum(number.value for number in numbers.values())
    if said <= 0 or abs(log(said / total)) > NEAR_QUOTE:
        return None
    scale = _scale(one, line, first) or 1.0
    unit = f" {one.unit}" if one.unit else ""
    message = f"{one.text} should be {total / scale:.6g}{unit}: the total of {len(numbers)} rows"
    return WrongSummary(one, message, tuple(n.source for n in numbers.values())[:6])


def _check_holder(
    table: _Table, line: Line, numbers: Mapping[int, Number], one: Summary, report: Report
) -> WrongSummary | None:
    """Whether another row is clearly better than the one that is said to be the best."""
    row, way = _row_of(table, one, report), _direction(one.kind, line)
    mine = numbers.get(row) if row is not None else None
    if mine is None or not way:
        return None
    best = max(numbers.values(), key=lambda number: way * number.value)
    if way * best.value <= way * mine.value or (best.low <= mine.high and mine.low <= best.high):
        return None
    extreme = "highest" if way > 0 else "lowest"
    message = (
        f"{_title(line)} {mine.source.numeral.text} is not the {extreme}: "
        f"{_name(table.grid, best.source.run)} has {best.source.numeral.text}"
    )
    return WrongSummary(one, message, (mine.source, best.source))


def _direction(kind: Kind, line: Line) -> int:
    """1 if the largest number of a column is meant, -1 if the smallest is; 0 if nobody knows."""
    if kind in (Kind.HIGHEST, Kind.LOWEST):
        return 1 if kind is Kind.HIGHEST else -1
    quantity = line.header.quantity
    name = quantity.name if quantity is not None else ""
    good = line.dimension.endswith("/s") or name in _HIGH_IS_GOOD
    way = 1 if good else -1 if line.dimension == "s" else 0
    return way if kind is Kind.BEST else -way


def _row_of(table: _Table, one: Summary, report: Report) -> int | None:
    """The only row that a name or a setting means."""
    keys, _ = read_keys(one.holder, one.holder.casefold(), report.vocabulary)
    if keys:
        rows = [row for row in table.rows if all(_has(table.grid, row, key) for key in keys)]
        return rows[0] if len(rows) == 1 else None
    names = {row: _key(label) for row, label in table.grid.labels.items()}
    if len(set(names.values())) < len(names):
        return None
    holder = _key(one.holder)
    alike = [row for row, name in names.items() if name.startswith(holder)]
    return alike[0] if len(alike) == 1 and names[alike[0]] == holder else None


def _has(grid: Grid, row: int, key: Key) -> bool:
    return any(
        line.header.quantity is not None
        and line.header.quantity.name == key.quantity
        and row in line.numbers
        and line.numbers[row].value == key.value
        for line in grid.lines
    )


def _name(grid: Grid, row: int) -> str:
    """What tells a row from the others: its first words, or its first setting."""
    if label := grid.labels.get(row):
        return label
    for line in grid.lines:
        if line.is_setting and row in line.numbers:
            return f"{_title(line)} {line.numbers[row].source.numeral.text}"
    return "another row"


def _title(line: Line) -> str:
    return plain_text(line.title)
