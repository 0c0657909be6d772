"""Arithmetic expressions as small trees: evaluated and solved, never executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import NamedTuple, TypeAlias

from mdbench.numerals.intervals import Interval

GREATEST_EXPONENT = 64
MOST_BITS = 4096

_ONE = Decimal(1)
_RANKS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
_SPELLED = {"*": "×", "**": "^"}
_NEGATED = 3
_LEAF = 5


class NumberLiteral(NamedTuple):
    """A number as written; `quantum` is the place value of its last digit."""

    value: Decimal
    quantum: Decimal = _ONE


class Name(NamedTuple):
    """A name for a value."""

    text: str


class Negation(NamedTuple):
    """The negated operand."""

    operand: Expression


class Operation(NamedTuple):
    """Two operands and one of `+`, `-`, `*`, `/`, `**`."""

    sign: str
    left: Expression
    right: Expression


Expression: TypeAlias = NumberLiteral | Name | Negation | Operation


class Equation(NamedTuple):
    """A name and the expression that it equals."""

    left: str
    right: Expression


def exactly(constant: NumberLiteral) -> Interval:
    """A constant as an exact number, for calculations with floats."""
    value = float(constant.value)
    return Interval(value, value)


def exactly_as_fraction(constant: NumberLiteral) -> Interval:
    """A constant as an exact number, for calculations with fractions."""
    value = Fraction(constant.value)
    return Interval(value, value)


def evaluate(
    expression: Expression,
    values: Mapping[str, Interval],
    read: Callable[[NumberLiteral], Interval] = exactly,
) -> Interval | None:
    """Evaluate an expression; None if a name has no value or there is no result.

    `read` converts constants: to the number itself, or to all numbers that are printed like it.
    """
    try:
        return _evaluate(expression, values, read)
    except (ArithmeticError, KeyError):
        return None


def _evaluate(
    expression: Expression,
    values: Mapping[str, Interval],
    read: Callable[[NumberLiteral], Interval],
) -> Interval:
    if isinstance(expression, Name):
        return values[expression.text]
    if isinstance(expression, NumberLiteral):
        return read(expression)
    if isinstance(expression, Negation):
        return -_evaluate(expression.operand, values, read)
    left = _evaluate(expression.left, values, read)
    right = _evaluate(expression.right, values, read)
    result = _combine(expression.sign, left, right)
    if not (_is_sane(result.low) and _is_sane(result.high)):
        raise OverflowError
    return result


def _combine(sign: str, left: Interval, right: Interval) -> Interval:
    if sign == "*":
        return left * right
    if sign == "/":
        return left / right
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    exponent = right.low
    too_big = not -GREATEST_EXPONENT <= exponent <= GREATEST_EXPONENT
    if too_big or not right.exact or _bits(left) * abs(int(exponent)) > MOST_BITS:
        raise OverflowError
    return left**exponent


def _is_sane(number: float | Fraction) -> bool:
    # Floats first: nearly all are floats, and checking for a fraction is slow.
    if isinstance(number, float):
        return isfinite(number)
    return number.numerator.bit_length() + number.denominator.bit_length() <= MOST_BITS


def _bits(interval: Interval) -> int:
    """The length of the ends in bits; 0 for floats, which never grow."""
    ends = (end for end in (interval.low, interval.high) if isinstance(end, Fraction))
    return max(
        (end.numerator.bit_length() + end.denominator.bit_length() for end in ends), default=0
    )


def find_names(expression: Expression) -> Iterator[str]:
    """Yield the names in an expression in the order of the text, with duplicates."""
    if isinstance(expression, Name):
        yield expression.text
    elif isinstance(expression, Negation):
        yield from find_names(expression.operand)
    elif isinstance(expression, Operation):
        yield from find_names(expression.left)
        yield from find_names(expression.right)


def names(expression: Expression) -> tuple[str, ...]:
    """The names in an expression in the order of the text, without duplicates."""
    return tuple(dict.fromkeys(find_names(expression)))


def substitute(expression: Expression, parts: Mapping[str, Expression]) -> Expression:
    """Replace names in an expression with other expressions."""
    if isinstance(expression, Name):
        return parts.get(expression.text, expression)
    if isinstance(expression, Negation):
        return Negation(substitute(expression.operand, parts))
    if isinstance(expression, Operation):
        left, right = substitute(expression.left, parts), substitute(expression.right, parts)
        return Operation(expression.sign, left, right)
    return expression


def solve(equation: Equation, name: str) -> Expression | None:
    """Solve for `name`, which must appear once; None if it cannot be isolated.

    Roots are positive, because measurements are not negative.
    """
    occurrences = [*find_names(equation.right), equation.left].count(name)
    if occurrences != 1:
        return None
    if equation.left == name:
        return equation.right
    return _isolate(Name(equation.left), equation.right, name)


def _isolate(known: Expression, unknown: Expression, name: str) -> Expression | None:
    """Undo the operations on `name` in `unknown`, which equals `known`, one by one."""
    while not isinstance(unknown, Name):
        if isinstance(unknown, Negation):
            known, unknown = Negation(known), unknown.operand
            continue
        if isinstance(unknown, NumberLiteral):
            return None
        inverse = _undo(known, unknown, name in find_names(unknown.left))
        if inverse is None:
            return None
        known, unknown = inverse
    return known


def _undo(
    known: Expression, done: Operation, on_the_left: bool
) -> tuple[Expression, Expression] | None:
    sign, left, right = done.sign, done.left, done.right
    if sign == "**":
        if not on_the_left:
            return None
        return Operation("**", known, Operation("/", NumberLiteral(_ONE), right)), left
    if on_the_left:
        inverse = {"+": "-", "-": "+", "*": "/", "/": "*"}[sign]
        return Operation(inverse, known, right), left
    if sign in {"+", "*"}:
        return Operation("-" if sign == "+" else "/", known, left), right
    return Operation(sign, left, known), right


def spell(expression: Expression) -> str:
    """Format an expression for readers: `TFLOPs × Nodes / 1024`."""
    return _spell(expression)[0]


def _spell(expression: Expression) -> tuple[str, int]:
    if isinstance(expression, Name):
        return expression.text, _LEAF
    if isinstance(expression, NumberLiteral):
        return f"{expression.value:f}", _LEAF
    if isinstance(expression, Negation):
        return f"-{_within(expression.operand, _NEGATED)}", _NEGATED
    sign, rank = expression.sign, _RANKS[expression.sign]
    power = sign == "**"
    left = _within(expression.left, rank + 1 if power else rank)
    right = _within(expression.right, rank if power else rank + 1)
    return f"{left} {_SPELLED.get(sign, sign)} {right}", rank


def _within(operand: Expression, rank: int) -> str:
    text, own = _spell(operand)
    return text if own >= rank else f"({text})"
