"""Hypotheses of what went wrong in a row, each with the text that would fix it."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from mdbench.diagnosis.checks import Check, Interval
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number, Place
from mdbench.diagnosis.repairs.misfits import Kinds, is_misfit
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.slips import print_like, typed_slips, with_number
from mdbench.diagnosis.thresholds import (
    CELL_FACTORS,
    FACTOR_COST,
    MOST_CELLS,
    NOISE,
    SLIP_VARIANTS,
    SURE_LEAD,
    SWAP_COST,
    UNIT_COST,
    USUAL_VARIANTS,
    VALUE_COST,
)
from mdbench.numerals.cell import Style
from mdbench.numerals.digits import count_decimals
from mdbench.sheets.identified import identify
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.sheets.variants import as_single
from mdbench.source import Edit, Span
from mdbench.vocabulary.quantities import Role, Vocabulary

_DATED, _UNDATED = Style(dates=True), Style(dates=False)
_SIZES = ("dp", "tp", "pp", "devices_per_node", "devices", "nodes")


class RepairKind(StrEnum):
    """What kind of mistake a repair supposes."""

    VALUE = "value"
    DIGITS = "digits"
    FACTOR = "factor"
    UNIT = "unit"
    SWAP = "swap"
    SHIFT = "shift"
    OTHER_ROW = "other row"


ONE_CELL = frozenset((RepairKind.VALUE, RepairKind.DIGITS, RepairKind.FACTOR, RepairKind.UNIT))


class CellChange(NamedTuple):
    """A cell and the text that should stand in it."""

    measurement: Measurement
    text: str

    @property
    def plain(self) -> str:
        """The text without the markup around it."""
        numerals, one = self.measurement.read(self.text), self.measurement
        pick = one.pick or one.part
        return numerals[pick if pick < len(numerals) else 0].text


class Repair(NamedTuple):
    """A hypothesis: what was done wrong, and the cells that would be different."""

    mistake: RepairKind
    title: str
    changes: tuple[CellChange, ...]
    cost: float
    edits: tuple[Edit, ...] = ()
    """How it is carried out, where that is not by replacing the text of each cell."""
    lossy: bool = False
    """Cells have run over the row's end, so that it cannot be carried out."""

    @property
    def cells(self) -> frozenset[Span]:
        """Where it changes something."""
        return frozenset(change.measurement.cell.span for change in self.changes)


class Contradiction(NamedTuple):
    """Numbers that contradict each other, and the best repairs, equals together."""

    run: RunNumbers | None
    """The run that contradicts itself; None for numbers that only their table contradicts."""
    failing: tuple[Check, ...]
    repairs: tuple[Repair, ...]
    wrong: Number | None = None
    """The number that is wrong, if it is clear which one."""
    wanted: str = ""
    """What should be printed instead of it."""
    lead: float = SURE_LEAD
    """How much likelier the first repair is than the next best explanation, in bits."""
    left: tuple[Verdict, ...] = ()
    """What would still fail after the first repair."""
    spare: tuple[Repair, ...] = ()
    """The best repairs that leave the measurements in their row."""
    move: Repair | None = None
    """With the first repair, the measurements would fit this other row."""
    alike: bool = False
    """Whether other runs fail in the same way, so that they may be of a kind that nobody names."""

    @property
    def row(self) -> RunNumbers:
        """The run of a contradiction that is known to be in one."""
        if self.run is None:
            raise ValueError("these numbers are not those of a run")
        return self.run

    @property
    def cells(self) -> Iterator[CellKey]:
        """The cells that may be wrong."""
        if self.repairs:
            return (change.measurement.key for one in self.repairs for change in one.changes)
        numbers = (operand.number.measurement for one in self.failing for operand in one.operands)
        return (one.key for one in numbers if one is not None)

    @property
    def related(self) -> tuple[Verdict, ...]:
        """The known relations that fail."""
        return tuple(one for one in self.failing if isinstance(one, Verdict))


