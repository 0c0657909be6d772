"""What a column holds where its header leaves that open: its cells and its neighbours say it."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.columns import Column
from mdbench.sheets.row_meanings import find_aggregates


def columns(*rows: str, above: str = "") -> tuple[Column, ...]:
    first, *others = (f"| {row} |" for row in rows)
    bars = "|".join("---" for _ in rows[0].split("|"))
    (sheet,) = mdbench.parse("\n".join((above, "", first, f"|{bars}|", *others, ""))).sheets
    return sheet.columns


def quantity(column: Column) -> str:
    return column.header.quantity.name if column.header.quantity is not None else ""


def second(cell: str, title: str = "Latency (ms)") -> str:
    """What the second number of a cell is of."""
    (entry,) = columns(f"Model | {title}", f"a | {cell}")[1].entries
    assert len(entry) == 2
    return entry[1].quantity.name if entry[1].quantity is not None else ""


@pytest.mark.parametrize(
    ("first", "second", "meant"),
    [("16", "8", "precision"), ("half", "float", "precision"), ("", "", "method")],
)
def test_types_are_precisions_if_the_cells_say_so(first: str, second: str, meant: str) -> None:
    rows = (f"a | {first} | 3.4", f"b | {second} | 3.6")
    assert quantity(columns("Model | Type | Latency (ms)", *rows)[1]) == meant


def test_a_size_in_bytes_is_that_of_a_file_unless_a_cache_is_spoken_of() -> None:
    assert quantity(columns("File | Size", "a | 12 MB", "b | 13 MB")[1]) == "file_bytes"
    assert quantity(columns("File | Size | Cache", "a | 12 MB | on", "b | 13 MB | off")[1]) == ""
    assert quantity(columns("File | Size", "a | 12 s", "b | 13 s")[1]) != "file_bytes"


@pytest.mark.parametrize(
    ("cell", "title", "meant"),
    [
        ("12.3 (+5%)", "Latency (ms)", "change"),
        ("12.3 (-5%)", "Latency (ms)", "change"),
        ("12.3 (5%)", "Memory (GB)", "memory_share"),
        ("12.3 (5%)", "Latency (ms)", "share"),
        ("12.3 (+0.4)", "Latency (ms)", "difference"),
    ],
)
def test_a_number_in_brackets_is_a_change_a_share_or_a_difference(
    cell: str, title: str, meant: str
) -> None:
    assert second(cell, title) == meant


def test_numbers_below_a_framework_between_others_are_not_its_name() -> None:
    read = columns("Batch | PyTorch (ms) | TF | ONNX (ms)", "1 | 2.5 | 2.4 | 2.3", "2 | 3 | 4 | 5")
    assert read[2].header.settings == (("framework", "TF"),)
    assert quantity(read[2]) == ""
    alone = columns("Batch | TF", "1 | 2.5", "2 | 3.5")
    assert alone[1].header.settings == ()


def test_a_name_between_those_of_other_runs_is_one_too() -> None:
    rows = ("1 | 2.5 | 2.4 | 2.3", "2 | 3.5 | 3.4 | 3.3")
    read = columns("Batch | A100 | mine | H100", *rows, above="Latency in ms:")
    assert [quantity(one) for one in read[1:]] == ["latency_ms"] * 3
    read = columns("Batch | A100 | H100 | Size", *rows, above="Latency in ms:")
    assert [quantity(one) for one in read[1:3]] == ["latency_ms"] * 2
    assert quantity(read[3]) != "latency_ms"


def test_a_header_names_a_column_if_its_words_say_something() -> None:
    read = columns("Nodes | mine | Params", "1 | 2 | 3")
    assert [one.is_named for one in read] == [True, False, True]


def test_the_statistics_of_rows_without_a_first_cell_move_by_one() -> None:
    moved = columns("Case | Min | Max", "1.5 | 2.5 |", "2.5 | 3.5 |")
    assert [one.header.statistic for one in moved] == ["min", "max", "max"]
    kept = columns("Case | Mean", "1.5 |", "2.5 |")
    assert [one.header.statistic for one in kept] == ["", "mean"]


def test_words_below_a_time_are_not_taken_for_one_of_its_units() -> None:
    read = columns("Model | Framework", "a | 9 hrs/day", "b | JAX", "c | PyTorch")
    assert quantity(read[1]) == "framework"


def test_a_bare_mean_behind_scores_is_their_mean() -> None:
    read = columns("Model | MMLU | GSM8K | Avg", "a | 60.1 | 50.2 | 55.2", "b | 61.0 | 51.0 | 56.0")
    assert [quantity(one) for one in read[1:]] == ["score"] * 3
    read = columns("Model | Avg | Notes", "a | 55.2 | x", "b | 56.0 | y")
    assert quantity(read[1]) == ""


def test_one_letter_alone_is_no_side_of_a_matrix() -> None:
    rows = ("128 | 256 | 512 | 1.5 | x", "256 | 256 | 512 | 2.5 | y")
    read = columns("M | N | K | Time (ms) | Note", *rows)
    assert [quantity(one) for one in read[:3]] == ["gemm_m", "gemm_n", "gemm_k"]
    read = columns("Case | K | Time (ms)", "a | 512 | 1.5", "b | 256 | 2.5")
    assert (quantity(read[1]), read[1].header.why) == ("", "unknown")


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (("1.5 s (1.0)", "3.0 s (2.0)", "750 ms (0.5)"), "share"),
        (("500 ms (1.0)", "1.0 s (2.0)", "1.5 s (3.0)"), "relative"),
        (("500 ms (1.0)", "1.0 s (2.0)", "1.5 s (2.0)"), None),
    ],
)
def test_ratios_in_brackets_are_to_the_best_in_any_unit(
    cells: tuple[str, ...], meant: str | None
) -> None:
    """The least or the greatest of the column is 1, whatever unit it is printed in."""
    entries = columns("Case | Time", *(f"a{at} | {one}" for at, one in enumerate(cells)))[1].entries
    found = {entry[1].quantity.name for entry in entries if entry[1].quantity is not None}
    assert ("relative" in found) is (meant == "relative")


def test_signed_numbers_below_a_heading_of_gains_are_changes() -> None:
    rows = ("1 | +2.5 | +2.4", "2 | +3.5 | -3.4")
    read = columns("Batch | mine | yours", *rows, above="Improvement over the baseline in %:")
    assert [quantity(one) for one in read[1:]] == ["change"] * 2
    rows = ("1 | 2.5 | 2.4", "2 | 3.5 | 3.4")
    read = columns("Batch | mine | yours", *rows, above="Improvement over the baseline in %:")
    assert "change" not in [quantity(one) for one in read[1:]]


COMPARED = [
    ("vs base", ("1.0", "1.5", "2.5"), "speedup", "its cells are factors"),
    ("vs base", ("1.0", "0.5", "2.5"), "speedup", "its cells are factors"),
    ("vs base", ("+1.0", "1.5", "2.5"), "change", "compared with another"),
    ("vs base", ("1.0", "-0.5", "2.5"), "change", "compared with another"),
    ("vs base", ("-", "-", "-"), "change", "compared with another"),
    ("vs base", ("100%", "150%", "250%"), "relative", "one of its cells is 100 %"),
    ("vs base", ("0%", "50%", "25%"), "change", "compared with another"),
    ("vs base", ("+0%", "+50%", "-25%"), "change", "compared with another"),
    ("Improvement", ("100%", "150%", "250%"), "relative", "one of its cells is 100 %"),
    ("Improvement", ("90%", "150%", "250%"), "change", "spelling"),
    ("Reduction", ("100%", "50%", "25%"), "change", "spelling"),
]


@pytest.mark.parametrize(("title", "cells", "meant", "why"), COMPARED)
def test_the_numbers_of_a_comparison_say_how_it_is_told(
    title: str, cells: tuple[str, ...], meant: str, why: str
) -> None:
    column = columns(f"Name | {title}", *(f"n{at} | {one}" for at, one in enumerate(cells)))[1]
    assert (quantity(column), column.header.why) == (meant, why)


def test_sizes_are_names_where_the_parameters_have_a_column_of_their_own() -> None:
    rows = ("7B | 7B | 1.5", "13B | 13B | 2.5")
    read = columns("Model | Params | Time (s)", *rows)
    assert [quantity(one) for one in read[:2]] == ["model", "params"]
    assert read[0].header.why == "a name beside the size"
    read = columns("Model | Size", "LLaMA 7B | 7B", "LLaMA 13B | 13B")
    assert [quantity(one) for one in read] == ["model", "params"]


def test_a_first_column_without_a_header_names_what_its_cells_do() -> None:
    first = columns(" | Time (ms)", "LLaMA-7B | 1.5", "Mistral-7B | 3")[0]
    assert (quantity(first), first.header.why) == ("model", "its cells name a model")
    first = columns(" | Time (ms)", "fp16 | 1.5", "int8 | 3")[0]
    assert quantity(first) == "precision"
    first = columns(" | Time (ms)", "apples | 1.5", "pears | 3")[0]
    assert quantity(first) == "name"


def test_the_unit_of_the_only_cell_says_more_than_the_last_word_of_a_header() -> None:
    title = "Name | Mean inference latency"
    assert quantity(columns(title, "a | 5 GB")[1]) == "memory_mib"
    assert quantity(columns(title, "a | 5 GB", "b | 6")[1]) == "latency_ms"


def test_rows_that_sum_up_others_are_named_for_them() -> None:
    names = ("sort/64/1", "sort/64/2", "sort/64_mean", "scan_mean", "copy", "copy_stddev")
    assert find_aggregates(dict(enumerate(names))) == {2: "mean", 5: "stddev"}
    assert find_aggregates({0: "sort/64", 1: "scan"}) == {}


def test_a_utilization_is_of_the_memory_that_the_text_above_speaks_of() -> None:
    rows = ("a | 40%", "b | 60%")
    told = columns("Name | Utilization", *rows, above="GPU memory usage of each tool:")[1]
    untold = columns("Name | Utilization", *rows)[1]
    assert (quantity(told), quantity(untold)) == ("memory_share", "device_utilization")
    assert told.header.why == "the text above speaks of memory"
