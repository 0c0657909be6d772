"""Measurements in prose, read only if subject, devices, number and unit are all certain."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import tidy_rows


def read_prose(text: str) -> list[TidyRow]:
    return list(tidy_rows(mdbench.parse(text), Shape.RUNS))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param(
            "* Training llama-3b on 4x RTX 3090: ~6300 tokens per second. [Log](https://x.y)",
            {"model": "llama-3b", "devices": 4, "device": "RTX 3090", "tokens_per_s": 6300.0},
            id="in a list",
        ),
        pytest.param(
            "We ran GPT-2 on 8 A100 at 1,250 samples/s.",
            {"model": "GPT-2", "devices": 8, "device": "A100", "samples_per_s": 1250.0},
            id="thousands with a comma",
        ),
        pytest.param(
            "llama-7b on 64 H100 reaches about 3500 tokens/sec/GPU",
            {"model": "llama-7b", "devices": 64, "tokens_per_s_per_device": 3500.0},
            id="per device",
        ),
        pytest.param(
            "Our BERT-large trained on 16 V100 sustains 47.5 TFLOPs per GPU.",
            {"model": "BERT-large", "devices": 16, "tflops_per_device": 47.5},
            id="FLOPs",
        ),
    ],
)
def test_a_plain_statement_is_a_run(sentence: str, expected: TidyRow) -> None:
    (run,) = read_prose(f"# Benchmarks\n\n{sentence}\n")
    assert (run["source"], run["status"], run["line"], run["table"]) == ("prose", "ok", 3, None)
    assert {name: run[name] for name in expected} == expected


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("It runs on 4x RTX 3090: ~6300 tokens per second.", id="no model"),
        pytest.param("llama-3b runs at ~6300 tokens per second.", id="no devices"),
        pytest.param("llama-3b on RTX 3090: ~6300 tokens per second.", id="no number of devices"),
        pytest.param("llama-3b on 4x RTX 3090: ~6300.", id="no unit"),
        pytest.param("llama-3b on 4x RTX 3090: ~6300 steps in all.", id="not a rate"),
        pytest.param("llama-3b on 4x RTX 3090 costs $6300 a month.", id="money"),
        pytest.param("We expect llama-3b on 4x RTX 3090: 6300 tokens per second.", id="expected"),
        pytest.param("This should give llama-3b on 4x RTX 3090: 6300 tokens/s.", id="should"),
        pytest.param("llama-3b, like GPT, on 4x RTX 3090: 6300 tokens/s.", id="which model"),
        pytest.param("We scale to 160 NVIDIA A100 40G GPUs.", id="nothing measured"),
        pytest.param("V100 16GB 1113MiB", id="a note"),
        pytest.param("llama-3b on 4 A100 nodes: 6300 tokens/s.", id="nodes are not devices"),
        pytest.param("llama-3b on 2x v4-128: 6300 tokens/s.", id="slices are not devices"),
    ],
)
def test_an_ambiguous_statement_is_not_a_run(sentence: str) -> None:
    assert read_prose(f"# Benchmarks\n\n{sentence}\n") == []


def test_code_is_not_prose() -> None:
    sentence = "llama-3b on 4x RTX 3090: 6300 tokens per second."
    assert read_prose(f"# B\n\n```\n{sentence}\n```\n") == []
    assert len(read_prose(f"# B\n\n{sentence}\n")) == 1


def test_the_span_of_a_statement_covers_its_words() -> None:
    text = "# B\n\nTraining llama-3b on 4x RTX 3090: ~6300 tokens per second.\n"
    report = mdbench.parse(text)
    (claim,) = report.claims
    said = "llama-3b on 4x RTX 3090: ~6300 tokens per second"
    assert text[claim.span.start : claim.span.end] == said
    (row,) = tidy_rows(report, Shape.CELLS)
    assert (row["line"], row["column"], row["quantity"]) == (3, 10, "tokens_per_s")
    assert (row["value"], row["unit"]) == (6300.0, "tokens/second")
