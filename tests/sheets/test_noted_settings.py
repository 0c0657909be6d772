"""Settings in the notes of a row's cells."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import tidy_rows
from mdbench.linting.checker import check
from mdbench.source import Source


def run_of(nodes: str, note: str = "", above: str = "") -> TidyRow:
    text = f"{above}\n\n| Nodes | TFLOPs | Notes |\n|---|---|---|\n| {nodes} | 40 | {note} |\n"
    return next(tidy_rows(mdbench.parse(text), Shape.RUNS))


def errors(text: str) -> list[tuple[str, int]]:
    source = Source("report.md", text)
    return [
        (one.code, source.line(one.span.start)) for one in check(source) if one.code[:3] == "MB3"
    ]


@pytest.mark.parametrize(
    ("nodes", "note", "name", "value"),
    [
        ("1 (max-proc-per-node=4, 2.2GHz)", "", "devices_per_node", 4),
        ("1 (max-proc-per-node=4, 2.2GHz)", "", "clock_ghz", 2.2),
        ("1 (--micro-batch-size 8)", "", "micro_batch", 8),
        ("1", "with activation checkpointing", "activation_checkpointing", True),
        ("1", "w/o activation checkpointing", "activation_checkpointing", False),
        ("1", "02-15, grad_accum=16", "grad_accum", 16),
        ("1", "dtype=bfloat16", "precision", "bfloat16"),
        ("1", "tried grad_accum=16, OOM", "grad_accum", None),
        ("1", "grad_accum=16 instead of grad_accum=8", "grad_accum", None),
        ("1 (grad_accum=4)", "grad_accum=16", "grad_accum", None),
        ("1", "retention_state=0", "grad_accum", None),
    ],
)
def test_a_note_states_a_setting_of_its_run(
    nodes: str, note: str, name: str, value: object
) -> None:
    assert run_of(nodes, note)[name] == value


def test_a_note_overrules_the_text_around_the_table() -> None:
    above = "All runs use `--checkpoint-activations` and `--num-gpus-per-node 8`."
    assert run_of("1 (gpus-per-node=4)", above=above)["devices_per_node"] == 4
    note = "without activation checkpointing"
    assert run_of("1", note, above)["activation_checkpointing"] is False


def test_a_column_overrules_a_note() -> None:
    text = "| Nodes (bs=4) | MBS | TFLOPs |\n|---|---|---|\n| 1 (micro-batch-size=8) | 2 | 40 |\n"
    (run,) = tidy_rows(mdbench.parse(text), Shape.RUNS)
    assert run["micro_batch"] == 2


def test_a_noted_setting_counts_in_relations() -> None:
    rows = ["1 (gpus-per-node=4) | 4", "2 (gpus-per-node=4) | 8", "4 (gpus-per-node=4) | 12"]
    text = "| Nodes | GPUs |\n|---|---|\n" + "".join(f"| {row} |\n" for row in rows)
    assert errors(text) == [("MB301", 5)]


def test_rows_with_a_node_size_of_their_own_are_not_compared_with_the_others() -> None:
    rows = [
        "1 (max-proc-per-node=4) | 613.2 | 1.36 | 1024",
        "512 | 3.7 | 0.43 | 1024",
        "512 | 3.2 | 0.50 | 1024",
        "256 | 6.4 | 0.50 | 1024",
    ]
    text = "| Nodes | Sec/it | TFLOPs | GBS |\n|---|---|---|---|\n"
    assert errors(text + "".join(f"| {row} |\n" for row in rows)) == []
