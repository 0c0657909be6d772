"""What a project can add: headers, quantities, relations, peaks, constants."""

from decimal import Decimal
from typing import NamedTuple


class CustomColumn(NamedTuple):
    """A header and its quantity; `unit` is the unit of bare numbers."""

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
    """The peak of a device in TFLOPS, at any precision if none is given."""

    device: str
    precision: str
    tflops: Decimal


class Given(NamedTuple):
    """The value of a setting if a report does not state it."""

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
