"""Failing relations in words: how a number was recomputed, and what is printed instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from mdbench.diagnosis.laws.computed import Computed
from mdbench.diagnosis.laws.instances import Instance, apply
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.slips import print_like, with_number
from mdbench.diagnosis.thresholds import NOISE
from mdbench.prose.expressions import Expression, Name, spell, substitute
from mdbench.relations.catalogue import Constant
from mdbench.source import Span

_DIGITS = 4
_MOST_AGREEING = 2


def recomputation(verdict: Verdict, about: Number) -> str:
    """`Samples/s 1167 / Global bsz 1024 = 1.14`: one number computed from the others."""
    if isinstance(verdict.instance, Computed):
        return _computation(verdict, verdict.instance, about)
    power = next(power for one, power in verdict.instance.factors if one is about)
    others = [(one, p) for one, p in verdict.instance.factors if one is not about]
    above = [_to_the(shown(one), p) for one, p in others if (p > 0) != (power > 0)]
    below = [_to_the(shown(one), p) for one, p in others if (p > 0) == (power > 0)]
    left = " × ".join(above) or "1"
    text = f"{left} / {_grouped(below)}" if below else left
    constant = _constant(verdict)
    factor = f" {_times(constant, power)}" if constant != 1 else ""
    if verdict.relation.stated:
        factor = _stated_factor(verdict.instance, power)
    expected = expected_value(verdict, about)
    return f"{text}{factor} = {expected}" if expected else text


def _to_the(text: str, power: int) -> str:
    return text if abs(power) == 1 else f"{text} ^ {abs(power)}"


def _computation(verdict: Verdict, computed: Computed, about: Number) -> str:
    """An equation that is not a product, with its numbers and the recomputed one."""
    names: dict[str, Expression] = {name: Name(shown(one)) for name, one in computed.operands}
    right = spell(substitute(computed.right, names))
    expected = _like_the_cell(verdict, about) or expected_value(verdict, about)
    is_sign = "is about" if verdict.relation.model else "="
    left = computed.left
    if isinstance(left, Name) and dict(computed.operands).get(left.text) is about:
        return f"{right} {is_sign} {expected}"
    title = about.measurement.header.text if about.measurement is not None else about.quantity.words
    return f"{spell(substitute(left, names))} = {right} where {title} {is_sign} {expected}"


def explain(verdict: Verdict, about: Number) -> str:
    """Why a relation fails, in one line: the recomputed number, or the value in other rows."""
    if verdict.relation.constant is Constant.ANY:
        return describe_disagreement(verdict)
    line = recomputation(verdict, about)
    if verdict.relation.constant is not Constant.WHOLE or verdict.constant.low == 1:
        relation = verdict.relation
        named = relation.printed or relation.stated or relation.model
        return f"{line} by {relation.name}" if named else line
    return f"{line}; {whole_constant(verdict)}, as in {_count_rows(verdict.constant.support)}"


def whole_constant(verdict: Verdict) -> str:
    """An integer constant in words: devices per node if only the nodes are known."""
    number = round_number(verdict.constant.low)
    by_nodes = any(one.quantity.name == "nodes" for one in verdict.instance.variables)
    return f"{number} devices per node" if by_nodes else f"{number} times"


def _count_rows(count: int) -> str:
    return "1 other row" if count == 1 else f"{count} other rows"


def agreeing(verdict: Verdict) -> Iterator[tuple[str, Span]]:
    """Rows that agree on the constant: what their numbers give, and where they are."""
    if verdict.relation.constant is Constant.ONE:
        return
    for row in verdict.constant.rows[:_MOST_AGREEING]:
        instance = apply(verdict.relation, row.variables)
        if instance is None:
            continue
        text, value, _ = _quotient(instance)
        own = {one.key for one in row.run.measurements}
        spans = [
            one.measurement.cell.span
            for one in instance.variables
            if one.measurement is not None and one.measurement.key in own
        ]
        if spans:
            yield f"{text} is {round_number(value)}", Span(spans[0].start, spans[0].end)


def expected_value(verdict: Verdict, about: Number) -> str:
    """The recomputed value in the unit of its cell."""
    solved = verdict.instance.solve(about, verdict.constant.low, verdict.constant.high)
    if solved is None:
        return ""
    middle = (solved[0] + solved[1]) / 2
    scale = 1.0
    if about.measurement is not None and about.measurement.amount is not None:
        scale = float(about.measurement.amount.unit.scale)
    return round_number((middle - about.offset) / scale)


def _like_the_cell(verdict: Verdict, about: Number) -> str | None:
    """The recomputed value as the cell would print it: `39.1B`."""
    solved = verdict.instance.solve(about, verdict.constant.low, verdict.constant.high)
    if solved is None or about.measurement is None:
        return None
    number = print_like(about.measurement, (solved[0] + solved[1]) / 2)
    return None if number is None else with_number(about.measurement, number)


def shown(variable: Number) -> str:
    """A number as printed in the report, after its name there."""
    if variable.measurement is not None:
        return f"{variable.measurement.header.text} {variable.measurement.numeral.text}"
    if variable.fact is not None:
        return f"{variable.quantity.words} {variable.fact.raw}"
    return f"{variable.quantity.words} {round_number(variable.value / variable.scale)}"


def round_number(number: float) -> str:
    """Format a number with a few digits, without an exponent if possible."""
    rounded = Decimal(f"{number:.{_DIGITS}g}")
    if rounded == rounded.to_integral_value() and abs(number) < 10**15:
        return str(round(number)) if abs(number - round(number)) < 1e-6 else f"{rounded:f}"
    return f"{rounded:f}" if abs(rounded) > Decimal("1e-6") else f"{rounded}"


def _constant(verdict: Verdict) -> float:
    if verdict.relation.constant is Constant.ONE:
        return 1 / verdict.relation.factor
    middle = (verdict.constant.low + verdict.constant.high) / 2
    return middle / verdict.relation.factor if middle != 1 else 1.0


def _times(constant: float, power: int) -> str:
    """`× 4` or `/ 4`, never a number below 1."""
    times = constant if power > 0 else 1 / constant
    return f"× {round_number(times)}" if times > 1 else f"/ {round_number(1 / times)}"


def _stated_factor(instance: Instance, power: int) -> str:
    """The number in a project's relation, converted to the units of the cells."""
    product = instance.factor
    for one, exponent in instance.factors:
        product *= one.scale**exponent
    times = product**-power
    if abs(times - 1) < NOISE:
        return ""
    return f" × {round_number(times)}" if times > 1 else f" / {round_number(1 / times)}"


