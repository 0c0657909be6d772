"""The quantities of a record as intervals, in base units, with where each stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from mdbench.facts import Fact
from mdbench.numerals import Form, Numeral
from mdbench.quantities import Quantity, Role
from mdbench.readings import Amount, scale
from mdbench.records import Measurement, Record
from mdbench.sheet import Sheet

Digits = Mapping[int, int]
"""How many significant digits the whole numbers of a column show, by the identity of its header."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A number of a record: `low` to `high` if it was rounded, `value` to `cut` if it was cut."""

    quantity: Quantity
    value: float
    low: float
    high: float
    cut: float
    scale: float
    """How much of the base unit the printed unit is."""
    measurement: Measurement | None = None
    fact: Fact | None = None
    offset: float = 0.0
    """What was added to the printed number: 1 for a change that is reckoned as a ratio."""

    @property
    def exact(self) -> bool:
        """Whether the number is a count that has no rounding."""
        return self.low == self.high


Variables = Mapping[str, Variable]


def column_digits(sheet: Sheet) -> Digits:
    """The significant digits that each column of whole measurements shows."""
    shown: dict[int, int] = {}
    for one in sheet.measurements:
        if one.amount is None or one.amount.quantum != 1 or one.amount.value == 0:
            continue
        digits = len(str(abs(int(one.amount.value))).rstrip("0"))
        shown[id(one.header)] = max(shown.get(id(one.header), 1), digits)
    return shown


def record_variables(record: Record, digits: Digits) -> dict[str, Variable]:
    """Everything that a record's cells, headers and facts say in numbers."""
    found: dict[str, Variable] = {}
    for fact in record.facts:
        known = stated_variable(fact.quantity, fact.numeral, fact)
        if known is not None:
            found[fact.quantity.name] = known
    for stated in record.settings:
        known = stated_variable(stated.quantity, stated.numeral, None)
        if known is not None:
            found[stated.quantity.name] = known
    for name, measurement in record.values.items():
        variable = measured_variable(measurement, digits)
        if variable is not None:
            found[name] = variable
    return found


def stated_variable(quantity: Quantity, numeral: Numeral, fact: Fact | None) -> Variable | None:
    """What the text around a table states: taken as exact."""
    amount = scale(numeral, quantity)
    if amount is None or numeral.approximate or numeral.form is not Form.NUMBER:
        return None
    value = float(amount.value * amount.unit.scale)
    spread = 0.0 if quantity.integer else float(amount.quantum * amount.unit.scale) / 2
    ends = value - spread, value + spread, value + 2 * spread
    return Variable(quantity, value, *ends, float(amount.unit.scale), fact=fact)


def measured_variable(measurement: Measurement, digits: Digits) -> Variable | None:
    """What a cell says: a setting exactly, a measurement to its printed digits."""
    quantity, amount, numeral = measurement.quantity, measurement.amount, measurement.numeral
    if quantity is None or amount is None or numeral.approximate:
        return None
    unit = amount.unit.scale
    value = float(amount.value * unit)
    if is_exact(quantity, amount):
        return Variable(quantity, value, value, value, value, float(unit), measurement)
    quantum = float(_column_quantum(measurement, amount, digits) * unit)
    half = max(quantum / 2, float((numeral.spread or 0) * unit))
    cut = value + quantum if value >= 0 else value - quantum
    ends = value - half, value + half, cut
    return Variable(quantity, value, *ends, float(unit), measurement)


def is_exact(quantity: Quantity, amount: Amount) -> bool:
    """Whether a printed number is a count, which is not rounded."""
    return quantity.role is Role.SETTING and quantity.integer and amount.quantum <= 1


def _column_quantum(measurement: Measurement, amount: Amount, digits: Digits) -> Decimal:
    """Trailing zeros of a whole number count only as far as its column's other cells show."""
    shown = digits.get(id(measurement.header))
    if shown is None or amount.quantum != 1:
        return amount.quantum
    length = len(str(abs(int(amount.value))))
    return Decimal(10) ** max(0, length - shown)


def names_of(variables: Iterable[Variable]) -> str:
    """The headers of cells, for a message."""
    titles = [one.measurement.header.text for one in variables if one.measurement is not None]
    return ", ".join(dict.fromkeys(titles))
