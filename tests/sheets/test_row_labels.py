"""Rows and columns that hold something else than the others, as their labels say."""

from __future__ import annotations

import pytest

from mdbench import parse


def read(table: str) -> dict[str, str]:
    """The quantity of each number of a table."""
    report = parse(table)
    return {
        one.cell.raw: one.quantity.name if one.quantity else ""
        for sheet in report.sheets
        for one in sheet.measurements
        if one.is_number
    }


def test_each_metric_is_read_for_itself() -> None:
    found = read(
        "| Metric | A1 | A2 |\n|---|---|---|\n"
        "| L1D Miss | 87K | 88K |\n| Q Req. | 134 | 133 |\n| Z Req. | 18 | 19 |\n"
        "| V Req. | 14 | 13 |\n| W Req. | 8 | 9 |\n"
        "| Execution Time (µs) | 44 | 56 |\n| Speedup | 1.02x | 0.86x |\n"
    )
    assert found["87K"] == "cache_misses"
    assert found["56"] == "time_s"
    assert found["0.86x"] == "speedup"
    assert found["134"] == found["9"] == "value"


def test_a_metric_may_stand_behind_its_task() -> None:
    found = read(
        "| Task/Metric | Ours | Theirs |\n|---|---|---|\n"
        "| anli/acc | 0.32 | 0.35 |\n| record/f1 | 0.89 | 0.91 |\n| truthful/mc1 | 0.20 | 0.21 |\n"
    )
    assert [found[one] for one in ("0.32", "0.91", "0.20")] == ["accuracy", "f1", "value"]


def test_precision_beside_recall_is_a_score_in_rows_too() -> None:
    found = read(
        "| Model | Metric | A | B |\n|---|---|---|---|\n"
        "| DBNet | recall | 0.731 | 0.732 |\n| DBNet | precision | 0.871 | 0.872 |\n"
        "| DBNet | hmean | 0.795 | 0.796 |\n| CRNN | acc | 0.806 | 0.807 |\n"
    )
    assert found["0.731"] == found["0.871"] == "score"
    assert found["0.806"] == "accuracy"


@pytest.mark.parametrize(
    ("label", "cell", "quantity"),
    [
        ("Speedup", "1.69x", "speedup"),
        ("Throughput increase", "1.39x", "speedup"),
        ("Improvement", "+41 %", "change"),
        ("加速比", "1.69x", "speedup"),
        ("Memory footprint", "510 MB", "memory_mib"),
        ("Ускорение", "1.69x", "speedup"),
    ],
)
def test_a_row_of_another_quantity(label: str, cell: str, quantity: str) -> None:
    found = read(
        f"Time to first token (ms)\n\n| Seq Len | 256 | 512 |\n|---|---|---|\n"
        f"| Plain | 31 ms | 55 ms |\n| Ours | 21 ms | 33 ms |\n| {label} | {cell} | {cell} |\n"
    )
    assert found["31 ms"] == "ttft_ms"
    assert found[cell] == quantity


@pytest.mark.parametrize(
    ("label", "cell"),
    [
        pytest.param("Speedup", "18", id="no unit tells it apart"),
        pytest.param("Tiny", "1.69x", id="a label that names no quantity"),
        pytest.param("Power", "17 tokens", id="a unit that the label has not"),
    ],
)
def test_a_row_as_all_others(label: str, cell: str) -> None:
    found = read(
        f"Time to first token (ms)\n\n| Seq Len | 256 | 512 |\n|---|---|---|\n"
        f"| Plain | 31 | 55 |\n| Ours | 21 | 33 |\n| {label} | {cell} | {cell} |\n"
    )
    assert found[cell] == "ttft_ms"


def test_the_unit_of_a_header_stands() -> None:
    found = read("| Run | Time (ms) |\n|---|---|\n| Plain | 31 |\n| Power | 12 W |\n")
    assert found["12 W"] == "time_s"


