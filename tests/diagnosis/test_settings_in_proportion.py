"""Settings that are in proportion: a slip is found, and what was chosen otherwise is not."""

from __future__ import annotations

import pytest

import mdbench

HEADER = "| Nodes | Global batch | img/s |\n|---|---|---|\n"
RATES = (2604, 5337, 9918, 19214, 36890)


def messages(batches: tuple[int, ...], before: str = "") -> list[str]:
    rows = "".join(
        f"| {2**at} | {batch} | {rate} |\n"
        for at, (batch, rate) in enumerate(zip(batches, RATES, strict=True))
    )
    found = mdbench.lint(before + HEADER + rows)
    return [one.message.partition(":")[0] for one in found if one.code.startswith("MB3")]


def test_two_digits_transposed() -> None:
    found = messages((1024, 2048, 4906, 8192, 16384))
    assert found == ["Global batch 4906 should be 4096"]


def test_a_value_that_the_text_contradicts() -> None:
    stated = "Each node has a batch of 1,024 images.\n\n"
    found = messages((1024, 2048, 4096, 8192, 8192), stated)
    assert found == ["Global batch 8192 should be 16384"]


@pytest.mark.parametrize(
    "batches",
    [(1024, 2048, 4096, 8192, 8192), (1024, 2048, 4069, 8129, 16384), (512, 512, 512, 512, 521)],
)
def test_what_may_have_been_chosen(batches: tuple[int, ...]) -> None:
    assert messages(batches) == []


@pytest.mark.parametrize("wrong", ["6.55", "3.87"])
def test_a_setting_with_a_fraction_was_computed(wrong: str) -> None:
    steps = (1000, 2500, 5000, 7500, 10000, 12500, 15000)
    told = ["0.524", "1.31", "2.62", "3.93", "5.24", "6.55", wrong]
    rows = "".join(f"| {step:,} | {tokens} |\n" for step, tokens in zip(steps, told, strict=True))
    stated = "Each step has 524,288 tokens.\n\n"
    (found,) = mdbench.lint(stated + "| step | tokens (B) |\n|---|---|\n" + rows)
    assert found.message.startswith(f"tokens (B) {wrong} should be 7.86:")
