"""What something explains is not blamed; the same number is, where nothing explains it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


def blamed(text: str) -> list[str]:
    """The cells that are said to be wrong."""
    source = Source("report.md", text)
    return [source.cut(one.span) for one in check(source) if one.code[:3] in ("MB3", "MB4")]


def fixed(text: str) -> str:
    """The report after the first fix of its only finding."""
    source = Source("report.md", text)
    (found,) = check(source)
    return source.edited(found.fixes[0].edits).text


RATIOS = "Method | N | Mean (ms) | Ratio"
SMALL = ("List | 10 | 2.710 | 1.00", "Pooled | 10 | 5.366 | 1.98", "Array | 10 | 8.347 | 3.08")
LARGE = ("List | 100 | 27.57 | 1.00", "Pooled | 100 | 72.23 | 2.62", "Array | 100 | 45.77 | 1.66")


@pytest.mark.parametrize("kept", [LARGE[1:], LARGE[1:2]])
def test_a_baseline_that_is_not_in_the_table(kept: Sequence[str]) -> None:
    assert blamed(table(RATIOS, *SMALL, *kept)) == []


def test_a_ratio_to_a_baseline_that_is_in_the_table() -> None:
    wrong = "Pooled | 100 | 72.23 | 2.26"
    assert blamed(table(RATIOS, *SMALL, LARGE[0], wrong, LARGE[2])) == ["2.26"]


def test_a_baseline_says_that_it_is_one() -> None:
    rows = ("2 | 512 | 15.80 | 1.90", "4 | 512 | 31.02 | 3.73", "8 | 512 | 61.29 | 7.37")
    first = ("1 | 128 | 40.95 | 1.00", "2 | 128 | 79.10 | 1.93", "4 | 128 | 158.5 | 3.87")
    second = ("1 | 256 | 20.15 | 1.00", "2 | 256 | 39.96 | 1.98", "4 | 256 | 77.88 | 3.87")
    header = "GPUs | Sequence length | Throughput (seq/s) | Weak scaling"
    assert blamed(table(header, *first, *second, *rows)) == []


HIDDEN = "Program | Time (s) | Speedup"
TIMES = (2.314, 3.271, 1.437, 5.213, 4.108, 0.871, 6.622)
ONE_BASELINE = [f"p{at} | {time} | {10.0021 / time:.3f}" for at, time in enumerate(TIMES)]


def test_rows_with_another_baseline_that_nobody_printed() -> None:
    others = ("x | 4.1 | 6.1", "y | 7.7 | 3.2")
    assert blamed(table(HIDDEN, *ONE_BASELINE, *others)) == []


def test_the_last_digit_of_a_ratio_to_what_nobody_printed() -> None:
    assert blamed(table(HIDDEN, *ONE_BASELINE, "x | 1.918 | 5.246")) == []


MESH = "Nodes | GPUs | DP | TP | PP"
SPLIT = ("1 | 8 | 2 | 4 | 1", "2 | 16 | 4 | 4 | 1", "4 | 32 | 4 | 4 | 2", "8 | 64 | 8 | 4 | 2")


def test_a_split_that_the_table_does_not_have() -> None:
    rows = [f"{row} " for row in ("8 | 8", "16 | 16", "32 | 32", "64 | 64", "64 | 32")]
    assert blamed(table("GPUs | DP", *rows)) == []


def test_a_split_that_the_table_has() -> None:
    assert blamed(table(MESH, *SPLIT, "8 | 64 | 4 | 4 | 2")) != []


def test_one_node_may_be_used_in_part() -> None:
    header = "Nodes | DP | TP | PP"
    whole = ("1 | 2 | 4 | 1", "2 | 4 | 4 | 1", "4 | 4 | 4 | 2", "8 | 8 | 4 | 2")
    assert blamed(table(header, *whole, "1 | 1 | 4 | 1")) == []
    assert blamed(table(header, *whole, "4 | 2 | 4 | 2")) != []


def test_what_the_text_states_may_be_of_other_runs() -> None:
    text = "The global batch size must be a multiple: DP = 4 in the first runs.\n\n"
    rows = ("8 | 8 | 1 | 8", "16 | 8 | 2 | 4", "32 | 8 | 4 | 4", "64 | 8 | 2 | 16")
    assert blamed(text + table("GPUs | TP | PP | Nodes", *rows)) == []


def test_a_constant_of_rows_that_count_by_something_else() -> None:
    """With GPUs, with nodes: what is left out differs."""
    by_nodes = table(
        "Nodes | DP | TP", "2 | 4 | 4", "4 | 8 | 4", "8 | 16 | 4", "16 | 32 | 4", "3 | 6 | 4"
    )
    by_devices = table("GPUs | DP | TP", "16 | 4 | 4")
    assert blamed(by_nodes + "\n" + by_devices) == []


def test_twice_as_much_is_no_sum() -> None:
    header = "Device | fp16 | bf16 | fp8"
    rows = ("A | 989 | 989 | 1978", "B | 1307 | 1307 | 2614", "C | 2250 | 2250 | 4500")
    more = ("D | 312 | 312 | 624", "E | 918 | 918 | 1836", "F | 1677 | 459 | 1677")
    assert blamed(table(header, *rows, *more)) == []


def test_best_and_average_are_only_near_each_other() -> None:
    header = "Name | Type | Best | Average"
    times = [time * 1.7**power for power in range(4) for time in TIMES]
    rows = [f"s{at} | 32 | {time:.3f} | {time * 1.014:.3f}" for at, time in enumerate(times)]
    assert blamed(table(header, *rows, "x | 32 | 8.040 | 8.592")) == []


def test_a_rate_by_a_median_that_is_not_printed() -> None:
    """It is off by one in a thousand, which the mean explains as well."""
    rows = [f"v{at} | {time}s | {50 / time:.3f}" for at, time in enumerate(TIMES)]
    rows.append(f"x | 3.714s | {50 / 3.708:.3f}")
    assert blamed(table("Version | mean (s) | speed (it/s)", *rows)) == []


def test_a_factor_of_a_thousand_between_units_that_nobody_names() -> None:
    ratios = (4.76, 2.5, 7.0, 3.21, 1.84, 5.35, 6.12)
    pairs = zip(TIMES, ratios, strict=True)
    rows = [f"{time} | {1000 * time / ratio:.1f} | {ratio:.2f}" for time, ratio in pairs]
    assert blamed(table("Old (s) | Foo | Speedup", *rows)) == []


def test_heads_of_another_run_do_not_count() -> None:
    text = "NHEADS=56\n\n"
    rows = ("7168 | 4", "7168 | 8", "7168 | 2", "7180 | 8")
    assert blamed(text + table("Hidden size | TP", *rows)) == []


HYPERFINE = "Command | Mean [ms] | Min [ms] | Max [ms] | Relative"


def test_the_way_that_a_tool_compares_is_known() -> None:
    rows = (
        "a | 73.3 ± 19.1 | 64.0 | 107.5 | {} ± 0.29",
        "b | 65.6 ± 0.6 | 65.3 | 66.6 | 1.00",
        "c | 65.7 ± 0.7 | 65.3 | 67.0 | 1.00 ± 0.01",
    )
    text = table(HYPERFINE, *rows)
    assert blamed(text.format("1.12")) == []
    assert fixed(text.format("2.12")) == text.format("1.12")


def test_a_baseline_that_says_something_else_of_itself() -> None:
    rows = ("1 | 81.2 | {}", "2 | 42.1 | 1.93", "4 | 22.4 | 3.63", "8 | 12.9 | 6.29")
    text = table("Threads | Time (s) | Speedup", *rows)
    assert blamed(text.format("1.00")) == []
    assert fixed(text.format("1.10")) == text.format("1.00")


def test_a_baseline_in_another_way_of_comparing() -> None:
    rows = ("a | 2823 | 1x", "b | 5646 | 1.00x", "c | 9880 | 2.50x", "d | 4093 | 0.45x")
    assert blamed(table("Version | Hashes/s | Improvement", *rows)) == []


def test_a_baseline_that_was_measured_again() -> None:
    runs = ((2, 741, 97.0), (4, 1421, 93.0), (8, 2750, 90.0), (12, 4061, 88.6), (16, 5310, 86.9))
    rows = [f"{count} | {rate} | {share}%" for count, rate, share in runs]
    text = table("GPUs | Images/s | Efficiency", "1 | {} | 100.0%", *rows)
    assert blamed(text.format(382)) == []
    assert blamed(text.format(390)) == ["390"]


def test_more_requests_in_flight_than_there_can_be() -> None:
    rows = ("16 | 412 | 38.8 | 60.1", "32 | 604 | 53.0 | 80.2", "64 | {} | 90.3 | 140.4")
    text = table("Concurrency | Req/s | Mean latency (ms) | p99 (ms)", *rows)
    assert blamed(text.format(709)) == []
    assert blamed(text.format(910)) != []


def test_two_rows_of_five_may_break_a_plain_equation() -> None:
    rows = ("4 | 1512 | 378", "8 | 2394 | 367", "16 | 5680 | 355", "32 | 11912 | 341")
    text = table("GPUs | Images/s | Images/s/GPU", *rows, "32 | 11000 | 344")
    assert blamed(text) == ["2394", "11912"]


def test_a_unit_in_every_cell_of_a_column_is_no_swap() -> None:
    rows = ("10 | 9.7 | 41% | 0.2%", "20 | 11.7 | 61% | 0.3%", "40 | 19.7 | 81% | 1.2%")
    assert blamed(table("users | mean | CPU usage | timeouts", *rows)) == []


def test_a_row_of_averages_may_average_ratios() -> None:
    pairs = ((41.7, 19.9), (43.3, 18.5), (40.3, 12.5), (45.3, 21.5), (39.7, 13.9), (47.3, 26.5))
    rows = [f"case{at} | {one} | {two} | {one / two:.2f}x" for at, (one, two) in enumerate(pairs)]
    text = table("case | ref | opt | speedup", *rows, "average | 42.9 | 18.8 | {}x")
    assert blamed(text.format("2.40")) == []
    assert blamed(text.format("2.28")) == []
    assert blamed(text.format("2.82")) == ["2.82x"]


def test_words_behind_a_change_tell_its_direction() -> None:
    rows = (
        "UPDATE | 1.22 | 1.00 | 18.0% faster",
        "INSERT | 0.908 | 0.931 | {} slower",
        "DELETE | 2.908 | 1.931 | 33.6% faster",
        "SELECT | 5.31 | 3.93 | 26.0% faster",
        "MERGE | 7.12 | 6.51 | 8.6% faster",
        "TRUNCATE | 0.412 | 0.461 | 11.9% slower",
    )
    text = table("Statement | Before (s) | After (s) | Improvement", *rows)
    assert blamed(text.format("2.5%")) == []
    assert blamed(text.format("5.2%")) == ["5.2% slower"]


def test_one_cell_with_a_unit_is_no_unit_of_the_others() -> None:
    rows = ("a | 18.20 | 1.0x", "b | 9.05 | 2.0x", "c | 4.93 | 3.7x", "d | 953 ms | 19.1x")
    assert blamed(table("Version | Time | Speedup", *rows)) == []


def test_means_of_rates_and_of_times_give_each_other_only_nearly() -> None:
    rows = [f"{batch} | {batch / rate:.4f} | {rate}" for batch, rate in ((16, 38.77), (32, 45.19))]
    near = "64 | 1.3400 | 47.77"
    assert blamed(table("Batch | Step mean (s) | Samples/s", *rows, near)) == []


def test_a_quantity_in_two_units() -> None:
    rows = ("a | 1.82 | 1820", "b | 9.05 | 9050", "c | {} | 2130", "d | 4.93 | 4930")
    text = table("Case | Time (s) | Time (ms)", *rows)
    assert blamed(text.format("2.13")) == []
    assert fixed(text.format("2.31")) == text.format("2.13")


def test_a_comparison_with_the_row_above() -> None:
    rows = ("1 | 18.20 | -", "2 | 9.05 | 2.01x", "3 | 6.31 | {}", "4 | 4.93 | 1.28x")
    more = ("5 | 4.61 | 1.07x", "6 | 2.05 | 2.25x")
    text = table("Release | p50 (ms) | vs previous", *rows, *more)
    assert blamed(text.format("1.43x")) == []
    assert blamed(text.format("1.63x")) == ["1.63x"]


def test_a_median_of_the_runs_beside_it() -> None:
    rows = (
        "a | 35.12 | 36.01 | 35.44 | 35.98 | 35.70 | {}",
        "b | 31.12 | 32.01 | 30.44 | 31.98 | 31.70 | 31.70",
        "c | 25.12 | 24.01 | 25.44 | 25.98 | 24.70 | 25.12",
        "d | 15.12 | 14.01 | 15.44 | 15.98 | 14.70 | 15.12",
    )
    text = table("Run | #1 | #2 | #3 | #4 | #5 | Median", *rows)
    assert blamed(text.format("35.70")) == []
    assert blamed(text.format("35.44")) == ["35.44"]


def test_a_constant_that_is_the_same_for_all_settings() -> None:
    rows = ("10 | 10,717 | 89.3", "50 | 52,376 | 436.5", "100 | 97,829 | 815.2")
    text = table("VUs | http_reqs | req/s", *rows, "200 | {} | 1326.1", "400 | 210,740 | 1756.2")
    assert blamed(text.format("159,128")) == []
    assert blamed(text.format("195,128")) != []


def test_two_commands_of_a_tool() -> None:
    rows = ("a | 73.3 ± 1.1 | 64.0 | 107.5 | {} ± 0.02", "b | 62.6 ± 0.6 | 61.3 | 66.6 | 1.00")
    text = table(HYPERFINE, *rows)
    assert blamed(text.format("1.17")) == []
    assert fixed(text.format("2.17")) == text.format("1.17")


def messages(text: str) -> list[str]:
    return [one.message for one in check(Source("report.md", text)) if one.code == "MB301"]


def test_what_is_less_than_the_last_digit_is_told_with_more_of_them() -> None:
    rows = [f"{at} | {time} | {time / 3:.3f} | 3.00" for at, time in enumerate((9, 12, 21, 33, 48))]
    text = table("Case | Before (s) | After (s) | Speedup", *rows, "x | 0.1 | 33.0 | 3.00")
    assert messages(text) == ["Speedup 3.00 should be 0.0030: 0.1 / 33.0 (5 other rows agree)"]


def test_a_decimal_comma_is_kept_in_messages() -> None:
    pairs = ((12.10, 4.05), (9.31, 4.21), (7.77, 3.02), (21.4, 8.9), (30.6, 4.1), (2.31, 1.13))
    rows = [f"{one:.2f} | {two:.2f} | {one / two:.2f}" for one, two in pairs]
    rows.append("4.65 | 3.54 | 1.53")
    text = table("Vorher (s) | Nachher (s) | Speedup", *(row.replace(".", ",") for row in rows))
    assert messages(text) == ["Speedup 1,53 should be 1,31: 4,65 / 3,54 (6 other rows agree)"]


def test_a_row_that_says_that_it_is_a_baseline_is_one() -> None:
    groups = (
        (10000, "Int", 100.36, 31.67),
        (10000, "String", 98.83, 31.79),
        (100000, "Int", 972.05, 306.02),
        (100000, "String", 974.35, 303.07),
        (1000000, "Int", 9524.77, 3033.66),
        (1000000, "String", 9327.77, 2899.78),
    )
    rows = []
    for size, kind, queue, pooled in groups:
        rows.append(f"**Queue** | **{size}** | **{kind}** | **{queue} us** | 0.1 us | **1.00**")
        rows.append(f"Pooled | {size} | {kind} | {pooled} us | 0.1 us | {pooled / queue:.2f}")
        rows.append(" | | | | | ")
    assert blamed(table("Method | N | Type | Mean | Error | Ratio", *rows)) == []


def test_a_comma_between_two_numbers_is_no_decimal_comma() -> None:
    pairs = ((12.1, 4.05), (9.31, 4.21), (7.77, 3.02), (21.4, 8.9), (30.6, 4.1), (2.31, 1.13))
    rows = [f"{one:.2f} s, cold | {two:.2f} | {one / two:.2f}" for one, two in pairs]
    text = table("Old | New (s) | Speedup", *rows, "4.65 s, cold | 3.54 | 1.53")
    assert all("1,31" not in one for one in messages(text))


def test_a_row_may_be_compared_with_the_last_one_that_was_kept() -> None:
    rows = "0 | 4187 | ", "1 | 5262 | +25.7 %", "2 | 7910 | +50.3 %", "3 | 8344 | +5.5 %"
    more = "4 (r) | 10120 | +21.3 %", "5 (r) | 21874 | +162.2 %", "6 | 8719 | -60.1 %"
    last = "7 | 9406 | +7.9 %", "8 | 9877 | +5.0 %"
    header = "Step | tps | gain on previous kept step"
    assert blamed(table(header, *rows, *more, *last)) == []
    assert blamed(table(header, *rows, *more, "7 | 9406 | +9.7 %", last[1])) == ["+9.7 %"]


def test_a_row_with_a_mark_of_its_own_may_have_another_constant() -> None:
    rows = [f"{at} | {500 / at:.2f} | {at * 97.1:.1f}" for at in range(3, 10)]
    header = "# | Step (s) | Rate (words/s)"
    text = table(header, *rows, "10‡ | 50.00 | 640.9")
    assert blamed(text) != []
    assert blamed(f"Batch 512, except the row marked ‡ (336).\n\n{text}") == []