def reread(one: Measurement, text: str, vocabulary: Vocabulary) -> Measurement:
    """A cell as it would be understood if it held another text."""
    is_note = one.header.quantity is not None and one.header.quantity.role is Role.NOTE
    numerals = one.read(text, dates=is_note)
    numeral = numerals[0]
    if one.pick is not None and one.pick < len(numerals):
        numeral = as_single(numerals[one.pick])
    header = one.header
    if header.quantity is None and one.quantity is not None:
        header = header._replace(quantity=one.quantity)
    quantity, amount = identify(numeral, header, 0, vocabulary)
    return one._replace(quantity=quantity, numeral=numeral, amount=amount)


def amend(row: RunNumbers, repair: Repair) -> RunNumbers:
    """The row as it would be after a repair."""
    changed = {change.measurement.key: change for change in repair.changes}
    measurements = tuple(
        reread(one, changed[one.key].text, row.sheet.vocabulary) if one.key in changed else one
        for one in row.run.measurements
        if one.part == 0 or one.key not in changed
    )
    return row.supposing(measurements)


def suppose_values(row: RunNumbers, failing: Sequence[Verdict]) -> Iterator[Repair]:
    """One number is another one: a typing slip, a wrong unit, or simply the recomputed value."""
    failing = [one for one in failing if not one.bounded]
    suspects = {one.place: one.number for check in failing for one in check.operands}
    mine = {one.key for one in row.run.measurements}
    # A model is too rough to say which number should stand there.
    roughly = any(one.relation.model for one in failing)
    for place, number in suspects.items():
        if place is None or number.source.key not in mine:
            continue
        wanted = wanted_by_all(place, failing)
        if wanted is None:
            continue
        yield from _suppose_unit(row, number.source)
        likely = _computed(place, failing)
        if likely is None or number.exact or not wanted[0] <= likely <= wanted[1]:
            likely = _best_value(row, number, *wanted)
        yield from (
            repair
            for repair in _suppose_value(row, number, wanted, likely)
            if repair.mistake is not RepairKind.VALUE or not roughly
        )


def wanted_by_all(place: Place, checks: Iterable[Check]) -> Interval | None:
    """Where a number must lie for every law to hold; None if it is not part of all."""
    low, high = float("-inf"), float("inf")
    for check in checks:
        solved = check.solve(place)
        if solved is None:
            return None
        low, high = max(low, solved[0]), min(high, solved[1])
    return (low, high) if low <= high + NOISE * abs(high) and high < float("inf") else None


def _computed(place: Place, checks: Sequence[Check]) -> float | None:
    """What a person would compute: by a formula if one fails, else by what other rows have."""
    ranked = sorted(checks, key=lambda one: one.told_by_rows)
    found = (one.compute(place) for one in ranked)
    return next((value for value in found if value is not None), None)


def _suppose_unit(row: RunNumbers, one: Measurement) -> Iterator[Repair]:
    """The cell has another unit than all others of its column."""
    unit, usual = one.numeral.unit, row.sheet.columns[one.column].usual_unit(one)
    if unit and usual and unit != usual and one.cell.raw.count(unit) == 1:
        text = one.cell.raw.replace(unit, usual)
        title = f"{one.header.text}: {unit} instead of {usual}"
        yield Repair(RepairKind.UNIT, title, (CellChange(one, text),), UNIT_COST)


