"""Typical mistakes, inserted one at a time into the text of a report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from random import Random

from benchmarks.clean import Clean
from mdbench.diagnosis.numbers import RunNumbers
from mdbench.diagnosis.repairs.values import CellChange, reread
from mdbench.diagnosis.slips import move_point, print_like, with_number
from mdbench.relations.catalogue import Constant
from mdbench.sheets.measurements import Measurement
from mdbench.source import Edit, Source, Span
from mdbench.vocabulary.quantities import Role

Place = tuple[int, int]
"""A body row and a column of a table, both counted from 0."""
_PARTNERS = {
    "ms": "s", "s": "ms", "sec": "ms", "MiB": "GiB", "GiB": "MiB", "GB": "MB", "MB": "GB",
    "J": "kJ", "kJ": "J", "W": "kW", "hours": "min", "h": "min", "min": "h",
}  # fmt: skip
_UNIT_WORD = re.compile(r"(?<![/\w])[A-Za-z]+(?![/\w])")


class Kind(StrEnum):
    """The kind of mistake."""

    SWAP = "two cells swapped"
    SHIFT = "row shifted by one"
    COLUMN = "column × 1000"
    TENFOLD = "value × 10"
    TRANSPOSED = "digits transposed"
    DROPPED = "digit dropped"
    STALE = "stale derived value"
    MOVED = "result moved to another row"
    DUPLICATE = "duplicated row"
    UNIT = "unit changed"


class Unseen(StrEnum):
    """Why a mistake cannot be detected by arithmetic, and is not counted."""

    UNCOVERED = "no relation uses the cell"
    ROUNDING = "within rounding"
    SAME = "all relations still hold"
    OWN_CONSTANT = "only this column determines the constant"


@dataclass(frozen=True)
class Fault:
    """A report with one mistake, and where it is."""

    kind: Kind
    source: Source
    table: int
    rows: frozenset[int]
    """The affected body rows of the changed table."""
    cells: frozenset[Place]
    """The wrong cells of the changed table."""
    lost: frozenset[Place] = frozenset()
    """Cells of the original table whose text is lost, so that no fix can restore it."""
    added: int = 0
    """The number of the line that was added, or 0."""


Try = Fault | Unseen | None
"""A mistake, why it is undetectable, or None if the kind does not apply."""


def make_faults(
    clean: Clean, kind: Kind, most: int, seed: str
) -> tuple[list[Fault], Counter[Unseen]]:
    """Up to `most` mistakes of a kind at random places, and how many were skipped and why."""
    random = Random(f"{seed} {kind}")
    rows = list(clean.rows)
    random.shuffle(rows)
    faults: list[Fault] = []
    unseen: Counter[Unseen] = Counter()
    seen: set[str] = set()
    for row in rows[: 4 * most]:
        made = _MAKERS[kind](clean, row, random)
        if isinstance(made, Fault):
            if made.source.text not in seen:
                seen.add(made.source.text)
                faults.append(made)
        elif made is not None:
            unseen[made] += 1
        if len(faults) == most:
            break
    return faults, unseen


def _numbers(row: RunNumbers) -> list[Measurement]:
    return [
        one
        for one in row.run.measurements
        if one.part == 0 and one.amount is not None and one.single and one.typed is not None
    ]


def _pick(clean: Clean, row: RunNumbers, random: Random) -> Measurement | None:
    """A random number of the row that a relation covers."""
    covered = {one.cell.span for one in clean.confirmed(row)}
    numbers = [one for one in _numbers(row) if one.cell.span in covered]
    return random.choice(numbers) if numbers else None


def _edited(clean: Clean, kind: Kind, row: RunNumbers, changes: Sequence[CellChange]) -> Fault:
    edits = [Edit(change.measurement.cell.span, change.text) for change in changes]
    places = frozenset(
        (change.measurement.row, clean.column_of(change.measurement, row)) for change in changes
    )
    rows = frozenset(at for at, _ in places)
    return Fault(kind, clean.source.edited(edits), clean.table_of(row), rows, places)


def _retyped(
    clean: Clean, kind: Kind, row: RunNumbers, one: Measurement | None, number: str | None
) -> Try:
    """A mistake in one number."""
    if one is None or number is None:
        return None if one is not None else Unseen.UNCOVERED
    text = with_number(one, number)
    if text is None or text == one.cell.raw:
        return None
    changes = (CellChange(one, text),)
    if not clean.fails_after(row, changes):
        return Unseen.ROUNDING
    return _edited(clean, kind, row, changes)


def _tenfold(clean: Clean, row: RunNumbers, random: Random) -> Try:
    one = _pick(clean, row, random)
    typed = one.typed if one is not None else None
    return _retyped(clean, Kind.TENFOLD, row, one, move_point(typed, 1) if typed else None)


def _transpose(clean: Clean, row: RunNumbers, random: Random) -> Try:
    one = _pick(clean, row, random)
    typed = (one.typed if one is not None else None) or ""
    pairs = [
        at
        for at, (first, second) in enumerate(pairwise(typed))
        if first != second and first.isdigit() and second.isdigit() and (at or second != "0")
    ]
    if one is not None and not pairs:
        return None
    at = random.choice(pairs) if pairs else 0
    number = typed[:at] + typed[at + 1 : at + 2] + typed[at : at + 1] + typed[at + 2 :]
    return _retyped(clean, Kind.TRANSPOSED, row, one, number)


def _drop(clean: Clean, row: RunNumbers, random: Random) -> Try:
    one = _pick(clean, row, random)
    typed = (one.typed if one is not None else None) or ""
    places = [at for at, char in enumerate(typed) if char.isdigit()]
    if one is not None and len(places) < 2:
        return None
    at = random.choice(places) if places else 0
    number = typed[:at] + typed[at + 1 :]
    whole = bool(number) and number[0].isdigit() and number[-1].isdigit()
    leading = number[:1] == "0" and number[1:2] not in ("", ".")
    if one is not None and (not whole or leading):
        return None
    return _retyped(clean, Kind.DROPPED, row, one, number)


def _stale(clean: Clean, row: RunNumbers, random: Random) -> Try:
    """A derived number that was not updated when one of its inputs changed."""
    tied = [
        variable
        for verdict in clean.diagnosis.trials.verdicts(row)
        for variable in verdict.instance.variables
        if not verdict.fails
        and variable.measurement is not None
        and variable.quantity.name == verdict.relation.result
        and variable.measurement.typed is not None
    ]
    if not tied:
        return Unseen.UNCOVERED
    derived = random.choice(tied)
    factor = random.choice((0.5, 0.75, 0.8, 0.9, 1.1, 1.25, 1.5, 2.0))
    one = derived.measurement
    if one is None:
        return None
    value = (derived.value * factor) - derived.offset
    number = print_like(one, value) if value > 0 else None
    return _retyped(clean, Kind.STALE, row, one, number)


def _swap(clean: Clean, row: RunNumbers, random: Random) -> Try:
    one = _pick(clean, row, random)
    if one is None:
        return Unseen.UNCOVERED
    others = [other for other in _numbers(row) if other.cell.span != one.cell.span]
    if not others:
        return None
    other = random.choice(others)
    changes = (CellChange(one, other.cell.raw), CellChange(other, one.cell.raw))
    misfits = any(
        reread(c.measurement, c.text, row.sheet.vocabulary).amount is None for c in changes
    )
    if not misfits and not clean.fails_after(row, changes):
        return Unseen.SAME
    return _edited(clean, Kind.SWAP, row, changes)


def _shift(clean: Clean, row: RunNumbers, random: Random) -> Try:
    """An extra pipe or a missing cell: the following cells are one column off."""
    at = row.run.number
    cells = row.sheet.table.rows[at].cells
    typed = [place for place, cell in enumerate(cells) if cell.present]
    if len(typed) < 3 or len(typed) != len(row.sheet.columns):
        return None
    first = random.choice(typed[1:-1])
    if not any(cells[place].raw.strip(" -") for place in typed[first:]):
        return None
    table = clean.table_of(row)
    after = range(first, len(typed))
    if random.random() < 0.5:
        edit = Edit(Span(cells[first].span.start, cells[first].span.start), " | ")
        places = frozenset((at, place) for place in (*after, len(typed)))
        return Fault(Kind.SHIFT, clean.source.edited([edit]), table, frozenset((at,)), places)
    edit = Edit(Span(cells[first].span.start, cells[first + 1].span.start), "")
    places = frozenset((at, place) for place in after[:-1])
    lost = frozenset(((at, first),))
    return Fault(Kind.SHIFT, clean.source.edited([edit]), table, frozenset((at,)), places, lost)


def _scale_column(clean: Clean, row: RunNumbers, random: Random) -> Try:
    """A measured column in another unit than its header says. Settings are left alone."""
    one = _pick(clean, row, random)
    if one is None or not _is_measured(one):
        return Unseen.UNCOVERED if one is None else None
    column = [
        other
        for other in row.sheet.measurements
        if other.header is one.header and other.part == 0 and other.typed is not None
    ]
    texts = [with_number(other, move_point(other.typed or "", 3)) for other in column]
    changes = [CellChange(a, b) for a, b in zip(column, texts, strict=True) if b is not None]
    if len(changes) < 2 or len(changes) < len(column):
        return None
    seen = _sees_column(clean, row, one)
    return seen or _edited(clean, Kind.COLUMN, row, changes)


def _sees_column(clean: Clean, row: RunNumbers, one: Measurement) -> Unseen | None:
    """Why a wrong column is undetectable: only this column determines a constant."""
    others = [other for other in clean.rows if other.sheet is row.sheet]
    fixed = sum(
        any(
            variable.measurement is not None and variable.measurement.header is one.header
            for verdict in clean.diagnosis.trials.verdicts(other)
            if not verdict.fails and verdict.relation.constant is Constant.ONE
            for variable in verdict.instance.variables
        )
        for other in others
    )
    return None if fixed >= 2 else Unseen.OWN_CONSTANT


def _move(clean: Clean, row: RunNumbers, random: Random) -> Try:
    """The measurements of a row are in another row, and their own row is empty."""
    mine = _results(row)
    if len(mine) > len(_results(row, row.run.measurements)):
        return None  # several runs stand side by side in the row
    others = [
        other
        for other in clean.rows
        if other.sheet is row.sheet
        and other.run.number != row.run.number
        and _results(other).keys() == mine.keys()
    ]
    if not mine or not others:
        return None
    other = random.choice(others)
    theirs = _results(other)
    moved = [CellChange(theirs[at], one.cell.raw) for at, one in mine.items()]
    if not clean.fails_after(other, moved):
        return Unseen.SAME
    fault = _edited(
        clean, Kind.MOVED, row, [*moved, *(CellChange(one, "-") for one in mine.values())]
    )
    wrong = frozenset(place for place in fault.cells if place[0] == other.run.number)
    return Fault(Kind.MOVED, fault.source, fault.table, fault.rows, wrong, wrong)


def _results(row: RunNumbers, among: Sequence[Measurement] = ()) -> dict[int, Measurement]:
    """The measurements of a row, by column."""
    return {
        one.column: one
        for one in among or row.sheet.measurements
        if one.row == row.run.number and one.part == 0 and one.numeral.value is not None
        if one.header.quantity is None or one.header.quantity.role in (Role.MEASUREMENT, Role.SCORE)
    }


def _is_measured(one: Measurement) -> bool:
    return one.quantity is not None and one.quantity.role is Role.MEASUREMENT


def _duplicate(clean: Clean, row: RunNumbers, _: Random) -> Try:
    at = row.run.number
    line = clean.source.line(clean.line_of(row).start)
    if line >= len(clean.source.line_starts):
        return None
    start, end = clean.source.line_starts[line - 1], clean.source.line_starts[line]
    edit = Edit(Span(end, end), clean.source.text[start:end])
    places = frozenset((at + 1, place) for place in range(len(row.sheet.columns)))
    touched = frozenset((at, at + 1))
    source = clean.source.edited([edit])
    return Fault(Kind.DUPLICATE, source, clean.table_of(row), touched, places, added=line + 1)


def _change_unit(clean: Clean, row: RunNumbers, random: Random) -> Try:
    one = _pick(clean, row, random)
    if one is None:
        return Unseen.UNCOVERED
    if one.numeral.unit in _PARTNERS:
        head, _, tail = one.cell.raw.rpartition(one.numeral.unit)
        changes = (CellChange(one, head + _PARTNERS[one.numeral.unit] + tail),)
        if not clean.fails_after(row, changes):
            return Unseen.ROUNDING
        return _edited(clean, Kind.UNIT, row, changes)
    return _change_header(clean, row, one)


def _change_header(clean: Clean, row: RunNumbers, one: Measurement) -> Try:
    at = clean.column_of(one, row)
    heading = row.sheet.table.header.cells[at]
    words = [match for match in _UNIT_WORD.finditer(heading.raw) if match[0] in _PARTNERS]
    if not words or row.sheet.table.merged:
        return None
    seen = _sees_column(clean, row, one)
    if seen is not None:
        return seen
    start = heading.span.start + words[-1].start()
    edit = Edit(Span(start, start + len(words[-1][0])), _PARTNERS[words[-1][0]])
    rows = frozenset(other.row for other in row.sheet.measurements if other.header is one.header)
    places = frozenset((number, at) for number in rows)
    return Fault(Kind.UNIT, clean.source.edited([edit]), clean.table_of(row), rows, places)


_MAKERS: dict[Kind, Callable[[Clean, RunNumbers, Random], Try]] = {
    Kind.SWAP: _swap,
    Kind.SHIFT: _shift,
    Kind.COLUMN: _scale_column,
    Kind.TENFOLD: _tenfold,
    Kind.TRANSPOSED: _transpose,
    Kind.DROPPED: _drop,
    Kind.STALE: _stale,
    Kind.MOVED: _move,
    Kind.DUPLICATE: _duplicate,
    Kind.UNIT: _change_unit,
}
