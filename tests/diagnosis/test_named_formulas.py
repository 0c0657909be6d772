"""Columns whose titles name a formula: F1 scores, ranges, averages of calls, shares."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source

SCORES = """| Model | Precision | Recall | F1 |
|-------|----------:|-------:|---:|
| small | 0.912 | 0.854 | 0.882 |
| base | 0.883 | 0.907 | 0.895 |
| large | 0.794 | 0.846 | 0.819 |
| xl | 0.931 | 0.716 | 0.809 |
"""
RANGES = """| Case | Min (ms) | Max (ms) | Range (ms) |
|------|---------:|---------:|-----------:|
| read | 10.1 | 15.5 | 5.4 |
| write | 23.4 | 61.7 | 38.3 |
| scan | 5.2 | 19.6 | 14.4 |
| seek | 7.7 | 8.9 | 1.2 |
"""
CALLS = """| Function | Calls | Total (ms) | Avg (ms) |
|----------|------:|-----------:|---------:|
| parse | 17 | 265.4 | 15.61 |
| plan | 23 | 310.9 | 13.52 |
| exec | 38 | 772.1 | 20.32 |
| close | 51 | 413.6 | 8.11 |
"""
SHARES = """| Phase | Time (ms) | % |
|-------|----------:|--:|
| parse | 121.3 | 24.2% |
| plan | 82.7 | 16.5% |
| exec | 246.1 | 49.0% |
| close | 51.8 | 10.3% |
| Total | 501.9 | 100% |
"""


def find(table: str) -> list[str]:
    return [one.message for one in check(Source("report.md", table)) if one.code == "MB301"]


@pytest.mark.parametrize("table", [SCORES, RANGES, CALLS, SHARES])
def test_what_the_title_names_holds(table: str) -> None:
    assert find(table) == []


@pytest.mark.parametrize(
    ("table", "right", "wrong", "message"),
    [
        (
            SCORES,
            "0.819",
            "0.891",
            "F1 0.891 should be 0.819: the harmonic mean of 0.794 and 0.846",
        ),
        (RANGES, "38.3", "36.3", "Range (ms) 36.3 should be 38.3: 61.7 - 23.4"),
        (CALLS, "20.32", "22.32", "Avg (ms) 22.32 should be 20.32: 772.1 / 38"),
        (SHARES, "49.0%", "55.0%", "% 55.0% should be 49.0%: 246.1 / 501.9"),
    ],
)
def test_a_row_that_is_not_what_the_title_names(
    table: str, right: str, wrong: str, message: str
) -> None:
    found = find(table.replace(right, wrong))
    assert len(found) == 1
    assert found[0].startswith(message)


def test_the_parts_may_be_in_per_cent() -> None:
    table = SCORES
    for value in (
        "912",
        "854",
        "882",
        "883",
        "907",
        "895",
        "794",
        "846",
        "819",
        "931",
        "716",
        "809",
    ):
        table = table.replace(f"0.{value}", f"{value[:2]}.{value[2]}")
    assert find(table) == []
    assert len(find(table.replace("81.9", "89.1"))) == 1


@pytest.mark.parametrize(
    "table",
    [
        # A macro average of F1 scores is not the harmonic mean of two averages.
        SCORES.replace("0.882", "0.861").replace("0.895", "0.872").replace("0.809", "0.787"),
        # Of two precisions, nobody knows which one is meant.
        SCORES.replace("Model", "Precision@5").replace("small", "0.7").replace("0.819", "0.891"),
        RANGES.replace("5.4", "6.1").replace("38.3", "31.9").replace("14.4", "12.0"),
        CALLS.replace("Calls", "Threads").replace("15.61", "9.30").replace("13.52", "7.72"),
    ],
)
def test_something_else_is_meant(table: str) -> None:
    assert find(table) == []
