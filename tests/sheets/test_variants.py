"""Cells with a number for each variant that the header names."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import tidy_rows
from mdbench.linting.checker import check
from mdbench.sheets.variant_names import variant_names
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary


def table(header: str, *rows: str) -> str:
    rule = "|".join("---" for _ in header.split("|"))
    return "\n".join(f"| {line} |" for line in (header, rule, *rows)) + "\n"


def runs(text: str) -> list[TidyRow]:
    return list(tidy_rows(mdbench.parse(text), Shape.RUNS))


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("Batch size / GPU (TF32 and FP16)", ["TF32", "FP16"]),
        ("Batch size / GPU: mixed precision, FP32", ["mixed precision", "FP32"]),
        ("bf16 / fp8 TFLOPS", ["bf16", "fp8"]),
        ("Accumulation steps (phase 1, phase 2)", ["phase 1", "phase 2"]),
        ("Accumulation steps: Phase1, Phase2", ["Phase1", "Phase2"]),
        ("Accuracy (train/test)", ["train", "test"]),
        ("Latency (A / B)", ["A", "B"]),
        ("Batch size / GPU", []),
        ("Tokens/s/GPU", []),
        ("Model (COCO,O365,GoldG)", []),
        ("Size (10, 20)", []),
        ("Accuracy / F1", []),
    ],
)
def test_a_header_names(header: str, names: list[str]) -> None:
    found = variant_names(header, standard_vocabulary())
    assert [settings[0][1] for settings in found] == names


def test_each_variant_of_a_pivot_has_its_own_number() -> None:
    header = (
        "GPUs | Batch size / GPU (TF32 and FP16) | Throughput - TF32 (seq/s) | "
        "Throughput - FP16 (seq/s)"
    )
    found = runs(table(header, "1 | 126 and 256 | 314 | 615", "8 | 126 and 256 | 2500 | 5000"))
    names = ("devices", "precision", "micro_batch", "samples_per_s")
    assert [[run[name] for name in names] for run in found] == [
        [1, "TF32", 126, 314],
        [1, "FP16", 256, 615],
        [8, "TF32", 126, 2500],
        [8, "FP16", 256, 5000],
    ]


def test_variants_are_aligned_by_name_before_they_are_by_position() -> None:
    header = "Batch size / GPU: FP16, FP32 | Throughput - FP32 (seq/s) | Throughput - FP16 (seq/s)"
    found = runs(table(header, "16 , 8 | 314 | 615", "12,6 | 300 | 600"))
    assert [(run["precision"], run["micro_batch"]) for run in found] == [
        ("FP32", 8),
        ("FP16", 16),
        ("FP32", 6),
        ("FP16", 12),
    ]


def test_without_a_pivot_each_variant_is_a_run_and_so_is_what_was_measured_once() -> None:
    header = "GPUs | Micro batch size (phase 1, 2) | Gradient accumulation (phase 1, 2) | Time (h)"
    found = runs(table(header, "8 | 64, 8 | 128, 512 | 3.2", "16 | 64, 8 | 64, 256 | 1.6"))
    names = ("devices", "method", "micro_batch", "grad_accum", "time_s")
    assert [[run[name] for name in names] for run in found[:3]] == [
        [8, "phase 1", 64, 128, None],
        [8, "phase 2", 8, 512, None],
        [8, None, None, None, 11520],
    ]


def test_a_number_without_a_column_is_kept_for_its_variant() -> None:
    found = runs(table("Model | Accuracy (train/test)", "a | 99.1 / 95.2", "b | 98.1 / 94.2"))
    kept = [run["extra"] for run in found]
    assert kept[:2] == [{"Accuracy (train/test)": "99.1"}, {"Accuracy (train/test)": "95.2"}]


@pytest.mark.parametrize("second", ["126", "126 and 256 and 512", "a few"])
def test_where_cells_have_other_numbers_of_numbers_nothing_is_split(second: str) -> None:
    header = "GPUs | Batch size / GPU (TF32 and FP16) | Gradient accumulation (TF32 and FP16)"
    found = runs(table(header, "1 | 126 and 256 | 1", f"8 | {second} | 2"))
    assert len(found) == 2


def test_each_number_is_checked_with_those_of_its_variant_and_the_others_are_kept() -> None:
    header = (
        "GPUs | Batch size / GPU: FP16, FP32 | Gradient accumulation: FP16, FP32 | "
        "Global batch size | Throughput - FP16 (seq/s) | Throughput - FP32 (seq/s)"
    )
    rows = [
        "1 | 64 , 32 | 1024 , 2048 | 65536 | 188 | 35",
        "4 | 64 , 32 | 256 , 512 | 65536 | 790 | 193",
        "8 | 64 , 32 | 128 , 1024 | 65536 | 1556 | 386",
        "16 | 64 , 16 | 64 , 256 | 65536 | 3081 | 761",
    ]
    source = Source("report.md", table(header, *rows))
    (finding,) = [one for one in check(source) if one.code == "MB301"]
    assert source.line(finding.span.start) == 5
    texts = {edit.text for fix in finding.fixes for edit in fix.edits}
    assert texts == {"256"}
