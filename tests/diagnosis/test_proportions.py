"""Columns in constant proportion: computed to the last digit, or measured and only nearly so."""

from __future__ import annotations

import pytest

from benchmarks.chance import blamed_if_measured
from mdbench.linting.checker import check
from mdbench.rules.findings import Finding
from mdbench.source import Source


def table(header: str, *rows: str) -> str:
    columns = header.count("|") + 1
    lines = [header, " | ".join(["---"] * columns), *rows]
    return "".join(f"| {line} |\n" for line in lines)


def find(text: str) -> list[Finding]:
    return [one for one in check(Source("a.md", text)) if one.code in ("MB301", "MB303")]


def messages(text: str) -> list[str]:
    return [one.message for one in find(text)]


PRICES = table(
    "Machine | $/h | $/month",
    *("a | 0.1520 | 109.44", "b | 0.3040 | 218.88", "c | 0.2275 | 163.80", "d | 0.4105 | {}"),
    *("e | 0.6310 | 454.32", "f | 0.0835 | 60.12"),
)


def test_a_constant_that_the_text_states() -> None:
    wrong = PRICES.format("218.88")
    (message,) = messages(f"All prices are for months of 720 h.\n\n{wrong}")
    assert message.startswith("$/month 218.88 should be 295.56: $/month / $/h is 720 in 5 other")
    assert messages(PRICES.format("295.56")) == []


EACH = "Clients | tok/s | tok/s per GPU"


def test_a_rate_for_each_device() -> None:
    rows = "1 | 52.7 | 13.18", "2 | 104.1 | 26.03", "4 | 203.6 | 50.90", "8 | 391.2 | {}"
    text = table(EACH, *rows, "16 | 702.9 | 175.73", "32 | 1190.5 | 297.63")
    (message,) = messages(text.format("195.60"))
    assert message.startswith("tok/s per GPU 195.60 should be 97.80: ")
    assert messages(text.format("97.80")) == []


def test_what_scatters_was_measured() -> None:
    rows = "1 | 52.7 | 13.18", "2 | 104.1 | 26.21", "4 | 203.6 | 50.90", "8 | 391.2 | 195.60"
    assert messages(table(EACH, *rows, "16 | 702.9 | 175.73", "32 | 1190.5 | 297.63")) == []


def test_two_times_that_are_nearly_the_same_are_measured_twice() -> None:
    rows = (
        "a | 12.004 | 12.004",
        "b | 33.172 | 33.172",
        "c | 8.415 | 8.415",
        "d | 51.220 | 51.220",
    )
    more = ("e | 27.891 | 27.891", "f | 19.045 | 60.112", "g | 40.388 | 40.388")
    assert messages(table("Case | Wall (s) | CPU (s)", *rows, *more)) == []


def test_a_rate_in_another_unit() -> None:
    rows = "a | 2104 | 263.0", "b | 968 | 121.0", "c | 1733 | 216.6", "d | 1502 | 178.7"
    assert messages(table("Link | Mbit/s | MB/s", *rows)) == [
        "MB/s 178.7 should be 187.8: Mbit/s 1502 (3 other rows agree)"
    ]


@pytest.mark.parametrize(
    ("header", "factor"), [("MB/s | Mbit/s", "1/8 of"), ("Time (s) | Time (ms)", "1/1000 of")]
)
def test_a_column_that_repeats_the_numbers_of_another_unit(header: str, factor: str) -> None:
    rows = "a | 263.4 | 263.4", "b | 121.9 | 121.9", "c | 216.2 | 216.2"
    (finding,) = find(table(f"Link | {header}", *rows))
    assert finding.code == "MB303"
    assert f"every value is {factor}" in finding.message


def test_amounts_that_a_header_states() -> None:
    header = "Nodes | Tokens/s | Days for 2T tokens"
    rows = "2 | 187,310 | 123.6", "4 | 361,020 | 64.1", "8 | 702,455 | 33.0", "16 | 1,320,140 | {}"
    text = table(header, *rows, "32 | 2,404,800 | 9.6")
    (message,) = messages(text.format("15.7"))
    assert message.startswith("Days for 2T tokens 15.7 should be 17.5")
    assert messages(text.format("17.5")) == []


def test_scores_of_two_kinds_that_are_nearly_the_same_are_measured_twice() -> None:
    rows = [f"m{a} | kind {a % 2} | {61 + 3.217 * a:.3f} | {61 + 3.217 * a:.3f}" for a in range(11)]
    assert (
        messages(table("Model | Task | Base | Quantized", *rows, "x | kind 1 | 7.310 | 73.100"))
        == []
    )


STEPS = table(
    "Nodes | Global batch | Step time (s) | Tokens/s",
    *("2 | 128 | 3.871 | 67,719", "4 | 256 | 3.902 | 134,362", "8 | 512 | 3.975 | 263,789"),
    *("16 | 1024 | 4.088 | {}", "32 | 2048 | 4.334 | 967,753"),
)


def test_a_factor_of_a_rate_that_only_the_text_states() -> None:
    wrong = STEPS.format("531,018")
    (message,) = messages(f"Sequences of 2048 tokens, BF16.\n\n{wrong}")
    assert message.startswith("Tokens/s 531,018 should be 513,002: ")
    assert messages(wrong) == []


JOBS = table(
    "Disk | Job | IOPS | MB/s",
    *("a | random | 81,420 | 333.5", "a | stream | 9,388 | 615.3", "b | random | 60,230 | 246.7"),
    *("b | stream | 7,204 | 472.1", "c | random | 14,551 | 59.6", "c | stream | 2,218 | {}"),
    *("d | random | 98,770 | 404.6", "d | stream | 10,912 | 715.1"),
)


def test_a_constant_for_each_kind_of_row() -> None:
    (message,) = messages(JOBS.format("154.4"))
    assert message.startswith("MB/s 154.4 should be 145.4: IOPS / MB/s is 15.26 in 3 other rows")
    assert messages(JOBS.format("145.4")) == []


@pytest.mark.slow
def test_measured_numbers_are_not_blamed() -> None:
    assert blamed_if_measured(1000) == 0
