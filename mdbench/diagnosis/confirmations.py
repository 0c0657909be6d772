"""The relations that confirm a cell, as formulas in the report's names.

`Tokens/s = Samples/s × seqlen`, and `Samples/s 202 × seqlen 2048 = 413700` for a given cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mdbench.diagnosis.arithmetic.applied import Applied
from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.diagnosis import Diagnosis
from mdbench.diagnosis.explanations import recomputation, round_number
from mdbench.diagnosis.laws.computed import Computed
from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.thresholds import NOISE
from mdbench.diagnosis.wording import calculation, formula, printed
from mdbench.prose.expressions import Expression, Name, spell, substitute
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
        _confirm(verdict, variable)
        for _, verdict in diagnosis.verdicts
        if not verdict.fails and not verdict.relation.model
        for variable in verdict.instance.variables
        if variable.measurement is not None and variable.measurement.cell.span == cell
    )
    computed = (
        Confirmation(formula(one), _recomputed(one, cell), one.test.stand is Stand.CUT)
        for one in diagnosis.applied
        if one.test.holds
        if any(operand.number.source.cell.span == cell for operand in one.operands)
    )
    return tuple(dict.fromkeys((*found, *computed)))


def _recomputed(one: Applied, cell: Span) -> str:
    """The calculation of a result; of what it is computed from, none."""
    result = one.operands[0].number
    return f"{calculation(one)} = {printed(result)}" if result.source.cell.span == cell else ""


def find_contradictions(diagnosis: Diagnosis, cell: Span) -> tuple[str, ...]:
    """Return every relation with a cell that does not hold, without duplicates."""
    found = (
        tell_relation(verdict)
        for _, verdict in diagnosis.verdicts
        if verdict.fails
        for variable in verdict.instance.variables
        if variable.measurement is not None and variable.measurement.cell.span == cell
    )
    return tuple(dict.fromkeys(found))


def _confirm(verdict: Verdict, about: Number) -> Confirmation:
    recomputed = ""
    if verdict.relation.constant is not Constant.ANY:
        recomputed = recomputation(verdict, about)
    told = recomputed if not recomputed.endswith("= ") else ""
    return Confirmation(tell_relation(verdict), told, verdict.stand is Stand.CUT)


def tell_relation(verdict: Verdict) -> str:
    """`PFLOPS = TFLOPS × Nodes / 1024, the formula on line 20`: a relation of a row, in words."""
    relation, instance = verdict.relation, verdict.instance
    if relation.stated:
        return relation.name
    if isinstance(instance, Computed):
        told = _tell_equation(instance)
    elif relation.constant is Constant.ANY:
        told = _tell_agreement(instance, verdict.constant.support)
    else:
        derived, power = _find_derived(instance)
        others = tuple((one, -p * power) for one, p in instance.factors if one is not derived)
        told = f"{_name(derived)} = {_product(others, _factor(verdict, power))}"
    return f"{told}, {relation.name}" if relation.printed else told


def tell_law(verdict: Verdict) -> str:
    """A relation in words that are the same for all of its rows."""
    instance, relation = verdict.instance, verdict.relation
    if isinstance(instance, Instance) and relation.constant is Constant.ANY and not relation.stated:
        return f"{_product(instance.factors)} is constant"
    return tell_relation(verdict)


def _tell_equation(instance: Computed) -> str:
    names: dict[str, Expression] = {name: Name(_name(one)) for name, one in instance.operands}
    left, right = (spell(substitute(side, names)) for side in (instance.left, instance.right))
    return f"{left} = {right}"


def _tell_agreement(instance: Instance, rows: int) -> str:
    told = _product(instance.factors)
    if not rows:
        return f"{told} is the best of its row"
    if rows < 2:
        return f"{told} is the same as in the baseline row"
    if len(instance.factors) == 1:
        return f"{told} is the baseline implied by {rows} rows"
    return f"{told} is the same in {rows} rows"


def _find_derived(instance: Instance) -> tuple[Number, int]:
    """The number to put on the left: the relation's result, else one that is alone on its side."""
    result = instance.relation.result
    for variable, power in instance.factors:
        if variable.quantity.name == result:
            return variable, power
    for sign in (-1, 1):
        alone = [(one, power) for one, power in instance.factors if power * sign > 0]
        if len(alone) == 1:
            return alone[0]
    return instance.factors[0]


def _factor(verdict: Verdict, power: int) -> float:
    """The number in a formula: its own, times the integer that the rows agree on."""
    constant = 1.0 if verdict.relation.constant is Constant.ONE else verdict.constant.low
    return float((constant / verdict.relation.factor) ** power)


def _product(factors: tuple[tuple[Number, int], ...], times: float = 1.0) -> str:
    above, below = list(_names(factors, 1)), list(_names(factors, -1))
    parts = round(1 / times)
    if parts > 1 and abs(parts * times - 1) < NOISE:
        below.append(str(parts))
    elif abs(times - 1) > NOISE:
        above.append(round_number(times))
    return " / ".join((" × ".join(above) or "1", *below))


def _names(factors: tuple[tuple[Number, int], ...], sign: int) -> Iterator[str]:
    for variable, power in factors:
        if power * sign > 0:
            name = _name(variable)
            yield name if abs(power) == 1 else f"{name} ^ {abs(power)}"


def _name(variable: Number) -> str:
    if variable.measurement is not None:
        return variable.measurement.header.text
    return variable.quantity.name
