"""Arithmetic is parsed, evaluated and solved; nothing is ever executed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.numerals.intervals import Interval
from mdbench.prose.arithmetic import parse_equation, parse_expression
from mdbench.prose.expressions import (
    Expression,
    Name,
    evaluate,
    exactly_as_fraction,
    names,
    solve,
    spell,
    substitute,
)

OPERANDS = st.sampled_from("a b c".split()) | st.integers(1, 999).map(str)
EXPRESSIONS = st.recursive(
    OPERANDS,
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(
        lambda parts: f"({parts[0]}) {parts[1]} ({parts[2]})"
    ),
    max_leaves=12,
)
VALUES = {name: Interval(Fraction(place), Fraction(place)) for place, name in enumerate("abc", 2)}


def parsed(text: str) -> Expression:
    expression = parse_expression(text)
    assert expression is not None
    return expression


@pytest.mark.parametrize(
    ("text", "result"),
    [
        pytest.param("2 * 16 * 32", 1024, id="product"),
        pytest.param("2 × 3 · 4 ⋅ 5", 120, id="other multiplication signs"),
        pytest.param("8 x 16", 128, id="x between numbers"),
        pytest.param("8x16", 128, id="x without spaces"),
        pytest.param("12 ÷ 4", 3, id="division sign"),
        pytest.param("24 / 2 / 3", 4, id="division is left-associative"),
        pytest.param("2 + 3 * 4", 14, id="precedence"),
        pytest.param("(2 + 3) * 4", 20, id="brackets"),
        pytest.param("10 − 2 – 3", 5, id="other minus signs"),
        pytest.param("2^3^2", 512, id="powers are right-associative"),
        pytest.param("2 ** 10", 1024, id="power with two stars"),
        pytest.param("-2 ^ 2", -4, id="a sign binds less than a power"),
        pytest.param("2 * -3", -6, id="a sign after an operator"),
        pytest.param("1,024 * 3", 3072, id="thousands"),
        pytest.param("1_000 * 3", 3000, id="thousands as in code"),
        pytest.param("1.5e3 / 1e3", Fraction(3, 2), id="exponents"),
        pytest.param("50% * 3", Fraction(3, 2), id="percent"),
        pytest.param(".5 * 4", 2, id="no digit before the point"),
    ],
)
def test_numbers_are_calculated(text: str, result: float | Fraction) -> None:
    assert evaluate(parsed(text), {}, exactly_as_fraction) == Interval(result, result)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("TFLOPs * Nodes / 1024", ("TFLOPs", "Nodes"), id="words"),
        pytest.param("micro batch size * DP", ("micro batch size", "DP"), id="several words"),
        pytest.param("$ms*4*$seqlen / ( $sp * $ng)", ("ms", "seqlen", "sp", "ng"), id="perl"),
        pytest.param("${GPUS} * 2", ("GPUS",), id="shell"),
        pytest.param("args.seq_length * batch.size", ("args.seq_length", "batch.size"), id="dots"),
        pytest.param("TP x PP x DP", ("TP", "PP", "DP"), id="x between names"),
        pytest.param("Est. Aggr. PetaFLOPs / 2", ("Est. Aggr. PetaFLOPs",), id="abbreviations"),
        pytest.param("#GPUs * 批量大小", ("GPUs", "批量大小"), id="other scripts"),
        pytest.param("a * b + a", ("a", "b"), id="each once"),
    ],
)
def test_names_are_found(text: str, expected: tuple[str, ...]) -> None:
    assert names(parsed(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("f(2)", id="a call"),
        pytest.param("2(3)", id="implicit multiplication"),
        pytest.param("4k * 2", id="a letter that may be 1000 or 1024"),
        pytest.param("0x10", id="hexadecimal"),
        pytest.param("5 % 3", id="modulo"),
        pytest.param("1.2.3", id="a version"),
        pytest.param("1,2", id="a list"),
        pytest.param("0,512 * 2", id="a decimal comma"),
        pytest.param("(1 + 2", id="an open bracket"),
        pytest.param("1 + 2)", id="a closed bracket"),
        pytest.param("2 *", id="a missing operand"),
        pytest.param("a; b", id="statements"),
        pytest.param("__import__('os')", id="code"),
        pytest.param("2 * 10²²", id="superscripts"),
        pytest.param("(" * 65 + "1" + ")" * 65, id="too deep"),
        pytest.param("-" * 65 + "1", id="too many signs"),
        pytest.param("1+" * 250 + "1", id="too long"),
        pytest.param("1" * 60, id="too many digits"),
    ],
)
def test_other_text_is_not_arithmetic(text: str) -> None:
    assert parse_expression(text) is None


def test_a_known_name_may_contain_a_slash() -> None:
    equation = parse_equation(
        "Tokens/s = Samples/s * seqlen", {"Tokens/s", "Samples/s"}.__contains__
    )
    assert equation is not None
    assert equation.left == "Tokens/s"
    assert names(equation.right) == ("Samples/s", "seqlen")


@pytest.mark.parametrize("text", ["9**9**9**9", "9^64^64", "(9^64)^64 * (9^64)^64", "1e60^64"])
@pytest.mark.usefixtures("no_hang")
def test_a_huge_power_is_rejected_quickly(text: str) -> None:
    expression = parsed(text)
    for read in (None, exactly_as_fraction):
        result = evaluate(expression, {}, read) if read else evaluate(expression, {})
        assert result is None or isinstance(result.low, float)


@pytest.mark.parametrize("text", ["1 / 0", "a / 2", "2 ^ 0.5 ^ -1000", "2 ^ b"])
def test_undefined_result_is_none(text: str) -> None:
    assert evaluate(parsed(text), {"b": Interval(1.0, 2.0)}) is None


def test_intervals_are_propagated() -> None:
    values = {"a": Interval(1.0, 2.0), "b": Interval(4.0, 5.0)}
    assert evaluate(parsed("a * b - 1"), values) == Interval(3.0, 9.0)


@pytest.mark.parametrize(
    ("equation", "name", "solution"),
    [
        pytest.param("p = t * n / 1024", "n", "p × 1024 / t", id="a factor"),
        pytest.param("p = t * n / 1024", "p", "t × n / 1024", id="the left side"),
        pytest.param("a = b / c", "c", "b / a", id="a divisor"),
        pytest.param("a = b - c", "c", "b - a", id="a subtrahend"),
        pytest.param("a = 3 + c", "c", "a - 3", id="a summand"),
        pytest.param("a = -b", "b", "-a", id="a sign"),
        pytest.param("a = b ^ 2", "b", "a ^ (1 / 2)", id="a root"),
    ],
)
def test_an_equation_is_solved_for_each_of_its_names(
    equation: str, name: str, solution: str
) -> None:
    read = parse_equation(equation)
    assert read is not None
    solved = solve(read, name)
    assert solved is not None
    assert spell(solved) == solution


@pytest.mark.parametrize(
    ("equation", "name"),
    [("a = b * b", "b"), ("a = 2 ^ b", "b"), ("a = b + a", "a"), ("a = b", "c")],
)
def test_names_that_cannot_be_isolated_have_no_solution(equation: str, name: str) -> None:
    read = parse_equation(equation)
    assert read is not None
    assert solve(read, name) is None


@given(EXPRESSIONS)
def test_spelled_expression_parses_to_the_same(text: str) -> None:
    expression = parsed(text)
    again = parsed(spell(expression))
    value = evaluate(expression, VALUES, exactly_as_fraction)
    assert evaluate(again, VALUES, exactly_as_fraction) == value


@given(EXPRESSIONS, st.sampled_from("abc"))
def test_a_solution_solves_its_equation(text: str, name: str) -> None:
    read = parse_equation(f"left = {text}")
    assert read is not None
    solved = solve(read, name)
    value = evaluate(read.right, VALUES, exactly_as_fraction)
    if solved is None or value is None:
        return
    result = evaluate(solved, {**VALUES, "left": value}, exactly_as_fraction)
    assert result is None or result == VALUES[name]


@given(st.text(max_size=60))
def test_any_text_is_parsed_without_an_error(text: str) -> None:
    expression = parse_expression(text)
    assert expression is None or spell(expression)


def test_names_can_be_substituted() -> None:
    assert spell(substitute(parsed("a * (b - a)"), {"a": Name("x")})) == "x × (b - x)"
