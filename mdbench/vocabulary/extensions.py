"""What a project adds to what mdbench knows: headers, quantities, relations, peaks, constants."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class CustomColumn(NamedTuple):
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


class Extensions(NamedTuple):
    """Everything that a project adds."""

    columns: tuple[CustomColumn, ...] = ()
    quantities: tuple[NewQuantity, ...] = ()
    relations: tuple[str, ...] = ()
    peaks: tuple[Peak, ...] = ()
    constants: tuple[Given, ...] = ()


NO_EXTENSIONS = Extensions()