def _grouped(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' × '.join(parts)})"


def describe_disagreement(verdict: Verdict) -> str:
    """`Cost 4.0 / Training runtime 50.01 is 0.08; 27 other rows have 0.0298`."""
    if isinstance(verdict.instance, Computed):
        return recomputation(verdict, verdict.instance.variables[0])
    text, value, unit = _quotient(verdict.instance)
    middle = (verdict.constant.low + verdict.constant.high) / 2 / unit
    support = verdict.constant.support
    others = _count_rows(support) if support else "the best of its row"
    has = "have" if support > 1 else "has"
    return f"{text} is {round_number(value)}; {others} {has} {round_number(middle)}"


def _quotient(instance: Instance) -> tuple[str, float, float]:
    """The product of a row's numbers in words, its value as printed, and its unit."""
    factors = instance.factors
    above = [_to_the(_ratio(one), power) for one, power in factors if power > 0]
    below = [_to_the(_ratio(one), power) for one, power in factors if power < 0]
    text = (" × ".join(above) or "1") + (f" / {_grouped(below)}" if below else "")
    value, unit = 1.0, instance.factor
    for one, power in factors:
        scale = 1.0 if one.offset else one.scale
        value *= (one.value / scale) ** power
        unit *= scale**power
    return text, value, unit


def _ratio(one: Number) -> str:
    """A number as used in a product: a change of -20% becomes the remaining ratio."""
    return f"(1 + {shown(one)})" if one.offset else shown(one)
