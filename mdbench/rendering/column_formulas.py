"""Write a relation as the formula of a column, with the names of the report."""

from __future__ import annotations

from mdbench.diagnosis.laws.instances import Instance
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.wording import round_number

_WHOLE = 1e-6


def tell_formula(instance: Instance, wanted: Number, value: float) -> str:
    """`Est. Aggr. PetaFLOPs = TFLOPs × Nodes / 1024, the formula on line 20`."""
    power = next(power for one, power in instance.factors if one is wanted)
    above = [one for one, other in instance.factors if one is not wanted and other != power]
    below = [one for one, other in instance.factors if one is not wanted and other == power]
    rest = value
    for one in above:
        rest /= one.value / one.scale
    for one in below:
        rest *= one.value / one.scale
    factors, divisors = [_name(one) for one in above], [_name(one) for one in below]
    if abs(1 / rest - round(1 / rest)) < _WHOLE * (1 / rest) and round(1 / rest) > 1:
        divisors.append(str(round(1 / rest)))
    elif abs(rest - 1) > _WHOLE:
        factors.append(round_number(rest))
    told = " / ".join((" × ".join(factors) or "1", *divisors))
    stated = f", {instance.relation.name}" if instance.relation.printed else ""
    return f"{_name(wanted)} = {told}{stated}"


def _name(variable: Number) -> str:
    if variable.measurement is not None:
        return variable.measurement.header.text
    return f"{variable.quantity.name} {round_number(variable.value / variable.scale)}"
