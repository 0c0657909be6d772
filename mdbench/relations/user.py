"""Parse the relations of a project, one line each: `cost_usd = hours * devices * 1.86`.

Names are columns of the tidy frame, or unambiguous spellings. They are in the unit of the frame's
column, regardless of the unit in a table: `step_time_s` is in seconds, `hours` in hours.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from mdbench.numerals.units import Unit
from mdbench.prose.arithmetic import parse_expression
from mdbench.prose.expressions import Expression, Name, NumberLiteral, Operation
from mdbench.relations.catalogue import Relation
from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.quantities import Quantity, Vocabulary

_MOST_POWER = 3


class EquationError(Exception):
    """A line that is not a relation; `name` is the unknown name in it, if that is the reason."""

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name


@lru_cache(maxsize=8)
def stated_relations(vocabulary: Vocabulary) -> tuple[Relation, ...]:
    """The relations of a project."""
    return tuple(parse_relation(line, vocabulary) for line in vocabulary.extensions.relations)


def parse_relation(line: str, vocabulary: Vocabulary) -> Relation:
    """Parse a relation; `EquationError` says why it is not one."""
    sides = line.split("=")
    if len(sides) != 2:
        raise EquationError("a relation is an equation such as cost_usd = train_time_h * 1.86")
    left, right = (_parse(side, vocabulary) for side in sides)
    if not isinstance(left, Name):
        raise EquationError(f"{sides[0].strip()!r} is not the name of one quantity")
    factors = _Factors(vocabulary)
    result = factors.name(left.text)
    number = factors.collect(right, 1)
    powers = {name: power for name, power in factors.powers.items() if power}
    if not powers:
        raise EquationError("the right side names no quantity")
    if result in powers:
        raise EquationError(f"{result} is on both sides")
    return Relation(
        f"the relation {' '.join(line.split())}",
        f"{result} = {_spell(number, powers)}",
        stated=True,
        units=tuple(factors.units.items()),
    )


def _parse(side: str, vocabulary: Vocabulary) -> Expression:
    expression = parse_expression(side, lambda name: name in vocabulary.quantities)
    if expression is None:
        raise EquationError(f"{side.strip()!r} cannot be read as arithmetic")
    return expression


def _find(name: str, vocabulary: Vocabulary) -> tuple[Quantity, Unit]:
    """The quantity of a name, and its unit: the frame's, or one in the name itself."""
    known = vocabulary.quantities.get(name)
    unit = known.unit if known is not None else None
    if known is None:
        meant = vocabulary.find(name)
        known = vocabulary.lookup(name)
        if known is None and meant:
            several = ", ".join(one.name for one in meant)
            raise EquationError(f"{name!r} is ambiguous: use one of {several}")
        unit = read_header(name, vocabulary).unit
    if known is None:
        raise EquationError(f"{name!r} is not a quantity; `mdbench columns` lists them", name)
    if known.text or known.flag:
        raise EquationError(f"{known.name} is not a number")
    return known, unit if unit is not None and known.fits(unit) else known.unit


class _Factors:
    """The names in a product with their powers and units."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.powers: dict[str, int] = {}
        self.units: dict[str, float] = {}

    def name(self, text: str) -> str:
        """The quantity of a name."""
        known, unit = _find(text, self.vocabulary)
        scale = float(unit.scale)
        if self.units.setdefault(known.name, scale) != scale:
            raise EquationError(f"{known.name} has two different units")
        return known.name

    def collect(self, expression: Expression, power: int) -> float:
        """Add the names in a product, and return its numeric factor."""
        if isinstance(expression, NumberLiteral):
            if expression.value <= 0:
                raise EquationError(f"{expression.value} is not greater than 0")
            return float(expression.value) ** power
        if isinstance(expression, Name):
            name = self.name(expression.text)
            self.powers[name] = self.powers.get(name, 0) + power
            return 1.0
        if not isinstance(expression, Operation) or expression.sign in ("+", "-"):
            raise EquationError("only *, / and powers are allowed, not sums or differences")
        if expression.sign == "**":
            return self.collect(expression.left, power * _read_power(expression.right))
        inverse = -power if expression.sign == "/" else power
        return self.collect(expression.left, power) * self.collect(expression.right, inverse)


def _read_power(expression: Expression) -> int:
    if isinstance(expression, NumberLiteral) and expression.value in range(1, _MOST_POWER + 1):
        return int(expression.value)
    raise EquationError(f"powers must be integers from 1 to {_MOST_POWER}")


def _spell(number: float, powers: Mapping[str, int]) -> str:
    above = [name for name, power in powers.items() for _ in range(power)]
    below = [name for name, power in powers.items() for _ in range(-power)]
    return " * ".join([f"{number!r}", *above]) + "".join(f" / {name}" for name in below)
