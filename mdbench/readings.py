"""A column's cells in the light of its header: which quantity they hold, and how much of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from mdbench.headers import Header, decide
from mdbench.numeral import Form, Numeral
from mdbench.quantities import Quantity, quantity, squash, vocabulary
from mdbench.units import COUNTS, Unit, parse_unit

_NUMERIC = frozenset((Form.NUMBER, Form.RANGE, Form.PAIR, Form.COUNT))
# Numbers of these say nothing without a unit: seconds or milliseconds, GB or MiB, GHz or MHz.
_UNIT_NEEDED = frozenset({"byte", "s", "J", "Hz", "byte/s", "s/step", "s/token", "s/sample"})
_PERCENT = Unit("%", "ratio", Decimal("0.01"))
# Letters behind these are not counts: 5M is no duration, 3B no power.
_LETTERLESS = frozenset({"s", "J", "Hz", "byte/s", "s/step", "s/token", "s/sample", "ratio"})
_TIMES = frozenset({"step_time_s", "steps_per_s", "time_s", "latency_ms"})
_BESIDE_RATE = "bare numbers beside TFLOPs"
# A share above this can only be per cent; a little above 1 is what rounding and boost clocks give.
_LARGEST_SHARE = Decimal("1.5")
_SHARES = frozenset({"mfu", "hfu", "efficiency", "device_utilization", "memory_share"})
_FEWEST_PARAMS = 10_000
_FEWEST_FLOPS = 1_000_000


class Amount(NamedTuple):
    """A number in its unit, letters such as K, M and B multiplied out."""

    value: Decimal
    quantum: Decimal
    unit: Unit


def scaled(numeral: Numeral, header: Header) -> Amount | None:
    """How much a cell says, or None where its unit does not fit the column's quantity."""
    return None if header.quantity is None else scale(numeral, header.quantity, header.unit)


def scale(numeral: Numeral, one: Quantity, unit: Unit | None = None) -> Amount | None:
    """The amount of a quantity that a numeral says; `unit` holds where the cell has none."""
    if numeral.value is None or numeral.form not in _NUMERIC or one.text:
        return None
    printed = _column_unit(numeral, one, unit) if not numeral.unit else _printed_unit(numeral, one)
    if printed is None or not one.fits(printed):
        return None
    if numeral.unit.lower() in COUNTS:
        # What a letter multiplies is no unit of its own: 1.3B parameters are 1.3e9 of them.
        factor = printed.scale / one.unit.scale
        printed = one.unit
    else:
        factor = Decimal(1)
    quantum = numeral.quantum if numeral.quantum is not None else Decimal(0)
    return Amount(numeral.value * factor, quantum * factor, printed)


def _column_unit(numeral: Numeral, one: Quantity, unit: Unit | None) -> Unit | None:
    """The unit of a bare number: the column's, or the quantity's own where that can be taken."""
    value = abs(numeral.value or Decimal(0))
    if unit is not None and one.fits(unit):
        spelled_out = unit.scale == 1 and unit.dimension.startswith("flop")
        return None if spelled_out and value < _FEWEST_FLOPS else unit
    if one.unit.dimension in _UNIT_NEEDED and "count" not in one.dimensions:
        return None
    if one.unit.dimension == "param" and value < _FEWEST_PARAMS:
        return None
    return one.unit


def _printed_unit(numeral: Numeral, one: Quantity) -> Unit | None:
    """The unit behind a number, which for a letter depends on what is counted."""
    letter = numeral.unit.lower()
    if letter not in COUNTS:
        return parse_unit(numeral.unit)
    dimension = one.unit.dimension
    if dimension == "byte":
        return _byte_letter(letter, one)
    if dimension.startswith("flop"):
        return parse_unit(f"{letter}flops") if letter in {"g", "t", "p"} else None
    if dimension in _LETTERLESS:
        return None
    exponent = {"k": 1, "m": 2}.get(letter)
    factor = COUNTS[letter] if exponent is None else Decimal(one.kilo) ** exponent
    return Unit(numeral.unit, dimension, factor * one.unit.scale)


