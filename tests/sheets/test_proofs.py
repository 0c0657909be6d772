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
