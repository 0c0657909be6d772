"""Relations of what tools print: ratios within a row, ends of intervals, runs of several rows."""

from __future__ import annotations

import pytest

import mdbench
from mdbench import parse
from mdbench.diagnosis.diagnosis import diagnose

COMPARED = """```
group    after                 base
-----    -----                 ----
a        1.11     26.2±6.19ns  1.00     23.6±1.13ns
b        1.00     26.6±1.52µs  1.74     46.2±2.05µs
c        1.01    243.3±3.15ns  1.00    240.2±4.08ns
```
"""
INTERVALS = """```
copy/1024    time:   [40.037 ns 43.250 ns 46.214 ns]
             thrpt:  [20.636 GiB/s 22.050 GiB/s 23.820 GiB/s]
copy/65536   time:   [32.985 µs 34.681 µs 36.161 µs]
             thrpt:  [1.6879 GiB/s 1.7599 GiB/s 1.8504 GiB/s]
```
"""
PROFILED = """```
Benchmark                        Mode  Cnt     Score    Error   Units
Bench.concat                     avgt   10    98.412 ±  0.713   ns/op
Bench.concat:gc.alloc.rate       avgt   10  4031.355 ± 29.208  MB/sec
Bench.concat:gc.alloc.rate.norm  avgt   10   416.000 ±  0.001    B/op
```
"""
METRICS = """
| Tasks    | Metric          | Value  |
|----------|-----------------|-------:|
| wikitext | bits_per_byte   | 0.6429 |
|          | byte_perplexity | 1.5615 |
|          | word_perplexity | 10.839 |
"""
LOAD = """```
Bombarding http://localhost:8080 for 10s using 125 connections
Statistics        Avg      Stdev        Max
  Reqs/sec    264571.20   10733.06  268434.01
  Latency      471.31us   522.34us    51.00ms
```
"""


def verified(text: str) -> set[str]:
    report = parse(text)
    return {text[start:end] for start, end in diagnose(report).verified}


def codes(text: str) -> list[str]:
    return [one.code for one in mdbench.lint(text)]


def test_a_ratio_to_the_best_of_its_row_is_verified() -> None:
    assert {"1.11", "1.00", "1.74", "26.2±6.19ns"} <= verified(COMPARED)
    assert codes(COMPARED) == []


def test_the_metrics_of_each_benchmark_are_verified_by_themselves() -> None:
    rows = ("wiki | bits_per_byte | 0.6429", "books | bits_per_byte | 0.8011")
    more = ("wiki | byte_perplexity | 1.5615", "books | byte_perplexity | 1.7424")
    text = "\n".join(("Tasks | Metric | Value", "---|---|---", *rows, *more, ""))
    assert verified(text) == {"0.6429", "0.8011", "1.5615", "1.7424"}


def test_a_wrong_ratio_to_the_best_of_its_row_is_found() -> None:
    (finding,) = mdbench.lint(COMPARED.replace("1.74", "1.47"))
    assert finding.code == "MB301"
    assert "base 1.47 should be 1.74: 46.2 / 26.6 (the best of its row)" in finding.message


def test_columns_that_are_never_1_are_no_ratios() -> None:
    other = COMPARED.replace("1.00", "2.00")
    assert verified(other) == set()
    assert codes(other) == []


def test_the_ends_of_an_interval_are_verified_with_those_of_another() -> None:
    report = parse(INTERVALS)
    assert len(diagnose(report).verified_ends) == 4


def test_an_end_that_does_not_follow_is_not_verified() -> None:
    diagnosis = diagnose(parse(INTERVALS.replace("46.214", "48.214")))
    assert len(diagnosis.verified_ends) == 2
    assert len(diagnosis.verified) == 4


def test_rows_of_one_benchmark_are_recomputed_together() -> None:
    assert verified(PROFILED) == {"98.412", "4031.355", "416.000"}


@pytest.mark.parametrize(
    "text", [PROFILED.replace("4031", "4301"), METRICS.replace("1.56", "1.65")]
)
def test_what_is_only_near_blames_nobody(text: str) -> None:
    assert verified(text) == set()
    assert codes(text) == []


def test_a_perplexity_follows_from_its_bits() -> None:
    assert verified(METRICS) == {"0.6429", "1.5615"}


def test_requests_in_flight_are_the_connections() -> None:
    assert verified(LOAD) == {"264571.20", "471.31us"}


def test_other_tests_with_waiting_connections_are_not_blamed() -> None:
    idle = LOAD.replace("471.31us", "371.31us")
    assert codes(f"## A\n\n{LOAD}\n## B\n\n{idle}") == []