@pytest.mark.parametrize(
    ("title", "cell", "quantity"),
    [
        ("Improvement", "-17.1%", "change"),
        ("Ratio (B/A)", "1.43×", "relative"),
        ("Speedup", "1.43x", "speedup"),
        ("变化", "-17.1%", "change"),
        ("Änderung", "-17.1%", "change"),
    ],
)
def test_a_column_that_compares_the_others(title: str, cell: str, quantity: str) -> None:
    found = read(
        f"| Metric | Eager | Fused | {title} |\n|---|---|---|---|\n"
        f"| Mean latency | 1.93 ms | 1.60 ms | {cell} |\n| Memory | 169 MB | 89 MB | {cell} |\n"
        f"| TDP | 700 W | 650 W | {cell} |\n| Kernels | 4 | 2 | {cell} |\n"
    )
    assert found["1.93 ms"] == "latency_ms"
    assert found["700 W"] == "power_limit_w"
    assert found[cell] == quantity


def test_a_run_that_is_named_like_a_comparison() -> None:
    found = read(
        "| Metric | Weak Scaling | Strong Scaling |\n|---|---|---|\n"
        "| Latency | 1.93 ms | 1.60 ms |\n| Memory | 169 MB | 89 MB |\n"
    )
    assert found["1.60 ms"] == "latency_ms"
    assert found["89 MB"] == "memory_mib"


def test_a_share_of_the_best_may_be_nothing() -> None:
    found = read(
        "| Framework | Req/s | Relative |\n|---|---|---|\n"
        "| a | 73485 | 100% |\n| b | 70015 | 95% |\n| c | 0 | 0% |\n"
    )
    assert found["95%"] == "relative"


def test_a_factor_among_changes_is_no_change() -> None:
    found = read("| Step | Gain |\n|---|---|\n| a | +20% |\n| b | +35% |\n| c | 3x |\n")
    assert found["+35%"] == "change"
    assert found["3x"] == "relative"


def test_what_stands_behind_a_name_is_not_measured() -> None:
    report = parse(
        "| Scenario | Cost |\n|---|---|\n| 9 hrs (270 hrs) | $47 |\n| Full (720 hrs) | $130 |\n"
    )
    (sheet,) = report.sheets
    names = {one.quantity.name for one in sheet.measurements if one.quantity}
    assert names == {"benchmark", "cost_usd"}


def test_a_comparison_of_the_rows_above() -> None:
    found = read(
        "| Step | Time (s) | Bandwidth (MB/s) |\n|---|---|---|\n"
        "| Start | 3.102 | 665.5 |\n| Inlined | 1.467 | 1295.9 |\n"
        "| **Final improvement** | x2.11 | x1.9 |\n"
    )
    assert found["1.467"] == "time_s"
    assert found["x2.11"] == found["x1.9"] == "speedup"


def test_a_sentence_is_no_metric() -> None:
    report = parse(
        "| Metric | Ours | Theirs | Our advantage |\n|---|---|---|---|\n"
        "| Creating | 4.2M ops/s | 2.3M ops/s | much faster than the others |\n"
        "| Channels | 9.6M ops/s | 11.6M ops/s | nearly as fast as them |\n"
    )
    (sheet,) = report.sheets
    texts = [one for one in sheet.measurements if one.cell.raw.startswith(("much", "nearly"))]
    assert [one.quantity for one in texts if one.quantity and not one.quantity.text] == []


def test_the_ratio_of_two_numbers_above_needs_no_unit() -> None:
    text = "| | Time (ms) |\n|---|---|\n| one worker | 1682 |\n| eight | 229 |\n| {} | {} |\n"
    assert read(text.format("Speedup", "7.34"))["7.34"] == "speedup"
    assert read(text.format("Speedup", "5.34"))["5.34"] == "time_s"
    assert read(text.format("sixteen", "7.34"))["7.34"] == "time_s"


def test_a_cell_in_another_unit_is_not_what_its_row_measures() -> None:
    found = read(
        "| Metric | Crossover | Point |\n|---|---|---|\n| Time | ~128 tokens | ~64 tokens |\n"
        "| Memory | ~256 tokens | ~32 tokens |\n"
    )
    assert found["~128 tokens"] == found["~32 tokens"] == "value"
