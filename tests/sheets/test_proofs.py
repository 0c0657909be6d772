"""Columns without a known name: the ratio beside them says what they hold."""

from __future__ import annotations

import pytest

from mdbench import parse


def read(header: str, *rows: str) -> list[str]:
    cells = header.count("|") + 1
    lines = [header, "|".join(["---"] * cells), *rows]
    columns = parse("\n".join(f"|{line}|" for line in lines) + "\n").sheets[0].columns
    return [one.header.quantity.name if one.header.quantity else "" for one in columns]


def test_columns_with_a_speedup_are_times_even_if_another_fits_nearly_as_well() -> None:
    assert read(
        "Batch|jit|cpp|speedup|plugin|speedup|op|speedup",
        "1|11.70|4.49|2.61|4.64|2.52|4.68|2.50",
        "8|36.89|27.39|1.35|29.23|1.26|29.04|1.27",
        "16|72.26|52.55|1.38|57.32|1.26|56.90|1.27",
        "32|140.80|102.15|1.38|111.31|1.26|111.33|1.26",
    )[::2] == ["batch", "time_s", "time_s", "time_s"]
    assert read(
        "Batch|jit|cpp|speedup|op|speedup",
        "1|11.70|4.49|2.61|4.68|2.50",
        "8|36.89|27.39|1.35|29.04|1.27",
    ) == ["batch", "time_s", "time_s", "speedup", "time_s", "speedup"]


def test_a_column_whose_ratio_to_a_known_one_is_told_is_of_its_kind() -> None:
    assert read(
        "Function|ANSI C|Cycles|Ratio",
        "add|190786|88451|2.16",
        "mul|76585|47601|1.61",
        "conv|4005512|572459|7.00",
    ) == ["benchmark", "cycles", "cycles", "relative"]


@pytest.mark.parametrize(
    ("header", "name"), [("10K", "speedup"), ("C ÷ Rust", "relative"), ("Ratio", "relative")]
)
def test_factors_that_are_one_time_by_another_are_a_speedup(header: str, name: str) -> None:
    assert (
        read(
            f"Indicator|C (us)|Rust (us)|{header}",
            "SMA|144.6|10.0|14.46x",
            "EMA|23.5|10.0|2.35x",
            "RSI|45.8|20.0|2.29x",
        )[3]
        == name
    )


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (("Metric|Target|Result", "p99|1|30x faster", "p50|2|20x faster"), ["speedup"]),
        (("Threads|Static", "1|1.00x", "2|1.9x", "4|3.8x"), ["speedup"]),
        (("N|Static", "1|1.00x", "2|1.9x", "4|3.8x"), ["relative"]),
        (("Threads|Static", "1|1.00x", "2|0.9x", "4|0.8x"), ["relative"]),
        (("Size|Speedup|Theoretical", "8|2.1x|3x", "16|3.2x|6x"), ["speedup", "speedup"]),
        (("Size|SIMD (256 bits)", "8|1.41x", "16|1.8x"), ["relative"]),
        # A learning-rate schedule.
        (("Backbone|Lr schd", "R-50|1x", "R-101|1x"), [""]),
    ],
)
def test_factors_under_any_header(table: tuple[str, ...], names: list[str]) -> None:
    assert read(*table)[-len(names) :] == names


def test_the_throughput_of_a_training_by_batches_is_of_samples() -> None:
    rows = ("1|1|48|148.0|1.0", "1|8|48|1103.2|7.45", "2|8|48|2078.1|14.0")
    assert "samples_per_s" in read("nodes|gpus|batch_size_per_device|throughput|speedup", *rows)
    assert "" in read("nodes|seq_len|batch_size_per_device|throughput|speedup", *rows)


@pytest.mark.parametrize(
    ("table", "names"),
    [
        (("Model|Params", "70b|64862437376", "30b|29975214080"), ["model", "params"]),
        (("Model|MFU", "70b|0.4", "30b|0.5"), ["params", "mfu"]),
        (("Batch|R1|R2|RL", "1|45.2|21.9|36.9", "2|45.1|21.8|36.8"), ["batch"] + ["score"] * 3),
        (("Name|Type|Time (s)", "fluxsort|64|0.1", "quadsort|32|0.2"), ["name", "precision"]),
        (("Device|Compute capability", "GPU|1.3", "CPU|1.2"), ["device", ""]),
    ],
)
def test_columns_that_those_beside_them_explain(table: tuple[str, ...], names: list[str]) -> None:
    assert read(*table)[: len(names)] == names
