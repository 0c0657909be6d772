"""A number as it is printed or stated: an interval in base units, and where it stands."""

from collections.abc import Mapping
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import NamedTuple

from mdbench.diagnosis.bounded import bounded_interval
from mdbench.numerals.bounds import ESTIMATE
from mdbench.numerals.cell import Form, Numeral
from mdbench.numerals.units import COUNT, Unit, parse_unit
from mdbench.prose.facts import Fact
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import Amount, scale
from mdbench.vocabulary.quantities import Quantity, Role

UNNAMED = Quantity("", COUNT, Role.MEASUREMENT)
"""What a number is of if no word says it."""
Place = tuple[CellKey, int, int]
"""A cell, and which of its numbers."""
_NUMBERS = (Form.NUMBER, Form.COUNT)
NONE_KNOWN: Mapping[int, "Number"] = {}
_LETTERS = {
    letter: Decimal(10) ** power
    for letters, power in (("kK", 3), ("M", 6), ("BG", 9), ("T", 12))
    for letter in letters
}


class Number(NamedTuple):
    """A number: `low` to `high` if it was rounded, `value` to `cut` if it was cut."""

    value: float
    low: float
    high: float
    cut: float
    scale: float
    """How much of the base unit the printed unit is."""
    quantity: Quantity
    measurement: Measurement | None = None
    """The cell that it was read from; None if the text around the table states it."""
    fact: Fact | None = None
    offset: float = 0.0
    """What was added to the printed number: 1 for a change that is reckoned as a ratio."""
    about: bool = False
    """Whether it may confirm a law but not contradict it: `~15 ms`, or a minimum in a sum."""

    @property
    def exact(self) -> bool:
        """Whether it is a count, which is not rounded."""
        return self.low == self.high

    @property
    def bounded(self) -> bool:
        """Whether it is a bound or an estimate."""
        return self.measurement is not None and bool(self.measurement.numeral.bound)

    @property
    def source(self) -> Measurement:
        """The cell of a number that is known to have one."""
        if self.measurement is None:
            raise ValueError(f"no cell has this {self.quantity.words}")
        return self.measurement

    @property
    def place(self) -> Place | None:
        """Its cell, and which of the numbers there it is; None if it has no cell."""
        one = self.measurement
        return None if one is None else (one.key, one.part, one.pick or 0)

    @property
    def doubt(self) -> float:
        """How far it may be off at most, as a share of it."""
        if self.low == self.high:
            return 0.0
        return (self.high - self.low) / abs(self.value) if self.value else 1.0

    def print_like(self, value: float, quantum: Decimal | None = None) -> str | None:
        """A value in base units as it would be printed there; a minus turns the sign.

        `quantum` is the place of the last digit, if the column is printed to more of them.
        """
        numeral = self.source.numeral
        if numeral.quantum is None or numeral.value is None:
            return None
        letter = self.value / float(numeral.value) if numeral.value else self.scale
        # What floating point adds must not decide about a half: 2.51 / 4 is 0.6275.
        wanted = Decimal(f"{value / letter:.14g}")
        if not wanted.is_finite() or abs(wanted) > Decimal(10) ** 18:
            return None
        rounded = abs(wanted).quantize(quantum or numeral.quantum, ROUND_HALF_UP)
        if wanted and not rounded:
            # What is less than the last digit needs more of them.
            rounded = abs(wanted).quantize(Decimal(1).scaleb(wanted.adjusted() - 1))
        text = _separate(format(rounded, "f"), self.source.typed or "")
        turned = (wanted < 0) is not (numeral.value < 0)
        return f"-{text}" if turned and wanted else text

    def cut_off(self, value: float) -> float:
        """A value in base units without what is behind the last digit that is printed there."""
        numeral = self.source.numeral
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


def _separate(text: str, typed: str) -> str:
    """A number with the separators of a typed one."""
    whole, dot, rest = text.partition(".")
    return f"{int(whole):,}{dot}{rest}" if "," in typed else text


def given_number(known: Quantity, value: Decimal) -> Number:
    """A number that is exact, in the unit of the frame."""
    size = float(known.unit.scale)
    base = float(value) * size
    return Number(base, base, base, base, size, known)


def stated_number(quantity: Quantity, numeral: Numeral, fact: Fact | None) -> Number | None:
    """What the text around a table states: taken as exact."""
    amount = scale(numeral, quantity)
    if amount is None or numeral.bound or numeral.form is not Form.NUMBER:
        return None
    value = float(amount.value * amount.unit.scale)
    spread = 0.0 if quantity.integer else float(amount.quantum * amount.unit.scale) / 2
    ends = value - spread, value + spread, value + 2 * spread
    return Number(value, *ends, float(amount.unit.scale), quantity, fact=fact)


