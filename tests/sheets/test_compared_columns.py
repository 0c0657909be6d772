"""Columns that only their titles tell apart: what the titles name, and what the columns hold."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.headers import Header


def table(*rows: str) -> str:
    bars = "|".join("---" for _ in rows[0].split("|"))
    first, *others = (f"| {row} |" for row in rows)
    return "\n".join((first, f"|{bars}|", *others))


def sheets(*blocks: str) -> tuple[Sheet, ...]:
    return mdbench.parse("\n\n".join((*blocks, ""))).sheets


def headers(*blocks: str) -> list[Header]:
    """The headers of the last table."""
    return [column.header for column in sheets(*blocks)[-1].columns]


def name(header: Header) -> str:
    return header.quantity.name if header.quantity is not None else "-"


@pytest.mark.parametrize(
    "row", ["a | 83.97% | 82.57%(-1.40%) | 81.82%(-2.15%)", "a | 83.97% | 82.57% | 81.82%"]
)
def test_shares_beside_a_named_score_are_that_score(row: str) -> None:
    read = headers(table("name | Original Accuracy | PTQ(mode=1) | PTQ(mode=2)", row))
    assert [name(one) for one in read[1:]] == ["accuracy"] * 3
    assert [one.settings for one in read[2:]] == [
        (("method", "PTQ(mode=1)"),),
        (("method", "PTQ(mode=2)"),),
    ]


@pytest.mark.parametrize(
    "row", ["a | 83.97% | 12.5% | 3.1%", "a | 83.97% | 82.1 | 81.7", "a | 83.97% | 82.1% | 120%"]
)
def test_other_numbers_beside_a_score_are_not_that_score(row: str) -> None:
    read = headers(table("name | Original Accuracy | Foo | Bar", row))
    assert {name(one) for one in read[2:]} <= {"-", "share"}


def test_a_numbered_mode_keeps_its_word() -> None:
    read = headers(table("n | mode=1 (ms) | mode=2 (ms)", "8 | 1.5 | 1.7", "16 | 2.5 | 2.7"))
    assert [one.settings for one in read[1:]] == [
        (("method", "mode=1"),),
        (("method", "mode=2"),),
    ]


def test_results_of_a_metric_are_those_of_the_benchmarks_below() -> None:
    read = headers(
        "AUC3 Results for Alpha-Large",
        table("Model | HiRoom | ETH3D | DTU", "a | 84.4 | 52.6 | 93.9", "b | 80.3 | 48.4 | 94.1"),
    )
    assert [name(one) for one in read[1:]] == ["score"] * 3
    assert [one.settings for one in read[1:]] == [
        (("benchmark", title),) for title in ("HiRoom", "ETH3D", "DTU")
    ]


def test_numbered_tests_are_benchmarks() -> None:
    read = headers("Time (s)", table("Machine | Test 1 | Test 2", "a | 2.43 | 7.69", "b | 5.6 | 8"))
    assert [one.settings for one in read[1:]] == [
        (("benchmark", "Test 1"),),
        (("benchmark", "Test 2"),),
    ]


def test_a_number_stated_again_gives_its_unit_to_the_same_words() -> None:
    first = table("GPUs | Throughput - TF32 (sequences/sec)", "1 | 307", "8 | 2428")
    again = headers(first, "Text.", table("Nodes | TF32 Throughput", "1 | 2428", "2 | 4638"))
    assert name(again[1]) == "samples_per_s"
    assert again[1].unit is not None
    other = headers(first, "Text.", table("Nodes | TF32 Throughput", "1 | 2429", "2 | 4638"))
    assert name(other[1]) == "-"
    assert again[1].settings == other[1].settings == (("precision", "TF32"),)


def test_micro_batches_of_a_log_are_no_setting() -> None:
    log = ("batches | micro_batches | loss", "10 | 320 | 11.2", "20 | 640 | 10.4", "30 | 960 | 9.0")
    assert name(headers(table(*log))[1]) == "-"
    swept = ("run | micro_batches | loss", "a | 2 | 11.2", "b | 4 | 10.4", "c | 6 | 9.0")
    assert name(headers(table(*swept))[1]) == "grad_accum"


def test_captured_graphs_are_compiled() -> None:
    titles = "Model | Capture CUDA Graph"
    assert name(headers(table(titles, "a | Disabled", "b | Enabled"))[1]) == "compiled"


def test_a_shortened_title_means_what_the_longer_one_does() -> None:
    first = table("Backend | Init | Cold total | Warm", "a | 91.3 | 21.8 | 20.3")
    short = table("Backend | Init | Cold | Warm", "a | 308.8 | 81.1 | 40.5")
    assert name(headers("All times in ms.", first, "## Other phone", short)[2]) == "time_s"
    other = table("Backend | Cold | Hot", "a | 81.1 | 40.5")
    assert name(headers("All times in ms.", first, "## Other phone", other)[1]) == "-"


@pytest.mark.parametrize(("count", "meant"), [("Items", "rounds"), ("Batch", "samples")])
def test_samples_beside_the_items_are_timed_runs(count: str, meant: str) -> None:
    rows = ("a | 100000 | 0.5 | 0.6 | 100", "b | 100000 | 0.7 | 0.8 | 100")
    read = headers(table(f"Name | {count} | Best | Average | Samples", *rows))
    assert name(read[4]) == meant
