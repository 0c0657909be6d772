"""Cells that cannot belong to their column: a memory size under seconds, a date among numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from mdbench.diagnosis.thresholds import KIND_SHARE
from mdbench.numerals.cell import Form
from mdbench.numerals.units import parse_unit
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import NUMERIC

# Under `Value`, each row has a unit of its own.
_ANYTHING = "value"


class CellKind(NamedTuple):
    """What a cell holds, and for a number the dimension of its unit if it has one."""

    form: str
    dimension: str = ""

    def clashes(self, other: CellKind) -> bool:
        """Whether two cells cannot be of one column; a bare number goes with any unit."""
        if self.form != other.form:
            return True
        return bool(self.dimension and other.dimension) and self.dimension != other.dimension


class Kinds:
    """What nearly all filled cells of each column are."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    @cached_property
    def _usual(self) -> dict[int, CellKind]:
        usual: dict[int, CellKind] = {}
        for column in self.sheet.columns:
            counts = Counter(kind for one in column.mains if (kind := kind_of(one)) is not None)
            if not counts:
                continue
            kind, most = counts.most_common()[0]
            if most > 1 and most >= KIND_SHARE * counts.total():
                usual[column.index] = kind
        return usual

    def usual(self, one: Measurement) -> CellKind | None:
        """What a cell's column holds, where nearly all of its cells agree on it."""
        return self._usual.get(one.column)

    def is_foreign(self, one: Measurement) -> bool:
        """Whether a number has a unit that neither its column's quantity nor its cells have."""
        if not has_foreign_unit(one):
            return False
        kind = kind_of(one)
        return kind is not None and kind != self.usual(one)

    def clash(self, one: Measurement, other: Measurement) -> bool:
        """Whether a cell cannot stand among those of another one's column."""
        kind, usual = kind_of(one), self.usual(other)
        return kind is not None and usual is not None and kind.clashes(usual)


def kind_of(one: Measurement) -> CellKind | None:
    """What a cell holds, or None for an empty one."""
    form, unit = one.numeral.form, one.numeral.unit
    if form is Form.NOTHING:
        return None
    if form not in NUMERIC:
        return CellKind(form.value)
    known = parse_unit(unit) if unit else None
    return CellKind("number", known.dimension if known is not None else "")


def is_misfit(one: Measurement, kinds: Kinds) -> bool:
    """Whether a cell does not go with its column's quantity or with the cells around it."""
    return kinds.is_foreign(one) or kinds.clash(one, one)


def has_foreign_unit(one: Measurement) -> bool:
    """Whether a number has a unit of another dimension than its column's quantity."""
    quantity, numeral = one.quantity, one.numeral
    if not numeral.unit or one.amount is not None or numeral.value is None or quantity is None:
        return False
    if quantity.name == _ANYTHING or quantity.text:
        return False
    unit = parse_unit(numeral.unit)
    return unit is not None and not quantity.fits(unit)


def count_misfits(measurements: Sequence[Measurement], kinds: Kinds) -> int:
    """How many of a row's cells do not belong where they stand."""
    return sum(is_misfit(one, kinds) for one in measurements if one.part == 0)
