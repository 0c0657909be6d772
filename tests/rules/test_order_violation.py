"""MB306: which columns are compared, and when a reading is given up."""

from __future__ import annotations

import mdbench
from mdbench.source import Source


def find(header: str, *rows: str) -> list[int]:
    """The lines of the findings in a table."""
    bars = "|".join("--:" for _ in header.split("|"))
    lines = [f"| {header} |", f"|{bars}|", *(f"| {row} |" for row in rows), ""]
    text = "\n".join(lines)
    found = mdbench.lint(text, select=["MB306"])
    return [text.count("\n", 0, finding.span.start) + 1 for finding in found]


def test_statistics_of_different_quantities_are_not_compared() -> None:
    header = "Batch | FTL(min)(s) | FTL(max)(s) | 50%(s) | 99%(s)"
    rows = ("1 | 0.078 | 0.090 | 0.032 | 0.040", "2 | 0.010 | 0.091 | 0.033 | 0.041")
    assert find(header, *rows) == []


def test_one_row_against_the_others_is_reported() -> None:
    header = "Batch | Latency p50 (ms) | Latency p99 (ms)"
    assert find(header, "1 | 12.1 | 15.0", "2 | 21.3 | 20.9", "4 | 30.0 | 41.0") == [4]


def test_where_most_rows_disagree_the_headers_mean_something_else() -> None:
    header = "Batch | Latency min (ms) | Latency max (ms)"
    assert find(header, "1 | 15.1 | 12.0", "2 | 21.3 | 20.9", "4 | 30.0 | 41.0") == []


def test_a_mean_that_the_slowest_run_explains_is_not_reported() -> None:
    header = "Batch | Latency-Average(ms) | Latency-99%(ms) | Latency-100%(ms)"
    assert find(header, "1 | 13.94 | 11.94 | 5491.2", "2 | 14.10 | 12.04 | 5003.7") == []
    assert find(header, "1 | 13.94 | 11.94 | 12.1", "2 | 11.10 | 12.04 | 12.7") == [3]


def test_a_mean_hardly_above_a_percentile_is_not_reported() -> None:
    header = "Batch | Latency Avg (ms) | Latency 99% (ms)"
    assert find(header, "1 | 544.43 | 504.14", "2 | 600.10 | 630.20") == []
    assert find(header, "1 | 584.43 | 504.14", "2 | 600.10 | 630.20") == [3]


def test_a_header_that_names_a_percentile_alone_is_of_what_the_others_name() -> None:
    rows = "16 | 38.8 | 60.1", "24 | 40.6 | 31.9", "32 | 53.0 | 80.2"
    assert find("Clients | Mean latency (ms) | p99 (ms)", *rows) == [4]
    twice = [f"{row} | 5.1" for row in rows]
    assert find("Clients | Mean TTFT (ms) | p99 (ms) | Mean TPOT (ms)", *twice) == []


def test_times_without_a_unit_are_compared() -> None:
    header = "Concurrency | TTFT p50 | TTFT p99 | ITL p50 | ITL p99"
    rows = "1 | 48.2 | 61.0 | 19.1 | 22.7", "8 | 171.2 | 98.7 | 24.4 | 37.1"
    assert find(header, *rows) == [4]


def test_what_has_no_known_quantity_needs_rows_that_show_the_order() -> None:
    header = "Endpoint | p50 | p90 | p99"
    rows = "/a | 112 | 236 | 391", "/b | 18 | 141 | 77", "/c | 131 | 288 | 502"
    assert find(header, *rows) == []
    assert find(header, *rows, "/d | 9 | 22 | 61") == [4]


def test_percentiles_that_go_down_are_of_a_rate() -> None:
    header = "Endpoint | p50 | p90 | p99"
    rows = "/a | 391 | 236 | 112", "/b | 77 | 141 | 18", "/c | 502 | 288 | 131", "/d | 61 | 22 | 9"
    assert find(header, *rows) == []


def test_a_number_in_another_unit_is_not_compared() -> None:
    header = "Batch | Latency p50 (ms) | Latency p99 (ms)"
    assert find(header, "1 | 12.1 | 15.0", "2 | 21.3 | 3 GB", "4 | 30.0 | 41.0") == []


def test_statistics_are_compared_in_any_language() -> None:
    rows = ("1 | 1.5 | 2.5", "2 | 1.6 | 2.6", "4 | 3.6 | 2.7")
    for header in (
        "Batch | 최소 (ms) | 평균 (ms)",
        "Batch | 最小延迟 (ms) | 平均延迟 (ms)",
        "Batch | минимум, мс | средняя, мс",
        "Batch | Minimum (ms) | Mittelwert (ms)",
        "Batch | mínimo (ms) | mediana (ms)",
    ):
        assert find(header, *rows) == [5]
    assert find("Batch | 최소 대기 (ms) | 평균 실행 (ms)", *rows) == []


MEASURED = """\
| Command | Min [s] | Mean [s] | Max [s] |
|---------|--------:|---------:|--------:|
| a       |   2.071 |    2.102 |   2.144 |
| b       |   3.530 |    3.456 |   3.395 |
| c       |   1.880 |    1.893 |   1.921 |
"""


def test_two_cells_in_each_others_place_are_one_finding() -> None:
    (finding,) = mdbench.lint(MEASURED, select=["MB306"])
    assert finding.message == "Min [s] 3.530 is above Max [s] 3.395"
    fixed = Source("a.md", MEASURED).edited(finding.fixes[0].edits).text
    assert "|   3.395 |    3.456 |   3.530 |" in fixed
    assert mdbench.lint(fixed, select=["MB306"]) == ()


def test_one_cell_on_the_wrong_side_of_several_is_one_finding() -> None:
    text = MEASURED.replace("3.530 |    3.456 |   3.395", "3.530 |    3.296 |   3.395")
    (finding,) = mdbench.lint(text, select=["MB306"])
    assert finding.message == "Min [s] 3.530 is above Max [s] 3.395 and Mean [s] 3.296"
    text = text.replace("Mean", "Median").replace("Max [s]", "Mean [s]")
    (finding,) = mdbench.lint(text, select=["MB306"])
    assert finding.message == "Min [s] 3.530 is above Median [s] 3.296 and Mean [s] 3.395"
    assert finding.fixes == ()
