"""The parsed content of a cell."""

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from mdbench.numerals.words import Status


class Form(StrEnum):
    """What kind of value a cell holds."""

    NUMBER = "number"
    RANGE = "range"
    """One end of a range, the lower one first."""
    PAIR = "pair"
    """One of several numbers in the same cell."""
    COUNT = "count"
    """A number of named things: `8x A100` is 8, with the note `A100`."""
    DATE = "date"
    FLAG = "flag"
    TEXT = "text"
    NOTHING = "nothing"


class Numeral(NamedTuple):
    """One value of a cell. `value` is as printed: `1.3B` is 1.3 with the unit `B`."""

    form: Form
    text: str
    value: Decimal | None = None
    quantum: Decimal | None = None
    unit: str = ""
    status: Status = Status.OK
    markers: tuple[str, ...] = ()
    note: str = ""
    spread: Decimal | None = None
    """What stands after `±`, in `unit`."""
    bound: str = ""
    """`<`, `>`, `≤` or `≥` for a bound, `~` for an estimate, nothing for an exact number."""

    @property
    def has_fraction(self) -> bool:
        """Whether it is a number that is not whole."""
        # Not by `% 1`, which fails for numbers of more digits than decimals have.
        return self.value is not None and self.value != self.value.to_integral_value()


class Style(NamedTuple):
    """How a column writes numbers, for cells that are ambiguous on their own."""

    decimal_comma: bool = False
    dates: bool = False
    counts: bool = False
    """Its numbers count things, so `*8` means eight of them and not a footnote."""
    measures: bool = False
    """It is of no share, so the per cent of `12.3 ± 2%` are of the number."""
    spreads: bool = False
    """Its header names a spread, so that of `12.3 (0.4)` is the number in brackets."""
