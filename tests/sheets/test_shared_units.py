"""Bare numbers take the unit that stands beside them; without one, no unit is assumed."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.columns import Column


def read(*lines: str, above: str = "") -> tuple[Column, ...]:
    bars = "|".join("---" for _ in lines[0].split("|"))
    rows = (f"| {lines[0]} |", f"|{bars}|", *(f"| {one} |" for one in lines[1:]))
    return mdbench.parse("\n".join((above, "", *rows, ""))).sheets[0].columns


def unit(column: Column) -> str:
    return column.header.unit.text if column.header.unit is not None else ""


def test_a_unit_in_the_corner_is_that_of_the_columns() -> None:
    columns = read(
        "Units: MB | fast | slow",
        "one | 89 | 1182",
        "two | 155 | 1950",
        above="Benchmark - memory use",
    )
    assert [unit(one) for one in columns[1:]] == ["MB", "MB"]


@pytest.mark.parametrize(("last", "meant"), [("11154.0", "ms"), ("11.154", ""), ("11.154 s", "s")])
def test_numbers_of_the_size_of_those_beside_them_are_in_their_unit(last: str, meant: str) -> None:
    columns = read("Run | Step time (ms) | Last step time", f"a | 11466.9 | {last}")
    assert unit(columns[2]) == meant


def test_so_large_a_memory_can_only_be_in_bytes() -> None:
    columns = read("Device | Global mem size", "a | 16225243136", "b | 53651849216")
    assert unit(columns[1]) == "byte"
