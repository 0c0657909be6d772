"""What one project adds to what mdbench knows: headers, quantities, relations, peaks, constants.

A dialect is a value: equal dialects mean the same, and it can be sent to another process. Reading
and checking happen `speaking` one; outside of that the plain one is in force.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple


class Column(NamedTuple):
    """A header and the quantity that it means; `unit` is that of its bare numbers."""

    header: str
    quantity: str
    unit: str = ""


class NewQuantity(NamedTuple):
    """A quantity that the vocabulary does not have."""

    name: str
    unit: str = ""
    role: str = "measurement"
    integer: bool = False
    spellings: tuple[str, ...] = ()


class Peak(NamedTuple):
    """The most that a device does, in TFLOPS; at any precision where none is named."""

    device: str
    precision: str
    tflops: Decimal


class Given(NamedTuple):
    """The value that a setting has where a report does not state it."""

    quantity: str
    value: Decimal


@dataclass(frozen=True)
class Dialect:
    """Everything that a project adds."""

    columns: tuple[Column, ...] = ()
    quantities: tuple[NewQuantity, ...] = ()
    relations: tuple[str, ...] = ()
    peaks: tuple[Peak, ...] = ()
    constants: tuple[Given, ...] = ()

    @cached_property
    def _hash(self) -> int:
        fields = self.columns, self.quantities, self.relations, self.peaks, self.constants
        return hash(fields)

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        # The hash of a text is another one in another process.
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}


PLAIN = Dialect()
_spoken: ContextVar[Dialect] = ContextVar("dialect", default=PLAIN)


def in_force() -> Dialect:
    """The dialect that is spoken here."""
    return _spoken.get()


@contextmanager
def speaking(dialect: Dialect) -> Iterator[None]:
    """Read and check in a dialect, until the block ends."""
    token = _spoken.set(_same(dialect))
    try:
        yield
    finally:
        _spoken.reset(token)


@lru_cache(maxsize=8)
def _same(dialect: Dialect) -> Dialect:
    """One object for all equal dialects: what is looked up by it is found at once."""
    return dialect
