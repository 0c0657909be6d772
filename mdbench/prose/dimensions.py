"""Units in calculations: what dimension a result has, by those of its operands."""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from mdbench.numerals.units import parse_unit
from mdbench.prose.expressions import Expression, Name, Negation, NumberLiteral, Operation

Dimension: TypeAlias = frozenset[tuple[str, int]]
"""The base units with their powers: bytes per second are byte 1 and s -1."""

NO_DIMENSION: Dimension = frozenset()
# Things that are counted: 8 nodes × 4 GPUs are 32 GPUs, and a step of steps × s/step is gone.
_COUNTED = frozenset(
    "device node core step layer token sample param epoch user word char item op call count "
    "ratio 1".split()
)
_HOUR = 3600


class Measure(NamedTuple):
    """The dimension of a unit, and its size in base units."""

    dimension: Dimension
    scale: Fraction


PLAIN = Measure(NO_DIMENSION, Fraction(1))


def measure_of(text: str) -> Measure | None:
    """The measure of a unit, that of a bare number if there is none; None if it is not known."""
    if not text:
        return PLAIN
    unit = parse_unit(text)
    if unit is None:
        return None
    powers: dict[str, int] = {}
    scale = Fraction(unit.scale)
    over, *under = unit.dimension.split("/")
    if "h" in under:
        under = ["s" if base == "h" else base for base in under]
        scale /= _HOUR
    for base, power in (*((base, 1) for base in over.split("*")), *((base, -1) for base in under)):
        if base not in _COUNTED:
            powers[base] = powers.get(base, 0) + power
    return Measure(_tidy(powers), scale)


def combine(expression: Expression, known: Mapping[str, Dimension]) -> Dimension | None:
    """The dimension of an expression; None if its parts cannot be added or raised."""
    if isinstance(expression, Name):
        return known[expression.text]
    if isinstance(expression, NumberLiteral):
        return NO_DIMENSION
    if isinstance(expression, Negation):
        return combine(expression.operand, known)
    return _combine_two(expression, known)


def _combine_two(operation: Operation, known: Mapping[str, Dimension]) -> Dimension | None:
    left, right = combine(operation.left, known), combine(operation.right, known)
    if left is None or right is None:
        return None
    if operation.sign in {"+", "-"}:
        return left if left == right else None
    if operation.sign == "**":
        return NO_DIMENSION if not left and not right else None
    powers = dict(left)
    for base, power in right:
        powers[base] = powers.get(base, 0) + (power if operation.sign == "*" else -power)
    return _tidy(powers)


def _tidy(powers: Mapping[str, int]) -> Dimension:
    return frozenset((base, power) for base, power in powers.items() if power)
