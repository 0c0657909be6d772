"""Columns whose header says too little: cells, places, texts and other tables say what they are."""

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
    """The quantity of each column, with its statistic."""
    return [
        " ".join(filter(None, (one.quantity.name if one.quantity else "-", one.statistic)))
        for one in (column.header for column in sheet.columns)
    ]


@pytest.mark.parametrize(
    ("rows", "quantities"),
    [
        pytest.param(
            ("NVILA-8B | MMLU", "FP16 | 61.2", "AWQ-INT4 | 60.9"), "precision score", id="formats"
        ),
        pytest.param(
            ("Model (LLaMa-7B) | PTB", "FP16 | 8.79", "RTN | 9.68"),
            "method perplexity",
            id="variants of one model",
        ),
        pytest.param(
            ("| MMLU", "Llama2-7B | 61.2", "Qwen-7B | 60.9"), "model score", id="models, no header"
        ),
        pytest.param(("| MMLU", "FP16 | 61.2", "INT8 | 60.9"), "precision score", id="no header"),
        pytest.param(
            ("Engine | spatial | Time (ms)", "a | 640x480 | 3.1", "b | 32x32 | 2.0"),
            "framework shape time_s",
            id="shapes",
        ),
        pytest.param(
            ("Model | Recipe", "a | [Link](https://x.org/1)", "b | [Link](https://x.org/2)"),
            "model link",
            id="links",
        ),
        pytest.param(
            ("Model | Coverage of it all", "a | 98.5%", "b | 97%"), "model share", id="shares"
        ),
        pytest.param(
            ("Nodes | Tokens/s | p50 | p99", "1 | 20 | - | -"),
            "nodes tokens_per_s tokens_per_s p50 tokens_per_s p99",
            id="empty statistics",
        ),
        pytest.param(
            ("Variant | RPS | p99", "a | 20 | -"),
            "method requests_per_s latency_p99_ms p99",
            id="empty percentiles beside requests",
        ),
        pytest.param(
            ("Cost Factor | AWS", "Network | $1", "Disks | $2"), "name cost_usd", id="names"
        ),
        pytest.param(("GPU | H100", "CPU | EPYC", "CUDA | 12.8"), "name -", id="pairs"),
        pytest.param(
            ("Cost | AWS | Difference", "VM | $12 | Azure +$16", "Disk | $2 | Azure +$1"),
            "name cost_usd difference",
            id="how much, in words",
        ),
        pytest.param(
            ("Size | GBS | TFLOPs", "7B | 0.125M | 190", "7B | 4M | 180"),
            "params global_batch_tokens tflops_per_device",
            id="a batch of tokens",
        ),
        pytest.param(
            ("Models | Chat | Math | Code", "a | 2.8x | 1.8x | 2.6x", "b | 2.5x | 1.7x | 2.0x"),
            "model speedup speedup speedup",
            id="factors in every column",
        ),
        pytest.param(
            ("Trace | A Util (%) | B Util (%) | Difference (%)", "t | 94.3 | N/A | N/A"),
            "benchmark device_utilization device_utilization difference",
            id="points of per cent",
        ),
        pytest.param(
            ("open of one small file | Lustre", "succeeds | 2.3ms", "fails | 1.1ms"),
            "name time_s",
            id="no files",
        ),
        pytest.param(
            ("Model | Training Strategy", "a | fp16", "b | fp16+recompute"),
            "model method",
            id="a strategy that splits no work",
        ),
        pytest.param(
            ("Model | Training Strategy", "a | DP8", "b | 2-way TP"),
            "model parallelism",
            id="a strategy that splits the work",
        ),
        pytest.param(
            (
                "Flag | Function",
                "-DA | Enable the build with it",
                "-DB | Set the target of the build",
            ),
            "configuration notes",
            id="what a flag is for",
        ),
        pytest.param(
            ("Function | Time (s)", "parse | 3.1", "encode | 2.9"),
            "benchmark time_s",
            id="functions that were measured",
        ),
        pytest.param(
            ("Architecture | Time (s)", "x86_64 | 3.1", "aarch64 | 2.9"),
            "device time_s",
            id="architectures of chips",
        ),
        pytest.param(
            ("Architecture | Time (s)", "Mask R-CNN | 3.1", "DINO | 2.9"),
            "model time_s",
            id="architectures of models",
        ),
        pytest.param(
            ("Model | GPU | GPU (a/b)", "a | 2 | -37.0", "b | 4 | -20.7"),
            "model devices -",
            id="no count is negative",
        ),
        pytest.param(
            ("Origin | Size | Layers | Hidden", "a | 104B | 64 | 11600", "b | 145B | 80 | 12288"),
            "name params layers hidden",
            id="the size of what has layers",
        ),
        pytest.param(
            ("Model | Training logs", "a | logs/a.txt", "b | logs/b.txt"), "model link", id="paths"
        ),
        pytest.param(
            ("Feature | BERT | Tesla V100", "AMP | Yes | Yes", "XLA | Yes | No"),
            "configuration status status",
            id="what works with a model or device",
        ),
        pytest.param(
            ("Model | MMLU | Speedup (%)", "a | 61.2 | 2.6%", "b | 60.9 | 28.8%"),
            "model score change",
            id="a speed-up that is a gain",
        ),
    ],
)
def test_the_cells_say_what_a_column_holds(rows: tuple[str, ...], quantities: str) -> None:
    (sheet,) = sheets(table(*rows))
    names = " ".join(told(sheet))
    assert names == quantities


