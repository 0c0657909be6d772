"""Whether units allow that one number is the product of others: watts times seconds are joules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from mdbench.regex import lazy

# Of what is counted, only that it is a number matters: tokens a second times seconds are tokens.
_BASE: Mapping[str, Mapping[str, int]] = {
    "s": {"s": 1},
    "h": {"s": 1},
    "epoch": {},
    "byte": {"byte": 1},
    "flop": {"flop": 1},
    "W": {"W": 1},
    "J": {"W": 1, "s": 1},
    "Hz": {"s": -1},
    "usd": {"money": 1},
    "eur": {"money": 1},
}
_SEPARATOR = lazy(r"[/*]")
_COUNTED = frozenset("count device item node op param ratio request sample step task token".split())


# Tables have few units, and nearly all pairs of their columns are tried.
@lru_cache(maxsize=4096)
def composes(result: str, *factors: tuple[str, int]) -> bool:
    """Whether a dimension is that of a product of others, each to its power.

    Nothing is known of numbers without a unit, and where all are counts.
    """
    wanted = _powers(result)
    total: Counter[str] = Counter()
    measured = bool(wanted)
    for dimension, power in factors:
        one = _powers(dimension)
        if one is None:
            return False
        measured = measured or bool(one)
        for base, exponent in one.items():
            total[base] += power * exponent
    return measured and wanted == {base: power for base, power in total.items() if power}


def count_units(dimension: str) -> int:
    """How many units a dimension is made of: joules are watts times seconds."""
    counted = sum(name in _COUNTED for name in _SEPARATOR.split(dimension))
    return counted + sum(map(abs, (_powers(dimension) or {}).values()))


@lru_cache(maxsize=256)
def _powers(dimension: str) -> Mapping[str, int] | None:
    """The powers of the base units that a dimension is made of; None if one is unknown."""
    found: Counter[str] = Counter()
    for place, part in enumerate(dimension.split("/")):
        for name in part.split("*"):
            if name not in _BASE and name not in _COUNTED:
                return None
            for base, exponent in _BASE.get(name, {}).items():
                found[base] += exponent if place == 0 else -exponent
    return {base: power for base, power in found.items() if power}
