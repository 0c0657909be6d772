"""Ratios in brackets to the best number of their column: `5,600.0 (24.93)` below `224.7 (1.0)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import Agreement
from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.products import Verdict, compare
from mdbench.diagnosis.numbers import RunNumbers, by_sheet, measured_variable
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet

_RELATION = Relation("ratio to the best", "value = relative * k", Constant.ANY)


class RatioToBest(NamedTuple):
    """A law: the number in brackets, times the best one of the column, is the number before it."""

    sheet: Sheet
    column: int
    best: Agreement
    relation: Relation = _RELATION

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to it."""
        cell = [one for one in row.run.measurements if one.column == self.column]
        factors = []
        for one, power in zip(cell[:2], (1, -1), strict=False):
            variable = measured_variable(one, self.sheet)
            if variable is None or variable.low <= 0:
                return None
            factors.append((variable, power))
        if len(factors) < 2:
            return None
        return compare(Instance(self.relation, tuple(factors)), self.best)


def find_ratios_to_best(rows: Sequence[RunNumbers]) -> Iterator[RatioToBest]:
    """The columns with such ratios. They were read as ratios because all of them agree."""
    for members in by_sheet(rows).values():
        sheet = members[0].sheet
        for column in sheet.columns:
            best = next((one for entry in column.entries for one in _best(entry)), None)
            variable = None if best is None else measured_variable(best, sheet)
            if variable is not None:
                support = len(column.entries)
                yield RatioToBest(
                    sheet, column.index, Agreement(variable.low, variable.high, support)
                )


def _best(entry: Sequence[Measurement]) -> Iterator[Measurement]:
    """The number of a cell that says 1 in its brackets."""
    if len(entry) == 2 and entry[1].bracketed and entry[1].numeral.value == 1:
        yield entry[0]
