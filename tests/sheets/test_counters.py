"""Benchmarks with sizes and aggregates in their names, and counters with names in their cells."""

from __future__ import annotations

from mdbench import parse
from mdbench.diagnosis.diagnosis import diagnose
from mdbench.sheets.sheet import Sheet

TABLE = (
    "| Benchmark | Time | CPU | Counters |\n|---|---|---|---|\n"
    "| copy/64 | 4.50 ns | 4.45 ns | bytes_per_second=13.4011G/s |\n"
    "| copy/512 | 12.6 ns | 12.6 ns | bytes_per_second=37.8722G/s |\n"
    "| sum/64 | 48.2 ns | 48.1 ns | items_per_second=1.32967G/s |\n"
    "| sum/256 | 195 ns | 195 ns | items_per_second=1.31467G/s |\n"
    "| copy/64_mean | 4.21 ns | 4.20 ns | bytes_per_second=14.294G/s |\n"
    "| copy/64_cv | 9.75 % | 9.67 % | bytes_per_second=10.66% |\n"
)


def read(text: str = TABLE) -> Sheet:
    return parse(text).sheets[0]


def test_a_cell_that_names_what_it_holds() -> None:
    cells = [entry[0] for entry in read().columns[3].entries]
    found = [(one.quantity.name if one.quantity else "", one.numeral.value) for one in cells]
    assert [name for name, _ in found[:4]] == ["bandwidth_gb_per_s"] * 2 + ["items_per_s"] * 2
    assert cells[0].amount is not None
    assert cells[0].amount.unit.text == "GiB/s"
    assert cells[2].amount is not None
    assert cells[2].amount.value * cells[2].amount.unit.scale == 1_329_670_000


def test_the_size_in_a_name_is_a_setting_of_its_run() -> None:
    sizes = [[one.raw for one in run.settings] for run in read().runs]
    assert sizes == [["64"], ["512"], ["64"], ["256"]]


def test_a_single_name_with_a_number_has_no_size() -> None:
    text = "| Benchmark | Time |\n|---|---|\n| copy/64 | 4.50 ns |\n| sum/9 | 4.50 ns |\n"
    assert [run.settings for run in read(text).runs] == [(), ()]


def test_aggregates_are_no_runs() -> None:
    mean, variation = (entry[0] for entry in read().columns[1].entries[-2:])
    assert mean.header.statistic == "mean"
    assert variation.quantity is not None
    assert variation.quantity.name == "variation"
    assert len(read().runs) == 4


def test_a_name_that_ends_like_an_aggregate_is_a_run() -> None:
    text = "| Benchmark | Time |\n|---|---|\n| fast_mean | 4.50 ns |\n| slow_max | 9.50 ns |\n"
    assert len(read(text).runs) == 2


def test_rates_agree_with_the_size() -> None:
    report = parse(TABLE)
    verified = {TABLE[span.start : span.end] for span in diagnose(report).verified}
    assert {cell for cell in verified if "=" in cell} == {
        "bytes_per_second=13.4011G/s",
        "bytes_per_second=37.8722G/s",
        "items_per_second=1.32967G/s",
        "items_per_second=1.31467G/s",
    }
