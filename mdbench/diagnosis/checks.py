"""A law in one row, wherever the law is from: how the row stands to it, and what it asks for."""

from collections.abc import Hashable, Iterator
from enum import StrEnum
from typing import NamedTuple, Protocol

from mdbench.diagnosis.numbers import Number, Place
from mdbench.diagnosis.thresholds import NOISE
from mdbench.source import Span

Interval = tuple[float, float]


class Stand(StrEnum):
    """How a row stands to a law."""

    HOLDS = "holds"
    CUT = "holds if a number was cut"
    ALL_CUT = "holds if several numbers were cut"
    NEAR = "may hold, as far as one can tell"
    CLOSE = "so near that it does not matter"
    FAILS = "fails"


class Operand(NamedTuple):
    """A number that takes part in a law, and as what."""

    number: Number
    power: int
    """0 for the result."""
    at_base: bool = False
    """Whether it is of the baseline, and not of the row."""

    @property
    def place(self) -> Place | None:
        """Its cell; None if it is only stated."""
        return self.number.place


class Check(Protocol):
    """A law in one row: a known relation, or what the table shows to be computed."""

    @property
    def stand(self) -> Stand:
        """How the row stands to the law."""

    @property
    def holds(self) -> bool:
        """Whether the row follows the law."""

    @property
    def fails(self) -> bool:
        """Whether the numbers contradict the law."""

    @property
    def law(self) -> Hashable:
        """What tells the law from others."""

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The result, and the numbers that it is computed from."""

    @property
    def bounded(self) -> bool:
        """Whether a bound or an estimate takes part."""

    @property
    def rough(self) -> bool:
        """Whether that it holds confirms no number: it is a model, or about an estimate."""

    @property
    def cut(self) -> Number | None:
        """The number with which the law only holds if it was cut instead of rounded."""

    @property
    def cells(self) -> Iterator[Span]:
        """The cells of the numbers that take part."""

    @property
    def told_by_rows(self) -> bool:
        """Whether the law has a constant that nothing but other rows tells."""

    def solve(self, place: Place) -> Interval | None:
        """What a number must be for the law to hold, as it is printed; None if it cannot tell."""

    def compute(self, place: Place) -> float | None:
        """The same, from the others without their rounding."""


def meets(one: Interval, other: Interval) -> bool:
    """Whether two intervals have a number in common, but for the noise of floats."""
    room = NOISE * max(abs(one[0]), abs(one[1]))
    return one[0] <= other[1] + room and other[0] <= one[1] + room
