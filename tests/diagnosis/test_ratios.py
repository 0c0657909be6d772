"""Laws of comparisons: whatever the digits that are printed, what was computed is silent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.linting.checker import check
from mdbench.source import Source


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


@dataclass(frozen=True)
class Print:
    """How numbers are written: to how many digits or decimals, and whether the rest is dropped."""

    digits: int
    cut: bool
    fixed: bool

    def write(self, number: Decimal, *, plus: bool = False) -> str:
        rounding = ROUND_DOWN if self.cut else ROUND_HALF_EVEN
        place = -self.digits if self.fixed else number.adjusted() - self.digits
        written = number.quantize(Decimal(1).scaleb(min(place, 0)), rounding)
        if place > 0:
            written = number.scaleb(-place).quantize(Decimal(1), rounding).scaleb(place)
        return f"{written:+f}" if plus and written > 0 else f"{written:f}"


@dataclass(frozen=True)
class Style:
    """What is taken from what, and how it is written."""

    title: str
    take: Callable[[Decimal, Decimal], Decimal]
    plus: bool
    digits: Print

    def write(self, value: Decimal, base: Decimal) -> str:
        return self.digits.write(self.take(value, base), plus=self.plus)


WAYS: Sequence[Callable[[Decimal, Decimal], Decimal]] = (
    lambda value, base: value - base,
    lambda value, base: base - value,
    lambda value, base: abs(value - base),
)
TIMES = st.decimals(min_value="0.05", max_value="900", places=6, allow_nan=False)
PRINTS = st.builds(Print, st.integers(0, 4), st.booleans(), st.booleans())
STYLES = st.builds(
    lambda title, take, plus, digits: Style(title, take, plus and take is not WAYS[-1], digits),
    st.sampled_from(["Δ (ms)", "Saved (ms)", "Diff", "vs baseline"]),
    st.sampled_from(WAYS),
    st.booleans(),
    PRINTS,
)
CHANGES = st.builds(
    Style,
    st.sampled_from(["Change (%)", "Improvement (%)", "Saved"]),
    st.sampled_from(
        [
            lambda value, base: 100 * (value / base - 1),
            lambda value, base: 100 * (1 - value / base),
        ]
    ),
    st.booleans(),
    st.builds(Print, st.integers(0, 3), st.booleans(), st.just(True)),
)
NEUTRAL = st.sampled_from(["-", "0", "baseline", "0.0"])


def errors(text: str) -> list[str]:
    """The arithmetic errors and warnings of a text."""
    found = check(Source("report.md", text))
    return [
        f"{one.code} {one.message}"
        for one in found
        if one.code.startswith("MB3") and one.severity != "info"
    ]


@given(st.lists(st.tuples(TIMES, TIMES), min_size=3, max_size=7), PRINTS, PRINTS, STYLES)
def test_differences_of_columns_of_any_precision_are_silent(
    runs: list[tuple[Decimal, Decimal]], old: Print, new: Print, gap: Style
) -> None:
    rows = (
        f"m{at} | {old.write(base)} | {new.write(value)} | {gap.write(value, base)}"
        for at, (base, value) in enumerate(runs)
    )
    assert errors(table(f"Model | Old (ms) | New (ms) | {gap.title}", *rows)) == []


@given(st.lists(TIMES, min_size=4, max_size=8), PRINTS, STYLES, NEUTRAL)
def test_differences_from_a_baseline_row_of_any_precision_are_silent(
    times: list[Decimal], digits: Print, gap: Style, neutral: str
) -> None:
    rows = (
        f"m{at} | {digits.write(time)} | {gap.write(time, times[0]) if at else neutral}"
        for at, time in enumerate(times)
    )
    assert errors(table(f"Model | Time (ms) | {gap.title}", *rows)) == []


@given(st.lists(st.tuples(TIMES, TIMES), min_size=3, max_size=7), PRINTS, PRINTS, CHANGES)
def test_changes_between_columns_of_any_precision_are_silent(
    runs: list[tuple[Decimal, Decimal]], old: Print, new: Print, change: Style
) -> None:
    rows = (
        f"m{at} | {old.write(base)} | {new.write(value)} | {change.write(value, base)}%"
        for at, (base, value) in enumerate(runs)
    )
    assert errors(table(f"Model | Old (ms) | New (ms) | {change.title}", *rows)) == []


@given(st.lists(TIMES, min_size=4, max_size=8), PRINTS, CHANGES, NEUTRAL)
def test_changes_from_a_baseline_row_of_any_precision_are_silent(
    times: list[Decimal], digits: Print, change: Style, neutral: str
) -> None:
    rows = (
        f"m{at} | {digits.write(time)} | {f'{change.write(time, times[0])}%' if at else neutral}"
        for at, time in enumerate(times)
    )
    assert errors(table(f"Model | Time (ms) | {change.title}", *rows)) == []


TRENDS = (
    "Method | Mean | Ratio",
    "Baseline | 1,000.6 ms | baseline",
    "Bar | 150.9 ms | {} faster",
    "Baz | 300.1 ms | 3.33x faster",
    "Qux | 2,051.2 ms | 2.05x slower",
    "Foo | 1,150.4 ms | 1.15x slower",
)


def test_words_behind_factors_tell_which_way_they_go() -> None:
    text = table(*TRENDS)
    assert errors(text.format("6.63x")) == []
    assert errors(text.format("8.63x")) != []


def test_a_mean_of_ratios_may_differ_by_its_deviation() -> None:
    rows = (
        "a | 98.41 ns | 1.00 | 0.00",
        "b | 61.31 ns | {} | 0.02",
        "c | 74.96 ns | 0.76 | 0.01",
        "d | 50.19 ns | 0.51 | 0.01",
        "e | 198.80 ns | 2.02 | 0.01",
    )
    text = table("Method | Mean | Ratio | RatioSD", *rows)
    assert errors(text.format("0.64")) == []
    assert errors(text.format("0.94")) != []


def test_no_other_row_is_the_baseline_of_a_speedup_between_two_times_of_its_row() -> None:
    before, after = "3344444", "5899999"
    factors = ("0.59", "0.36", "0.44", "0.45", "0.47", "0.46", "0.40")
    rows = (
        f"`1k.txt` | 0.000{old}s | 0.000{new}s | {factor}x"
        for old, new, factor in zip(before, after, factors, strict=True)
    )
    text = table("File | Time before | Time after | Improvement factor", *rows)
    assert not [one for one in check(Source("a.md", text)) if one.code == "MB301"]


HYPERFINE = """
| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |
|:---|---:|---:|---:|---:|
| `sort a` | 42.4 ± 12.1 | 31.0 | 65.0 | 9.76 ± 4.67 |
| `sort b` | 24.6 ± 2.4 | 23.0 | 28.3 | 5.65 ± 2.24 |
| `sort c` | 35.2 ± 3.0 | 31.5 | 39.9 | {} ± 3.18 |
| `wc a` | 4.3 ± 1.7 | 2.9 | 7.0 | 1.00 |
"""


@pytest.mark.parametrize(("relative", "count"), [("8.10", 0), ("8.70", 1), ("7.10", 1)])
def test_few_rows_of_hyperfine_suffice(relative: str, count: int) -> None:
    found = check(Source("report.md", HYPERFINE.format(relative)))
    assert [one.code for one in found] == ["MB301"] * count


def test_other_columns_need_more_rows() -> None:
    text = HYPERFINE.format("8.70").replace("Command", "Task")
    assert check(Source("report.md", text)) == ()
