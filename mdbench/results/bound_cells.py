"""What results say of one cell or number, in its unit and to its digits."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from mdbench.numerals.bounds import ESTIMATE
from mdbench.numerals.numeral import Form
from mdbench.results.agreement import unit_of
from mdbench.results.matching import BoundColumn
from mdbench.results.printing import Habits, has_spread, round_like, write_like, write_spread
from mdbench.sheets.measurements import Measurement

_BOLD = "*_"


class BoundCell(NamedTuple):
    """A cell, and what the results say that it is."""

    cell: Measurement
    value: Decimal
    """In the unit that the cell is printed in."""
    base: float
    """In the base unit of its quantity."""
    text: str | None
    """What the cell should read; None if its number cannot be replaced."""
    drifted: bool
    where: str
    """Which result it is: `nodes = 2, model = 7B`."""
    spread: float | None = None
    """How far the results are spread, for the size of their value."""
    keeps_spread: bool = False
    """Whether it prints a spread that the results do not give."""


def bind_cell(
    cell: Measurement,
    bound: BoundColumn,
    found: tuple[Decimal, Decimal | None],
    habits: Habits,
    where: str,
) -> BoundCell | None:
    """A cell beside a value and, if known, a spread of the results; None if it holds no number."""
    model = cell if cell.numeral.value is not None else _model(bound, cell)
    if model is None:
        return None
    unit = Decimal(1) if model.quantity is None else unit_of(bound.result, model.quantity).scale
    factor = unit / printed_scale(model) if model.amount is not None else Decimal(1)
    value, spread = found[0] * factor, None if found[1] is None else found[1] * factor
    base = float(found[0] * unit)
    relative = float(spread / value) if spread is not None and value else None
    text = write_like(model.cell.raw, model.numeral, value, habits, model.pick or 0)
    if text is not None and spread is not None:
        text = write_spread(text, spread)
    drifts = model is not cell or _drifts(cell, value, habits)
    if not drifts and (text == cell.cell.raw or spread is None):
        return BoundCell(cell, value, base, cell.cell.raw, False, where, relative)
    printed = model.numeral.spread is not None
    kept = printed and (spread is None or not has_spread(model.cell.raw))
    return BoundCell(cell, value, base, text, True, where, relative, kept)


def printed_scale(one: Measurement) -> Decimal:
    """How many base units one printed unit is, letters such as k included."""
    if one.amount is None:
        return Decimal(1)
    letter = one.amount.value / one.numeral.value if one.numeral.value else Decimal(1)
    return one.amount.unit.scale * letter


def _model(bound: BoundColumn, cell: Measurement) -> Measurement | None:
    """A number of the column that shows how one is written, for a cell that has none."""
    if cell.numeral.form is not Form.NOTHING:
        return None
    for one in bound.column.mains:
        if one.numeral.form is Form.NUMBER and not one.numeral.bound and not one.numeral.note:
            return one._replace(cell=one.cell._replace(raw=one.cell.raw.strip(_BOLD)))
    return None


def _drifts(cell: Measurement, value: Decimal, habits: Habits) -> bool:
    numeral = cell.numeral
    if numeral.value is None:
        return True
    if numeral.bound and numeral.bound != ESTIMATE:
        return value > numeral.value if numeral.bound in "<≤" else value < numeral.value
    return round_like(value, numeral, habits) != numeral.value
