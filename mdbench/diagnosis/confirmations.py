"""The relations that confirm a cell, as formulas in the report's names.

`Tokens/s = Samples/s × seqlen`, and `Samples/s 202 × seqlen 2048 = 413700` for a given cell.
"""

from __future__ import annotations

from typing import NamedTuple

from mdbench.diagnosis.checks import Check, Stand
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.explanations import recomputation
from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.wording import formula, raised
from mdbench.relations.catalogue import Constant
from mdbench.source import Span


class Confirmation(NamedTuple):
    """A relation that holds with a cell's number."""

    formula: str
    """The relation, in the report's names."""
    recomputed: str
    """The cell's number computed from the others; empty if it only follows from other rows."""
    cut: bool
    """Whether it only holds if a number was truncated instead of rounded."""


def find_confirmations(diagnosis: Diagnosis, cell: Span) -> tuple[Confirmation, ...]:
    """Return every relation that confirms a cell, without duplicates."""
    found = (
        Confirmation(tell(check), _recompute(check, one.number), check.stand is Stand.CUT)
        for check in diagnosis.checks
        if check.holds and not check.rough
        for one in check.operands
        if one.number.measurement is not None and one.number.measurement.cell.span == cell
    )
    return tuple(dict.fromkeys(found))


def _recompute(check: Check, number: Number) -> str:
    return "" if check.told_by_rows else recomputation(check, number)


def find_contradictions(diagnosis: Diagnosis, cell: Span) -> tuple[str, ...]:
    """Return every relation with a cell that does not hold, without duplicates."""
    failing = (one for one in diagnosis.checks if one.fails and cell in one.cells)
    return tuple(dict.fromkeys(map(tell, failing)))


def tell(check: Check) -> str:
    """A law of a row, in words."""
    return tell_relation(check) if isinstance(check, Verdict) else formula(check)


def tell_relation(verdict: Verdict) -> str:
    """`PFLOPS = TFLOPS × Nodes / 1024, the formula on line 20`: a relation of a row, in words."""
    relation, instance = verdict.relation, verdict.instance
    if relation.stated:
        return relation.name
    if isinstance(instance, Instance) and relation.constant is Constant.ANY:
        told = _tell_agreement(instance, verdict.constant.support)
    else:
        told = formula(verdict)
    return f"{told}, {relation.name}" if relation.printed else told


def tell_law(verdict: Verdict) -> str:
    """A relation in words that are the same for all of its rows."""
    instance, relation = verdict.instance, verdict.relation
    if isinstance(instance, Instance) and relation.constant is Constant.ANY and not relation.stated:
        return f"{_product(instance.factors)} is constant"
    return tell_relation(verdict)


def _tell_agreement(instance: Instance, rows: int) -> str:
    told = _product(instance.factors)
    if not rows:
        return f"{told} is the best of its row"
    if rows < 2:
        return f"{told} is the same as in the baseline row"
    if len(instance.factors) == 1:
        return f"{told} is the baseline implied by {rows} rows"
    return f"{told} is the same in {rows} rows"


def _product(factors: tuple[tuple[Number, int], ...]) -> str:
    above, below = (
        [raised(_name(one), power) for one, power in factors if power * sign > 0]
        for sign in (1, -1)
    )
    return " / ".join((" × ".join(above) or "1", *below))


def _name(number: Number) -> str:
    one = number.measurement
    return one.header.text if one is not None else number.quantity.words
