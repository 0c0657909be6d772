"""The text around a table tells the units of the columns that it names."""

from __future__ import annotations

import pytest

import mdbench

ROWS = ("a | 1.5 | 2.5 | 500", "b | 2.5 | 3.5 | 400")


def units(header: str, above: str = "", below: str = "", rows: tuple[str, ...] = ROWS) -> list[str]:
    """The unit of each column but the first."""
    bars = "|".join("---" for _ in header.split("|"))
    table = "\n".join((f"| {header} |", f"|{bars}|", *(f"| {row} |" for row in rows)))
    (sheet,) = mdbench.parse(f"{above}\n\n{table}\n\n{below}\n").sheets
    return [column.header.unit.text if column.header.unit else "-" for column in sheet.columns[1:]]


@pytest.mark.parametrize(
    "text",
    [
        "Measured on an idle machine, BW in MiB/s.",
        "The BW column is in MiB/s, as the tool prints it.",
        "Bandwidths are given in MiB/s (2^20).",
        "Bandwidth is reported in MiB/s and nothing was converted.",
    ],
)
def test_the_unit_of_a_named_column_is_told(text: str) -> None:
    header = "Case | BW | busbw | IOPS"
    assert units(header, above=text) == ["MiB/s", "MiB/s", "-"]
    assert units(header, below=text) == ["MiB/s", "MiB/s", "-"]


@pytest.mark.parametrize(
    "text",
    [
        "The size of a file in MiB/s makes no sense.",
        "There is more BW in the new machine.",
        "All of it is measured in place.",
    ],
)
def test_other_words_before_a_unit_tell_nothing(text: str) -> None:
    assert units("Case | BW | busbw | IOPS", above=text) == ["-", "-", "-"]


def test_a_header_and_its_cells_count_before_the_text() -> None:
    text = "BW in MiB/s."
    assert units("Case | BW (GB/s) | x | IOPS", above=text)[0] == "GB/s"
    rows = ("a | 1.5 GB/s | 2.5 | 500", "b | 2.5 GB/s | 3.5 | 400")
    assert units("Case | BW | x | IOPS", above=text, rows=rows)[0] == "GB/s"


def test_what_is_told_of_one_column_leaves_the_rest_for_the_others() -> None:
    above = "Times in µs, the OPS column in Kops/s."
    header = "Test | Min | Mean | OPS"
    assert units(header, above=above) == ["µs", "µs", "Kops/s"]


def test_two_versions_have_the_quantity_that_both_name() -> None:
    table = "| rw | bs | IOPS 5.15 | IOPS 6.1 |\n|---|---|---|---|\n| read | 4k | 500 | 400 |\n"
    columns = mdbench.parse(table).sheets[0].columns[1:]
    found = [one.header.quantity.name if one.header.quantity else "" for one in columns]
    assert found == ["message_bytes", "ops_per_s", "ops_per_s"]
    assert columns[1].header.settings == (("method", "5.15"),)


@pytest.mark.parametrize("title", ["Latency 99.9", "Latency 0.99"])
def test_a_percentile_is_no_version(title: str) -> None:
    table = f"| Case | {title} |\n|---|---|\n| a | 4.5 |\n| b | 5.5 |\n"
    assert mdbench.parse(table).sheets[0].columns[1].header.settings == ()


@pytest.mark.parametrize(
    ("header", "meant"),
    [
        ("Block size | IOPS", "message_bytes"),
        ("bs | IOPS", "message_bytes"),
        ("Block size | tokens/s", "seq_len"),
        ("bs | tokens/s", "batch"),
    ],
)
def test_a_block_beside_operations_is_of_bytes(header: str, meant: str) -> None:
    table = f"| {header} |\n|---|---|\n| 4k | 500 |\n| 8k | 400 |\n"
    found = mdbench.parse(table).sheets[0].columns[0].header.quantity
    assert found is not None
    assert found.name == meant
