"""What one cell says, as a record."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from mdbench.numerals.words import Status


class Form(StrEnum):
    """What kind of thing a cell holds."""

    NUMBER = "number"
    RANGE = "range"
    """One end of a range, the low one first."""
    PAIR = "pair"
    """One of two or more numbers that stand side by side."""
    COUNT = "count"
    """How many of something that is named: `8x A100` is 8, with the note `A100`."""
    DATE = "date"
    FLAG = "flag"
    TEXT = "text"
    NOTHING = "nothing"


class Numeral(NamedTuple):
    """One reading of a cell. `value` is as printed: `1.3B` is 1.3 with the unit `B`."""

    form: Form
    text: str
    value: Decimal | None = None
    quantum: Decimal | None = None
    unit: str = ""
    status: Status = Status.OK
    markers: tuple[str, ...] = ()
    note: str = ""
    spread: Decimal | None = None
    approximate: bool = False


class Style(NamedTuple):
    """How a column writes numbers where one cell alone does not tell."""

    decimal_comma: bool = False
    dates: bool = False
    counts: bool = False
    """Its numbers count things, so `*8` are eight of them and no footnote."""