def _byte_letter(letter: str, one: Quantity) -> Unit | None:
    """`11.29 G` of memory are GB; `1.3B` are neither bytes nor billions. Messages count in 1024."""
    binary = one.kilo == 1024
    if letter in {"k", "m", "g", "t"}:
        return parse_unit(f"{letter}ib" if binary else f"{letter}b")
    return parse_unit("byte") if letter == "b" and binary else None


def settle(
    header: Header,
    cells: Sequence[Numeral],
    siblings: Sequence[Header] = (),
    stated: Unit | None = None,
) -> Header:
    """Decide what a header left open, by its cells, their units and the columns beside it.

    `stated` is a unit that the text around the table gives. What stays open keeps its candidates.
    """
    unit = header.unit or _common_unit(cells) or stated
    kind = _kind(cells)
    settled = _by_neighbour(header, siblings)
    if settled.quantity is not None:
        settled = _by_kind(settled, kind)
    elif settled.candidates:
        settled = _choose(settled, cells, siblings, unit, kind)
    elif unit is not None and kind == "numbers":
        found = vocabulary().dimensions.get(unit.dimension, ())
        if found:
            settled = replace(settled, quantity=found[0], unit=unit, why="the unit of its cells")
    return _with_unit(settled, cells, unit)


def settle_all(
    headers: Sequence[Header], columns: Sequence[Sequence[Numeral]], stated: Unit | None = None
) -> tuple[Header, ...]:
    """Settle the columns of one table together: here a column's values can speak for another."""
    settled = [
        settle(header, cells, headers, stated)
        for header, cells in zip(headers, columns, strict=True)
    ]
    rates = [
        place
        for place, header in enumerate(settled)
        if header.quantity is not None and header.quantity.name == "tflops_per_device"
    ]
    for place, header in enumerate(settled):
        guessed = header.quantity is not None and header.why == _BESIDE_RATE
        if guessed and not any(falls_against(columns[place], columns[rate]) for rate in rates):
            settled[place] = replace(headers[place], why="may be a time or a rate")
    return tuple(settled)


def falls_against(times: Sequence[Numeral], rates: Sequence[Numeral]) -> bool:
    """Whether one column falls where the other rises, as a time does beside a rate."""
    pairs = [
        (time.value, rate.value)
        for time, rate in zip(times, rates, strict=False)
        if time.value is not None and rate.value is not None
    ]
    turns = [(a[0] - b[0]) * (a[1] - b[1]) for a, b in combinations(pairs[:64], 2)]
    against = sum(turn < 0 for turn in turns)
    return against > 0 and against >= 9 * sum(turn > 0 for turn in turns)


def _by_neighbour(header: Header, siblings: Sequence[Header]) -> Header:
    one = header.quantity
    if one is None or not one.beside:
        return header
    names = {squash(sibling.text) for sibling in siblings}
    for name, meant in one.beside.items():
        if name in names:
            return replace(header, quantity=quantity(meant), why=f"beside {name}")
    return header


def _by_kind(header: Header, kind: str) -> Header:
    one = header.quantity
    meant = "" if one is None else {"words": one.if_words, "numbers": one.if_numbers}.get(kind, "")
    if not meant:
        return header
    return replace(header, quantity=quantity(meant), why=f"its cells are {kind}")


def _choose(
    header: Header,
    cells: Sequence[Numeral],
    siblings: Sequence[Header],
    unit: Unit | None,
    kind: str,
) -> Header:
    candidates = header.candidates
    if kind == "words":
        candidates = tuple(one for one in candidates if one.text)
        why = "its cells are words"
    else:
        candidates = tuple(one for one in candidates if not one.text)
        why = "its cells are numbers"
    if unit is not None and kind == "numbers":
        decided = decide(replace(header, unit=unit, why="the unit of its cells"), candidates)
        if decided.quantity is not None:
            return decided
        candidates = decided.candidates
        why = "its unit"
    else:
        candidates = tuple(one for one in candidates if _letters_fit(one, cells)) or candidates
    beside = _beside(candidates, {one.quantity.name for one in siblings if one.quantity}, unit)
    chosen = beside or [one for one in candidates if one.otherwise]
    if len(candidates) == 1 or (chosen and kind):
        why = _BESIDE_RATE if beside and beside[0].name == "step_time_s" else why
        return replace(header, quantity=(chosen or candidates)[0], candidates=(), why=why)
    return replace(header, candidates=candidates)


