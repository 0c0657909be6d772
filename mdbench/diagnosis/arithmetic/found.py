"""Laws that were tried on a table, and those that are believed."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.diagnosis.arithmetic.evidence import Evidence
from mdbench.diagnosis.arithmetic.failures import is_partly_stale
from mdbench.diagnosis.arithmetic.grid import Grid
from mdbench.diagnosis.arithmetic.laws import Law
from mdbench.diagnosis.arithmetic.words import Wanted

Place = tuple[int, bool, int]
"""A line of a table."""


class Found(NamedTuple):
    """A law that the rows of a table follow, with the evidence for it."""

    grid: Grid
    law: Law
    evidence: Evidence
    bits: float
    """The evidence of all tables with these headers, with what the headers say."""
    named: bool
    """Whether the headers say that there is such a law."""
    holding: int
    """How many rows of all these tables follow it."""
    failing: int
    is_best: bool = False
    """Whether nothing explains its line better. Others only show which number of a row is wrong."""

    @property
    def is_stale(self) -> bool:
        """Whether the line as a whole needs to be computed again.

        No row of the table follows what those of all other tables follow, or few rows of the
        table follow what all others come near to.
        """
        tests = self.evidence.tests
        return self.evidence.failing == len(tests) > 1 or self.is_partly_stale

    @property
    def is_partly_stale(self) -> bool:
        """Whether few rows of the table follow the law, and all others come near to it."""
        return is_partly_stale(self.evidence)


class Tried(NamedTuple):
    """A law that some rows of a table follow, before it is believed."""

    grid: Grid
    law: Law
    evidence: Evidence
    cost: float
    wanted: Wanted


def place_of(one: Found | Tried) -> Place:
    return one.grid.sheet.number, one.grid.by_rows, one.law.result
