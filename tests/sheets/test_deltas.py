"""What a header that compares means: a share, or a difference in the unit of what is compared."""

from __future__ import annotations

import pytest

from mdbench.api import parse
from mdbench.frames.runs import run_rows
from mdbench.linting.checker import check
from mdbench.rules.findings import Marks
from mdbench.source import Source
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Role, standard_vocabulary

STANDARD = standard_vocabulary()


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


def understood(text: str) -> dict[str, str]:
    """The quantity and unit of each column of the first table."""
    headers = (column.header for column in parse(text).sheets[0].columns)
    return {one.text: f"{_name(one)} {_unit(one)}".strip() for one in headers}


def _name(header: Header) -> str:
    return header.quantity.name if header.quantity is not None else ""


def _unit(header: Header) -> str:
    return header.unit.text if header.unit is not None else ""


@pytest.mark.parametrize(
    ("title", "meant"),
    [
        ("Δ (ms)", "difference ms"),
        ("Δ ms", "difference ms"),
        ("Diff (img/s)", "difference img/s"),
        ("Δ Mem (MiB)", "difference MiB"),
        ("Saved (GB)", "difference GB"),
        ("Latency reduction (ms)", "difference ms"),
        ("Latency vs. baseline (ms)", "difference ms"),
        ("Overhead (us)", "difference us"),
        ("Memory saved (%)", "change %"),
        ("Δ%", "change %"),
        ("Improvement", "change"),
    ],
)
def test_headers_of_comparisons(title: str, meant: str) -> None:
    header = read_header(title, STANDARD)
    assert f"{_name(header)} {_unit(header)}".strip() == meant


def test_whatever_is_measured_has_a_difference() -> None:
    odd = [
        one.unit.text
        for one in STANDARD.quantities.values()
        if one.role is Role.MEASUREMENT and one.unit.dimension not in ("ratio", "count")
        for header in (read_header(f"Δ ({one.unit.text})", STANDARD),)
        if header.quantity is None or header.quantity.name != "difference"
    ]
    assert odd == []


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        (("-13.2 ms", "+3.5 ms", "-28.3 ms"), "difference ms"),
        (("-13.0%", "+6.0%", "-12.3%"), "change %"),
        (("-13.2", "+3.5", "-28.3"), "difference ms"),
        (("-13.0", "+6.0", "-12.3"), "change %"),
        (("-0.130", "+0.060", "-0.123"), "change"),
        (("0.870", "1.060", "0.877"), "relative"),
        (("1.150", "0.943", "1.140"), "speedup"),
        (("1.150", "0.943", "1.240"), ""),
        (("-11.1", "+7.7", "-44.4"), "change"),
    ],
    ids=[
        "in ms",
        "in per cent",
        "bare differences",
        "bare per cent",
        "bare shares",
        "factors of time",
        "factors of speed",
        "factors with a mistake",
        "nobody knows what",
    ],
)
def test_cells_decide_what_a_bare_header_means(cells: tuple[str, ...], meant: str) -> None:
    times = "a | 101.3 | 88.1", "b | 57.9 | 61.4", "c | 230.2 | 201.9"
    rows = (f"{time} | {cell}" for time, cell in zip(times, cells, strict=True))
    assert understood(table("Model | Old (ms) | New (ms) | Δ", *rows))["Δ"] == meant


def test_a_difference_is_no_change_in_the_frame() -> None:
    rows = "a | 101.3 | -", "b | 57.9 | -43.4", "c | 230.2 | +128.9"
    report = parse(table("Method | Latency (ms) | Diff (ms)", *rows))
    runs = list(run_rows(report, Marks()))
    assert [run.get("change") for run in runs] == [None, None, None]
    assert [run["extra"] for run in runs] == [
        {"Diff (ms)": said} for said in ("-", "-43.4", "+128.9")
    ]


def test_one_cell_in_per_cent_among_differences_is_a_change() -> None:
    rows = "a | 101.3 | -", "b | 57.9 | -43.4 ms", "c | 230.2 | +127%", "d | 33.3 | -68.0 ms"
    text = table("Method | Latency (ms) | Diff", *rows, "e | 90.0 | -11.3 ms")
    assert [one.code for one in check(Source("report.md", text))] == []
    cells = {
        one.cell.raw: one.quantity.name
        for one in parse(text).sheets[0].measurements
        if one.quantity is not None and one.header.text == "Diff" and one.amount is not None
    }
    assert cells.pop("+127%") == "change"
    assert set(cells.values()) == {"difference"}


@pytest.mark.parametrize(
    ("header", "cells", "name"),
    [
        ("Difference (%)", ("+19.06", "+9.74", "+2.71"), "difference"),
        ("Difference (%)", ("+44.38", "+19.42", "+4.30"), "change"),
        ("Différence", ("-229 (-2.2%)", "+2", "+1"), "difference"),
        ("Gain", ("-229", "+2", "+1"), "change"),
        ("Difficulty", ("Easy", "Medium", "Hard"), None),
    ],
)
def test_points_between_percentages_and_signed_numbers_are_differences(
    header: str, cells: tuple[str, ...], name: str | None
) -> None:
    rows = zip(("42.95", "50.16", "63.09"), ("62.01", "59.90", "65.80"), cells, strict=True)
    table = f"|Trace|QD=16 Util (%)|QD=64 Util (%)|{header}|\n|---|---|---|---|\n" + "".join(
        f"|t{at}|{a}|{b}|{cell}|\n" for at, (a, b, cell) in enumerate(rows)
    )
    found = parse(table).sheets[0].columns[3].header.quantity
    assert (found.name if found else None) == name


@pytest.mark.parametrize("title", ["Gain", "Advantage"])
def test_what_is_smaller_is_not_faster(title: str) -> None:
    sized = table(f"Tool | Size | {title}", "a | 3 MB | 2.3x smaller", "b | 4 MB | 1.7x smaller")
    assert understood(sized)[title].split()[0] == "relative"
    timed = table(f"Tool | Time | {title}", "a | 3 s | 2.3x faster", "b | 4 s | 1.7x faster")
    assert understood(timed)[title].split()[0] == "speedup"


def test_several_columns_of_sizes_are_no_speedups() -> None:
    rows = (
        "a | 2.3x smaller | 2.1x smaller | 3x smaller",
        "b | 4x smaller | 2x smaller | 3x smaller",
    )
    names = {
        name.split()[0] for name in list(understood(table("Tool | P | Q | R", *rows)).values())[1:]
    }
    assert names == {"relative"}
