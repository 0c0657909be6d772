"""Bare statistics are of what their table measures; what names none is not guessed."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.sheet import Sheet


def read(*rows: str, above: str = "") -> Sheet:
    first, *others = (f"| {row} |" for row in rows)
    bars = "|".join("---" for _ in rows[0].split("|"))
    (sheet,) = mdbench.parse("\n".join((above, "", first, f"|{bars}|", *others, ""))).sheets
    return sheet


def told(sheet: Sheet) -> list[str]:
    """The quantity, the unit and the statistic of each column."""
    return [
        " ".join(
            (
                header.quantity.name if header.quantity is not None else "-",
                header.unit.text if header.unit is not None else "-",
                header.statistic or "-",
            )
        )
        for header in (column.header for column in sheet.columns)
    ]


def test_statistics_are_of_the_time_that_their_cells_are_in() -> None:
    sheet = read("Method | Mean | Error | StdDev | Median", "A | 1.2 ns | 0.1 ns | 0.2 ns | 1.1 ns")
    assert told(sheet)[1:] == [
        "time_s ns mean",
        "time_s ns error",
        "time_s ns std",
        "time_s ns median",
    ]


def test_the_corner_says_what_the_statistics_are_of() -> None:
    sheet = read("Name (time in us) | Min | Max | Rounds", "a | 1.2 | 3.4 | 1000")
    assert told(sheet) == ["name - -", "time_s us min", "time_s us max", "rounds - -"]


def test_the_corner_counts_before_a_rate_beside_the_statistics() -> None:
    sheet = read("Name (time in us) | Mean | OPS (Kops/s)", "a | 12.7 | 78.5", "b | 20.9 | 47.9")
    assert told(sheet)[1:] == ["time_s us mean", "ops_per_s Kops/s -"]


def test_a_percentile_is_of_the_statistic_beside_it() -> None:
    sheet = read("Clients | Latency avg (ms) | p99 | Max", "8 | 2.5 | 9.1 | 30.2")
    assert told(sheet)[2:] == ["latency_p99_ms ms p99", "latency_max_ms ms max"]


def test_the_only_quantity_of_a_table_is_that_of_its_statistics() -> None:
    sheet = read(
        "Step | Average perplexity | Standard deviation | Minimum", "1 | 24.1 | 0.1 | 23.9"
    )
    assert told(sheet)[2:] == ["perplexity - std", "perplexity - min"]


def test_an_average_of_unknown_columns_takes_no_quantity_from_elsewhere() -> None:
    sheet = read("Model | ListX | PathX | Avg | Gflop/s", "a | 57.1 | 60.3 | 58.7 | 1.2")
    assert told(sheet)[3] == "- - mean"


def test_an_average_of_unknown_columns_takes_no_statistic_from_the_right() -> None:
    sheet = read(
        "Method | ListX | PathX | Avg | Peak mem (MB)",
        "a | 57.1 | 60.3 | 58.7 | 87",
        "b | 1 | 2 | 2 | 0",
    )
    assert told(sheet)[3] == "- - mean"


def test_a_mean_behind_the_names_of_rows_is_of_what_the_right_says() -> None:
    sheet = read("Method | Avg | Max latency (ms)", "a | 57.1 | 60.3")
    assert told(sheet)[1] == "latency_ms ms mean"


def test_an_error_without_a_mean_is_an_error() -> None:
    sheet = read("Model | Error", "a | 3.1%", "b | 4.2%")
    assert told(sheet)[1] == "error % -"


def test_a_spread_in_per_cent_is_a_variation() -> None:
    sheet = read("Test | Mean (ms) | StdDev", "a | 12.1 | 1.5%", "b | 13.2 | 2.0%")
    assert told(sheet)[2] == "variation % std"


def test_what_tells_how_far_values_differ_is_no_value() -> None:
    sheet = read("Test | StdDev (ms) | p75 (ms)", "a | 12.1 | 80")
    assert "time_s" not in sheet.runs[0].values
    assert "latency_ms" not in sheet.runs[0].values


@pytest.mark.parametrize(
    ("above", "meant"),
    [
        ("Time in ms:", "time_s ms -"),
        ("All times in milliseconds.", "time_s milliseconds -"),
        ("Units: s", "time_s s -"),
        ("## Throughput (req/s)", "requests_per_s req/s -"),
        ("## Retrieval (Accuracy)", "accuracy - -"),
        ("Some words about it.", "- - -"),
    ],
)
def test_columns_named_after_what_is_compared_hold_what_the_caption_names(
    above: str, meant: str
) -> None:
    sheet = read("Rows | foolib | barlib", "10 | 1.2 | 3.4", "100 | 2.2 | 5.4", above=above)
    assert told(sheet)[1:] == [meant, meant]


def test_each_compared_thing_is_a_run() -> None:
    sheet = read("Rows | foolib | barlib", "10 | 1.2 | 3.4", above="Time in ms:")
    assert [run.settings[0].raw for run in sheet.runs] == ["foolib", "barlib"]


def test_a_caption_is_about_its_own_column_only() -> None:
    rows = ("a | 34.7 | 23.6 | 1.47", "b | 12.0 | 8.0 | 1.50", "c | 9.9 | 9.0 | 1.10")
    sheet = read("Model | FP16 | INT8 | Speedup", *rows, above="## Speedup")
    assert told(sheet)[1:] == ["time_s - -", "time_s - -", "speedup - -"]


def test_rows_that_sum_up_are_no_runs() -> None:
    sheet = read("Query | Time (s)", "q1 | 1.0", "q2 | 2.0", "**Total** | 3.0", "Geomean | 1.41")
    assert [run.number for run in sheet.runs] == [0, 1]
    assert len(sheet.columns[1].mains) == 4


def test_rows_for_each_statistic_are_runs() -> None:
    sheet = read("Stat | Time (s)", "Min | 1.0", "Mean | 2.0", "Max | 3.0", "Total | 9.0")
    assert len(sheet.runs) == 4


def test_a_title_above_several_columns_counts_for_all() -> None:
    sheet = read(
        "Users | Latency (s) |  |  ",
        " | 90% | 99% | Avg",
        "10 | 0.5 | 0.7 | 0.4",
        "20 | 0.6 | 0.9 | 0.5",
    )
    assert told(sheet)[1:] == ["latency_p90_ms s p90", "latency_p99_ms s p99", "latency_ms s mean"]


@pytest.mark.parametrize(
    ("header", "cells", "meant"),
    [
        ("vs Rust", ("67x faster", "3x faster"), "speedup x -"),
        ("Slowdown Time", ("x1.0", "x1.4"), "relative x -"),
        ("Speedup over BF16", ("+20.0%", "+3.0%"), "change % -"),
        ("Speedup", ("0%", "104%"), "change % -"),
        ("Improvement", ("12%", "30%"), "change % -"),
        ("vs base", ("100%", "105.6%"), "relative % -"),
        ("Memory", ("12 ms", "13 ms"), "time_s ms -"),
        ("Stack", ("38.8 ns", "12 ns"), "time_s ns -"),
        ("RPS", ("2.0/s", "3.1/s"), "requests_per_s RPS -"),
    ],
)
def test_the_cells_say_what_a_column_holds(header: str, cells: tuple[str, ...], meant: str) -> None:
    sheet = read(f"Name | {header}", *(f"a | {cell}" for cell in cells))
    assert told(sheet)[1] == meant


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        ("Step (s)", "step_time_s s"),
        ("Step [s]", "step_time_s s"),
        ("Iteration (s)", "step_time_s s"),
        ("iter (s)", "step_time_s s"),
        ("User (s)", "user_time_s s"),
        ("Run (s)", "time_s s"),
        ("COUNT (ms)", "time_s ms"),
        ("Latency per Iteration / ms", "step_time_s ms"),
        ("Time I-K-J (ms)", "time_s ms"),
        ("bw MiBps", "bandwidth_gb_per_s MiBps"),
        ("Transfer/sec", "bandwidth_gb_per_s byte/s"),
        ("$/GPU-h", "price_usd_per_h -"),
        ("N", "problem_size -"),
        ("Throughput (ops/s)", "ops_per_s ops/s"),
        ("Time to train (hrs) speedup", "speedup -"),
        ("Accuracy (BLEU)", "bleu -"),
        ("成功率", "share -"),
    ],
)
def test_a_header_is_read_as_a_person_reads_it(header: str, meant: str) -> None:
    cell = "24.1MB" if header == "Transfer/sec" else "1.25"
    sheet = read(f"Name | {header}", f"a | {cell}", f"b | {cell}")
    assert " ".join(told(sheet)[1].split()[:2]) == meant


def test_a_throughput_is_in_what_the_text_above_says() -> None:
    above = "We report the throughput in items per second."
    sheet = read("Batch | Throughput - FP32", "8 | 120.1", "16 | 130.2", above=above)
    assert told(sheet)[1] == "items_per_s items per second -"


def test_a_throughput_is_the_batch_by_its_latency() -> None:
    rows = ("1 | 10.0 | 100", "2 | 12.5 | 160", "4 | 16.0 | 250")
    sheet = read("Batch size | Latency (ms) | Throughput", *rows)
    assert told(sheet)[2] == "samples_per_s - -"


def test_a_header_of_two_others_is_their_ratio() -> None:
    sheet = read("Size | CPU (ms) | GPU (ms) | CPU/GPU", "10 | 4.0 | 2.0 | 2.0")
    assert told(sheet)[3] == "relative - -"


def test_a_unit_in_brackets_is_the_unit() -> None:
    sheet = read("Test | Memory", "a | 2884 (KB)", "b | 2900 (KB)")
    assert told(sheet)[1] == "memory_mib KB -"


def test_bytes_are_memory_only_where_something_says_so() -> None:
    assert told(read("Route | Before", "a | 20 KB", "b | 30 KB"))[1] == "file_bytes KB -"
    assert told(read("Model | Batch | LoRA", "a | 1 | 20 GB"))[2] == "memory_mib GB -"


def test_thousands_may_be_parted_by_blanks() -> None:
    sheet = read("File | Size (bytes)", "a | 152 089", "b | 24 603", "c | 512")
    values = [one.numeral.value for one in sheet.columns[1].mains]
    assert values == [152089, 24603, 512]


@pytest.mark.parametrize(
    ("above", "rows", "meant"),
    [
        (
            "- Unit: `images/sec`",
            ("GPUs | foo | bar", "1 | 9.5 | 8.2"),
            "samples_per_s images/sec -",
        ),
        ("Numbers are ticks of the clock", ("Op | C | SIMD", "a | 90 | 80"), "cycles - -"),
        ("", ("Method | 1 | 2", "a (msec) | 9.5 | 8.2", "b (msec) | 5.5 | 3.2"), "time_s msec -"),
        ("## Loop — median", ("Op | foo", "a | 9.5 ns", "b | 8.1 ns"), "time_s ns median"),
    ],
)
def test_the_text_around_a_table_says_what_its_numbers_are(
    above: str, rows: tuple[str, ...], meant: str
) -> None:
    assert told(read(*rows, above=above))[1] == meant


def test_what_a_data_sheet_tells_was_not_measured() -> None:
    rows = ("Accelerator | TFLOPS | Memory (GB)", "A100 | 312 | 80", "H100 | 989 | 80")
    above = "These are theoretical peaks from the data sheets."
    assert told(read(*rows, above=above))[1:] == ["peak_tflops TFLOPS -", "device_memory_gb GB -"]
    assert told(read(*rows, above="We measured:"))[1:] == [
        "tflops_per_device TFLOPS -",
        "memory_mib GB -",
    ]
    blank = ("- | - | -",) * 3
    assert told(read(*rows, *blank, above=above))[1] == "peak_tflops TFLOPS -"


def test_names_of_programs_are_not_taken_apart() -> None:
    rows = ("10 | 22.4 | 9.8", "100 | 35.1 | 13.3")
    sheet = read("Keys | std::unordered_map | robin_map", *rows, above="All times in ns.")
    assert told(sheet)[1:] == ["time_s ns -", "time_s ns -"]


def test_times_are_no_unit_before_one() -> None:
    assert told(read("Name | Times (ns)", "a | 1.5", "b | 1.6"))[1] == "time_s ns -"
    above = "All times in ns per lookup, lower is better."
    assert told(read("Keys | foo | bar", "1 | 2.5 | 3.5", above=above))[1] == "time_s ns -"


def test_rows_without_their_first_cell_have_the_statistic_of_the_next_header() -> None:
    table = "| **Stat** | Mean | Stddev | Max |\n|---|---|---|---|\n| 70.5 | 7.4 | 90.1 | |\n"
    read = [one.header.statistic for one in mdbench.parse(table).sheets[0].columns]
    assert read[:3] == ["mean", "std", "max"]
    whole = "| Stat | Mean | Stddev | Max |\n|---|---|---|---|\n| Req/Sec | 70.5 | 7.4 | 90.1 |\n"
    read = [one.header.statistic for one in mdbench.parse(whole).sheets[0].columns]
    assert read[1:] == ["mean", "std", "max"]


def test_how_many_are_averaged_is_the_number_of_rounds() -> None:
    table = "|Model|# of Eval Rates|Average Eval Rate (tokens/s)|\n|---|---|---|\n|a|5|31.2|\n"
    found = mdbench.parse(table).sheets[0].columns[1].header.quantity
    assert found is not None
    assert found.name == "rounds"


def test_a_library_in_brackets_is_no_deviation() -> None:
    sheet = read(
        "Test | hashmap (std) | hashmap (hashbrown) | tree", "a | 3.1 us | 2.2 us | 4.5 us"
    )
    assert told(sheet)[1:] == ["time_s us -"] * 3


@pytest.mark.parametrize("other", ["hashmap (mean)", "hashmap (accuracy)", "tree (hashbrown)"])
def test_a_deviation_in_brackets_stays_one_beside_its_value(other: str) -> None:
    sheet = read(f"Test | {other} | hashmap (std)", "a | 3.1 | 2.2", "b | 4.1 | 2.3")
    assert told(sheet)[2].endswith(" std")


def test_a_statistic_is_about_as_large_as_what_it_is_of() -> None:
    header = "Test | Min | Mean | Max | OPS"
    times = ("a | 1.5 | 2.0 | 2.5 | 500", "b | 3.5 | 4.0 | 4.5 | 250", "c | 4.5 | 5.0 | 9 | 200")
    assert told(read(header, *times))[1:4] == ["- - min", "- - mean", "- - max"]
    rates = ("a | 450 | 498 | 520 | 500", "b | 240 | 249 | 251 | 250", "c | 90 | 180 | 210 | 200")
    assert told(read(header, *rates))[1:4] == [
        "ops_per_s - min",
        "ops_per_s - mean",
        "ops_per_s - max",
    ]
