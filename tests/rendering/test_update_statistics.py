"""The word in a header chooses the statistic: the best of times is the smallest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rendering.test_update import bound, update_text

TIMES = [
    {
        "case": case,
        "mean_ms": 10.0 * at,
        "median_ms": 11.0 * at,
        "min_ms": 12.0 * at,
        "max_ms": 13.0 * at,
        "p99_ms": 14.0 * at,
        "stddev_ms": 1.0,
    }
    for at, case in enumerate("xy", 1)
]
WORDS = [
    pytest.param("Wall time (ms)", "10.0", id="no word: the mean"),
    pytest.param("Mean (ms)", "10.0", id="mean"),
    pytest.param("Typical median (ms)", "11.0", id="median"),
    pytest.param("Best (ms)", "12.0", id="best"),
    pytest.param("Best time (ms)", "12.0", id="best time"),
    pytest.param("Fastest (ms)", "12.0", id="fastest"),
    pytest.param("Min (ms)", "12.0", id="min"),
    pytest.param("Lowest (ms)", "12.0", id="lowest"),
    pytest.param("Worst (ms)", "13.0", id="worst"),
    pytest.param("Slowest run (ms)", "13.0", id="slowest"),
    pytest.param("Max (ms)", "13.0", id="max"),
    pytest.param("p99 (ms)", "14.0", id="a percentile"),
]


@pytest.mark.parametrize(("title", "expected"), WORDS)
def test_the_header_chooses_the_statistic(title: str, expected: str, tmp_path: Path) -> None:
    report = bound(f"| Case | {title} |", "| x | 99.0 |")
    assert update_text(report, tmp_path, TIMES).source.text == report.replace("99.0", expected)


def test_the_best_rate_is_the_largest(tmp_path: Path) -> None:
    report = bound("| Case | Best req/s | Worst req/s |", "| x | 1 | 1 |")
    runs = [{"case": "x", "mean_rps": 50.0, "min_rps": 40.0, "max_rps": 60.0}]
    assert "| x | 60 | 40 |" in update_text(report, tmp_path, runs).source.text


def test_columns_that_print_the_same_show_other_statistics(tmp_path: Path) -> None:
    report = bound("| Case | Wall time (ms) | Best (ms) |", "| x | 5.0 | 5.0 |")
    assert "| x | 10.0 | 12.0 |" in update_text(report, tmp_path, TIMES).source.text


def test_two_columns_of_one_unit_that_leave_it_open_are_not_bound(tmp_path: Path) -> None:
    report = bound("| Case | Run (ms) | Elapsed (ms) | Max (ms) |", "| x | 5.0 | 5.0 | 6.0 |")
    updated = update_text(report, tmp_path, TIMES)
    assert updated.source.text == report.replace("6.0", "13.0")
    assert updated.behind
    assert [remark.partition(":")[2].partition(" is ")[0] for remark in updated.remarks] == [
        " Run (ms)",
        " Elapsed (ms)",
    ]
    assert 'bind it with `columns: "Run (ms)" = …`' in updated.remarks[0]
    again = update_text(updated.source.text, tmp_path, TIMES)
    assert again.remarks == updated.remarks
    assert not again.behind


def test_one_quantity_in_two_units_is_bound_twice(tmp_path: Path) -> None:
    report = bound("| Case | Time (ms) | Time (s) |", "| x | 5.0 | 0.0050 |")
    assert "| x | 10.0 | 0.0100 |" in update_text(report, tmp_path, TIMES).source.text


def test_a_statistic_that_the_results_lack_is_not_bound(tmp_path: Path) -> None:
    report = bound("| Case | Time (ms) | Best (ms) |", "| x | 5.0 | 4.0 |")
    runs = [{"case": "x", "time_ms": 7.0}]
    updated = update_text(report, tmp_path, runs)
    assert updated.source.text == report.replace("5.0", "7.0")
    assert "the results have no min of it, only time_ms" in updated.remarks[0]


REPEATED = [{"case": "x", "time_ms": time} for time in (10.0, 10.1, 10.8)]


def test_an_aggregate_gives_the_statistic_that_the_header_names(tmp_path: Path) -> None:
    report = bound("| Case | Best (ms) |", "| x | 9.0 |", comment="from runs aggregate: min")
    assert "| x | 10.0 |" in update_text(report, tmp_path, REPEATED).source.text


def test_a_mean_of_several_results_is_their_mean(tmp_path: Path) -> None:
    report = bound("| Case | Mean (ms) |", "| x | 9.0 |")
    assert "| x | 10.3 |" in update_text(report, tmp_path, REPEATED).source.text
    plain = bound("| Case | Time (ms) |", "| x | 9.0 |")
    assert "| x | 10.1 |" in update_text(plain, tmp_path, REPEATED).source.text
