"""Which number is wrong where laws fail: the one that explains most and breaks least."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest

from mdbench.diagnosis.arithmetic.applied import Applied, operands_of
from mdbench.diagnosis.arithmetic.bases import setting_texts
from mdbench.diagnosis.arithmetic.bits import RowTest
from mdbench.diagnosis.arithmetic.evidence import has_baseline
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.grid import Grid, Line
from mdbench.diagnosis.arithmetic.laws import MONOMIALS
from mdbench.diagnosis.arithmetic.prior import is_said
from mdbench.diagnosis.arithmetic.witnesses import says_computed
from mdbench.diagnosis.arithmetic.words import is_part, wanted_of
from mdbench.diagnosis.checks import Check, Interval, Operand, Stand, meets
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number, Place
from mdbench.diagnosis.repairs.proportion import is_out_of_proportion
from mdbench.diagnosis.repairs.values import CellChange, Contradiction, Repair, RepairKind
from mdbench.diagnosis.slips import is_slip
from mdbench.diagnosis.thresholds import (
    BASELINE_COST,
    COMPUTED_COST,
    DERIVED_COST,
    FEWEST_CUT,
    FORMULA_COST,
    HELD_COST,
    MEASURED_COST,
    NEUTRAL_COST,
    ODD_GAIN,
    ROWS_IF_NAMED,
    ROWS_IF_UNNAMED,
    SETTING_COST,
    SLIP_GAIN,
    TELLING_WIDTHS,
    UNEXPLAINED_COST,
    UNIT_FACTORS,
    UNPRINTED_ZONE,
    USUAL_COST,
    USUAL_ROOM,
    VALUE_COST,
)
from mdbench.diagnosis.wording import name_wanted, repaired, wanted_text
from mdbench.sheets.measurements import Measurement
from mdbench.vocabulary.quantities import Role

Held = Mapping[Place, Sequence[Check]]
"""Of each number, the laws that hold with it."""


def blame_computed(failing: Iterable[Applied], held: Held) -> Iterator[Contradiction]:
    """The numbers that contradict what their table shows, each with what it should be."""
    of_this_kind = [one for one in failing if not _is_of_another_kind(one)]
    for component in _components(of_this_kind):
        if any(one.found.is_best for one in component):
            yield from _blame(component, held)


def _is_of_another_kind(one: Applied) -> bool:
    """Whether a row has a setting that no row has which follows the law.

    A constant that the rows tell may depend on every setting, unless it is the same for several of
    its values. Otherwise, only a setting counts that is the same in all rows that follow the law:
    then they do not show that it belongs there.
    """
    found = one.found
    used = {term.line for term in found.law.terms}
    holding = [test.row for test in found.evidence.tests if test.holds]
    told = found.law.free and not wanted_of(found.grid.lines[found.law.result]).is_comparison
    for at, line in enumerate(found.grid.lines):
        if line.is_setting and (at in used or told):
            mine = line.numbers.get(one.test.row)
            theirs = {line.numbers[row].value for row in holding if row in line.numbers}
            telling = len(theirs) > 1 if at in used else len(theirs) >= ROWS_IF_NAMED
            if mine is not None and mine.value not in theirs and not telling:
                return True
    if not has_baseline(found.grid, found.law, one.test.row):
        return True
    if not holding:
        return False
    return _is_compared_across(found, one.test.row, holding) or _has_own_baseline(one)


def _has_own_baseline(one: Applied) -> bool:
    """Whether rows that fail may be compared with another row, which is not in the table either."""
    if not _compares_with_unprinted(one):
        return False
    tests = [test for test in one.found.evidence.tests if test.stand is Stand.FAILS]
    mine = _share(one.test)
    return any(meets(mine, _share(test)) for test in tests if test.row != one.test.row)


def _share(test: RowTest) -> Interval:
    """How much of what is predicted is printed."""
    low, high = test.predicted
    return (test.printed.low / high, test.printed.high / low) if low > 0 else (0.0, 0.0)


def _is_compared_across(found: Found, row: int, holding: Sequence[int]) -> bool:
    """Whether a row is compared with one of another setting, and no row that follows the law is.

    Then the row that it is compared with is not in the table.
    """
    law, grid = found.law, found.grid
    compares = law.base is not None or (
        law.free and wanted_of(grid.lines[law.result]).is_comparison
    )
    if grid.by_rows or not compares:
        return False
    bases = law.base.rows if law.base is not None else dict.fromkeys([row, *holding], holding[0])
    return any(
        cells.get(row) != cells.get(bases[row])
        and all(cells.get(one) == cells.get(bases[one]) for one in holding)
        for cells in setting_texts(grid).values()
    )


def _components(failing: Sequence[Applied]) -> Iterator[list[Applied]]:
    """Laws that fail together: they share a number that is no baseline, or a wrong one."""
    by_place: dict[Place, list[int]] = defaultdict(list)
    for at, one in enumerate(failing):
        law, wrong = one.found.law, one.found.evidence.wrong_bases
        based = law.base is not None and law.base.rows.get(one.test.row) in wrong
        for operand in one.operands:
            if operand.place is not None and (based or not operand.at_base):
                by_place[operand.place].append(at)
    seen: set[int] = set()
    for start in range(len(failing)):
        if start in seen:
            continue
        seen.add(start)
        reached, waiting = [start], [start]
        while waiting:
            for operand in failing[waiting.pop()].operands:
                for other in by_place.get(operand.place, ()) if operand.place else ():
                    if other not in seen:
                        seen.add(other)
                        reached.append(other)
                        waiting.append(other)
        yield [failing[at] for at in sorted(reached)]


def _blame(failing: list[Applied], held: Held) -> Iterator[Contradiction]:
    """One number after the other, until all that fails is explained."""
    left = failing
    while left:
        ranked = sorted(_suspects(left, held), key=lambda one: one[0])
        if not ranked:
            return
        cost, place, explained = ranked[0]
        number = _number_at(explained, place)
        rivals = [
            (_number_at(laws, other), _best_value(laws, other), None)
            for rival, other, laws in ranked[1:]
            if rival < cost + 1
        ]
        lead = ranked[1][0] - cost if len(ranked) > 1 else UNEXPLAINED_COST
        quantum = _finer_quantum(explained[0].found.grid, number.source)
        values = list(_printed_values(explained, place, quantum))
        slight = abs(values[0] - number.value) <= UNPRINTED_ZONE * abs(number.value)
        if not (slight and all(one.told_by_rows for one in explained)):
            # Nearly any other number would do instead of a bound.
            own = [(number, value, quantum) for value in values]
            repairs = () if number.bounded else tuple(_repair([*own, *rivals]))
            wanted = wanted_text(number, values[0], quantum)
            yield Contradiction(None, tuple(explained), repairs, number, wanted, lead)
        left = [one for one in left if one not in explained]


def _repair(values: Iterable[tuple[Number, float, Decimal | None]]) -> Iterator[Repair]:
    """The repairs that write a value instead of a number each."""
    for number, value, quantum in values:
        text = repaired(number, value, quantum)
        if text is not None:
            title = name_wanted(number, value, quantum)
            yield Repair(RepairKind.VALUE, title, (CellChange(number.source, text),), VALUE_COST)


def _compares_with_unprinted(law: Applied) -> bool:
    """Whether a law compares with a baseline that only the results tell, with its hidden digits."""
    result = law.found.grid.lines[law.found.law.result]
    return law.found.law.free and wanted_of(result).is_comparison


def _finer_quantum(grid: Grid, one: Measurement) -> Decimal | None:
    """The place of the last digit in most cells of a column, if it is a finer one."""
    mains = grid.sheet.columns[one.column].mains
    if one.part or one.numeral.quantum is None:
        return None
    found = Counter(each.numeral.quantum for each in mains if each.numeral.quantum is not None)
    most, count = found.most_common()[0]
    return most if most < one.numeral.quantum and 2 * count > found.total() else None


def _suspects(
    failing: Sequence[Applied], held: Held
) -> Iterator[tuple[float, Place, list[Applied]]]:
    places: dict[Place, list[Applied]] = defaultdict(list)
    for one in failing:
        for operand in one.operands:
            if operand.place is not None:
                places[operand.place].append(one)
    for place, laws in places.items():
        expected = _expected(laws, place)
        if expected is None:
            continue
        cost = min(_base_cost(law, place) for law in laws)
        cost += UNEXPLAINED_COST * (len(failing) - len(laws))
        number = _number_at(laws, place)
        holding = held.get(place, ())
        cost += HELD_COST * len({one.law for one in holding})
        cost += FORMULA_COST * any(_is_computed(one, place) for one in holding)
        if laws[0].found.law.shape in MONOMIALS:
            cost += USUAL_COST * _would_be_unusual(laws[0].found.grid, number, expected)
        cost -= ODD_GAIN * any(is_out_of_proportion(one, place) for one in laws)
        half = (number.high - number.low) / 2
        near = expected[0] - half, expected[1] + half
        cost -= SLIP_GAIN if is_slip(number.source, number.value, near) else 0.0
        yield cost, place, laws


def _would_be_unusual(grid: Grid, number: Number, wanted: Interval) -> bool:
    """Whether a number is usual in its column, and what it should be is far from all others."""
    place = number.source.column, number.source.part
    line = next((one for one in grid.lines if one.place == place), None)
    if line is None or grid.by_rows or min(number.value, *wanted) <= 0:
        return False
    others = [
        math.log(one.value)
        for one in line.numbers.values()
        if one.value > 0 and one.source is not number.source
    ]
    if len(others) < ROWS_IF_UNNAMED:
        return False
    low, high = min(others), max(others)
    room = max(high - low, USUAL_ROOM)
    now, then = math.log(number.value), math.log(sum(wanted) / 2)
    usual = low - room / 2 <= now <= high + room / 2
    return usual and not low - room <= then <= high + room


def _is_computed(check: Check, place: Place) -> bool:
    """Whether a formula of the report gives a number: then the others are suspect, not it."""
    return (
        isinstance(check, Verdict) and check.relation.printed and check.operands[0].place == place
    )


def _base_cost(law: Applied, place: Place) -> float:
    operand = next((one for one in law.operands if one.place == place), None)
    if operand is None:
        return MEASURED_COST
    if operand.at_base:
        return BASELINE_COST
    if _is_result(law, operand):
        # What says that it is the baseline, is the baseline.
        return NEUTRAL_COST if operand.number is law.found.law.baseline else DERIVED_COST
    rate = _is_rate(operand.number.source)
    if rate or operand.power == 0:
        return COMPUTED_COST if rate else COMPUTED_COST + 1
    quantity = operand.number.source.quantity
    is_setting = quantity is not None and quantity.role in (Role.SETTING, Role.IDENTITY)
    return SETTING_COST if is_setting else MEASURED_COST


def _is_result(law: Applied, operand: Operand) -> bool:
    """Whether headers say that a number was computed from the others."""
    grid, found = law.found.grid, law.found
    result, is_result = grid.lines[found.law.result], operand.power == 0
    if is_result and (_is_derived(result) or is_said(grid, found.law)):
        return True
    if not grid.by_rows and not _is_derived(result) and _says_derived(grid, operand.number):
        return True
    return says_computed(grid, found.law, result=is_result)


def _is_derived(line: Line) -> bool:
    return wanted_of(line).derived or is_part(line)


def _says_derived(grid: Grid, number: Number) -> bool:
    """Whether the column of a number says that it compares others."""
    place = number.source.column, number.source.part
    return any(line.place == place and _is_derived(line) for line in grid.lines)


def _is_rate(one: Measurement) -> bool:
    """Whether a number is of something per second: these are computed from times."""
    unit = one.amount.unit if one.amount is not None else None
    return unit is not None and unit.dimension.endswith("/s")


def _expected(laws: Sequence[Applied], place: Place) -> Interval | None:
    """What a number must be for every one of some laws to hold."""
    low, high = float("-inf"), float("inf")
    for law in laws:
        solved = law.solve(place)
        if solved is None:
            return None
        low, high = max(low, solved[0]), min(high, solved[1])
    number = _number_at(laws, place)
    room = max(1e-3 * max(abs(low), abs(high)), number.high - number.low)
    return (min(low, high), max(low, high)) if low <= high + room else None


def _number_at(laws: Sequence[Applied], place: Place) -> Number:
    return next(one.number for law in laws for one in law.operands if one.place == place)


def _printed_values(
    laws: Sequence[Applied], place: Place, quantum: Decimal | None
) -> Iterator[float]:
    """What a number should be, each value that is printed differently once, the best one first.

    Of the others, those by laws that tell all digits but the last.
    """
    number = _number_at(laws, place)
    best, *others = _values(laws, place)
    exact = [
        value
        for law in laws
        if _width(law.solve(place)) <= TELLING_WIDTHS * (number.high - number.low)
        for value in _values([law], place)
    ]
    seen: set[str | None] = set()
    for value in (best, *(one for one in others if one in exact)):
        results = [law for law in laws if law.operands[0].place == place]
        kept = _cut_alike(results[0], number, value) if results else value
        text = number.print_like(kept, quantum)
        if text not in seen:
            seen.add(text)
            yield kept


def _cut_alike(law: Applied, number: Number, value: float) -> float:
    """A value without the digits behind its last one, if the other results were cut there."""
    found, votes = law.found, Counter[bool]()
    for test in found.evidence.tests:
        if test.holds and test.row != law.test.row:
            operands = tuple(operands_of(found.grid, found, test))
            predicted = Applied(found, test, operands).as_printed().test.predicted
            computed, printed = sum(predicted) / 2, test.printed
            cut = printed.print_like(printed.cut_off(computed))
            if cut != printed.print_like(computed):
                votes[printed.print_like(printed.value) == cut] += 1
    cuts = votes[True] >= FEWEST_CUT and votes[True] > votes[False]
    return number.cut_off(value) if cuts else value


def _best_value(laws: Sequence[Applied], place: Place) -> float:
    """What a number should be, from the numbers as printed."""
    return _values(laws, place)[0]


def _values(laws: Sequence[Applied], place: Place) -> list[float]:
    """What a number should be by each law, from the numbers as printed.

    First is the number in a smaller or larger unit, if all laws allow it. Then, if the laws differ
    a little, it is what the fewest slips make of it, else the most exact.
    """
    number = _number_at(laws, place)
    low, high = _expected(laws, place) or (0.0, 0.0)
    units = [number.value * factor for factor in UNIT_FACTORS]
    found = []
    for law in laws:
        solved = law.as_printed().solve(place) or law.solve(place)
        if solved is not None:
            value = (solved[0] + solved[1]) / 2
            found.append((_differing(number, value), _width(law.solve(place)), value))
    return [
        *(value for value in units if low <= value <= high),
        *(value for _, _, value in sorted(found)),
    ]


def _differing(number: Number, value: float) -> int:
    """In how many characters a value would be printed differently."""
    typed, wanted = number.source.typed or "", number.print_like(value) or ""
    pairs = zip_longest(typed, wanted)
    return sum(one != other for one, other in pairs)


def _width(interval: Interval | None) -> float:
    return interval[1] - interval[0] if interval is not None else float("inf")