def _suppose_value(
    row: RunNumbers, number: Number, wanted: Interval, likely: float | None
) -> Iterator[Repair]:
    low, high = wanted
    one, typed, title = number.source, number.source.typed, number.source.header.text
    half = 0.0 if number.exact else (number.high - number.low) / 2
    seen: set[str] = {one.cell.raw}
    chance = (high - low + 2 * half) / (high + low + 2 * number.offset)
    printed = number.value - number.offset
    if typed is not None and printed:
        ratio = printed / float(typed.replace(",", ""))
        decimals = row.sheet.columns[one.column].decimals(one)
        usual = count_decimals(typed) if decimals is None else decimals
        for slip in typed_slips(typed, usual):
            value = float(slip.text.replace(",", "")) * ratio
            text = with_number(one, slip.text) if low - half <= value <= high + half else None
            if text is not None and text not in seen:
                seen.add(text)
                cost = slip.cost + chance * SLIP_VARIANTS.get(slip.what, USUAL_VARIANTS)
                yield Repair(
                    RepairKind.DIGITS, f"{title}: {slip.what}", (CellChange(one, text),), cost
                )
    for factor, text in _scaled(row, number, low - half, high + half):
        if text not in seen:
            seen.add(text)
            what = f"{title}: off by a factor of {factor:.4g}"
            cost = FACTOR_COST + chance * len(CELL_FACTORS)
            yield Repair(RepairKind.FACTOR, what, (CellChange(one, text),), cost)
    written = print_like(one, likely) if likely is not None else None
    text = with_number(one, written) if written is not None else None
    if text is not None and text not in seen:
        yield Repair(RepairKind.VALUE, f"{title} {text}", (CellChange(one, text),), VALUE_COST)


def _scaled(
    row: RunNumbers, number: Number, low: float, high: float
) -> Iterator[tuple[float, str]]:
    """A measurement in another unit, or of one device, of a node or of a part of the job."""
    if number.quantity.role is not Role.MEASUREMENT:
        return
    one = number.source
    sizes = (row.variables[name].value for name in _SIZES if name in row.variables)
    for factor in dict.fromkeys((*CELL_FACTORS, *(size for size in sizes if size > 1))):
        for ratio in (factor, 1 / factor):
            value = (number.value - number.offset) * ratio
            if low <= value <= high:
                written = print_like(one, value)
                text = with_number(one, written) if written is not None else None
                if text is not None:
                    yield factor, text


def _best_value(row: RunNumbers, number: Number, low: float, high: float) -> float | None:
    """The middle of what fits; of counts, one that the column has, a power of two, a whole number.

    None if no count fits.
    """
    middle = (low + high) / 2
    if not number.exact:
        return middle
    known = row.sheet.columns[number.source.column].whole_numbers_near(middle)
    power = 2.0 ** round(math.log2(middle)) if middle > 0 else middle
    for several in (known, [power], [float(round(middle))]):
        fitting = [one for one in several if low * (1 - NOISE) <= one <= high * (1 + NOISE)]
        if fitting:
            return min(fitting, key=lambda one: abs(one - middle))
    return None


def suppose_swaps(row: RunNumbers, suspects: Collection[CellKey], kinds: Kinds) -> Iterator[Repair]:
    """Two cells, one of them suspect, stand in each other's place."""
    numbers = [one for one in main_cells(row) if one.numeral.value is not None]
    for first, second in combinations(numbers, 2):
        if first.key not in suspects and second.key not in suspects:
            continue
        if kinds.clash(first, second) or kinds.clash(second, first):
            continue
        if first.cell.raw != second.cell.raw and _at_home(row, first, second, kinds):
            changes = (CellChange(first, second.cell.raw), CellChange(second, first.cell.raw))
            title = f"{first.header.text} and {second.header.text} are swapped"
            yield Repair(RepairKind.SWAP, title, changes, SWAP_COST)


def _at_home(row: RunNumbers, first: Measurement, second: Measurement, kinds: Kinds) -> bool:
    """Whether each of two numbers is odd where it stands, and usual where the other stands."""
    if is_misfit(first, kinds) or is_misfit(second, kinds):
        return True
    return all(
        not _is_usual(row, mine, mine) and _is_usual(row, mine, theirs)
        for mine, theirs in ((first, second), (second, first))
    )


def _is_usual(row: RunNumbers, one: Measurement, place: Measurement) -> bool:
    """Whether a number lies among those that the other rows have in a column."""
    others = row.sheet.columns[place.column].range_without(place.run)
    value = one.numeral.value
    return value is not None and others is not None and others[0] <= value <= others[1]


def main_cells(row: RunNumbers) -> list[Measurement]:
    """What each cell of a row is about, in the order of the columns; none if there are too many."""
    cells = [one for one in row.run.measurements if one.part == 0]
    return cells if len(cells) <= MOST_CELLS and not row.sheet.layout.transposed else []
