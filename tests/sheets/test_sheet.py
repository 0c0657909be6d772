"""Tables understood: pivots, captions, which value counts, and what became of a run."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import tidy_rows
from mdbench.sheets.caption_texts import read_caption
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()


def table(*rows: str) -> str:
    """A table whose cells are given row by row, parted by bars."""
    first, *others = (f"| {row} |" for row in rows)
    bars = "|".join("---" for _ in rows[0].split("|"))
    return "\n".join((first, f"|{bars}|", *others, ""))


def read_runs(*rows: str, above: str = "") -> list[TidyRow]:
    return list(tidy_rows(mdbench.parse(f"{above}\n\n{table(*rows)}"), Shape.RUNS))


def pick(runs: list[TidyRow], *names: str) -> list[tuple[object, ...]]:
    return [tuple(run[name] for name in names) for run in runs]


def test_each_setting_of_a_pivoted_header_is_a_run_of_its_own() -> None:
    runs = read_runs("Use cache | bs=1 | bs=4", "No | 12.5GB | 20GB", "Yes | 11GB | OOM")
    assert pick(runs, "row", "batch", "status") == [
        (1, 1, "ok"),
        (1, 4, "ok"),
        (2, 1, "ok"),
        (2, 4, "oom"),
    ]
    assert runs[0]["memory_mib"] == pytest.approx(12.5e9 / 2**20)


def test_what_stands_left_of_a_pivot_describes_all_its_runs() -> None:
    runs = read_runs(
        "Model | Memory (GiB) | FP16 latency (ms) | INT8 latency (ms)", "a | 1 | 20 | 10"
    )
    assert pick(runs, "model", "memory_mib", "precision", "latency_ms") == [
        ("a", 1024.0, "FP16", 20.0),
        ("a", 1024.0, "INT8", 10.0),
    ]


def test_a_measurement_right_of_a_pivot_belongs_to_none_of_its_runs() -> None:
    runs = read_runs("Model | FP16 latency (ms) | INT8 latency (ms) | Speedup", "a | 20 | 10 | 2x")
    assert pick(runs, "precision", "latency_ms", "speedup") == [
        ("FP16", 20.0, None),
        ("INT8", 10.0, None),
        (None, None, 2.0),
    ]


def test_columns_that_state_the_same_are_one_run() -> None:
    runs = read_runs(
        "Hardware | 16B TFLOP/s/chip | 16B MFU | 32B TFLOP/s/chip | 32B MFU",
        "v5e | 100 | 50% | 110 | 55%",
    )
    assert pick(runs, "params", "tflops_per_device", "mfu") == [
        (16e9, 100.0, 0.5),
        (32e9, 110.0, 0.55),
    ]


def test_a_column_without_a_setting_is_a_run_beside_one_of_its_quantity_that_has_one() -> None:
    runs = read_runs("Model | Original size | Quantized size (Q4_0)", "a | 12 GB | 4 GB")
    assert pick(runs, "quantization", "model_file_mib") == [
        (None, pytest.approx(12e9 / 2**20)),
        ("Q4_0", pytest.approx(4e9 / 2**20)),
    ]


def test_scores_on_several_benchmarks_are_one_run() -> None:
    (run,) = read_runs("Model | MMLU | GSM8K | Tokens/s", "a | 45.5 | 15.5 | 100")
    assert run["extra"] == {"MMLU": "45.5", "GSM8K": "15.5"}


def test_a_setting_that_only_one_of_several_columns_states_is_not_the_runs() -> None:
    (run,) = read_runs("Model | Throughput (tokens/s) | Latency at bs=1 (ms)", "a | 100 | 20")
    assert (run["tokens_per_s"], run["latency_ms"], run["batch"]) == (100.0, 20.0, None)


def test_a_setting_that_all_measured_columns_state_is_the_runs() -> None:
    (run,) = read_runs("Model | A100 tokens/s | A100 latency (ms)", "a | 100 | 20")
    assert run["device"] == "A100"


@pytest.mark.parametrize(
    ("titles", "cells", "name", "values"),
    [
        pytest.param(
            "**Sequence Len** | 512 | 1024", "Megatron | 150 ms | 200 ms", "seq_len", [512, 1024],
            id="the corner says what the numbers are",
        ),
        pytest.param(
            r"Model \ Batch size | 1 | 8", "llama | 150 ms | 200 ms", "batch", [1, 8],
            id="the corner names rows and columns",
        ),
        pytest.param(
            "Model | Sequence Length 512 | Sequence Length 1K", "llama | 150 ms | 200 ms",
            "seq_len", [512, 1024],
            id="each header has the name and the number",
        ),
        pytest.param(
            "Model | 8 GPUs | 16 GPUs", "llama | 150 ms | 200 ms", "devices", [8, 16],
            id="counted devices",
        ),
        pytest.param(
            "Model | FP16 | INT8", "llama | 150 ms | 200 ms", "precision", ["FP16", "INT8"],
            id="precisions",
        ),
        pytest.param(
            "Model | A100 | H100", "llama | 150 ms | 200 ms", "device", ["A100", "H100"],
            id="devices",
        ),
    ],
)  # fmt: skip
def test_a_pivot_fills_its_setting(
    titles: str, cells: str, name: str, values: list[object]
) -> None:
    runs = read_runs(titles, cells)
    assert [run[name] for run in runs] == values
    assert [run["time_s"] for run in runs] == [0.15, 0.2]


def test_numbers_as_headers_that_nobody_explains_are_runs() -> None:
    runs = read_runs("Hardware | 512 | 1024", "8 * A100 | 45 s | 90 s", above="# R")
    assert pick(runs, "method", "time_s") == [("512", 45.0), ("1024", 90.0)]


def test_a_corner_over_numbers_names_its_own_column() -> None:
    runs = read_runs("Batch size | MFU | 512 | 1024", "8 | 30% | 45 s | 90 s")
    assert pick(runs, "batch", "method", "time_s") == [(8, "512", 45.0), (8, "1024", 90.0)]


@pytest.mark.parametrize(
    ("above", "titles"),
    [
        pytest.param(
            "## Generation throughput (token/s)", "System | OPT-6.7B | OPT-30B", id="heading"
        ),
        pytest.param(
            "## R\n\nAverage speed (tokens/s) with 512 tokens of output.",
            "System | OPT-6.7B | OPT-30B",
            id="the line above",
        ),
        pytest.param("## R", "Throughput (tokens/s) | OPT-6.7B | OPT-30B", id="the corner"),
    ],
)
def test_a_caption_names_what_a_pivot_measures(above: str, titles: str) -> None:
    runs = read_runs(titles, "x | 20.5 | 0.75", "y | 10.5 | 0.50", above=above)
    assert pick(runs, "model", "tokens_per_s") == [
        ("OPT-6.7B", 20.5),
        ("OPT-30B", 0.75),
        ("OPT-6.7B", 10.5),
        ("OPT-30B", 0.50),
    ]


def test_without_a_caption_the_numbers_of_a_pivot_are_kept_in_extra() -> None:
    runs = read_runs("System | OPT-6.7B | OPT-30B", "x | 20.5 | 0.75", above="## Results")
    assert pick(runs, "model", "tokens_per_s", "extra") == [
        ("OPT-6.7B", None, {"OPT-6.7B": "20.5"}),
        ("OPT-30B", None, {"OPT-30B": "0.75"}),
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Generation Throughput (token/s)", "tokens_per_s"),
        ("Model FLOPs utilization", "mfu"),
        ("Speedup of Transformer Training", "speedup"),
        ("We profile memory (GB) and speed (s/iter).", None),
        ("Effective Batch Size", None),
        ("Results", None),
        (f"Good scaling: we saw many tokens per second {'of every single device ' * 3}", None),
    ],
)
def test_a_caption_counts_where_it_names_one_measured_quantity(text: str, name: str | None) -> None:
    found = read_caption(text, STANDARD)
    assert (None if found is None or found.quantity is None else found.quantity.name) == name


def test_a_column_of_metrics_says_what_each_row_measures() -> None:
    runs = read_runs(
        "Model | Measure | FP16 | INT8",
        "7B | file size | 12.0 GB | 6.5 GB",
        "7B | tokens/s | 55 | 72",
    )
    assert pick(runs, "precision", "model_file_mib", "tokens_per_s") == [
        ("FP16", pytest.approx(12e9 / 2**20), None),
        ("INT8", pytest.approx(6.5e9 / 2**20), None),
        ("FP16", None, 55.0),
        ("INT8", None, 72.0),
    ]


def test_a_bare_number_takes_no_unit_from_cells_of_an_unknown_column() -> None:
    runs = read_runs(" | Run one", "Steps done | 3000", "Wall-clock | 5.5 min", "Also | 6 min")
    assert [run["time_s"] for run in runs] == [None, pytest.approx(330.0), 360.0]
    assert runs[0]["extra"] == {"Run one": "3000"}


def test_a_bare_number_takes_the_unit_of_its_column_where_the_header_is_known() -> None:
    runs = read_runs("Nodes | Time", "1 | 90.5s", "2 | 213")
    assert [run["time_s"] for run in runs] == [90.5, 213.0]


def test_a_measured_value_counts_before_a_predicted_one() -> None:
    (run,) = read_runs("Nodes | Predicted time (s) | Time (s)", "1 | 440.5 | 400.5")
    assert run["time_s"] == 400.5
    assert run["extra"] == {"Predicted time (s)": "440.5"}


def test_the_first_of_two_like_columns_counts_and_the_other_is_kept() -> None:
    (run,) = read_runs("Nodes | Training memory | Inference memory", "1 | 2 GiB | 1 GiB")
    assert run["memory_mib"] == 2048.0
    assert run["extra"] == {"Inference memory": "1 GiB"}


@pytest.mark.parametrize(
    ("cells", "status"),
    [
        ("47.0 | 16GB", "ok"),
        ("47.0 | 16GB borderline OOM", "ok"),
        ("x | OOM", "oom"),
        ("29138.6 (OOM after first epoch) | ", "oom"),
        ("- | ", "missing"),
        (" | ", "missing"),
        ("nan | ", "failed"),
        ("failed | ", "failed"),
    ],
)
def test_the_status_says_what_became_of_a_run(cells: str, status: str) -> None:
    (run,) = read_runs("Nodes | TFLOPs | Notes", f"2 | {cells}")
    assert run["status"] == status


def test_a_variant_that_was_not_measured_is_missing_whatever_it_shares() -> None:
    runs = read_runs("Model | Memory | A100 tokens/s | H100 tokens/s", "a | 2 GB | 100 | ")
    assert [run["status"] for run in runs] == ["ok", "missing"]


def test_a_note_can_hold_a_quantity() -> None:
    (run,) = read_runs("Nodes | TFLOPs | Notes", "2 | 47.0 | 16GB")
    assert run["memory_mib"] == pytest.approx(16e9 / 2**20)


def test_a_remark_in_brackets_counts_only_if_it_can_be() -> None:
    runs = read_runs("Nodes | TFLOPs", "4096 (2.2Hz) | 1", "4096 (2.2GHz) | 1")
    assert pick(runs, "nodes", "clock_ghz", "notes") == [
        (4096, None, "2.2Hz"),
        (4096, 2.2, "2.2GHz"),
    ]


def test_a_value_in_a_unit_of_another_kind_is_kept_but_not_as_a_value() -> None:
    (run,) = read_runs("Nodes | Sec/it | TFLOPs", "256 | 20033.7 MiB | 14.5")
    assert (run["step_time_s"], run["extra"]) == (None, {"Sec/it": "20033.7 MiB"})


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(("Flag | Meaning", "`--tp` | tensor parallelism"), id="a glossary"),
        pytest.param(("repo | commit | date", "torch | [1963fc8](x) | 2024/12/23"), id="versions"),
        pytest.param(("GPU | NVIDIA A100", "Ubuntu | 22.04", "CPU | EPYC"), id="a specification"),
    ],
)
def test_a_table_that_measures_nothing_has_no_runs_but_its_cells(rows: tuple[str, ...]) -> None:
    assert read_runs(*rows) == []
    assert list(tidy_rows(mdbench.parse(table(*rows)), Shape.CELLS))


def test_yes_and_no_stand_in_the_columns_of_switches_that_may_also_say_which() -> None:
    runs = read_runs("Offload | KV Cache | s/it", "Yes | No | 2", "CPU | int8 | 3")
    assert pick(runs, "offload", "kv_cache") == [("Yes", "No"), ("CPU", "int8")]


def test_stars_and_crosses_before_a_count_of_devices_are_no_device() -> None:
    runs = read_runs("Number of GPUs | s/it", "*1 | 2", "x8 | 1")
    assert pick(runs, "devices", "device") == [(1, None), (8, None)]


def test_a_column_in_two_units_is_read_cell_by_cell_where_its_header_allows() -> None:
    runs = read_runs("Model | Throughput", "a | 90 img/s", "b | 80 img/s", "c | 7000 tokens/s")
    assert pick(runs, "samples_per_s", "tokens_per_s", "status")[2] == (None, 7000.0, "ok")


def test_the_lines_of_a_batched_bench_are_read_as_lengths_times_and_rates() -> None:
    (run,) = read_runs(
        "PP | TG | B | N_KV | T_PP s | S_PP t/s | T_TG s | S_TG t/s | T s | S t/s",
        "128 | 128 | 2 | 512 | 0.198 | 1295.19 | 5.029 | 50.90 | 5.227 | 97.95",
    )
    names = "input_len output_len batch total_len decode_time_s time_s tokens_per_s".split()
    assert [run[name] for name in names] == [128, 128, 2, 512, 5.029, 5.227, 50.9]


def test_a_list_of_settings_is_one_run() -> None:
    (run,) = read_runs(
        "Parameter | Value", "global_batch_size | 1024", "micro_batch_size | 2", "Optimizer | Adam"
    )
    assert (run["global_batch"], run["micro_batch"], run["optimizer"]) == (1024, 2, "Adam")


def test_a_total_counts_before_its_parts() -> None:
    (run,) = read_runs("Config | Forward (ms) | Backward (ms) | Total (ms)", "a | 300 | 700 | 1000")
    assert run["time_s"] == 1.0


def test_decimal_commas_that_one_column_shows_hold_for_the_table() -> None:
    runs = read_runs("Latency | Throughput (img/s)", "17,89 ms | 3577,4", "18,40 ms | 6956,5")
    assert pick(runs, "samples_per_s") == [(3577.4,), (6956.5,)]


def test_a_number_for_each_phase_is_no_thousands() -> None:
    (run,) = read_runs("GPUs | Accumulation steps (phase 1, 2)", "8 | 128,512")
    assert (run["grad_accum"], run["extra"]) == (
        None,
        {"Accumulation steps (phase 1, 2)": "128,512"},
    )
