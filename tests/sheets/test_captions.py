"""What the words around a table say of the columns that leave it open."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.sheet import Sheet


def table(*rows: str) -> str:
    bars = "|".join("---" for _ in rows[0].split("|"))
    first, *others = (f"| {row} |" for row in rows)
    return "\n".join((first, f"|{bars}|", *others))


def sheets(*blocks: str) -> tuple[Sheet, ...]:
    return mdbench.parse("\n\n".join((*blocks, ""))).sheets


def told(sheet: Sheet) -> list[str]:
    """The quantity and the unit of each column."""
    return [
        f"{header.quantity.name if header.quantity else '-'}"
        f" {header.unit.text if header.unit else '-'}"
        for header in (column.header for column in sheet.columns)
    ]


@pytest.mark.parametrize(
    ("corner", "label", "cells", "settings"),
    [
        ("method \\ number of threads", "method -", "- -", (("threads", "8"),)),
        ("Device \\ TFLOPS", "device -", "tflops_per_device TFLOPS", (("method", "8"),)),
        ("Loss (Model/Epoch)", "name -", "loss -", (("epochs", "8"),)),
    ],
)
def test_a_corner_names_the_rows_and_the_columns(
    corner: str, label: str, cells: str, settings: tuple[tuple[str, str], ...]
) -> None:
    (sheet,) = sheets("## Accuracy", table(f"{corner} | 8 | 16", "a | 3.4 | 2.9", "b | 3.3 | 2.8"))
    assert told(sheet)[0] == label
    if cells != "- -":
        assert told(sheet)[1] == cells
    assert sheet.columns[1].header.settings == settings


def test_words_per_second_are_a_rate() -> None:
    (sheet,) = sheets(
        "训练吞吐率(words/sec)如下:", table("卡数 | FP32 | FP16", "1 | 8809.7 | 33082.1")
    )
    assert told(sheet)[1:] == ["items_per_s words/sec"] * 2


MODELS = ("System | OPT-30B | OPT-66B", "x | 21.97 | 5.78", "y | 13.24 | 4.15")


@pytest.mark.parametrize(
    ("above", "meant"),
    [
        (
            (
                "We compare both (version 0.1) in terms of the models that they support, and token"
                " generation throughput. The results are summarized in the table below."
            ),
            "tokens_per_s -",
        ),
        (
            (
                "Throughput is defined as TGS, the tokens processed per GPU per second. The test"
                " results are shown in the following table."
            ),
            "tokens_per_s_per_device TGS",
        ),
        ("## Max permissible QPS per system", "requests_per_s QPS"),
        ("## Throughput (tokens/s)\n\n![picture](a.png)", "tokens_per_s tokens/s"),
        (
            (
                "The table below has the mean time in seconds, and is too long for a title.\n\n"
                "![picture](a.png)\n\n<details><summary>data</summary>"
            ),
            "time_s seconds",
        ),
        ("The table below says nothing of time, and it is not about the memory either.", "- -"),
    ],
)
def test_the_text_that_announces_a_table_says_what_it_measures(above: str, meant: str) -> None:
    (sheet,) = sheets(above, table(*MODELS))
    assert told(sheet)[1:] == [meant] * 2


def test_a_column_of_metrics_counts_before_the_caption() -> None:
    rows = ("Metric | OPT-30B | OPT-66B", "latency | 21.97 | 5.78", "foo | 13.24 | 4.15")
    (sheet,) = sheets("## Accuracy", table(*rows))
    assert "accuracy -" not in told(sheet)


def test_the_nearest_unit_of_a_section_counts() -> None:
    first, second = sheets(
        "## R", "- 单位：`images/sec`", table(*MODELS), "- 单位：`ms`", table(*MODELS)
    )
    assert (told(first)[1], told(second)[1]) == ("samples_per_s images/sec", "time_s ms")


@pytest.mark.parametrize(
    ("above", "meant"),
    [
        (
            "Below is the WikiText2 perplexity evaluated with 2048 tokens, lower is good.",
            "perplexity",
        ),
        (
            "The table below shows the throughput (samples/s).\n\nNotation: x (t).",
            "samples_per_s",
        ),
        (
            "We give the tokens per second on each GPU in the table below",
            "tokens_per_s_per_device",
        ),
        ("Max throughput batch sizes used by each:", "batch"),
        ("各框架具体情况，BatchSize选用如下：", "batch"),
        ("Batch size 8:", "-"),
        ("- Improvement over the baseline: Inf", "-"),
    ],
)
def test_a_line_introduces_the_table_below_it(above: str, meant: str) -> None:
    (sheet,) = sheets(above, table(*MODELS))
    assert [one.split()[0] for one in told(sheet)[1:]] == [meant] * 2


SORTS = ("Name | Items | Best | Average", "a | 100 | 0.006 | 0.007", "b | 100 | 0.002 | 0.003")


def test_tables_with_the_same_headers_mean_the_same() -> None:
    first, second, other = sheets(
        table(*SORTS),
        "A table with the best and average time in seconds:",
        table(*SORTS),
        "Something else entirely:",
        table(*SORTS),
    )
    assert told(first)[2:] == told(second)[2:] == ["time_s seconds"] * 2
    assert [column.header.statistic for column in first.columns[2:]] == ["min", "mean"]
    assert told(other)[2:] == ["- -"] * 2


def test_numbers_of_another_size_are_not_those_of_the_same_headers() -> None:
    rows = ("Name | Items | Best | Average", "a | 100 | 60100 | 70200")
    first, _ = sheets(table(*rows), "The best and average time in seconds:", table(*SORTS))
    assert told(first)[2:] == ["- -"] * 2


def test_scores_whose_rows_are_benchmarks_are_those_of_models() -> None:
    rows = ("Data | Foo-T | Foo-B | Bar", "x | 0.12 | 0.22 | 0.3", "Average | 0.2 | 0.25 | 0.31")
    (sheet,) = sheets(table(*rows))
    assert told(sheet)[1:] == ["score -"] * 3
    assert sheet.columns[1].header.settings == (("model", "Foo-T"),)


def test_bold_rows_below_a_header_extend_it() -> None:
    (sheet,) = sheets(
        "<table><tr><td></td><td colspan=2><b>FP32</b></td><td colspan=2><b>TF32</b></td></tr>"
        "<tr><td><b>Batch</b></td><td><b>Throughput (img/s)</b></td><td><b>Latency (ms)</b></td>"
        "<td><b>Throughput (img/s)</b></td><td><b>Latency (ms)</b></td></tr>"
        "<tr><td>8</td><td>100</td><td>80</td><td>200</td><td>40</td></tr>"
        "<tr><td>16</td><td>120</td><td>133</td><td>240</td><td>67</td></tr></table>"
    )
    assert told(sheet) == ["batch -", *["samples_per_s img/s", "latency_ms ms"] * 2]
    assert sheet.columns[4].header.settings == (("precision", "TF32"),)


def test_a_lone_title_says_what_the_numbers_below_it_are() -> None:
    rows = ("  |  |  | Nodes | ", " | | 8 | 16 | 32", " | Tokens per Second | 75 | 149 | 295")
    (sheet,) = sheets("## Speed-up", table(*rows, "5B | Speed-up | 1x | 1.99x | 3.94x"))
    assert told(sheet)[1:] == ["metric -", *["value -"] * 3]
    assert sheet.columns[3].header.settings == (("nodes", "16"),)


def test_records_of_data_per_second_are_a_rate() -> None:
    above = "Performance numbers (in records of data per second) are averages."
    (sheet,) = sheets(above, table("GPUs | Throughput - TF32", "1 | 2,880,000", "8 | 11,400,000"))
    assert told(sheet)[1] == "items_per_s records/s"


@pytest.mark.parametrize(
    ("above", "meant"),
    [
        ("**Enhanced model (with RoPE) - training loss:**", "loss -"),
        ("## Ablation (Macro F1 by condition)", "f1 -"),
        ("## Latency benchmark\n\n### Other settings", "latency_ms -"),
        (
            (
                "We conduct tests on a large set of papers with the PPL evaluation, and find that"
                " all of them do well. Results are demonstrated below:"
            ),
            "perplexity -",
        ),
        (
            "## Efficiency benchmarks\n\nAll numbers: see below (Unit: tokens/second).",
            "tokens_per_s",
        ),
    ],
)
def test_a_part_of_a_title_names_what_is_measured(above: str, meant: str) -> None:
    (sheet,) = sheets(above, table(*MODELS))
    assert all(one.startswith(meant) for one in told(sheet)[1:])


def test_a_share_is_at_most_all_of_it() -> None:
    (sheet,) = sheets("## Accuracy", table("Model | FP16 | INT8", "a | 1442.4 | 81.2"))
    assert told(sheet)[1:] == ["- -", "accuracy -"]


def test_a_first_column_of_devices_is_no_result() -> None:
    (sheet,) = sheets("## Accuracy", table("DGX System | FP16 | INT8", "32 x DGX A100 | 81 | 82"))
    assert told(sheet)[0] == "device -"


def test_a_width_in_a_header_is_no_unit_of_its_column() -> None:
    rows = ("Size | Best tile size | Naive | SIMD 128 bit", "128 | 32 | 4.6 | 1.0")
    (sheet,) = sheets("## Execution time (ms)", table(*rows))
    assert told(sheet)[1:] == ["- -", "time_s ms", "time_s ms"]


def test_numbers_that_the_text_repeats_have_its_unit() -> None:
    rows = ("Variant | min | mean", "a | 2583 | 2599", "b | 1394 | 1418")
    text = "The floor is 1394 ns, and the mean of a is 2599 ns."
    (sheet,) = sheets(table(*rows), text)
    assert told(sheet)[1:] == ["time_s ns"] * 2
    (sheet,) = sheets(table(*rows), "The floor is 1394 ns, and a has 2599 ms.")
    assert told(sheet)[1:] == ["- -"] * 2


def test_a_second_column_may_list_what_is_measured() -> None:
    rows = (" | Embedding Dimension → | 32 | 64", "no SIMD | Instructions | 10.6B | 21.2B")
    (sheet,) = sheets(table(*rows, " | Execution Time (µs) | 170 | 216"))
    assert told(sheet)[1:] == ["metric -", "value -", "value -"]
    assert sheet.columns[2].header.settings == (("hidden", "32"),)


def test_columns_whose_mean_stands_beside_them_measure_the_same() -> None:
    rows = (" | Avg | foo | bar", "a | 30.0 | 20.0 | 40.0", "b | 35.0 | 30.0 | 40.0")
    (sheet,) = sheets("## Accuracy", table(*rows))
    assert told(sheet)[1:] == ["accuracy -"] * 3
    assert sheet.columns[2].header.settings == (("benchmark", "foo"),)


@pytest.mark.parametrize(
    ("above", "meant"),
    [
        ("### Memory Usage", "memory_share %"),
        ("Memory utilization of the small model", "memory_share %"),
        ("### Usage of the cluster", "device_utilization %"),
    ],
)
def test_a_utilization_below_a_text_about_memory_is_that_of_the_memory(
    above: str, meant: str
) -> None:
    rows = ("Resource | Used | Utilization", "Flash | 319 KB | 33%", "SRAM | 175 KB | 68%")
    (sheet,) = sheets(above, table(*rows))
    assert told(sheet)[2] == meant


def test_a_sentence_below_a_table_says_what_it_measures_if_nothing_above_does() -> None:
    rows = ("GDS | Mixtral-8x22B | Llama3-70B", "False | 9.152(bsz=200) | 8.606(bsz=96)")
    below = "Throughput measured in tokens/sec."
    (sheet,) = sheets(table(*rows), below)
    assert told(sheet)[1:] == ["tokens_per_s tokens/sec"] * 2
    (sheet,) = sheets("Latency (ms):", table(*rows), below)
    assert told(sheet)[1:] == ["latency_ms ms"] * 2
    others = ("GDS | Falcon-40B | Qwen-72B", "False | 3.5 | 2.5")
    above, next_one = sheets(table(*rows), below, table(*others))
    assert told(above)[1:] == ["- -"] * 2
    assert told(next_one)[1:] == ["tokens_per_s tokens/sec"] * 2


def test_words_beside_a_statistic_are_of_something_else_than_the_text_above() -> None:
    rows = ("idle | 2.5 | 700", "send | 40.5 | 43")
    above = "## Sensor (32 KiB RAM)"
    (sheet,) = sheets(above, table("Mode | Average µA | Days", *rows))
    assert told(sheet)[1] == "- -"
    (sheet,) = sheets(above, table("Mode | Average | Notes", *rows))
    assert told(sheet)[1] == "memory_mib -"


def test_a_unit_in_a_header_contradicts_the_text_above() -> None:
    rows = ("7B | 2.5 | 7.5", "13B | 40.5 | 8.5")
    (sheet,) = sheets("## Latency", table("Model | V100 | A100 (MB per user)", *rows))
    assert told(sheet)[1:] == ["latency_ms -", "- MB per user"]
