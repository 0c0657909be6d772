"""MB401: calculations in prose are recomputed; other text is ignored."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.markdown.parser import parse_document
from mdbench.rules.context import Context
from mdbench.rules.findings import Safety, Violation
from mdbench.rules.mb401_prose_arithmetic import prose_arithmetic
from mdbench.source import Source


def violations_on(text: str) -> list[Violation]:
    source = Source("report.md", text)
    context = SimpleNamespace(document=parse_document(source), source=source)
    return list(prose_arithmetic(cast("Context", context)))


def fixed(text: str) -> str:
    edits = [edit for remark in violations_on(text) for fix in remark.fixes for edit in fix.edits]
    return Source("report.md", text).edited(edits).text


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        pytest.param("`2 * 16 * 32 = 1000`", "`2 * 16 * 32 = 1024`", id="inline code"),
        pytest.param("- 5 * 3 = 16", "- 5 * 3 = 15", id="a list item"),
        pytest.param("## 5 * 3 = 16", "## 5 * 3 = 15", id="a heading"),
        pytest.param("GBS = 2 * 16 = 33", "GBS = 2 * 16 = 32", id="a name before it"),
        pytest.param("2 * 16 = 32 = 33", "2 * 16 = 32 = 32", id="a chain"),
        pytest.param("1001 = 2 * 500", "1000 = 2 * 500", id="the result first"),
        pytest.param("**2 * 16 = 33**", "**2 * 16 = 32**", id="bold"),
        pytest.param("2 * 16 = **33**", "2 * 16 = **32**", id="a bold result"),
        pytest.param("8x16=129", "8x16=128", id="x for times"),
        pytest.param("4 * (2 + 3) = 21", "4 * (2 + 3) = 20", id="brackets"),
        pytest.param("(so 32/2=17 replicas)", "(so 32/2=16 replicas)", id="in brackets"),
        pytest.param("1,024 * 3 = 3,073", "1,024 * 3 = 3,072", id="thousands"),
        pytest.param("14/15 = 95.0%", "14/15 = 93.3%", id="a share in percent"),
        pytest.param("8 nodes × 4 GPUs = 33 GPUs", "8 nodes × 4 GPUs = 32 GPUs", id="counts"),
        pytest.param("2^10 = 1000", "2^10 = 1024", id="a power"),
        pytest.param("8 * $2.5 = $21", "8 * $2.5 = $20", id="money"),
        pytest.param("$6 \\times 7 = 43$", "$6 \\times 7 = 42$", id="TeX"),
        pytest.param("2 * 3 = 6, then 4 * 5 = 21", "2 * 3 = 6, then 4 * 5 = 20", id="the second"),
        pytest.param("185 * 32 = 5900", "185 * 32 = 5920", id="a small product, rounded"),
        pytest.param("100 / 3 ≈ 40", "100 / 3 ≈ 33", id="not even approximately"),
        pytest.param("4 GiB / 2 GB/s = 2.3 s", "4 GiB / 2 GB/s = 2.1 s", id="units"),
        pytest.param("3 GB + 4 GB = 8 GB", "3 GB + 4 GB = 7 GB", id="a sum with units"),
    ],
)
def test_a_wrong_result_is_found_and_fixed(wrong: str, right: str) -> None:
    (remark,) = violations_on(wrong)
    assert [fix.safety for fix in remark.fixes] == [Safety.UNSAFE]
    assert fixed(wrong) == right
    assert violations_on(right) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("`1.5 * 188 + 0.5 * 1151 = 857 node hours`", id="truncated"),
        pytest.param("10 / 3 = 3.33", id="rounded"),
        pytest.param("at most 32/1 = 32 gpus", id="a unit after the result"),
        pytest.param("about 8183 / 8 ≈ 1000 tokens/s", id="about"),
        pytest.param("100 * 3 = ~310", id="an approximate result"),
        pytest.param("400 steps × ~1.4 s/step = 9 min", id="an approximate operand"),
        pytest.param("185.5 * 32 = 5900", id="a measured result, rounded to its zeros"),
        pytest.param("1.5 TB / 3 = 500 GB", id="another prefix"),
        pytest.param("3 days * 24 = 72 hours", id="another unit of time"),
        pytest.param("13B * 2 bytes = 26 GB", id="a letter for a number"),
        pytest.param("4K * 512 = 2M tokens", id="letters that may be binary"),
        pytest.param("37 / 34 = +8.8%", id="a gain in percent"),
        pytest.param("48000 / 1024 = 46,875", id="a decimal comma"),
        pytest.param("2 * 3 = 6 * 4 = 24", id="continuing with the result"),
        pytest.param("6 * 7B * 2T = 8.4e22", id="an exponent"),
        pytest.param("4GiB / (377.34GBps / 1.9375) = 22.05ms", id="binary over decimal units"),
        pytest.param("4 GiB / 2 GB/s = 2.147 s", id="a time of bytes over a rate"),
        pytest.param("90 min * 2 = 3 h", id="minutes in hours"),
        pytest.param("400 W * 3 h = 1.2 kWh", id="power and time"),
    ],
)
def test_a_correct_result_is_not_reported(text: str) -> None:
    assert violations_on(text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("3 GB + 4 = 8 GB", id="a sum with and without a unit"),
        pytest.param("3 GB * 4 = 7 s", id="a result of another kind"),
        pytest.param("8 GPUs * 312 TFLOPS = 2.6 foo", id="an unknown unit"),
    ],
)
def test_units_that_do_not_fit_together_are_left_alone(text: str) -> None:
    assert violations_on(text) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x * 2 = 5 and 2 * x = 5", id="names"),
        pytest.param("2 * 3 = 7 * nodes", id="a name after it"),
        pytest.param("log2(8) * 3 = 10", id="functions"),
        pytest.param("Qwen-7B * 2 = 15", id="names with numbers"),
        pytest.param("A100 * 2 = 3", id="names that end in numbers"),
        pytest.param("8/2 = 5-6 nodes", id="a range as a result"),
        pytest.param("tables 1-2 = 3", id="a range"),
        pytest.param("on 4/22 = 3 runs", id="a date"),
        pytest.param("torch==2.1.0 and v1.2.3 = 4", id="versions"),
        pytest.param("x = 3", id="an assignment"),
        pytest.param("tp=4 pp=2*4 dp=2", id="assignments side by side"),
        pytest.param("nodes=2*4 gpus=3", id="an assignment to a unit"),
        pytest.param("bs = 4 * 8 steps = 100", id="an assignment to a unit, with spaces"),
        pytest.param("3 * 4 = 13 ± 1", id="a spread"),
        pytest.param("2272 % 1024 = 3", id="modulo"),
        pytest.param("[a](b=2*3=7) https://a.b/?c=2*3=7", id="links"),
        pytest.param("2 * 10²² = 7", id="superscripts"),
        pytest.param("24 layers * 2 heads * 64 = 7", id="words that are not units"),
        pytest.param("(2 + 3 = 5) * 2 = 11", id="a calculation within another"),
        pytest.param("```\n2 * 3 = 7\n```", id="a fence"),
        pytest.param("| a |\n|---|\n| 2 * 3 = 7 |", id="a table"),
        pytest.param("2 * 3 == 7, 2 * 3 != 7, 2 * 3 >= 7, 2 * 3 => 7", id="comparisons"),
        pytest.param("9**9**9 = 3", id="a huge power"),
        pytest.param("1 / 0 = 3", id="no result at all"),
    ],
)
def test_other_text_is_not_reported(text: str) -> None:
    assert violations_on(text) == []


def test_the_finding_covers_the_calculation_and_has_both_numbers() -> None:
    text = "A batch of `2 * 16 * 32 = 1000` tokens."
    (remark,) = violations_on(text)
    assert text[slice(*remark.span)] == "2 * 16 * 32 = 1000"
    assert remark.message == "2 * 16 * 32 is 1024, not 1000"


@given(
    st.lists(st.integers(1, 999), min_size=2, max_size=4),
    st.sampled_from(["*", "×", "+", " * ", " x ", " + "]),
    st.integers(1, 50),
)
def test_integers_are_exact(operands: list[int], sign: str, off: int) -> None:
    total = sum(operands)
    if "+" not in sign:
        total = 1
        for operand in operands:
            total *= operand
    done = sign.join(map(str, operands))
    assert violations_on(f"{done} = {total}") == []
    if total < 10_000:
        assert len(violations_on(f"{done} = {total + off}")) == 1


@given(st.text(alphabet="0123456789 .,=*/+-()x×≈~%$`GBks", max_size=40))
def test_any_line_is_checked_without_an_error(text: str) -> None:
    for remark in violations_on(text):
        assert remark.message
