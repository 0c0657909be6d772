"""A table as lines of numbers: its columns, or its rows, whatever they are called."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from itertools import chain, zip_longest
from typing import NamedTuple

from mdbench.diagnosis.bounded import bounded_interval
from mdbench.diagnosis.numbers import column_quantum, is_exact
from mdbench.markdown.inline import plain_text
from mdbench.numerals.bounds import ESTIMATE
from mdbench.numerals.cell import Form
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Role, quantity
from mdbench.vocabulary.statistics import SPREADS

_NUMBERS = (Form.NUMBER, Form.COUNT)
_FORMAT = lazy(r"(?i)\b(?:bf|fp|tf|float)(8|16|32|64)\b")
_SUMMED_UP = ("", "mean", "total")
# In more cells than these, nobody looks for an arithmetic that nobody named.
MOST_LINES = 40


_LETTERS = {
    letter: Decimal(10) ** power
    for letters, power in (("kK", 3), ("M", 6), ("BG", 9), ("T", 12))
    for letter in letters
}


class Number(NamedTuple):
    """A printed number in base units: `low` to `high` if it was rounded, up to `cut` if cut."""

    value: float
    low: float
    high: float
    cut: float
    scale: float
    """How much of the base unit the printed unit is."""
    measurement: Measurement
    doubt: float
    """How far it may be off at most, as a share of it."""
    about: bool = False
    """Whether it may confirm a law but not contradict it: `~15 ms`, or a minimum in a sum."""

    @property
    def is_exact(self) -> bool:
        """Whether it is a count, which is not rounded."""
        return self.low == self.high

    def print_like(self, value: float, quantum: Decimal | None = None) -> str | None:
        """A value in base units as it would be printed there; a minus turns the sign.

        `quantum` is the place of the last digit, if the column is printed to more of them.
        """
        numeral = self.measurement.numeral
        if numeral.quantum is None or numeral.value is None:
            return None
        letter = self.value / float(numeral.value) if numeral.value else self.scale
        # What floating point adds must not decide about a half: 2.51 / 4 is 0.6275.
        wanted = Decimal(f"{value / letter:.14g}")
        if not wanted.is_finite() or abs(wanted) > Decimal(10) ** 18:
            return None
        text = format(abs(wanted).quantize(quantum or numeral.quantum, ROUND_HALF_UP), "f")
        if "," in (self.measurement.typed or ""):
            whole, dot, rest = text.partition(".")
            text = f"{int(whole):,}{dot}{rest}"
        turned = (wanted < 0) is not (numeral.value < 0)
        return f"-{text}" if turned and wanted else text

    def cut_off(self, value: float) -> float:
        """A value in base units without what is behind the last digit that is printed there."""
        numeral = self.measurement.numeral
        if numeral.quantum is None or not numeral.value:
            return value
        letter = self.value / float(numeral.value)
        wanted = Decimal(f"{value / letter:.14g}")
        return float(wanted.quantize(numeral.quantum, ROUND_DOWN)) * letter

    def widened(self, half: float) -> "Number":
        """The number if it may be off by so much."""
        low, high = self.low - half, self.high + half
        return self._replace(low=low, high=high, cut=max(self.cut, high))

    def as_printed(self) -> "Number":
        """The number as if it were exact."""
        return self._replace(low=self.value, high=self.value, cut=self.value)

    def widest(self) -> tuple[float, float]:
        """Its ends, whether it was rounded or cut. What was cut to zero had any sign."""
        lowest = -abs(self.cut) if self.value == 0 else self.cut
        return min(self.low, lowest), max(self.high, self.cut)


class Line(NamedTuple):
    """The numbers under one header, or behind one label."""

    place: tuple[int, int]
    """Its column or row, and which of the numbers of each cell it is."""
    title: str
    header: Header
    numbers: Mapping[int, Number]
    """By what crosses it: the row of a column, or the column of a row."""
    dimension: str
    """The dimension of its unit, as far as one is known."""
    words: Mapping[int, Measurement]
    """The cells of it that are no numbers."""
    bounds: Mapping[int, Number]
    """The cells of it that only say how much it is at least, at most or about."""
    strays: Mapping[int, Number]
    """The numbers in it that are of another kind than most, such as a ratio among times."""
    is_numbering: bool
    """Whether it only counts the rows."""
    repeat: int = 0
    """How many lines before it have the same title."""
    common: str = ""
    """Its title in all tables that differ only in a number format: `Throughput - TF32`."""

    @property
    def name(self) -> tuple[str, int, int]:
        """What it is called in all tables with the same headers."""
        return self.common or self.title, self.repeat, self.place[1]

    @property
    def is_setting(self) -> bool:
        """Whether it holds what was chosen, and not what came out."""
        one = self.header.quantity
        return one is not None and one.role in (Role.SETTING, Role.IDENTITY)


class Grid(NamedTuple):
    """A table read along its columns, or along its rows."""

    sheet: Sheet
    lines: tuple[Line, ...]
    labels: Mapping[int, str]
    """What each crossing is called: the first cell of a row, or the title of a column."""
    by_rows: bool
    """Whether its lines are rows of the table."""


def read_grids(sheet: Sheet) -> Iterator[Grid]:
    """The table along its columns, and along its rows."""
    lines = tuple(_name_alike(list(_widen(list(_read_lines(sheet))))))
    if not lines:
        return
    labels = _labels(sheet)
    if len(lines) <= MOST_LINES:
        yield Grid(sheet, lines, labels, by_rows=False)
    yield _turn(sheet, lines, labels)


def _name_alike(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with what formats of one width have in common, if that tells them apart."""
    common = [_FORMAT.sub(r"\1 bits", line.title) for line in lines]
    alike = len(set(common)) == len({line.title for line in lines})
    for line, title in zip(lines, common, strict=True):
        yield line._replace(common=title) if alike and title != line.title else line


