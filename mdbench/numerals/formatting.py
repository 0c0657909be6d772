"""Format recomputed numbers, for messages or in the style of the text they replace."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from mdbench.numerals.intervals import Number

_SHOWN = Context(prec=5)
_WIDE = Context(prec=100, rounding=ROUND_HALF_EVEN)
_EXACT = Context(prec=15)


def write_number(value: Number) -> str:
    """Format a number for a message: integers in full, others with five digits."""
    if value == int(value):
        return f"{int(value)}" if -(10**15) < value < 10**15 else f"{float(value):.5g}"
    exact = _divide(value, _EXACT)
    short = _SHOWN.plus(exact)
    return f"{short.normalize(_SHOWN):f}"


def write_like(value: Number, quantum: Decimal, model: str) -> str:
    """Format a number with the digits and commas of the text that it replaces."""
    places = max(0, -int(quantum.as_tuple().exponent))
    rounded = _divide(value, _WIDE).quantize(Decimal((0, (1,), -places)), context=_WIDE)
    return f"{rounded:,f}" if "," in model else f"{rounded:f}"


def _divide(value: Number, context: Context) -> Decimal:
    fraction = Fraction(value)
    return context.divide(Decimal(fraction.numerator), Decimal(fraction.denominator))
