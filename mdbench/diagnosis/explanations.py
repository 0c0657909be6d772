"""Failing relations in words: how a number was recomputed, and what is printed instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdbench.diagnosis.checks import Check
from mdbench.diagnosis.laws.instances import Instance, apply
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.wording import (
    agreement,
    count_others,
    name_number,
    raised,
    recompute,
    round_number,
)
from mdbench.relations.catalogue import Constant
from mdbench.source import Span

_MOST_AGREEING = 2


def recomputation(check: Check, about: Number) -> str:
    """`Samples/s 1167 / Global bsz 1024 = 1.14`: one number computed from the others."""
    text = recompute(check, about, lambda one: name_number(one.number))
    expected = expected_value(check, about)
    equals = "is about" if check.rough else "="
    if _is_equation(check) and check.operands[0].place != about.place:
        title = about.measurement.header.text if about.measurement else about.quantity.words
        return f"{text} where {title} {equals} {expected}"
    return f"{text} {equals} {expected}" if expected else text


def _is_equation(check: Check) -> bool:
    """Whether it is an equation of any form, which is not turned around."""
    return isinstance(check, Verdict) and not isinstance(check.instance, Instance)


def explain(verdict: Verdict, about: Number) -> str:
    """Why a relation fails, in one line: the recomputed number, or the value in other rows."""
    if verdict.relation.constant is Constant.ANY:
        return describe_disagreement(verdict)
    agreed = agreement(verdict)
    return (
        f"{recomputation(verdict, about)} ({agreed})" if agreed else recomputation(verdict, about)
    )


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


def expected_value(check: Check, about: Number) -> str:
    """The recomputed value in the unit of its cell."""
    solved = check.solve(about.place) if about.place is not None else None
    if solved is None:
        return ""
    middle = (solved[0] + solved[1]) / 2
    text = about.print_like(middle) if _is_equation(check) else None
    return text or round_number(middle / about.scale)


def _grouped(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({' × '.join(parts)})"


def describe_disagreement(verdict: Verdict) -> str:
    """`Cost 4.0 / Training runtime 50.01 is 0.08; 27 other rows have 0.0298`."""
    if not isinstance(verdict.instance, Instance):
        return recomputation(verdict, verdict.instance.variables[0])
    text, value, unit = _quotient(verdict.instance)
    middle = (verdict.constant.low + verdict.constant.high) / 2 / unit
    support = verdict.constant.support
    others = count_others(verdict) or "the best of its row"
    has = "have" if support > 1 else "has"
    return f"{text} is {round_number(value)}; {others} {has} {round_number(middle)}"


def _quotient(instance: Instance) -> tuple[str, float, float]:
    """The product of a row's numbers in words, its value as printed, and its unit."""
    factors = instance.factors
    above = [raised(_ratio(one), power) for one, power in factors if power > 0]
    below = [raised(_ratio(one), power) for one, power in factors if power < 0]
    text = (" × ".join(above) or "1") + (f" / {_grouped(below)}" if below else "")
    value, unit = 1.0, instance.factor
    for one, power in factors:
        scale = 1.0 if one.offset else one.scale
        value *= (one.value / scale) ** power
        unit *= scale**power
    return text, value, unit


def _ratio(one: Number) -> str:
    """A number as used in a product: a change of -20% becomes the remaining ratio."""
    return f"(1 + {name_number(one)})" if one.offset else name_number(one)