def _beside(candidates: Iterable[Quantity], known: set[str], unit: Unit | None) -> list[Quantity]:
    """What the other columns make of it: a batch beside the accumulation steps is a micro batch."""
    by_name = {one.name: one for one in candidates}
    meant = ""
    if "batch" in by_name:
        if "micro_batch" in known and "global_batch" not in known:
            meant = "global_batch"
        elif known & {"grad_accum", "global_batch"} and "micro_batch" not in known:
            meant = "micro_batch"
    elif "message_bytes" in by_name and "bandwidth_gb_per_s" in known:
        meant = "message_bytes"
    elif "model_file_mib" in by_name and "params" not in by_name and "model" in known:
        meant = "model_file_mib"
    elif unit is None and "steps_per_s" in by_name and "tflops_per_device" in known:
        # Where the rate has a column of its own, a bare `Speed` is the seconds of a step.
        meant = "step_time_s" if not known & _TIMES else ""
    return [by_name[meant]] if meant in by_name else []


def _letters_fit(one: Quantity, cells: Sequence[Numeral]) -> bool:
    numbers = [cell for cell in cells if cell.value is not None and cell.unit]
    return all(_printed_unit(cell, one) is not None for cell in numbers)


def _with_unit(header: Header, cells: Sequence[Numeral], unit: Unit | None) -> Header:
    """Give the column the unit of its cells, or the one that their size leaves no doubt about."""
    one = header.quantity
    if one is None or header.unit is not None or (unit is not None and not one.fits(unit)):
        return _by_cell_unit(header, cells)
    if unit is not None:
        return replace(header, unit=unit)
    values = sorted(abs(cell.value) for cell in cells if cell.value is not None)
    if header.why == _BESIDE_RATE:
        return replace(header, unit=parse_unit("s"))
    if values and one.name in _SHARES and values[-1] > _LARGEST_SHARE:
        return replace(header, unit=_PERCENT, why=f"{header.why}; above 1, so per cent")
    if values and one.name == "clock_ghz":
        middle = values[len(values) // 2]
        name = "GHz" if middle < 10 else "MHz" if 100 <= middle < 10_000 else ""
        return replace(header, unit=parse_unit(name))
    return header


def _by_cell_unit(header: Header, cells: Sequence[Numeral]) -> Header:
    """Where the cells' unit is that of a sister quantity, she is meant: memory in per cent."""
    one, unit = header.quantity, _common_unit(cells)
    if one is None or unit is None or one.fits(unit) or unit.dimension not in one.instead:
        return header
    meant = quantity(one.instead[unit.dimension])
    return replace(header, quantity=meant, unit=unit, why="the unit of its cells")


def _common_unit(cells: Sequence[Numeral]) -> Unit | None:
    """The unit most of the cells that have one agree on; letters are none."""
    texts = Counter(cell.unit for cell in cells if cell.value is not None and cell.unit)
    units = [(parse_unit(text), count) for text, count in texts.items()]
    known = [(unit, count) for unit, count in units if unit is not None]
    if not known:
        return None
    best, _ = max(known, key=lambda pair: pair[1])
    agreeing = sum(count for unit, count in known if unit.dimension == best.dimension)
    return best if 2 * agreeing > sum(texts.values()) else None


def _kind(cells: Sequence[Numeral]) -> str:
    """Whether a column holds words or numbers: what more than half of its filled cells are."""
    numbers = sum(cell.form in _NUMERIC for cell in cells)
    words = sum(cell.form is Form.TEXT for cell in cells)
    counted = sum(cell.form is Form.COUNT for cell in cells)
    if numbers - counted > words:
        return "numbers"
    return "words" if words + counted > numbers - counted else ""
