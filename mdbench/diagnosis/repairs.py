"""Hypotheses of what went wrong in a row, each with the text that would mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from mdbench.diagnosis.digits import (
    VARIANTS,
    count_decimals,
    number_text,
    print_like,
    typed_slips,
    with_number,
)
from mdbench.diagnosis.laws import Row, Verdict
from mdbench.diagnosis.misfits import Kinds, is_misfit
from mdbench.diagnosis.variables import Variable, record_variables
from mdbench.numerals import Form, Style, read_cell
from mdbench.quantities import Role
from mdbench.columns import NUMERIC, identify
from mdbench.records import Measurement
from mdbench.sheet import Sheet

MISSING = "-"
_MOST_CELLS = 40
# How unlikely a mistake is beside another: what leaves nothing free to choose comes first.
_SWAP_COST = 1.0
_SHIFT_COST = 1.0
_VALUE_COST = 2.0


class Mistake(StrEnum):
    """What kind of mistake a repair supposes."""

    VALUE = "value"
    DIGITS = "digits"
    SWAP = "swap"
    SHIFT = "shift"
    OTHER_ROW = "other row"


@dataclass(frozen=True, slots=True)
class Change:
    """A cell and the text that should stand in it."""

    measurement: Measurement
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A hypothesis: what was done wrong, and the cells that would be different."""

    mistake: Mistake
    title: str
    changes: tuple[Change, ...]
    cost: float


def reread(one: Measurement, text: str) -> Measurement:
    """A cell as it would be understood if it held another text."""
    is_note = one.header.quantity is not None and one.header.quantity.role is Role.NOTE
    numeral = read_cell(text, Style(dates=is_note))[0]
    quantity, amount = identify(numeral, one.header, 0)
    return replace(one, quantity=quantity, numeral=numeral, amount=amount)


def amend(row: Row, repair: Repair) -> Row:
    """The row as it would be after a repair."""
    changed = {id(change.measurement): change for change in repair.changes}
    cells = {change.measurement.cell.span for change in repair.changes}
    measurements = tuple(
        reread(one, changed[id(one)].text) if id(one) in changed else one
        for one in row.record.measurements
        if one.part == 0 or one.cell.span not in cells
    )
    record = replace(row.record, measurements=measurements)
    return replace(row, record=record, variables=record_variables(record, row.digits))


def suppose_values(row: Row, verdicts: Sequence[Verdict]) -> Iterator[Repair]:
    """One number is another one: a typing slip, or simply the recomputed value."""
    suspects: dict[int, Variable] = {}
    for verdict in verdicts:
        for variable in verdict.instance.variables:
            if variable.measurement is not None:
                suspects[id(variable)] = variable
    for variable in suspects.values():
        wanted = _wanted(variable, verdicts)
        if wanted is not None and variable.measurement is not None:
            yield from _suppose_value(row.sheet, variable, variable.measurement, *wanted)


def _wanted(variable: Variable, verdicts: Sequence[Verdict]) -> tuple[float, float] | None:
    """Where the number must lie for all that fails to hold; None if it does not take part in all."""
    low, high = 0.0, float("inf")
    for verdict in verdicts:
        if not any(one is variable for one in verdict.instance.variables):
            return None
        solved = verdict.instance.solve(variable, verdict.constant.low, verdict.constant.high)
        if solved is None:
            return None
        low, high = max(low, solved[0]), min(high, solved[1])
    return (low, high) if low <= high * (1 + 1e-9) else None


def _usual_decimals(one: Measurement, sheet: Sheet) -> int:
    """How many decimals the column's other numbers have; the cell's own where they differ."""
    others = {
        count_decimals(text)
        for other in sheet.measurements
        if other.header is one.header and other is not one and (text := number_text(other))
    }
    return others.pop() if len(others) == 1 else count_decimals(number_text(one) or "")


