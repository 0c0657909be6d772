"""Perplexities beside losses: `val ppl` is e to the power of `val loss`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.laws.constants import ONE
from mdbench.diagnosis.laws.exponentials import Exponential
from mdbench.diagnosis.laws.verdicts import Verdict, compare
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet
from mdbench.diagnosis.thresholds import ROWS_IF_NAMED
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.sheet import Sheet

_RELATION = Relation("perplexity = e ^ loss", "perplexity = k", Constant.ONE, stated=True)


class PerplexityOfLoss(NamedTuple):
    """A law of one table: its perplexities are those of its losses."""

    sheet: Sheet
    relation: Relation = _RELATION

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to it, as it is printed."""
        perplexity, loss = row.variables.get("perplexity"), row.variables.get("loss")
        if perplexity is None or loss is None or perplexity.low <= 0:
            return None
        if perplexity.measurement is None or loss.measurement is None:
            return None
        return compare(Exponential(_RELATION, perplexity, loss), ONE)


def find_losses(rows: Sequence[RunNumbers]) -> Iterator[PerplexityOfLoss]:
    """The tables whose rows mostly follow it: many losses are of other texts, or in bits."""
    for members in by_sheet(rows).values():
        law = PerplexityOfLoss(members[0].sheet)
        verdicts = [one for row in members if (one := law.test(row)) is not None]
        held = sum(one.holds for one in verdicts)
        if held >= ROWS_IF_NAMED and 3 * held >= 2 * len(verdicts):
            yield law
