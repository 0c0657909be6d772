"""Whether a row and a result have the same setting; numbers of results and their units."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import read_flag
from mdbench.numerals.numeral import Form, Numeral
from mdbench.numerals.units import Unit
from mdbench.results.tables import ResultColumn
from mdbench.vocabulary.amounts import Amount
from mdbench.vocabulary.quantities import Quantity, squash

_SLACK = Decimal("1e-9")


class Key(NamedTuple):
    """What a row says of one setting."""

    quantity: Quantity | None
    numeral: Numeral
    raw: str
    amount: Amount | None


def agrees(key: Key, value: object, result: ResultColumn) -> bool:
    """Whether a row and a result have the same setting."""
    if value is None:
        return key.numeral.form is Form.NOTHING
    if isinstance(value, bool):
        return read_flag(key.numeral.text) is value
    if isinstance(value, str):
        return _same_words(key, value)
    number = as_decimal(value)
    if number is None or key.numeral.value is None:
        return _same_words(key, str(value))
    quantity = key.quantity
    if quantity is None or key.amount is None:
        return _is_near(key.numeral.value, number)
    printed = key.amount.value * key.amount.unit.scale
    return _is_near(printed, number * unit_of(result, quantity).scale)


def _same_words(key: Key, value: str) -> bool:
    texts = key.raw or key.numeral.text, value
    mine, other = (" ".join(plain_text(text).casefold().split()) for text in texts)
    return mine == other or (squash(mine) == squash(other) != "")


def _is_near(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _SLACK * max(abs(one), abs(other))


def unit_of(result: ResultColumn, quantity: Quantity) -> Unit:
    """The unit that the values of a column are in."""
    return result.unit if result.unit is not None else quantity.unit


def as_decimal(value: object) -> Decimal | None:
    """A number of the results, exactly as it prints; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    return number if number.is_finite() else None