def measured_number(one: Measurement, sheet: Sheet) -> Number | None:
    """What a cell says of its quantity: a setting exactly, a measurement to its printed digits."""
    if one.quantity is None or one.amount is None or one.numeral.bound or _lacks_unit(one, sheet):
        return None
    return _read(one, one.amount, sheet)


def _lacks_unit(one: Measurement, sheet: Sheet) -> bool:
    """Whether nobody knows in which unit a number is, as many beside it carry theirs."""
    return not one.numeral.unit and sheet.columns[one.column].has_bare_numbers


def printed_number(
    one: Measurement, sheet: Sheet, known: Mapping[int, Number] = NONE_KNOWN
) -> Number | None:
    """What a cell says, whether or not it is known what of; an estimate as it is printed.

    `known` are numbers that were read before, by the identity of the measurement.
    """
    numeral = one.numeral
    if numeral.value is None or numeral.quantum is None or numeral.form not in _NUMBERS:
        return None
    if (numeral.bound and numeral.bound != ESTIMATE) or _lacks_unit(one, sheet):
        return None
    about = bool(numeral.bound)
    if one.amount is not None:
        return known.get(id(one)) or _read(one, one.amount, sheet, about=about)
    unit = unit_of(one)
    size = unit.scale if unit is not None else _LETTERS.get(numeral.unit, Decimal(1))
    quantum = Decimal(0) if was_chosen(one, sheet) else numeral.quantum
    return _rounded(one, float(numeral.value * size), float(quantum * size), float(size))


def counted_number(one: Measurement) -> Number | None:
    """One of two counts in a cell: `126` or `164` of `126/164`."""
    value = one.numeral.value
    if one.numeral.form is not Form.PAIR or value is None or value != int(value):
        return None
    exact = float(value)
    return Number(exact, exact, exact, exact, 1.0, one.quantity or UNNAMED, one)


def unit_of(one: Measurement) -> Unit | None:
    """The unit of a number: its own, or that of its header, even if that leaves open of what."""
    if one.amount is not None:
        return one.amount.unit
    if one.numeral.unit:
        return parse_unit(one.numeral.unit)
    return one.header.unit


def bounded_number(one: Measurement) -> Number | None:
    """What a bound or an estimate says."""
    ends = bounded_interval(one)
    if one.quantity is None or one.amount is None or ends is None:
        return None
    value = float(one.amount.value * one.amount.unit.scale)
    return Number(value, *ends, value, float(one.amount.unit.scale), one.quantity, one)


def _read(one: Measurement, amount: Amount, sheet: Sheet, *, about: bool = False) -> Number:
    unit = amount.unit.scale
    value, size = float(amount.value * unit), float(unit)
    if one.quantity is not None and is_exact(one.quantity, amount):
        return Number(value, value, value, value, size, one.quantity, one, about=about)
    quantum = Decimal(0) if was_chosen(one, sheet) else column_quantum(one, amount, sheet)
    return _rounded(one, value, float(quantum * unit), size, about=about)


def _rounded(
    one: Measurement, value: float, quantum: float, size: float, *, about: bool = False
) -> Number:
    # The spread of what was measured is not the doubt about its mean, so it widens nothing.
    half = quantum / 2
    cut = value + quantum if value >= 0 else value - quantum
    ends = value - half, value + half, cut
    return Number(value, *ends, size, one.quantity or UNNAMED, one, about=about)


def is_exact(quantity: Quantity, amount: Amount) -> bool:
    """Whether a printed number is a count, which is not rounded."""
    return quantity.integer and quantity.role is Role.SETTING and amount.quantum <= 1


def was_chosen(one: Measurement, sheet: Sheet) -> bool:
    """Whether a whole number in the first column says what its row is about, and is exact.

    Its header must not say that it was measured.
    """
    first = one.column == 0 and not sheet.layout.transposed and one.header.quantity is None
    return first and one.numeral.quantum == 1


def column_quantum(measurement: Measurement, amount: Amount, sheet: Sheet) -> Decimal:
    """The printed precision: zeros at an end count only as far as the other cells show."""
    counts = measurement.quantity is not None and measurement.quantity.integer
    if amount.quantum != 1 or counts:
        return amount.quantum
    shown = sheet.columns[measurement.column].digits(measurement)
    if not shown:
        return amount.quantum
    length = len(str(abs(int(amount.value))))
    return Decimal(10) ** max(0, length - shown)