def _suppose_value(
    sheet: Sheet, variable: Variable, one: Measurement, low: float, high: float
) -> Iterator[Repair]:
    half = 0.0 if variable.exact else (variable.high - variable.low) / 2
    typed = number_text(one)
    seen: set[str] = set()
    title = one.header.text
    chance = (high - low + 2 * half) / (high + low)
    if typed is not None and variable.value != variable.offset:
        ratio = (variable.value - variable.offset) / float(typed.replace(",", ""))
        for slip in typed_slips(typed, _usual_decimals(one, sheet)):
            value = float(slip.text) * ratio + variable.offset
            text = with_number(one, slip.text) if low - half <= value <= high + half else None
            if text is not None and text not in seen:
                seen.add(text)
                cost = slip.cost + chance * VARIANTS.get(slip.what, 3.0)
                yield Repair(Mistake.DIGITS, f"{title}: {slip.what}", (Change(one, text),), cost)
    number = print_like(one, _best_value(variable, low, high) - variable.offset)
    text = with_number(one, number) if number is not None else None
    if text is not None and text not in seen and text != one.cell.raw:
        yield Repair(Mistake.VALUE, f"{title} {text}", (Change(one, text),), _VALUE_COST)


def _best_value(variable: Variable, low: float, high: float) -> float:
    """The middle of what fits; for a count the whole number there, the roundest first."""
    middle = (low + high) / 2
    if not variable.exact:
        return middle
    whole = round(middle)
    return float(whole) if low * (1 - 1e-9) <= whole <= high * (1 + 1e-9) else middle


def suppose_swaps(row: Row) -> Iterator[Repair]:
    """Two cells stand in each other's place."""
    cells = main_cells(row)
    numbers = [one for one in cells if one.numeral.value is not None]
    for first, second in combinations(numbers, 2):
        if first.cell.raw != second.cell.raw:
            changes = (Change(first, second.cell.raw), Change(second, first.cell.raw))
            title = f"{first.header.text} and {second.header.text} swapped"
            yield Repair(Mistake.SWAP, title, changes, _SWAP_COST)


def suppose_shifts(row: Row, kinds: Kinds) -> Iterator[Repair]:
    """A run of cells stands one column too far right or left, with an empty cell at its end."""
    cells = main_cells(row)
    blanks = [at for at, one in enumerate(cells) if one.numeral.form is Form.NOTHING]
    for blank in blanks:
        last = blank
        while last + 1 < len(cells) and _fits(cells[last], cells[last + 1], kinds):
            last += 1
        if last > blank:
            texts = [*(one.cell.raw for one in cells[blank + 1 : last + 1]), MISSING]
            yield _shift(cells[blank : last + 1], texts, "right")
        first = blank
        while first > 0 and _fits(cells[first], cells[first - 1], kinds):
            first -= 1
            texts = [MISSING, *(one.cell.raw for one in cells[first:blank])]
            yield _shift(cells[first : blank + 1], texts, "left")


def _fits(target: Measurement, moved: Measurement, kinds: Kinds) -> bool:
    """Whether a filled cell can stand in another's place."""
    quantity, form = target.header.quantity, moved.numeral.form
    if form is Form.NOTHING:
        return False
    wants_number = quantity is not None and quantity.role in (Role.SETTING, Role.MEASUREMENT)
    if wants_number and quantity is not None and not (quantity.text or quantity.flag):
        return form in NUMERIC and not is_misfit(reread(target, moved.cell.raw), kinds)
    return not is_misfit(reread(target, moved.cell.raw), kinds)


def _shift(cells: Sequence[Measurement], texts: Sequence[str], way: str) -> Repair:
    changes = tuple(
        Change(one, text) for one, text in zip(cells, texts, strict=True) if one.cell.raw != text
    )
    title = f"cells from {cells[0].header.text} on stand one column too far {way}"
    return Repair(Mistake.SHIFT, title, changes, _SHIFT_COST + 0.01 * len(changes))


def main_cells(row: Row) -> list[Measurement]:
    """What each cell of a row is about, in the order of the columns; none if the row is too wide."""
    cells = [one for one in row.record.measurements if one.part == 0]
    return cells if len(cells) <= _MOST_CELLS and not row.sheet.layout.transposed else []
