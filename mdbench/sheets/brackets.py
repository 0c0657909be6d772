"""Numbers in brackets behind other numbers: `5,600.0 (24.93)` is 24.93 times the best."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import parse_unit

_FEWEST = 2
_ONE = Decimal(1)


def are_ratios_to_best(readings: Sequence[Sequence[Numeral]]) -> bool:
    """Whether every cell of a column has its ratio to the least or the greatest one in brackets."""
    if not readings or max(map(len, readings)) != 2:
        return False
    pairs = [(one[0], one[1]) for one in readings if len(one) == 2]
    filled = [one for one in readings if one[0].form is not Form.NOTHING]
    if len(pairs) < _FEWEST or len(pairs) != len(filled):
        return False
    if not all(_may_be_ratio(second) for _, second in pairs):
        return False
    if (
        not any(second.value == 1 for _, second in pairs)
        or len({two.value for _, two in pairs}) < 2
    ):
        return False
    values = [_in_base(first) for first, _ in pairs]
    known = [value for value in values if value is not None and value > 0]
    if len(known) < len(pairs):
        return False
    ratios = [second for _, second in pairs]
    return any(_are_ratios(known, ratios, best) for best in (min(known), max(known)))


def _may_be_ratio(numeral: Numeral) -> bool:
    plain = numeral.form is Form.NUMBER and not numeral.unit and numeral.value is not None
    return plain and numeral.text[:1] not in "+-\u2212"


def _in_base(numeral: Numeral) -> Decimal | None:
    unit = parse_unit(numeral.unit)
    if numeral.value is None or (numeral.unit and unit is None):
        return None
    return numeral.value * (unit.scale if unit is not None else _ONE)


def _are_ratios(values: Sequence[Decimal], ratios: Sequence[Numeral], best: Decimal) -> bool:
    return all(_agrees(value / best, ratio) for value, ratio in zip(values, ratios, strict=True))


def _agrees(computed: Decimal, printed: Numeral) -> bool:
    value = printed.value if printed.value is not None else _ONE
    if printed.bound:
        return computed >= value if printed.bound in ">≥" else computed <= value
    return abs(computed - value) <= (printed.quantum or _ONE)
