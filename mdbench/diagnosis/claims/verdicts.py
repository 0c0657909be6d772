"""What a check says of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from mdbench.diagnosis.claims.columns import Column
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import FAR_COMPARISON, NEAR_QUOTE
from mdbench.prose.figures import Figure
from mdbench.prose.sentences import Sentence
from mdbench.sheets.measurements import Measurement
from mdbench.source import Span

_FEWEST_DIGITS = 2


class Wrong(NamedTuple):
    """A claim that a table contradicts: where, what it should say, and the cells that show it."""

    span: Span
    message: str
    cells: tuple[Measurement, ...]


class Holds(NamedTuple):
    """A claim that a table confirms."""


HOLDS = Holds()
Verdict = Wrong | Holds | None
"""None where a sentence is not about a table for certain."""


def misquoted(
    sentence: Sentence, figure: Figure, right: str, why: str, cells: Sequence[Number]
) -> Wrong:
    """A number that should be another one."""
    message = f"{sentence.cut(figure)} should be {right}: {why}"
    return Wrong(sentence.span(figure), message, tuple(one.source for one in cells[:6]))


def is_near(figure: Figure, column: Column, value: float) -> bool:
    """Whether a number may be meant for a value: it is not far off, or has the same digits."""
    said = column.ends(figure)[1]
    value = abs(value) if column.compares else value
    if min(said, value) <= 0:
        return False
    if abs(log(said / value)) < (FAR_COMPARISON if column.mixed else NEAR_QUOTE):
        return True
    decimals = max(0, -int(figure.quantum.as_tuple().exponent))
    right = f"{value / (column.scale(figure) or 1.0):.{decimals}f}"
    digits = [sorted(text.replace(".", "")) for text in (f"{figure.value:f}", right)]
    return digits[0] == digits[1] and len(set(digits[0])) >= _FEWEST_DIGITS


def shown(number: Number) -> str:
    """A number as its cell prints it, with its unit."""
    numeral = number.source.numeral
    unit = numeral.unit
    if not unit or unit in numeral.text:
        return numeral.text
    return f"{numeral.text}{'' if unit in '%x×' else ' '}{unit}"
