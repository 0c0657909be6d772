"""Units in calculations combine."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mdbench.prose.arithmetic import parse_expression
from mdbench.prose.dimensions import Measure, combine, measure_of


@pytest.mark.parametrize(
    ("unit", "bases", "scale"),
    [
        ("", {}, 1),
        ("GB/s", {"byte": 1, "s": -1}, 10**9),
        ("GiB", {"byte": 1}, 2**30),
        ("ms/step", {"s": 1}, Fraction(1, 1000)),
        ("$/h", {"usd": 1, "s": -1}, Fraction(1, 3600)),
        ("GPUs", {}, 1),
        ("%", {}, Fraction(1, 100)),
    ],
)
def test_a_unit_measures(unit: str, bases: dict[str, int], scale: int | Fraction) -> None:
    assert measure_of(unit) == Measure(frozenset(bases.items()), Fraction(scale))


def test_an_unknown_unit_has_no_measure() -> None:
    assert measure_of("replicas") is None


@pytest.mark.parametrize(
    ("formula", "bases"),
    [
        ("a / b", {"s": 1}),
        ("a / (b / 2)", {"s": 1}),
        ("-a + a", {"byte": 1}),
        ("a + b", None),
        ("a + 1", None),
        ("a ** 2", None),
        ("a / a", {}),
    ],
)
def test_dimensions_combine(formula: str, bases: dict[str, int] | None) -> None:
    expression = parse_expression(formula)
    assert expression is not None
    known = {"a": frozenset({("byte", 1)}), "b": frozenset({("byte", 1), ("s", -1)})}
    assert combine(expression, known) == (None if bases is None else frozenset(bases.items()))
