"""Tables whose rows, or the titles above their columns, say what the cells hold."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from mdbench import parse


class Read(NamedTuple):
    quantity: str
    statistic: str
    unit: str


def read(table: str) -> dict[str, Read]:
    """What each number of a table was read as."""
    report = parse(table)
    return {
        one.cell.raw: Read(
            one.quantity.name if one.quantity else "",
            one.header.statistic,
            one.amount.unit.text if one.amount else "",
        )
        for sheet in report.sheets
        for one in sheet.measurements
        if one.is_number
    }


def test_statistics_of_the_metric_of_each_row() -> None:
    found = read(
        "| Stat | Avg | Stdev | 99% |\n|---|---|---|---|\n| Latency | 1.87 ms | 2.73 ms | 14 ms |\n"
    )
    assert found == {
        "1.87 ms": Read("latency_ms", "mean", "ms"),
        "2.73 ms": Read("latency_std_ms", "std", "ms"),
        "14 ms": Read("latency_p99_ms", "p99", "ms"),
    }


def test_bytes_below_per_second_are_a_bandwidth() -> None:
    found = read(
        "| Stat | Avg | Min |\n|---|---|---|\n"
        "| Req/Sec | 8,463.34 | 1,928 |\n| Bytes/Sec | 1.13 MB | 258 kB |\n"
    )
    assert found["8,463.34"] == Read("requests_per_s", "mean", "Req/Sec")
    assert found["258 kB"] == Read("bandwidth_gb_per_s", "min", "kB/s")


def test_the_share_within_a_deviation_is_no_latency() -> None:
    found = read(
        "| | Avg | Stdev | +/- Stdev |\n|---|---|---|---|\n"
        "| Latency | 4.90ms | 18.14ms | 97.60% |\n| Req/Sec | 5.74k | 4.33k | 66.39% |\n"
    )
    assert found["18.14ms"] == Read("latency_std_ms", "std", "ms")
    assert found["97.60%"] == Read("share", "", "%")


def test_a_percentile_in_each_row() -> None:
    found = read(
        "| Percentile | Latency (ms) |\n|---|---|\n| 50 | 1.5 |\n| 97.5 | 4.5 |\n| 99.00 | 6.5 |\n"
    )
    assert found["1.5"] == Read("latency_p50_ms", "p50", "ms")
    assert found["4.5"] == Read("latency_ms", "p97.5", "ms")
    assert found["6.5"] == Read("latency_p99_ms", "p99", "ms")


def test_the_unit_in_a_column_of_its_own() -> None:
    found = read(
        "| Benchmark | Cnt | Score | Error | Units |\n|---|---|---|---|---|\n"
        "| concat | 10 | 98.412 | 0.713 | ns/op |\n"
        "| concat:gc.alloc.rate | 10 | 4031.355 | 29.208 | MB/sec |\n"
        "| concat:gc.count | 10 | 112.000 | | counts |\n"
    )
    assert found["98.412"] == Read("time_per_op_ns", "", "ns/op")
    assert found["29.208"] == Read("bandwidth_gb_per_s", "error", "MB/sec")
    assert found["112.000"] == Read("", "", "")


def test_only_the_value_is_of_the_metric_of_its_row() -> None:
    found = read(
        "| Task | Filter | Tries | Metric | Value | Stderr |\n|---|---|---|---|---|---|\n"
        "| arc | none | 5 | acc | 0.7542 | 0.0088 |\n| piqa | none | 3 | acc | 0.7012 | 0.0077 |\n"
    )
    assert found["5"].quantity == ""
    assert found["0.7542"] == Read("accuracy", "", "")
    assert found["0.0088"] == Read("accuracy", "error", "")


@pytest.mark.parametrize(
    ("titles", "cells", "quantity"),
    [
        ("avg | min | p99", "554.21 ns/iter | 458.46 ns | 984.59 ns", "time_per_op_ns"),
        ("Mean | StdDev | P95", "5.312 μs | 0.0394 μs | 5.374 μs", "time_s"),
        ("avg | min | p75", "134.93 ps/iter | 87.89 ps | 97.90 ps", "time_per_op_ns"),
    ],
)
def test_statistics_side_by_side_are_of_one_quantity(
    titles: str, cells: str, quantity: str
) -> None:
    found = read(f"| name | {titles} |\n|---|---|---|---|\n| sort | {cells} |\n")
    assert {one.quantity for one in found.values()} == {quantity}


@pytest.mark.parametrize("corner", ["Stat", "**Percentile**"])
def test_a_percentile_above_each_column(corner: str) -> None:
    found = read(
        f"| {corner} | 10 | 50 | 99 |\n|---|---|---|---|\n"
        "| Req/Sec | 1101.5 | 1204.5 | 1489.5 |\n| Latency | 1.5 ms | 2.5 ms | 6.5 ms |\n"
    )
    assert found["1101.5"] == Read("requests_per_s", "p10", "Req/Sec")
    assert found["2.5 ms"] == Read("latency_p50_ms", "p50", "ms")
    assert found["6.5 ms"] == Read("latency_p99_ms", "p99", "ms")


@pytest.mark.parametrize(
    "header",
    ["Stat | 1 | 2 | 4", "Stat | 10 | 50 | 200", "Stat | 90 | 50 | 99", "GPUs | 10 | 50 | 99"],
)
def test_other_numbers_above_columns_are_no_percentiles(header: str) -> None:
    found = read(
        f"| {header} |\n|---|---|---|---|\n"
        "| Req/Sec | 1101.5 | 1204.5 | 1489.5 |\n| Latency | 1.5 ms | 2.5 ms | 6.5 ms |\n"
    )
    assert {one.statistic for one in found.values()} == {""}


def test_percentiles_that_are_most_of_a_table_are_latencies() -> None:
    found = read("| name | p50 | p95 | p99 |\n|---|---|---|---|\n| get | 1 ms | 2 ms | 3 ms |\n")
    assert found["3 ms"].quantity == "latency_p99_ms"


@pytest.mark.parametrize(
    ("table", "quantity"),
    [
        ("| Model | TPS |\n|---|---|\n| 7B chat | 52.5 |\n", "tokens_per_s"),
        ("| Clients | TPS |\n|---|---|\n| four | 52.5 |\n", "items_per_s"),
        ("| Clients | Scale Factor |\n|---|---|\n| 4 | 50 |\n| 8 | 50 |\n", "problem_size"),
        ("| GPUs | Scale Factor |\n|---|---|\n| 4 | 50 |\n| 8 | 50 |\n", "speedup"),
        ("| Method | Runtime |\n|---|---|\n| a | 52.5 s |\n", "time_s"),
    ],
)
def test_columns_that_the_others_decide(table: str, quantity: str) -> None:
    assert list(read(table).values())[-1].quantity == quantity
