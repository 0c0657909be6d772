"""Headers of comparisons, and the units of their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from mdbench.numerals.numeral import Numeral
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Quantity, Role, quantity

COMPARED = "compared with another"
"""The reason if only a word such as `vs` gives the meaning of a header."""
COMPARING = frozenset({"speedup", "relative", "efficiency", "change", "difference"})
"""The quantities that compare one number with another."""

_COMPARISON = lazy(
    r"^(?:delta|δ|Δ|∆|diff(?!us|ic)|相对|relative)|\b(?:vs|versus|delta|compared|improvement|reduction|gain|degradation|savings?|saved|reduced|increase|decrease|diff|difference|change)\b|\bv\.s\.|[Δ∆]|对比|提升$",
    re.IGNORECASE,
)
_LESS = frozenset("faster quicker smaller less lower shorter fewer".split())
_MORE = frozenset("slower larger bigger more higher longer".split())
_TIMES = frozenset(("x", "times"))
_RELATIVE = lazy("相对|relative", re.IGNORECASE)
_RESULTS = frozenset((Role.MEASUREMENT, Role.SCORE))
_MOST_BASELINES = 64
# `時間` after the compared quantity is more likely the noun than the unit.
_NO_UNIT = "時間"


# Of a title, by everything that may depend on it.
@lru_cache(maxsize=4096)
def compares(plain: str) -> bool:
    """Whether the numbers of a header are comparisons."""
    return _COMPARISON.search(plain) is not None


def direction(note: str) -> int:
    """Which way a factor goes: `6.63x faster` is -1, `1.15x slower` is 1; 0 if it is not said."""
    times, space, word = note.casefold().partition(" ")
    said = word if space and times in _TIMES else note.casefold()
    return (said in _MORE) - (said in _LESS)


def compared_unit(plain: str, pieces: Sequence[str], unit: Unit | None) -> Unit | None:
    """The unit of a difference: in brackets anywhere, else after the compared quantity.

    Relative differences have none: there, a unit belongs to the name of the compared quantity.
    """
    if _RELATIVE.match(plain):
        return None
    alone = (parse_unit(piece.strip()) for piece in pieces)
    return next((one for one in (*alone, unit) if one is not None and _can_differ(one)), None)


def _can_differ(unit: Unit) -> bool:
    change = quantity("change")
    known = change.fits(unit) or unit.dimension in change.instead
    return known and unit.text != _NO_UNIT


def can_be_compared(one: Quantity | None) -> bool:
    """Whether a column may be compared: results, sizes and unknown quantities."""
    if one is None or one.role in _RESULTS:
        return one is None or one.name not in COMPARING
    return one.role is Role.SETTING and not one.integer and bool(one.unit.text)


def baseline_choices(cells: Iterable[tuple[int, Numeral]]) -> Mapping[str, tuple[int, ...]]:
    """The rows that a column may be compared with: those where it is empty, or without a change.

    Each may be the baseline of the rows below it, or only the first one is a baseline.
    """
    blank, same = [], []
    for row, numeral in cells:
        if numeral.value is None:
            blank.append(row)
        elif numeral.value == 0:
            same.append(row)
    choices = {"blank": blank[:1], "zero": same[:1]}
    several = {"blanks": blank, "zeros": same}
    choices |= {name: all_ for name, all_ in several.items() if 1 < len(all_) <= _MOST_BASELINES}
    return {name: tuple(rows) for name, rows in choices.items() if rows}


def baseline_of(row: int, baselines: Sequence[int]) -> int:
    """The baseline of a row: the last one that is not below it."""
    return max((one for one in baselines if one <= row), default=baselines[0])
