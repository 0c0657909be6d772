"""Ratios to the best number of their row, each before its number: `1.11 26.2 ns 1.00 23.6 ns`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import Agreement
from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.verdicts import Verdict, compare
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet
from mdbench.diagnosis.thresholds import FEWEST_ROWS, SURE_SHARE
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.proofs import BY_ROW_BEST
from mdbench.sheets.sheet import Sheet

_RELATION = Relation("ratio to the best of the row", "value = relative * k", Constant.ANY)


class RatioInRow(NamedTuple):
    """A law: a ratio, times the least number of its row, is the number beside it."""

    sheet: Sheet
    ratio: int
    values: tuple[int, ...]
    """The columns of the numbers that are compared; the one of the ratio comes after it."""
    relation: Relation = _RELATION

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to it."""
        found = [one for at in self.values if (one := row.numbers.get(at)) is not None]
        ratio, value = row.numbers.get(self.ratio), row.numbers.get(self.ratio + 1)
        if ratio is None or value is None or ratio.low <= 0 or min(one.low for one in found) <= 0:
            return None
        best = min(found, key=lambda one: one.value)
        instance = Instance(self.relation, ((value, 1), (ratio, -1)))
        return compare(instance, Agreement(best.low, best.high, 0))


def find_ratios_in_rows(rows: Sequence[RunNumbers]) -> Iterator[RatioInRow]:
    """The columns with such ratios, where nearly all rows follow them."""
    for members in by_sheet(rows).values():
        sheet = members[0].sheet
        ratios = [one.index for one in sheet.columns if one.header.why == BY_ROW_BEST]
        laws = [RatioInRow(sheet, at, tuple(other + 1 for other in ratios)) for at in ratios]
        found = [verdict for law in laws for row in members if (verdict := law.test(row))]
        holding = sum(not verdict.fails for verdict in found)
        if holding >= max(FEWEST_ROWS, SURE_SHARE * len(found)):
            yield from laws
