"""A number that is wrong in every row that it stands in: one mistake, copied down a column."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.repairs.values import Contradiction
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.slips import with_number
from mdbench.diagnosis.thresholds import FEWEST_ROWS, NOISE
from mdbench.sheets.measurements import Measurement


class _Key(NamedTuple):
    """A number in a column, and what one relation wants there."""

    sheet: int
    column: int
    pick: int | None
    relation: str
    printed: float
    wanted: float


class RepeatedMistake(NamedTuple):
    """The cells with the same wrong number, and what should be there."""

    cells: tuple[Measurement, ...]
    right: str
    why: str
    rows: frozenset[tuple[int, int, int]]
    """The runs that it explains."""


def find_repeated(
    found: Sequence[Contradiction], verdicts: Sequence[tuple[RunNumbers, Verdict]]
) -> tuple[RepeatedMistake, ...]:
    """The counts that every run with them contradicts in the same way."""
    groups: dict[_Key, list[tuple[Contradiction, Measurement]]] = {}
    for one in found:
        for key, cell in _wanted_counts(one):
            groups.setdefault(key, []).append((one, cell))
    likely = {key: several for key, several in groups.items() if _is_enough(several)}
    if not likely:
        return ()
    sound = {place for row, verdict in verdicts for place in _holding(row, verdict)}
    best: dict[tuple[int, str], list[_Key]] = {}
    for key in likely:
        if key[:5] not in sound:
            best.setdefault((key.sheet, key.relation), []).append(key)
    return tuple(_mistake(likely[keys[0]], keys[0]) for keys in best.values() if len(keys) == 1)


def _wanted_counts(one: Contradiction) -> Iterator[tuple[_Key, Measurement]]:
    """For each number of the only relation that fails, the count that would fit."""
    if len(one.related) != 1 or not isinstance(one.related[0].instance, Instance):
        return
    verdict, instance = one.related[0], one.related[0].instance
    if not all(each.exact for each in instance.variables):
        return
    for each in instance.variables:
        cell = each.measurement
        ends = instance.solve(each, verdict.constant.low, verdict.constant.high)
        if cell is None or ends is None or cell.table != one.row.sheet.number:
            continue
        wanted = round(ends[0])
        if wanted > 0 and abs(ends[0] - wanted) < NOISE * wanted and ends[1] - ends[0] < NOISE:
            yield _place(one.row, verdict, each, cell)._replace(wanted=float(wanted)), cell


def _place(row: RunNumbers, verdict: Verdict, one: Number, cell: Measurement) -> _Key:
    equation = verdict.relation.equation
    return _Key(row.sheet.number, cell.column, cell.pick, equation, one.value, 0.0)


def _holding(row: RunNumbers, verdict: Verdict) -> Iterator[tuple[object, ...]]:
    if not verdict.fails:
        for one in verdict.instance.variables:
            if one.measurement is not None:
                yield _place(row, verdict, one, one.measurement)[:5]


def _is_enough(several: Sequence[tuple[Contradiction, Measurement]]) -> bool:
    """Whether the other numbers differ, so that only this one can be what they have in common."""
    return len({cell.row for _, cell in several}) >= FEWEST_ROWS


def _mistake(several: Sequence[tuple[Contradiction, Measurement]], key: _Key) -> RepeatedMistake:
    instance, cell = several[0][0].related[0].instance, several[0][1]
    factors = instance.factors if isinstance(instance, Instance) else ()
    return RepeatedMistake(
        tuple(cell for _, cell in several),
        f"{key.wanted:.0f}",
        _calculate(factors, cell),
        frozenset(one.row.key for one, _ in several),
    )


def _calculate(factors: Sequence[tuple[Number, int]], cell: Measurement) -> str:
    """`8192 / 64`: how the number follows from the others of its row."""
    own = next(power for one, power in factors if one.measurement is cell)
    others = [(_text(one), power) for one, power in factors if one.measurement is not cell]
    above = [text for text, power in others if (power > 0) != (own > 0)]
    below = [text for text, power in others if (power > 0) == (own > 0)]
    return " × ".join(above or ["1"]) + "".join(f" / {text}" for text in below)


def _text(one: Number) -> str:
    place = one.measurement or one.fact
    return place.numeral.text if place is not None else f"{one.value:g}"


def edits_of(mistake: RepeatedMistake) -> Mapping[Measurement, str]:
    """The text that each of its cells should have."""
    return {
        cell: text
        for cell in mistake.cells
        if (text := with_number(cell, mistake.right)) is not None
    }
