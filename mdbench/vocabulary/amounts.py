"""The amount in a cell: its number in a unit that fits the quantity of its column."""

from decimal import Decimal
from typing import NamedTuple

from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import COUNTS, Unit, parse_unit, single_scale
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity

NUMERIC = frozenset((Form.NUMBER, Form.RANGE, Form.PAIR, Form.COUNT))
"""The forms of cells that have a value."""

UNIT_NEEDED = frozenset({"byte", "s", "J", "Hz", "byte/s", "s/step", "s/token", "s/sample"})
"""Ambiguous without a unit: seconds or milliseconds, GB or MiB, GHz or MHz."""
# Letters after these are not counts: 5M is not a duration, 3B is not a power.
_LETTERLESS = frozenset({"s", "J", "Hz", "byte/s", "s/step", "s/token", "s/sample", "ratio"})
_SMALL = {
    "m": Decimal("1e-3"),
    "µ": Decimal("1e-6"),
    "μ": Decimal("1e-6"),
    "n": Decimal("1e-9"),
}
_BYTE = Unit("B", "byte", Decimal(1))
_TIMES_SIGNS = frozenset("x×")
_NOTHING = Decimal(0)
_FEWEST_PARAMS = 10_000
_FEWEST_FLOPS = 1_000_000


class Amount(NamedTuple):
    """A number in its unit, with letters such as K, M and B multiplied out."""

    value: Decimal
    quantum: Decimal
    unit: Unit


def scaled(numeral: Numeral, header: Header) -> Amount | None:
    """The amount in a cell, or None if its unit does not fit the column's quantity."""
    return None if header.quantity is None else scale(numeral, header.quantity, header.unit)


def scale(numeral: Numeral, one: Quantity, unit: Unit | None = None) -> Amount | None:
    """The amount of a quantity in a numeral; `unit` applies if the cell has none."""
    if numeral.value is None or numeral.form not in NUMERIC or one.text:
        return None
    quantum = numeral.quantum if numeral.quantum is not None else _NOTHING
    if not numeral.unit:
        bare = _column_unit(numeral, one, unit)
        return None if bare is None else Amount(numeral.value, quantum, bare)
    printed = _small_unit(numeral, unit) or printed_unit(numeral, one)
    printed = _per_second(printed, one, unit)
    if printed is None or not one.fits(printed):
        return None
    if numeral.unit.lower() not in COUNTS:
        return Amount(numeral.value, quantum, printed)
    # A letter is a multiplier, not a unit: 1.3B parameters are 1.3e9 parameters.
    factor = printed.scale / one.unit.scale
    return Amount(numeral.value * factor, quantum * factor, _single_unit(one, unit))


def _single_unit(one: Quantity, unit: Unit | None) -> Unit:
    """The unit of numbers with a letter: below `Tokens/day`, `20 B` are 20e9 tokens a day."""
    if unit is None or unit.dimension != one.unit.dimension or unit.dimension == "byte":
        return one.unit
    scale = single_scale(unit)
    if unit.dimension.startswith("flop"):
        # Here the letter is a prefix, which the unit of the quantity has too.
        scale *= one.unit.scale
    return one.unit if scale == one.unit.scale else Unit(unit.text, unit.dimension, scale)


def _column_unit(numeral: Numeral, one: Quantity, unit: Unit | None) -> Unit | None:
    """The unit of a bare number: the column's, or the quantity's own if that is not ambiguous."""
    if unit is not None and one.fits(unit):
        spelled_out = unit.dimension.startswith("flop") and unit.scale == 1
        return None if spelled_out and abs(numeral.value or _NOTHING) < _FEWEST_FLOPS else unit
    dimension = one.unit.dimension
    if dimension in UNIT_NEEDED and "count" not in one.dimensions:
        return None
    if dimension == "param" and abs(numeral.value or _NOTHING) < _FEWEST_PARAMS:
        return None
    return one.unit


def _small_unit(numeral: Numeral, unit: Unit | None) -> Unit | None:
    """Below a header in seconds, `1.2µ` are microseconds, and `1.2m` milliseconds."""
    scale = _SMALL.get(numeral.unit)
    if scale is None or unit is None or unit.scale != 1 or unit.dimension.split("/")[0] != "s":
        return None
    return Unit(f"{numeral.unit}{unit.text}", unit.dimension, scale)


def _per_second(printed: Unit | None, one: Quantity, unit: Unit | None) -> Unit | None:
    """Below a header that says per second or per hour, `1.4 MB` are megabytes in that time."""
    if unit is None or printed is None or one.fits(printed):
        return printed
    if unit.dimension != f"{printed.dimension}/s":
        return printed
    once = single_scale(unit)
    time = "s" if once == 1 else unit.text.replace("/", " ").split()[-1]
    return Unit(f"{printed.text}/{time}", unit.dimension, printed.scale * once)


def printed_unit(numeral: Numeral, one: Quantity) -> Unit | None:
    """The unit after a number; the meaning of a letter depends on the quantity."""
    letter = numeral.unit.lower()
    if letter not in COUNTS:
        # `8x` of a device, or `x8`, means eight of them.
        return one.unit if one.integer and letter in _TIMES_SIGNS else parse_unit(numeral.unit)
    dimension = one.unit.dimension
    if dimension == "byte":
        return _byte_letter(letter, one, numeral)
    if dimension.startswith("flop"):
        return parse_unit(f"{letter}flops") if letter in {"g", "t", "p"} else None
    if dimension in _LETTERLESS:
        return None
    exponent = {"k": 1, "m": 2}.get(letter)
    factor = COUNTS[letter] if exponent is None else Decimal(one.kilo) ** exponent
    return Unit(numeral.unit, dimension, factor * one.unit.scale)


def _byte_letter(letter: str, one: Quantity, numeral: Numeral) -> Unit | None:
    """`11.29 G` of memory is GB, `656 B` are bytes; `1.3B` is neither. Messages use 1024."""
    binary = one.kilo == 1024
    if letter in {"k", "m", "g", "t"}:
        return parse_unit(f"{letter}ib" if binary else f"{letter}b")
    whole = numeral.value is not None and numeral.value == numeral.value.to_integral_value()
    return _BYTE if numeral.unit == "B" and (whole or binary) else None