def _widen(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with means of ratios as wide as the column of their deviations says.

    A mean of ratios is near the ratio of the means, but not equal to it.
    """
    for line, after in zip_longest(lines, lines[1:]):
        meant = line.header.quantity
        compared = meant is not None and meant.name in COMPARING
        if not compared or after is None or not _are_spreads(after, line):
            yield line
        else:
            halves = {row: number.high for row, number in after.numbers.items()}
            numbers = {
                row: number.widened(halves.get(row, 0.0)) for row, number in line.numbers.items()
            }
            yield line._replace(numbers=numbers)


def _are_spreads(line: Line, of: Line) -> bool:
    return line.header.statistic in SPREADS and line.header.quantity == of.header.quantity


def _labels(sheet: Sheet) -> dict[int, str]:
    """The words of each row: what its first cells say that hold no number."""
    found: dict[int, str] = {}
    for column in sheet.columns:
        for one in column.mains:
            if one.numeral.form is Form.TEXT and one.run not in found:
                found[one.run] = plain_text(one.cell.raw)
    return found


def _read_lines(sheet: Sheet) -> Iterator[Line]:
    for column in sheet.columns:
        parts = max((len(entry) for entry in column.entries), default=0)
        if parts == 1 and not column.has_numbers:
            continue
        for part in range(min(parts, 2)):
            line = _read_line(sheet, column, part)
            if line.numbers:
                yield line


def _read_line(sheet: Sheet, column: Column, part: int) -> Line:
    numbers: dict[int, Number] = {}
    words: dict[int, Measurement] = {}
    bounds: dict[int, Number] = {}
    dimensions: dict[int, str] = {}
    for entry in column.entries:
        one = entry[part] if part < len(entry) else None
        number = _read_number(sheet, one) if one is not None else None
        if one is not None and number is not None:
            numbers[one.run] = number
            unit = _unit_of(one)
            dimensions[one.run] = unit.dimension if unit is not None else ""
        elif one is not None and (bound := _read_bound(one)) is not None:
            bounds[one.run] = bound
            if (about := _read_estimate(sheet, one)) is not None:
                numbers[one.run] = about
                dimensions[one.run] = one.amount.unit.dimension if one.amount is not None else ""
        elif part == 0:
            words[entry[0].run] = entry[0]
    several = [*dimensions.values()]
    dimension = several[0] if several else ""
    strays: dict[int, Number] = {}
    if several.count(dimension) < len(several):
        dimension = max(several, key=several.count)
        # A number of another kind than its column is not computed with.
        strays = {run: number for run, number in numbers.items() if dimensions[run] != dimension}
        numbers = {run: number for run, number in numbers.items() if run not in strays}
    header = column.header if part == 0 else _header_of_part(column.header, numbers)
    place = column.index, part
    told = header.text, header, numbers, dimension, words, bounds, strays
    return Line(place, *told, _is_numbering(numbers), column.repeat)


def _is_numbering(numbers: Mapping[int, Number]) -> bool:
    values = [number.value for number in numbers.values()]
    return (
        len(values) > 2
        and values[0] in (0, 1)
        and values == [values[0] + at for at in range(len(values))]
    )


def _header_of_part(header: Header, numbers: Mapping[int, Number]) -> Header:
    """What the second numbers of the cells are, as far as they say so themselves."""
    found = {number.measurement.quantity for number in numbers.values()}
    units = {number.measurement.numeral.unit for number in numbers.values()}
    meant = found.pop() if len(found) == 1 else None
    if meant is None and units <= {"x", "×"}:
        meant = quantity("relative")
    return header._replace(quantity=meant, unit=None, candidates=(), statistic="")


def _unit_of(one: Measurement) -> Unit | None:
    """The unit of a number: its own, or that of its header, even if that leaves open of what."""
    if one.amount is not None:
        return one.amount.unit
    if one.numeral.unit:
        return parse_unit(one.numeral.unit)
    return one.header.unit


def _read_number(sheet: Sheet, one: Measurement) -> Number | None:
    numeral = one.numeral
    if numeral.value is None or numeral.bound or numeral.form not in _NUMBERS:
        return None
    if numeral.quantum is None:
        return None
    if one.amount is None:
        unit = _unit_of(one)
        scale = unit.scale if unit is not None else _LETTERS.get(numeral.unit, Decimal(1))
        value, quantum = numeral.value, numeral.quantum
    else:
        scale, value = one.amount.unit.scale, one.amount.value
        if one.quantity is not None and is_exact(one.quantity, one.amount):
            base = float(value * scale)
            return Number(base, base, base, base, float(scale), one, 0.0)
        quantum = column_quantum(one, one.amount, sheet)
    base, half = float(value * scale), float(quantum * scale) / 2
    cut = base + 2 * half if base >= 0 else base - 2 * half
    doubt = 2 * half / abs(base) if base else 1.0
    return Number(base, base - half, base + half, cut, float(scale), one, doubt)


def _read_estimate(sheet: Sheet, one: Measurement) -> Number | None:
    """`~800` as others may have been computed from it: as it is printed."""
    if one.numeral.bound != ESTIMATE:
        return None
    plain = _read_number(sheet, one._replace(numeral=one.numeral._replace(bound="")))
    return plain._replace(about=True) if plain is not None else None


def _read_bound(one: Measurement) -> Number | None:
    ends = bounded_interval(one) if one.numeral.bound else None
    if ends is None or one.amount is None:
        return None
    scale = float(one.amount.unit.scale)
    return Number(float(one.amount.value) * scale, *ends, ends[1], scale, one, 0.0)


def _turn(sheet: Sheet, lines: tuple[Line, ...], labels: Mapping[int, str]) -> Grid:
    """The same numbers, along the rows."""
    rows: dict[int, dict[int, Number]] = {}
    first = [line for line in lines if line.place[1] == 0 and _is_measured(line)]
    for line in first:
        # The total of minima may be a sum or a minimum.
        about = line.header.statistic not in _SUMMED_UP
        for row, number in chain(line.numbers.items(), line.strays.items()):
            told = number._replace(about=True) if about else number
            rows.setdefault(row, {})[line.place[0]] = told
    turned = []
    for row in sorted(rows):
        title = labels.get(row, "")
        numbers = rows[row]
        counts = _is_numbering(numbers)
        turned.append(Line((row, 0), title, Header(title), numbers, "", {}, {}, {}, counts))
    titles = {line.place[0]: line.title for line in first}
    return Grid(sheet, tuple(turned), titles, by_rows=True)


def _is_measured(line: Line) -> bool:
    """Whether a line may be summed up: settings, comparisons and spreads may not."""
    quantity = line.header.quantity
    if line.header.statistic in SPREADS:
        return False
    return not line.is_setting and (quantity is None or quantity.name not in COMPARING)
