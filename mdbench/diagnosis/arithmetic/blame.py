"""Which number is wrong where laws fail: the one that explains most and breaks least."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.evidence import RowTest, Stand, test_bounds
from mdbench.diagnosis.arithmetic.grid import Grid, Number
from mdbench.diagnosis.arithmetic.laws import MONOMIALS, Interval, Shape, combine, multiply
from mdbench.diagnosis.arithmetic.search import Found
from mdbench.diagnosis.arithmetic.words import wanted_of
from mdbench.diagnosis.slips import typed_slips
from mdbench.diagnosis.thresholds import (
    BASELINE_COST,
    COMPUTED_COST,
    DERIVED_COST,
    HELD_COST,
    MEASURED_COST,
    NEUTRAL_COST,
    SETTING_COST,
    SLIP_GAIN,
    UNEXPLAINED_COST,
)
from mdbench.numerals.digits import count_decimals
from mdbench.sheets.measurements import CellKey, Measurement
from mdbench.vocabulary.quantities import Role

_Place = tuple[CellKey, int]
"""A cell, and which of its numbers."""


class Operand(NamedTuple):
    """A number that takes part in a law: in which place, and as what."""

    number: Number
    power: int
    """0 for the result."""
    at_base: bool

    @property
    def place(self) -> _Place:
        """Its cell."""
        return self.number.measurement.key, self.number.measurement.part


class Applied(NamedTuple):
    """A law in one row."""

    found: Found
    test: RowTest
    operands: tuple[Operand, ...]

    @property
    def fails(self) -> bool:
        """Whether the numbers contradict the law."""
        return self.test.stand is Stand.FAILS


class Mismatch(NamedTuple):
    """A number that contradicts others, and what it should be."""

    number: Number
    value: float
    """What would fulfil every law that fails, in base units."""
    failing: tuple[Applied, ...]
    doubt: float
    """How much likelier it is than the next best explanation, in bits."""
    rivals: tuple[tuple[Number, float], ...] = ()
    """Other numbers that may be the wrong one just as well."""
    quantum: Decimal | None = None
    """The place of the last digit in most of its column, if it has fewer digits itself."""


def apply_laws(laws: Iterable[Found]) -> Iterator[Applied]:
    """Every law in every row; one relation that is seen from several of its lines counts once."""
    seen: set[tuple[object, ...]] = set()
    for found in sorted(laws, key=lambda one: (not one.named, -one.bits)):
        for test in (*found.evidence.tests, *test_bounds(found.grid, found.law)):
            operands = tuple(_operands(found.grid, found, test))
            key = _identity(found, operands)
            if key not in seen:
                seen.add(key)
                yield Applied(found, test, operands)


def _identity(found: Found, operands: Sequence[Operand]) -> tuple[object, ...]:
    places = sorted((one.place, one.at_base) for one in operands)
    if found.law.shape is Shape.PRODUCT:
        return found.law.shape, found.law.free, tuple(places)
    return found.law.shape, tuple(places)


def _operands(grid: Grid, found: Found, test: RowTest) -> Iterator[Operand]:
    yield Operand(test.printed, 0, at_base=False)
    for term, number in found.law.operands(grid, test.row) or ():
        yield Operand(number, term.power, term.at_base)


def find_mismatches(laws: Sequence[Found]) -> Iterator[Mismatch]:
    """The numbers that contradict the laws, each with what it should be."""
    applied = [
        one
        for one in apply_laws(one for one in laws if not one.is_stale)
        if not (one.fails and _is_of_another_kind(one))
    ]
    held: dict[_Place, list[Applied]] = defaultdict(list)
    for one in applied:
        if one.test.holds:
            for operand in one.operands:
                held[operand.place].append(one)
    for component in _components([one for one in applied if one.fails]):
        if any(one.found.is_best for one in component):
            yield from _blame(component, held)


def _is_of_another_kind(one: Applied) -> bool:
    """Whether a row has a setting that no row has which follows the law.

    A constant that the rows tell may depend on every setting. Otherwise, only a setting counts that
    is the same in all rows that follow the law: then they do not show that it belongs there.
    """
    found = one.found
    used = {term.line for term in found.law.terms}
    holding = [test.row for test in found.evidence.tests if test.holds]
    told = found.law.free and not wanted_of(found.grid.lines[found.law.result]).is_comparison
    for at, line in enumerate(found.grid.lines):
        if line.is_setting and (at in used or told):
            mine = line.numbers.get(one.test.row)
            theirs = {line.numbers[row].value for row in holding if row in line.numbers}
            telling = len(theirs) > 1 and at in used
            if mine is not None and mine.value not in theirs and not telling:
                return True
    return False


def _components(failing: Sequence[Applied]) -> Iterator[list[Applied]]:
    """Laws that fail together: they share a number that is no baseline."""
    by_place: dict[_Place, list[int]] = defaultdict(list)
    for at, one in enumerate(failing):
        for operand in one.operands:
            if not operand.at_base:
                by_place[operand.place].append(at)
    seen: set[int] = set()
    for start in range(len(failing)):
        if start in seen:
            continue
        seen.add(start)
        reached, waiting = [start], [start]
        while waiting:
            for operand in failing[waiting.pop()].operands:
                for other in by_place.get(operand.place, ()):
                    if other not in seen:
                        seen.add(other)
                        reached.append(other)
                        waiting.append(other)
        yield [failing[at] for at in sorted(reached)]


def _blame(failing: list[Applied], held: Mapping[_Place, list[Applied]]) -> Iterator[Mismatch]:
    """One number after the other, until all that fails is explained."""
    left = failing
    while left:
        ranked = sorted(_suspects(left, held), key=lambda one: one[0])
        if not ranked:
            return
        cost, place, explained = ranked[0]
        operand = next(one for law in explained for one in law.operands if one.place == place)
        rivals = tuple(
            (_number_at(laws, other), _best_value(laws, other))
            for rival, other, laws in ranked[1:]
            if rival < cost + 1
        )
        doubt = ranked[1][0] - cost if len(ranked) > 1 else UNEXPLAINED_COST
        value = _best_value(explained, place)
        quantum = _finer_quantum(explained[0].found.grid, operand.number.measurement)
        yield Mismatch(operand.number, value, tuple(explained), doubt, rivals, quantum)
        left = [one for one in left if one not in explained]


def _finer_quantum(grid: Grid, one: Measurement) -> Decimal | None:
    """The place of the last digit in most cells of a column, if it is a finer one."""
    mains = grid.sheet.columns[one.column].mains
    if one.part or one.numeral.quantum is None:
        return None
    found = Counter(each.numeral.quantum for each in mains if each.numeral.quantum is not None)
    most, count = found.most_common(1)[0]
    return most if most < one.numeral.quantum and 2 * count > found.total() else None


def _suspects(
    failing: Sequence[Applied], held: Mapping[_Place, list[Applied]]
) -> Iterator[tuple[float, _Place, list[Applied]]]:
    places: dict[_Place, list[Applied]] = defaultdict(list)
    for one in failing:
        for operand in one.operands:
            places[operand.place].append(one)
    for place, laws in places.items():
        expected = _expected(laws, place)
        if expected is None:
            continue
        cost = min(_base_cost(law, place) for law in laws)
        cost += UNEXPLAINED_COST * (len(failing) - len(laws))
        cost += HELD_COST * len({id(one.found) for one in held.get(place, ())})
        number = _number_at(laws, place)
        cost -= SLIP_GAIN if _is_slip(number, expected) else 0.0
        yield cost, place, laws


def _base_cost(law: Applied, place: _Place) -> float:
    grid = law.found.grid
    for operand in law.operands:
        if operand.place != place:
            continue
        if operand.at_base:
            return BASELINE_COST
        if operand.power == 0 and wanted_of(grid.lines[law.found.law.result]).derived:
            # What says that it is the baseline, is the baseline.
            baseline = law.found.law.baseline
            return NEUTRAL_COST if operand.number is baseline else DERIVED_COST
        if _is_rate(operand.number.measurement):
            return COMPUTED_COST
        if operand.power == 0:
            return COMPUTED_COST + 1
        quantity = operand.number.measurement.quantity
        if quantity is not None and quantity.role in (Role.SETTING, Role.IDENTITY):
            return SETTING_COST
    return MEASURED_COST


def _is_rate(one: Measurement) -> bool:
    """Whether a number is of something per second: these are computed from times."""
    unit = one.amount.unit if one.amount is not None else None
    return unit is not None and unit.dimension.endswith("/s")


def _expected(laws: Sequence[Applied], place: _Place) -> Interval | None:
    """What a number must be for every one of some laws to hold."""
    low, high = float("-inf"), float("inf")
    for law in laws:
        solved = solve(law, place)
        if solved is None:
            return None
        low, high = max(low, solved[0]), min(high, solved[1])
    number = _number_at(laws, place)
    room = max(1e-3 * max(abs(low), abs(high)), number.high - number.low)
    return (min(low, high), max(low, high)) if low <= high + room else None


def _number_at(laws: Sequence[Applied], place: _Place) -> Number:
    return next(one.number for law in laws for one in law.operands if one.place == place)


def _best_value(laws: Sequence[Applied], place: _Place) -> float:
    """What a number should be, from the numbers as printed.

    If the laws differ a little, it is what the fewest slips make of it, else the most exact.
    """
    number = _number_at(laws, place)
    found = []
    for law in laws:
        solved = solve(_as_printed(law), place) or solve(law, place)
        if solved is not None:
            value = (solved[0] + solved[1]) / 2
            found.append((_differing(number, value), _width(solve(law, place)), value))
    return min(found)[2]


def _differing(number: Number, value: float) -> int:
    """In how many characters a value would be printed differently."""
    typed, wanted = number.measurement.typed or "", number.print_like(value) or ""
    pairs = zip_longest(typed, wanted)
    return sum(one != other for one, other in pairs)


def _width(interval: Interval | None) -> float:
    return interval[1] - interval[0] if interval is not None else float("inf")


def _as_printed(law: Applied) -> Applied:
    """A law with its numbers taken for exact."""
    operands = tuple(one._replace(number=one.number.as_printed()) for one in law.operands)
    ends = [(one.power, one.number.low, one.number.high) for one in operands[1:]]
    predicted = law.found.law.compute(law.test.row, ends) or law.test.predicted
    return law._replace(operands=operands, test=law.test._replace(predicted=predicted))


def solve(law: Applied, place: _Place) -> Interval | None:
    """What a number must be for a law to hold; None where that cannot be told."""
    if law.operands[0].place == place:
        return law.test.predicted
    mine = next(one for one in law.operands[1:] if one.place == place)
    others = [one for one in law.operands[1:] if one.place != place]
    if len(others) + 2 != len(law.operands):
        return None
    if law.found.law.shape in MONOMIALS:
        return _solve_product(law, mine, others)
    if law.found.law.shape in (Shape.SUM, Shape.MEAN):
        return _solve_sum(law, mine, others)
    return None


def _solve_product(law: Applied, mine: Operand, others: Sequence[Operand]) -> Interval | None:
    result, (least, most) = law.operands[0].number, law.found.law.constant
    scale = law.found.law.scale
    low, high = (end / scale for end in result.widest())
    if law.found.law.shape is Shape.CHANGE:
        low, high = low + 1, high + 1
    elif law.found.law.shape is Shape.SAVED:
        low, high = 1 - high, 1 - low
    terms = [(-one.power, one.number.low, one.number.high) for one in others]
    solved = multiply([(1, low, high), (-1, least, most), *terms])
    if solved is None or mine.power > 0:
        return solved
    return 1 / solved[1], 1 / solved[0]


def _solve_sum(law: Applied, mine: Operand, others: Sequence[Operand]) -> Interval:
    result = law.operands[0].number
    count = len(law.operands) - 1 if law.found.law.shape is Shape.MEAN else 1
    ends = [(one.power, one.number.low, one.number.high) for one in others]
    rest = combine(Shape.SUM, ends) or (0.0, 0.0)
    low, high = result.low * count - rest[1], result.high * count - rest[0]
    return (low, high) if mine.power > 0 else (-high, -low)


def _is_slip(number: Number, expected: Interval) -> bool:
    """Whether one slip of the fingers makes of the expected number the printed one."""
    one = number.measurement
    typed = one.typed
    if typed is None or not number.value:
        return False
    ratio = number.value / float(typed.replace(",", ""))
    half = (number.high - number.low) / 2
    for slip in typed_slips(typed, count_decimals(typed)):
        value = float(slip.text.replace(",", "")) * ratio
        if expected[0] - half <= value <= expected[1] + half:
            return True
    return _differs_in_one_digit(typed, ratio, expected, half)


def _differs_in_one_digit(typed: str, ratio: float, expected: Interval, half: float) -> bool:
    for at, char in enumerate(typed):
        if char.isdigit():
            for digit in "0123456789":
                if digit != char:
                    text = (typed[:at] + digit + typed[at + 1 :]).replace(",", "")
                    if expected[0] - half <= float(text) * ratio <= expected[1] + half:
                        return True
    return False
