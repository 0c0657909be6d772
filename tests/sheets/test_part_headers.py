"""Several numbers in a cell: each has the quantity, the unit or the statistic of its place."""

from __future__ import annotations

import pytest

from mdbench import parse


def read(header: str, *cells: str) -> list[tuple[str, str, str]]:
    """The quantity, statistic and unit of each number of the first cell."""
    rows = "".join(f"|{at}|{cell}|\n" for at, cell in enumerate(cells))
    entry = parse(f"|Run|{header}|\n|---|---|\n{rows}").sheets[0].columns[1].entries[0]
    return [
        (
            one.quantity.name if one.quantity else "",
            one.header.statistic,
            one.amount.unit.text if one.amount else "",
        )
        for one in entry
    ]


def test_each_number_has_the_quantity_that_is_named_at_its_place() -> None:
    assert [name for name, _, _ in read("Accuracy / F1 - FP32", "87.1 / 92.8", "86 / 91")] == [
        "accuracy",
        "f1",
    ]
    assert [name for name, _, _ in read("Accuracy / F1 - FP32", "87.1", "86.2")] == ["f1"]


@pytest.mark.parametrize("header", ["Official (Min/Avg/Max)", "Warm time min / avg / max"])
def test_each_number_has_the_statistic_of_its_place(header: str) -> None:
    read_as = read(header, "1.66s / 7.03s / 10.52s", "2.03s / 13.7s / 17.5s")
    assert [statistic for _, statistic, _ in read_as] == ["min", "mean", "max"]
    assert {name for name, _, _ in read_as} == {"time_s"}


def test_numbers_under_a_setting_are_what_their_units_say() -> None:
    read_as = read("Sequence Length 512", "7.4G / 1.0s/it", "6.0G / 1.4s/it")
    assert [name for name, _, _ in read_as] == ["memory_mib", "step_time_s"]
    assert {name for name, _, _ in read("Model X", "7.4 / 1.0", "6.0 / 1.4")} == {""}


def test_a_second_size_that_is_the_same_everywhere_is_how_much_memory_there_is() -> None:
    used = ("30760MiB / 40537MiB", "31192MiB / 40537MiB", "28664MiB / 40537MiB", "OOM")
    assert read("GPU0 Memory Usage", *used) == [
        ("memory_mib", "", "MiB"),
        ("device_memory_gb", "", "MiB"),
    ]


@pytest.mark.parametrize(
    "cells",
    [
        ("3 GB / 5 GB", "4 GB / 6 GB", "2 GB / 5 GB"),
        ("7 GB / 5 GB", "4 GB / 5 GB", "2 GB / 5 GB"),
        ("3 GB / 5 GB", "3 GB / 5 GB", "3 GB / 5 GB"),
        ("3 GB / 5 GB", "4 GB / 5 GB"),
    ],
)
def test_other_pairs_of_sizes_are_two_usages(cells: tuple[str, ...]) -> None:
    assert [name for name, _, _ in read("Memory Usage", *cells)] == ["memory_mib", "memory_mib"]


@pytest.mark.parametrize("others", [("7.7G / 1.2s/it", "8.7G / 1.3s/it"), ("5", "9")])
def test_numbers_that_most_cells_do_not_have_are_not_told_by_their_units(
    others: tuple[str, ...],
) -> None:
    read_as = read("Sequence Length 512", "7.4G / 1.0s/it", *others)
    told = [name for name, _, _ in read_as]
    assert (told == ["memory_mib", "step_time_s"]) is (others[0] != "5")
