"""Bare numbers under `Δ` or `Diff`: per cent, or a difference, as the columns beside them show.

Each reading is tried with every two columns of a kind, and with every column and its baseline row.
The one that most rows follow is taken; where two do equally well, nothing is decided.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import islice, permutations
from typing import NamedTuple

from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import Unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.comparisons import (
    COMPARING,
    baseline_choices,
    baseline_of,
    can_be_compared,
)
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import RATIO, Role, quantity

_PERCENT = Unit("%", "ratio", Decimal("0.01"))
# A sign alone may as well stand for per cent.
_DIFFERENCE = lazy(r"diff[eé]rence|\w diff\b|(?:delta|[δΔ∆]) ?\w", re.IGNORECASE)
_SIGNS = frozenset("+-\u2212\u2013")
_FEWEST_ROWS = 3
_SURE = 0.7
_FEWEST_DIGITS = 2.5
_SURE_DIGITS = 5.0
# A table with more of them has been made to keep us busy.
_MOST_COLUMNS = 12
_MOST_PAIRS = 300
_MOST_ROWS = 64
# A number agrees by chance with any that is not several times as large as what it leaves open.
_TELLING = 2.0
_LEAST = 1e-12


class ChangeForm(StrEnum):
    """What a bare number may say."""

    DIFFERENCE = "difference"
    PERCENT = "percentage"
    SHARE = "share"
    FACTOR = "factor"


class _Pair(NamedTuple):
    """What may be compared with what, row by row."""

    value: Sequence[Numeral]
    base: Sequence[Numeral]
    unit: Unit | None
    kind: frozenset[str]


def weigh_all(headers: Sequence[Header], columns: Sequence[Cells]) -> tuple[Header, ...]:
    """The headers, with what the bare numbers of a comparison are, where enough rows show it."""
    bare = (at for at, header in enumerate(headers) if _is_bare(header, columns[at]))
    weighed = {at: _weigh(at, headers, columns) for at in islice(bare, _MOST_COLUMNS)}
    shares = sum(one.unit == _PERCENT and not _is_change(one) for one in headers)
    return tuple(
        _of_shares(header, columns[at])
        if shares > 1 and at not in weighed
        else _leave_open(_as_difference(weighed.get(at, header), columns[at]), columns[at])
        for at, header in enumerate(headers)
    )


def _leave_open(header: Header, cells: Cells) -> Header:
    """The header; bare numbers under `Improvement` may be per cent or a factor: nobody says."""
    if header.why == BY_CELLS and header.unit is not None and _are_signed(cells):
        return _as_signed(header)
    if not _is_change(header) or header.unit is not None or _DIFFERENCE.search(header.text):
        return header
    numbers = cells.numbers
    if not numbers or any(cell.unit for cell in numbers) or _has_signs(numbers):
        return header
    either = quantity("change"), quantity("speedup")
    return header._replace(quantity=None, candidates=either, why="percent or a factor")


def _as_signed(header: Header) -> Header:
    """The header; bytes or costs that all have a sign are by how much something differs."""
    one, unit = header.quantity, header.unit
    if one is None or one.role is not Role.MEASUREMENT or one.name in COMPARING or unit is None:
        return header
    meant = quantity("difference")
    return header._replace(quantity=meant) if meant.fits(unit) else header


def _are_signed(cells: Cells) -> bool:
    numbers = cells.numbers
    return len(numbers) > 1 and all(cell.text.lstrip()[:1] in _SIGNS for cell in numbers)


def _has_signs(numbers: Sequence[Numeral]) -> bool:
    return any(cell.text.lstrip()[:1] in _SIGNS for cell in numbers)


def _of_shares(header: Header, cells: Cells) -> Header:
    """The difference of per cents without any number: it would be one of points."""
    if cells.filled or not (_is_change(header) and _DIFFERENCE.search(header.text)):
        return _as_difference(header, cells)
    return header._replace(quantity=quantity("difference"), unit=None, why="of shares beside it")


def _as_difference(header: Header, cells: Cells) -> Header:
    """Numbers with signs and without units under `Diff` are differences, if nothing else shows."""
    if not _is_change(header) or header.unit is not None or not _DIFFERENCE.search(header.text):
        return header
    numbers = cells.numbers
    signed = sum(cell.text.lstrip()[:1] in _SIGNS for cell in numbers)
    if 2 * signed <= len(numbers) or any(cell.unit for cell in numbers):
        return header
    return header._replace(quantity=quantity("difference"), why="its cells have signs and no unit")


def _is_change(header: Header) -> bool:
    return header.quantity is not None and header.quantity.name == "change"


def _is_bare(header: Header, cells: Cells) -> bool:
    if not _is_change(header) or header.unit not in (None, _PERCENT):
        return False
    numbers = cells.numbers
    return len(numbers) >= _FEWEST_ROWS and not any(cell.unit for cell in numbers)


def _weigh(at: int, headers: Sequence[Header], columns: Sequence[Cells]) -> Header:
    cells = columns[at][:_MOST_ROWS]
    best: dict[ChangeForm, tuple[int, Unit | None]] = {}
    faster = False
    told = headers[at].unit is not None
    readings: Sequence[ChangeForm] = tuple(ChangeForm)
    if told:
        readings = (ChangeForm.DIFFERENCE, ChangeForm.PERCENT)
    for pair in islice(_pairs(at, headers, columns), _MOST_PAIRS):
        if told and pair.unit != _PERCENT:
            continue
        for reading in readings:
            for sign in (1, -1):
                count = _count(cells, pair, reading, sign)
                if count > best.get(reading, (0, None))[0]:
                    best[reading] = count, pair.unit
                    if reading is ChangeForm.FACTOR:
                        faster = _is_faster(pair.kind, sign)
    most = max((count for count, _ in best.values()), default=0)
    likely = [one for one, (count, _) in best.items() if count == most]
    if len(likely) != 1:
        return headers[at]
    header = headers[at]._replace(why=f"a {likely[0]}, as the columns beside it show")
    if likely[0] is ChangeForm.FACTOR:
        return header._replace(quantity=quantity("speedup" if faster else "relative"), unit=None)
    if likely[0] is not ChangeForm.DIFFERENCE:
        return header._replace(unit=_PERCENT if likely[0] is ChangeForm.PERCENT else RATIO)
    meant, unit = quantity("difference"), best[likely[0]][1]
    return header._replace(
        quantity=meant, unit=unit if unit is not None and meant.fits(unit) else None
    )


def _is_faster(kind: frozenset[str], sign: int) -> bool:
    """Whether a larger factor is faster: of rates, or of times the other way round."""
    return any("/s" in one for one in kind) if sign > 0 else "s" in kind


def _pairs(at: int, headers: Sequence[Header], columns: Sequence[Cells]) -> Iterator[_Pair]:
    groups: dict[tuple[frozenset[str], Unit | None], list[Sequence[Numeral]]] = defaultdict(list)
    for place, header in enumerate(headers):
        cells = columns[place][:_MOST_ROWS]
        # A column of surplus cells is shorter, and its rows are not those of the others.
        alike = place != at and len(columns[place]) == len(columns[at])
        if alike and can_be_compared(header.quantity) and any(one.value for one in cells):
            kind = header.quantity.dimensions if header.quantity is not None else frozenset()
            groups[kind, header.unit].append(cells)
    choices = baseline_choices(enumerate(columns[at][:_MOST_ROWS]))
    for (kind, unit), sources in groups.items():
        few = sources[:_MOST_COLUMNS]
        # What is compared mostly stands behind what it is compared with.
        yield from (_Pair(value, base, unit, kind) for base, value in permutations(few, 2))
        for source in few:
            for rows in choices.values():
                base = [source[baseline_of(row, rows)] for row in range(len(source))]
                yield _Pair(source, base, unit, kind)


def _count(cells: Sequence[Numeral], pair: _Pair, reading: ChangeForm, sign: int) -> int:
    """How many rows follow a reading; none where too few do, or to too few digits."""
    tested = held = 0
    most_failing = (1 - _SURE) * len(cells)
    telling: dict[tuple[object, ...], float] = {}
    for cell, value, base in zip(cells, pair.value, pair.base, strict=False):
        wanted = _expect(value, base, reading, sign) if value is not base else None
        if cell.value is None or wanted is None or cell.form is not Form.NUMBER:
            continue
        tested += 1
        number, quantum = float(cell.value), float(cell.quantum or 0)
        low, high = wanted[0] - quantum, wanted[1] + quantum
        if low <= number <= high:
            held += 1
            # The interval is that of cut numbers, twice as wide as that of rounded ones.
            finer = 4 * abs(number) / (high - low) if high > low else math.inf
            if finer > _TELLING:
                telling[cell.value, value.value, base.value] = math.log10(finer)
        elif tested - held > most_failing:
            return 0
    digits = sum(telling.values())
    needed = _FEWEST_DIGITS if held == tested >= _FEWEST_ROWS else _SURE_DIGITS
    enough = len(telling) >= _FEWEST_ROWS or digits >= needed
    return held if enough and held >= _SURE * tested else 0


def _expect(
    value: Numeral, base: Numeral, reading: ChangeForm, sign: int
) -> tuple[float, float] | None:
    """What a comparison may give, whether the two numbers were rounded or cut."""
    if value.value is None or base.value is None or value.unit != base.unit:
        return None
    above, spare = float(value.value), float(value.quantum or 0)
    below, other = float(base.value), float(base.quantum or 0)
    if reading is ChangeForm.DIFFERENCE:
        ends = above - below - spare - other, above - below + spare + other
    elif below <= other or (sign < 0 and above <= spare):
        return None
    elif reading is ChangeForm.FACTOR:
        first, second = (above, spare), (below, other)
        (top, more), (bottom, less) = (first, second) if sign > 0 else (second, first)
        return (top - more) / (bottom + less), (top + more) / max(bottom - less, _LEAST)
    else:
        times = 100 if reading is ChangeForm.PERCENT else 1
        ratios = [
            (above + up) / (below + down) - 1 for up in (-spare, spare) for down in (-other, other)
        ]
        ends = times * min(ratios), times * max(ratios)
    low, high = sorted(sign * end for end in ends)
    return low, high
