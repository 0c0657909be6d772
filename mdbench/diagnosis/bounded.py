"""Numbers that are bounds or estimates: what they leave open.

They can contradict a law, and never confirm one: no law is established with them.
"""

from __future__ import annotations

import math
from decimal import Decimal

from mdbench.diagnosis.thresholds import ESTIMATE_SHARE
from mdbench.numerals.bounds import ESTIMATE
from mdbench.sheets.measurements import Measurement

Ends = tuple[Decimal | None, Decimal | None]
"""The least and the greatest number that is meant; None where it is open."""

# What is measured is more than nothing, and may be raised to a power without becoming nothing.
_NEXT_TO_NOTHING = 1e-60
# These may be negative, so that nothing is known about their lower end.
_SIGNED = frozenset(("change", "difference"))


def open_ends(value: Decimal, quantum: Decimal, bound: str) -> Ends:
    """The interval of a bound or an estimate."""
    if bound in {"<", "≤"}:
        return None, value
    if bound in {">", "≥"}:
        return value, None
    room = max(quantum, abs(value) * ESTIMATE_SHARE)
    return value - room, value + room


def bounded_interval(one: Measurement) -> tuple[float, float] | None:
    """The interval of a bounded number in base units; None where it says nothing."""
    quantity, amount, bound = one.quantity, one.amount, one.numeral.bound
    if quantity is None or amount is None or quantity.name in _SIGNED or amount.value <= 0:
        return None
    scale = amount.unit.scale
    low, high = open_ends(amount.value, amount.quantum, bound)
    # The number at the end of a bound is rounded as any other.
    half = Decimal(0) if bound == ESTIMATE else amount.quantum / 2
    return (
        max(_NEXT_TO_NOTHING, float((low - half) * scale)) if low is not None else _NEXT_TO_NOTHING,
        float((high + half) * scale) if high is not None else math.inf,
    )
