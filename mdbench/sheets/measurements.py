"""What was read from one row: each thing its cells say, and the runs that they make up."""

from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from mdbench.markdown.document import Cell
from mdbench.numerals.cell import Form, Numeral, Status, Style, read_cell
from mdbench.prose.facts import Fact
from mdbench.regex import lazy
from mdbench.source import Span
from mdbench.vocabulary.amounts import NUMERIC, Amount
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity, Role
from mdbench.vocabulary.statistics import SPREADS

CellKey = tuple[int, int, int]
"""The number of a table, and of the run and the column of a cell."""
_DIGITS = lazy(r"\d[\d,]*(?:\.\d+)?")
_WITH_COMMA = lazy(r"\d[\d.]{0,30}(?:,\d+)?")
# Beside `184,1`, the points of `1.390` and `20.491` are between thousands.
POINTED = lazy(r"(?<=\d)\.(?=\d{3}(?!\d))")
_SWAPPED = str.maketrans(",.", ".,")
_SINGLE = (Form.NUMBER, Form.COUNT)
# Of several columns of one quantity, the one that tells what was typical, and was measured.
_RANKS = {"total": -1, "": 0, "mean": 0, "median": 1, "predicted": 9}
_RARE = 2


class Measurement(NamedTuple):
    """One thing that a cell says: a number, a word or nothing, and what quantity it is of."""

    cell: Cell
    header: Header
    quantity: Quantity | None
    numeral: Numeral
    amount: Amount | None
    table: int
    """The place of its table in the report."""
    row: int
    """The row of the table's body, counted from 0."""
    run: int
    """The number of its run: its row, or its column of the page if the table is transposed."""
    column: int
    """The place of its column in `Sheet.columns`."""
    part: int
    """0 for what the cell is about, 1 and on for what else stands in it."""
    pick: int | None = None
    """Where a cell has a number for each variant, which of them this is."""

    @property
    def key(self) -> CellKey:
        """Its cell: no other one of the report is of this table, run and column."""
        return self.table, self.run, self.column

    @property
    def typed(self) -> str | None:
        """The digits of its number as they are typed, with a decimal point.

        None where the number is not typed in digits.
        """
        span = self.typed_span
        if span is None:
            return None
        digits = self.cell.raw[slice(*span)]
        return swap_separators(digits) if self.has_decimal_comma else digits

    @property
    def typed_span(self) -> tuple[int, int] | None:
        """Where in the cell these digits are."""
        return self._find_digits() or self._find_digits(comma=True)

    @property
    def has_decimal_comma(self) -> bool:
        """Whether its number is typed with a decimal comma, or points between its thousands."""
        if "," not in self.cell.raw and "." not in self.cell.raw:
            return False
        return self._find_digits() is None and self._find_digits(comma=True) is not None

    def read(self, text: str, *, dates: bool = False) -> tuple[Numeral, ...]:
        """What another text would say in its place."""
        comma = self.has_decimal_comma
        plain = without_points(text) if comma else text
        return read_cell(plain, Style(decimal_comma=comma, dates=dates))

    def _find_digits(self, *, comma: bool = False) -> tuple[int, int] | None:
        pattern = _WITH_COMMA if comma else _DIGITS
        match = next(islice(pattern.finditer(self.cell.raw), self.pick or 0, None), None)
        if match is None or self.numeral.value is None:
            return None
        text = match[0] if comma else match[0].rstrip(",")
        digits = swap_separators(text) if comma else text
        same = Decimal(digits.replace(",", "")) == abs(self.numeral.value)
        return (match.start(), match.start() + len(text)) if same else None

    @property
    def is_number(self) -> bool:
        """Whether it is a number, or several."""
        return self.numeral.form in NUMERIC

    @property
    def bracketed(self) -> bool:
        """Whether it is the ratio to the best of its column, in brackets behind the number."""
        named = self.quantity is not None and self.quantity.name == "relative"
        return self.part == 1 and named and not self.numeral.unit

    @property
    def single(self) -> bool:
        """Whether the quantity has one value here: not a range, and not one of a pair."""
        return self.amount is not None and self.numeral.form in _SINGLE

    @property
    def counts(self) -> bool:
        """Whether it is the run's value: what a note says must be something that can be."""
        if self.amount is None or self.quantity is None or self.numeral.form not in _SINGLE:
            return False
        statistic = self.header.statistic
        if statistic in SPREADS or (statistic.startswith("p") and statistic[1:2].isdigit()):
            # The percentiles of latencies are quantities of their own.
            return statistic in self.quantity.name
        if statistic == "total" and self.quantity.name == "latency_ms":
            # The sum of all latencies is no latency.
            return False
        return self.part == 0 or self.quantity.allows(self.amount.value, self.amount.unit)

    @property
    def rank(self) -> tuple[int, int]:
        """Lower for what rather is the run's value where several columns are of its quantity."""
        statistic = self.header.statistic
        if statistic == "max" and self.quantity is not None and "byte" in self.quantity.dimensions:
            # How much memory a run takes is how much it takes at its peak.
            statistic = ""
        return self.part, _RANKS.get(statistic, _RARE)


