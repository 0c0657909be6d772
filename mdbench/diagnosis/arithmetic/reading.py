"""A table read as lines of numbers: along its columns, and along its rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest

from mdbench.diagnosis.arithmetic.grid import MOST_LINES, Grid, Line
from mdbench.diagnosis.arithmetic.words import says_derived
from mdbench.diagnosis.numbers import (
    NONE_KNOWN,
    Number,
    bounded_number,
    counted_number,
    printed_number,
    unit_of,
    was_chosen,
)
from mdbench.diagnosis.run_numbers import RunNumbers, numbers_by_cell
from mdbench.diagnosis.thresholds import ROWS_IF_NAMED
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form
from mdbench.regex import lazy
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import COMPARING
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity, quantity
from mdbench.vocabulary.statistics import SPREADS

_FORMAT = lazy(r"(?i)\b(?:bf|fp|tf|float)(8|16|32|64)\b")


class Grids:
    """The tables of a report as lines of numbers, each read once."""

    def __init__(self, rows: Iterable[RunNumbers] = ()) -> None:
        """The numbers of `rows` are not read again."""
        self._known = numbers_by_cell(rows)
        self._read: dict[int, tuple[Grid, ...]] = {}

    def of(self, sheet: Sheet) -> tuple[Grid, ...]:
        """A table along its columns, and along its rows if one says how it is computed."""
        found = self._read.get(sheet.number)
        if found is None:
            found = self._read[sheet.number] = tuple(read_grids(sheet, self._known))
        return found


def read_grids(sheet: Sheet, known: Mapping[int, Number] = NONE_KNOWN) -> Iterator[Grid]:
    """The table along its columns, and along its rows if one of them says how it is computed."""
    labels = _labels(sheet)
    turns = any(map(says_derived, labels.values())) or _compares_rows(sheet)
    read = list(islice(_read_lines(sheet, known), None if turns else MOST_LINES + 1))
    lines = tuple(_name_alike(list(_widen(read))))
    if lines and len(lines) <= MOST_LINES:
        yield Grid(sheet, lines, labels, by_rows=False)
    if lines and turns:
        yield _turn(sheet, lines, labels)


def _compares_rows(sheet: Sheet) -> bool:
    """Whether some cell compares others and its column does not."""
    return any(
        one.quantity is not column.header.quantity
        and one.quantity is not None
        and one.quantity.name in COMPARING
        for column in sheet.columns
        for one in column.mains
    )


def _name_alike(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with what formats of one width have in common, if that tells them apart."""
    if not any(_FORMAT.search(line.title) for line in lines):
        yield from lines
        return
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
    if sheet.layout.transposed:
        return dict(enumerate(sheet.layout.titles))
    found: dict[int, str] = {}
    for column in sheet.columns:
        for one in column.mains:
            if one.numeral.form is Form.TEXT and one.run not in found:
                found[one.run] = plain_text(one.cell.raw)
    return found


def _read_lines(sheet: Sheet, known: Mapping[int, Number]) -> Iterator[Line]:
    for column in sheet.columns:
        parts = max((len(entry) for entry in column.entries), default=0)
        if parts == 1 and not column.has_numbers:
            continue
        counts = parts == 2 and _has_parts_of_wholes(column)
        for part in range(min(parts, 2)):
            line = _read_line(sheet, column, part, known, counts=counts)
            if line.numbers:
                yield line


def _has_parts_of_wholes(column: Column) -> bool:
    """Whether all cells are of a part and its whole: `126/164`."""
    pairs = [entry for entry in column.entries if entry[0].numeral.form is Form.PAIR]
    found = [tuple(map(counted_number, entry)) for entry in pairs]
    return len(found) >= ROWS_IF_NAMED and all(
        part is not None and whole is not None and 0 <= part.value <= whole.value
        for part, whole in found
    )


def _read_line(
    sheet: Sheet, column: Column, part: int, known: Mapping[int, Number], *, counts: bool
) -> Line:
    numbers: dict[int, Number] = {}
    words: dict[int, Measurement] = {}
    bounds: dict[int, Number] = {}
    dimensions: dict[int, str] = {}
    for entry in column.entries:
        one = entry[part] if part < len(entry) else None
        number = printed_number(one, sheet, known) if one is not None else None
        if one is not None and counts:
            number = counted_number(one)
        bound = bounded_number(one) if one is not None and one.numeral.bound else None
        if one is not None and bound is not None:
            bounds[one.run] = bound
        if one is not None and number is not None and (bound or not one.numeral.bound):
            numbers[one.run] = number
            unit = unit_of(one)
            dimensions[one.run] = unit.dimension if unit is not None else ""
        elif bound is None and part == 0:
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
    is_key = all(was_chosen(number.source, sheet) for number in numbers.values())
    told = header.text, header, numbers, dimension, words, bounds, strays
    return Line(place, *told, _is_numbering(numbers), column.repeat, is_key)


def _is_numbering(numbers: Mapping[int, Number]) -> bool:
    if len(numbers) <= 2 or next(iter(numbers.values())).value not in (0, 1):
        return False
    values = [number.value for number in numbers.values()]
    return values == [values[0] + at for at in range(len(values))]


def _header_of_part(header: Header, numbers: Mapping[int, Number]) -> Header:
    """What the second numbers of the cells are, as far as they say so themselves."""
    found = {number.source.quantity for number in numbers.values()}
    units = {number.source.numeral.unit for number in numbers.values()}
    meant = found.pop() if len(found) == 1 else None
    if meant is None and units <= {"x", "×"}:
        meant = quantity("relative")
    return header._replace(quantity=meant, unit=None, candidates=(), statistic="")


def _turn(sheet: Sheet, lines: tuple[Line, ...], labels: Mapping[int, str]) -> Grid:
    """The same numbers, along the rows."""
    rows: dict[int, dict[int, Number]] = {}
    first = [line for line in lines if line.place[1] == 0 and _is_measured(line)]
    for line in first:
        for row, number in chain(line.numbers.items(), line.strays.items()):
            rows.setdefault(row, {})[line.place[0]] = number
    turned = []
    for row in sorted(rows):
        title = labels.get(row, "")
        numbers = rows[row]
        counts = _is_numbering(numbers)
        header = Header(title, quantity=_compared_as(numbers))
        turned.append(Line((row, 0), title, header, numbers, "", {}, {}, {}, counts))
    titles = {line.place[0]: line.title for line in first}
    return Grid(sheet, tuple(turned), titles, by_rows=True)


def _compared_as(numbers: Mapping[int, Number]) -> Quantity | None:
    """How all numbers of a row compare others, if they do: `变化` is the header of `-7.3 %`."""
    found = {number.source.quantity for number in numbers.values()}
    meant = found.pop() if len(found) == 1 else None
    return meant if meant is not None and meant.name in COMPARING else None


def _is_measured(line: Line) -> bool:
    """Whether a line may be summed up: settings, comparisons and spreads may not."""
    quantity = line.header.quantity
    if line.header.statistic in SPREADS:
        return False
    return not line.is_setting and (quantity is None or quantity.name not in COMPARING)