def test_yes_and_no_state_no_setting() -> None:
    (sheet,) = sheets(table("GPUs | async | TFLOPs", "8 | no | 140", "8 | yes | 150"))
    assert sheet.columns[1].header.settings == ()


def test_the_first_second_and_third_step_are_no_numbers_of_steps() -> None:
    (sheet,) = sheets(table("Model | Step 1 | Step 2", "a | 20 s | 30 s"))
    assert [column.header.settings for column in sheet.columns[1:]] == [(), ()]
    (sheet,) = sheets("Loss:", table("Model | Step 100 | Step 200", "a | 2.5 | 2.2"))
    assert sheet.columns[1].header.settings == (("steps", "100"),)


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("Time-To-First-Token (TTFT) of a model (Unit: ms)", "ttft_ms"),
        ("## Latency benchmark", "latency_ms"),
        ("## Decode", "decode_time_s"),
        ("## Setup", "time_s"),
    ],
)
def test_a_text_says_which_time_is_meant(text: str, quantity: str) -> None:
    (sheet,) = sheets(text, table("Engine | A (ms) | B (ms)", "x | 3.1 | 2.2", "y | 3.3 | 2.4"))
    assert told(sheet)[1:] == [quantity, quantity]


def test_a_list_of_settings_and_a_sentence_name_no_quantity() -> None:
    rows = table("Kernel | Ansi | Fast", "add | 18 | 17", "mul | 79 | 71")
    for text in (
        "Chip config: 360MHz, SPI-RAM: HEX 200MHz",
        "Tune the system to use as large a batch size as possible without out-of-memory.",
    ):
        (sheet,) = sheets(text, rows)
        assert told(sheet)[1:] == ["-", "-"]


def test_an_empty_column_is_as_those_beside_it() -> None:
    (sheet,) = sheets(
        "Latency (ms)", table("Batch | cpp | rust | go", "1 | 4.2 | 4.4 |", "8 | 27.3 | 29.2 |")
    )
    assert told(sheet)[1:] == ["latency_ms"] * 3


def test_statistics_are_of_what_their_numbers_are_elsewhere() -> None:
    first, second = sheets(
        "> Requests per second",
        table("Framework | Mean | Stddev | Max", "abc | 12352.77 | 1298.49 | 16747.89"),
        "## abc",
        table("Stat | Mean | Stddev | Max", "12352.77 | 1298.49 | 16747.89 |"),
    )
    assert told(first)[1] == "requests_per_s mean"
    assert told(second)[:3] == ["requests_per_s mean", "requests_per_s std", "requests_per_s max"]


def test_a_throughput_is_what_all_other_tables_call_so() -> None:
    rows = ("GPUs | Throughput - FP32", "8 | 3.13", "16 | 6.1")
    first, second = sheets(
        "# A",
        "We used throughput in items processed per second.",
        table(*rows),
        "# B",
        table("GPUs | Model | Throughput - FP32 | Latency (ms)", "1 | a | 1.38 | 2.0"),
    )
    assert told(first)[1] == "items_per_s"
    assert told(second)[2] == "items_per_s"


def test_two_lines_make_one_header() -> None:
    rows = ("Hidden | Lay | Micro | TP", "size | ers | BS |", "2304 | 24 | 16 | 1")
    (inside,) = sheets(table("| | |", *rows))
    first, second, *others = rows
    above = f"| {first} |\n{table(second, *others)}"
    (outside,) = sheets(above)
    assert told(inside) == told(outside) == ["hidden", "layers", "micro_batch", "tp"]


def test_rows_do_not_name_what_a_column_measures_already() -> None:
    rows = ("Generation | Collections | Collected", "Gen 0 | 345 | 390", "Gen 1 | 27 | 11")
    (sheet,) = sheets(table(*rows))
    assert told(sheet)[1:] == ["gc_collections", "-"]