class StatedSetting(NamedTuple):
    """A setting that the headers, or the row above, state for a run."""

    quantity: Quantity
    numeral: Numeral
    raw: str


class _RunFields(NamedTuple):
    number: int
    """Its row in the table's body, or its column if that is transposed, counted from 0."""
    variant: int
    """Which of the runs of its row it is, where that holds several."""
    span: Span
    label: str
    """What heads the column of a transposed table."""
    settings: tuple[StatedSetting, ...]
    measurements: tuple[Measurement, ...]
    own: tuple[Measurement, ...]
    """Without those that it shares with the other variants of its row."""
    facts: tuple[Fact, ...]
    """The facts that hold here and that no column overrules."""


class Run(_RunFields):
    """One run: a row, a column of a transposed table, or one variant of a pivoted row."""

    @cached_property
    def values(self) -> Mapping[str, Measurement]:
        """The one value of each quantity, the first column's where several say it alike."""
        found: dict[str, Measurement] = {}
        counted = [one for one in self.measurements if one.counts]
        if any(one.part or one.header.statistic for one in counted):
            counted.sort(key=attrgetter("rank"))
        for measurement in counted:
            if measurement.quantity is not None:
                found.setdefault(measurement.quantity.name, measurement)
        return found

    @cached_property
    def described(self) -> Mapping[str, str]:
        """Its settings and names, as text; of what is said twice, the last counts."""
        told = {fact.quantity.name: fact.raw for fact in self.facts}
        told |= {stated.quantity.name: stated.raw for stated in self.settings}
        for one in self.measurements:
            if one.part:
                continue
            if one.quantity is None:
                if one.numeral.form is Form.TEXT:
                    told[one.header.text] = one.cell.raw
            elif one.quantity.role in (Role.SETTING, Role.IDENTITY) and one.cell.raw:
                told[one.quantity.name] = one.cell.raw
        return told

    @cached_property
    def status(self) -> Status:
        """What became of the run."""
        said = [one.numeral.status for one in self.own if _tells_status(one)]
        if Status.OOM in said:
            return Status.OOM
        measured = [one for one in self.own if _is_measured(one)]
        if any(one.amount is not None for one in measured):
            return Status.OK
        if Status.FAILED in said:
            return Status.FAILED
        return Status.MISSING if any(one.part == 0 for one in measured) else Status.OK


def _is_measured(one: Measurement) -> bool:
    return one.quantity is not None and one.quantity.role is Role.MEASUREMENT


def _tells_status(one: Measurement) -> bool:
    if one.quantity is None:
        return bool(one.header.settings)
    return one.quantity.role in (Role.MEASUREMENT, Role.NOTE)


def swap_separators(number: str) -> str:
    """A number with a decimal comma instead of a point, or the other way round."""
    return number.translate(_SWAPPED)


def without_points(text: str) -> str:
    """A text without the points between the thousands of a number that has no decimal comma."""
    return text if "," in text else POINTED.sub("", text)
