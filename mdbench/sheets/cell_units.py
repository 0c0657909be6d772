"""The unit of a column, as its cells carry it, and what it says of the column."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal

from mdbench.numerals.numeral import Form
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells, tells_change
from mdbench.sheets.factors import name_factors
from mdbench.vocabulary.headers import BY_CELLS, Header
from mdbench.vocabulary.quantities import Quantity, Role, Vocabulary, quantity, squash

_PERCENT = Unit("%", "ratio", Decimal("0.01"))
BESIDE_RATE = "bare numbers beside TFLOPs"
# A share above this can only be per cent; a little above 1 is what rounding and boost clocks give.
_LARGEST_SHARE = Decimal("1.5")
# Caches make several threads more than several times as fast.
_LARGEST_EFFICIENCY = Decimal(10)
_SHARES = frozenset({"mfu", "hfu", "efficiency", "device_utilization", "memory_share", "share"})
_NEARLY_ALL = 0.8
_MANY_BYTES = 10**6
_MANY_WORDS = 0.4
_LOWEST_MISFIT, _HIGHEST_MISFIT = 20, 100
_IN_BYTES = lazy(r"[(\[] ?B ?[)\]]")
_PER_SECOND = lazy(r"/ ?s(?:ec)?\b|per sec(?:ond)?\b", re.IGNORECASE)


def take_cell_unit(
    header: Header, cells: Cells, unit: Unit | None, vocabulary: Vocabulary
) -> Header:
    """Give the column the unit of its cells, or the one that their size leaves no doubt about."""
    one = header.quantity
    if unit is not None and _says_per_second(header, cells.unit):
        return header._replace(unit=header.unit or parse_unit("byte/s"))
    if one is None or header.unit is not None or (unit is not None and not one.fits(unit)):
        return _by_cell_unit(header, cells, vocabulary)
    if unit is not None:
        shared = header if _is_of_few(cells) else header._replace(unit=unit)
        return _by_cell_unit(shared, cells, vocabulary)
    values = sorted(map(abs, cells.values))
    most = _LARGEST_EFFICIENCY if one.name == "efficiency" else _LARGEST_SHARE
    if values and one.name in _SHARES and values[-1] > most and 1 not in values:
        return header._replace(unit=_PERCENT, why=f"{header.why}; above 1, so percent")
    name = "s" if header.why == BESIDE_RATE else ""
    if one.unit.dimension == "byte" and _IN_BYTES.search(header.text):
        name = "byte"
    if values and one.name == "clock_ghz":
        middle = values[len(values) // 2]
        if _LOWEST_MISFIT <= middle < _HIGHEST_MISFIT and header.why == "spelling":
            # No clock has 50 GHz or 50 MHz: a way to choose by how often something happens.
            return header._replace(quantity=None, why="its cells are no clocks")
        name = "GHz" if middle < 10 else "MHz" if 100 <= middle < 10_000 else ""
    return header._replace(unit=parse_unit(name)) if name else header


def _is_of_few(cells: Cells) -> bool:
    """Whether few numbers have a unit, and not the first: it is not that of the bare ones."""
    marked = [bool(cell.unit) for cell in cells.numbers if cell.value != 0]
    return bool(marked) and not marked[0] and 2 * sum(marked) < len(marked)


def is_rate_of(unit: Unit | None, carried: Unit | None) -> bool:
    """Whether cells repeat only what a rate counts: `1.4 TB` below `GB/h`."""
    return unit is not None and carried is not None and unit.dimension == f"{carried.dimension}/s"


def _says_per_second(header: Header, unit: Unit | None) -> bool:
    """Whether the header of cells in bytes says that they are bytes per second."""
    one = header.quantity
    if one is None or unit is None or unit.dimension != "byte":
        return False
    return "byte/s" in one.dimensions and _PER_SECOND.search(header.text) is not None


def _by_cell_unit(header: Header, cells: Cells, vocabulary: Vocabulary) -> Header:
    """A unit that nearly all cells carry says what they hold, whatever the header seemed to say.

    Where it is that of a sister quantity, most cells are enough: memory in per cent.
    """
    one, unit = header.quantity, cells.unit
    if one is None or unit is None or one.role is Role.NOTE or is_rate_of(header.unit, unit):
        return header
    if (one.integer and unit.dimension == "ratio") or (one.text and _many_words(cells)):
        # `x8` counts things, and `9 hrs/day` between names is one too.
        return header
    factors = unit.dimension == "ratio" and unit.scale == 1 and not one.text
    foreign = one.role is Role.SCORE or not one.fits(unit)
    if factors and foreign and nearly_all_carry(unit, cells):
        # `1.4x` is no score, and no time either.
        meant_by = quantity(name_factors(cells) or "relative")
        return header._replace(quantity=meant_by, unit=unit, why=BY_CELLS)
    if one.fits(unit):
        return header
    if unit.dimension == "s" and squash(header.text) == "cpu":
        meant: Quantity | None = quantity("cpu_time_s")
    elif unit.dimension in one.instead:
        meant = quantity(one.instead[unit.dimension])
    elif not nearly_all_carry(unit, cells) and not _is_only_cell(header, cells):
        return header
    else:
        meant = next(iter(vocabulary.dimensions.get(unit.dimension, ())), None)
    return header._replace(quantity=meant, unit=unit, why=BY_CELLS)


def _many_words(cells: Cells) -> bool:
    return len(cells.words) >= _MANY_WORDS * len(cells.filled) > 0


def _is_only_cell(header: Header, cells: Cells) -> bool:
    """Whether the one number of a column says more than the last word of a longer header."""
    return header.why == "words" and len(cells.numbers) == 1


def nearly_all_carry(unit: Unit, cells: Cells) -> bool:
    """Whether nearly all numbers have a unit of this dimension."""
    numbers = [cell for cell in cells.numbers if cell.form is not Form.COUNT]
    if unit.dimension != "ratio":
        numbers = [cell for cell in numbers if not tells_change(cell)]
    carried = Counter(cell.unit for cell in numbers)
    alike = sum(
        count
        for text, count in carried.items()
        if (known := parse_unit(text)) is not None and known.dimension == unit.dimension
    )
    return len(numbers) > 1 and alike >= _NEARLY_ALL * len(numbers)


def narrow(header: Header, cells: Cells, unit: Unit | None) -> tuple[Quantity, ...]:
    """The meanings of a header that its numbers leave: signed per cents are changes."""
    found, numbers = header.candidates, cells.numbers
    names = {one.name for one in found}
    if "change" in names and len(numbers) > 1 and all(map(tells_change, numbers)):
        return (quantity("change"),)
    large = [cell.value for cell in numbers if cell.value and cell.value >= _MANY_BYTES]
    if "message_bytes" in names and unit is None and any(map(_is_odd, large)):
        # Messages are sent in round sizes.
        return (quantity("file_bytes"),)
    if unit is not None and unit.text.upper().endswith("TPS") and header.unit is None:
        # Of what, only a header can say: here transactions as well as tokens.
        return (quantity("items_per_s"),) if names >= {"items_per_s", "tokens_per_s"} else found
    return found


def contradicts(header: Header, cells: Cells, unit: Unit) -> bool:
    """Whether all numbers carry a unit that none of the meanings of their header can have."""
    candidates = header.candidates
    if not candidates or header.unit is not None or header.quantity is not None:
        return False
    numbers = [cell for cell in cells.numbers if cell.form is not Form.COUNT]
    known = [parse_unit(cell.unit) for cell in numbers]
    alike = all(one is not None and one.dimension == unit.dimension for one in known)
    fits = any(one.fits(unit) or unit.dimension in one.instead for one in candidates)
    return bool(numbers) and alike and not fits


def _is_odd(value: Decimal) -> bool:
    whole = int(value)
    return bool(value != whole or (whole % 1000 and whole % 1024))
