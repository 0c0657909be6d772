"""Failing relations in words: what was recomputed from what, and what is printed instead."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from mdbench.diagnosis.laws import Verdict
from mdbench.diagnosis.variables import Variable
from mdbench.relations import Constant

_DIGITS = 4


def recomputation(verdict: Verdict, about: Variable) -> str:
    """`Samples/s 1167 / Global bsz 1024 = 1.14`: one number from the others."""
    power = next(power for one, power in verdict.instance.factors if one is about)
    above = [shown(one) for one, p in verdict.instance.factors if one is not about and p != power]
    below = [shown(one) for one, p in verdict.instance.factors if one is not about and p == power]
    left = " × ".join(above) or "1"
    text = f"{left} / {_grouped(below)}" if below else left
    constant = _constant(verdict)
    factor = f" {'×' if power > 0 else '/'} {constant}" if constant else ""
    expected = expected_value(verdict, about)
    return f"{text}{factor} = {expected}" if expected else text


def explain(verdict: Verdict, about: Variable) -> str:
    """Why a relation fails, in one line: the recomputed number, or what other rows have."""
    if verdict.relation.constant is Constant.ANY:
        return contradiction(verdict)
    line = recomputation(verdict, about)
    if verdict.relation.constant is not Constant.WHOLE or verdict.constant.low == 1:
        return f"{line} by {verdict.relation.name}" if verdict.relation.printed else line
    return f"{line}; {round_number(verdict.constant.low)} as in {verdict.constant.count} rows"


def expected_value(verdict: Verdict, about: Variable) -> str:
    """The recomputed value in the unit of the cell it would stand in."""
    solved = verdict.instance.solve(about, verdict.constant.low, verdict.constant.high)
    if solved is None:
        return ""
    middle = (solved[0] + solved[1]) / 2
    scale = 1.0
    if about.measurement is not None and about.measurement.amount is not None:
        scale = float(about.measurement.amount.unit.scale)
    return round_number((middle - about.offset) / scale)


def shown(variable: Variable) -> str:
    """A number as the report has it, behind the name that the report gives it."""
    if variable.measurement is not None:
        return f"{variable.measurement.header.text} {variable.measurement.numeral.text}"
    if variable.fact is not None:
        return f"{variable.quantity.name} {variable.fact.raw}"
    return f"{variable.quantity.name} {round_number(variable.value)}"


def round_number(number: float) -> str:
    """A number to a few digits, written out."""
    rounded = Decimal(f"{number:.{_DIGITS}g}")
    if rounded == rounded.to_integral_value() and abs(number) < 10**15:
        return str(round(number)) if abs(number - round(number)) < 1e-6 else f"{rounded:f}"
    return f"{rounded:f}" if abs(rounded) > Decimal("1e-6") else f"{rounded}"


def _constant(verdict: Verdict) -> str:
    if verdict.relation.constant is Constant.ONE:
        return "" if verdict.relation.factor == 1 else round_number(1 / verdict.relation.factor)
    middle = (verdict.constant.low + verdict.constant.high) / 2
    return "" if middle == 1 else round_number(middle / verdict.relation.factor)


def _grouped(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' × '.join(parts)})"


def contradiction(verdict: Verdict) -> str:
    """`Cost 4.0 / Training runtime 50.01 is 0.08; 27 rows have 0.0298`: against what rows share."""
    factors = verdict.instance.factors
    above = [shown(one) for one, power in factors if power > 0]
    below = [shown(one) for one, power in factors if power < 0]
    text = " × ".join(above) + (f" / {_grouped(below)}" if below else "")
    value, unit = 1.0, 1.0
    for one, power in factors:
        value *= (one.value / one.scale) ** power
        unit *= one.scale**power
    unit *= verdict.instance.factor
    middle = (verdict.constant.low + verdict.constant.high) / 2 / unit
    rows = "1 row has" if verdict.constant.count == 1 else f"{verdict.constant.count} rows have"
    return f"{text} is {round_number(value)}; {rows} {round_number(middle)}"
