"""Settings stated around a table: where they are found, where they apply, and which win."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape, TidyRow
from mdbench.frames.rows import tidy_rows
from mdbench.prose.assignments import find_assignments
from mdbench.prose.facts import Fact

TABLE = "\n| Nodes | TFLOPs |\n|---|---|\n| 2 | 47.0 |\n"


def read_runs(text: str) -> list[TidyRow]:
    return list(tidy_rows(mdbench.parse(text), Shape.RUNS))


def stated(text: str, table: int = 0) -> dict[str, str]:
    """The facts of a table: each quantity's name and the value as written."""
    return {fact.quantity.name: fact.raw for fact in facts(text, table)}


def facts(text: str, table: int = 0) -> tuple[Fact, ...]:
    return mdbench.parse(text).sheets[table].facts


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param("Pass --amp or --fp16.", id="or"),
        pytest.param("Only applied when --amp is set.", id="is"),
        pytest.param("Use --fp16 0 there.", id="switched off"),
        pytest.param("The flag --optimizer and its value.", id="and"),
    ],
)
def test_a_sentence_that_continues_after_an_option_states_no_value(sentence: str) -> None:
    assert {"precision", "optimizer"}.isdisjoint(stated(f"{sentence}\n{TABLE}"))


@pytest.mark.parametrize("value", ["16-true", "bf16", "torch.bfloat16", "half", "32"])
def test_an_option_states_a_precision(value: str) -> None:
    assert stated(f"- run with `--precision {value}`\n{TABLE}")["precision"] == value


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        pytest.param("Sequence Length=1024", {"seq_len": "1024"}, id="an assignment"),
        pytest.param(
            r"Sequence Length=1024 w\o activation checkpointing, PyTorch 1.10",
            {"seq_len": "1024", "activation_checkpointing": "no", "framework": "PyTorch 1.10"},
            id="checkpointing with w-backslash-o",
        ),
        pytest.param(
            r"Sequence Length=1024 \w activation checkpointing, PyTorch 1.7",
            {"seq_len": "1024", "activation_checkpointing": "yes", "framework": "PyTorch 1.7"},
            id="checkpointing with backslash-w",
        ),
        pytest.param(
            "512 w/o activation checkpointing", {"activation_checkpointing": "no"}, id="w slash o"
        ),
        pytest.param("LLama2 7B", {"model": "LLama2 7B", "params": "7B"}, id="model and size"),
        pytest.param(
            "LLAMA 3.1 (8B)", {"model": "LLAMA 3.1 (8B)", "params": "8B"}, id="size in brackets"
        ),
        pytest.param("32GB node", {"device_memory_gb": "32GB"}, id="memory of a node's devices"),
        pytest.param("Benchmarking setup 1B3", {"params": "1.3B"}, id="1B3 is 1.3B"),
        pytest.param("1.3B model results", {"params": "1.3B"}, id="size alone"),
        pytest.param("Training on 300B tokens", {}, id="billions of tokens are not a model size"),
        pytest.param("Large scale, >= 128 GPUs", {}, id="a bound is not a count"),
        pytest.param("FP8 against BF16", {}, id="two values cancel each other"),
        pytest.param("Conclusions", {}, id="nothing"),
        pytest.param("MoE models", {}, id="a kind of model is not a model"),
        pytest.param(
            "On 64 H100s", {"devices": "64", "device": "H100"}, id="devices in the plural"
        ),
    ],
)
def test_a_heading_states_settings(heading: str, expected: dict[str, str]) -> None:
    assert stated(f"# {heading}\n{TABLE}") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("- --num-layers 24", {"layers": "24"}, id="an option in a list"),
        pytest.param("- Micro Batch Size: 30", {"micro_batch": "30"}, id="a colon in a list"),
        pytest.param("* `tp=4` and `pp=1`", {"tp": "4", "pp": "1"}, id="code in a list"),
        pytest.param(
            "Run with `global_batch_size=1024`.", {"global_batch": "1024"}, id="code in a sentence"
        ),
        pytest.param("BS=1024, SEQ_LEN=2048", None, id="the line above the table"),
        pytest.param("TP=4 / PP=2 / DP=1", {"tp": "4", "pp": "2", "dp": "1"}, id="between slashes"),
        pytest.param(
            "```\nsalloc --nodes=3 --gres=gpu:4 bash\n```",
            {"devices_per_node": "4"},
            id="a generic resource in a fence, the column before it",
        ),
        pytest.param("```\nPP_SIZE=1 # a comment\n```", {"pp": "1"}, id="a variable in a fence"),
        pytest.param(
            "```\nperl -le '$ng=8; $sp=29; $ms=1.3; $gbs=512; print $gbs / $sp'\n```",
            {"devices": "8", "global_batch": "512"},
            id="the known variables of a one-liner",
        ),
        pytest.param("Each machine has 4 GPUs per node.", {"devices_per_node": "4"}, id="counted"),
        pytest.param("with `--checkpoint-activations`", {"activation_checkpointing": "true"}),
        pytest.param(
            "After removing `--checkpoint-activations`",
            {"activation_checkpointing": "false"},
            id="an option that was removed",
        ),
        pytest.param(
            "- --recompute-granularity none",
            {"activation_checkpointing": "false"},
            id="set to none",
        ),
        pytest.param("batch size: 32 is too small", {}, id="a colon in a sentence"),
        pytest.param("devices = TP * PP * DP = 8", {}, id="a formula after the sign"),
        pytest.param("`TP × PP × DP = 8`", {}, id="a formula before the sign"),
        pytest.param("`2 * 16 * 32 = 1024`", {}, id="arithmetic"),
        pytest.param("- CodeLlama 13B: 16384 tokens", {}, id="a letter at the end of a size"),
        pytest.param("- MBS = micro batch size", {}, id="a list of notations"),
        pytest.param("foo=3", {}, id="an unknown name"),
        pytest.param(
            "```\nrun.py --quantize bnb.nf4-dq --dtype=bfloat16 --optimizer adamw\n```",
            {"quantization": "bnb.nf4-dq", "precision": "bfloat16", "optimizer": "adamw"},
            id="options whose values are words",
        ),
        pytest.param("`--cpu-offload run.py`", {"offload": "true"}, id="an option without a value"),
        pytest.param("Sequence length is 4096.", {"seq_len": "4096"}, id="a whole sentence"),
        pytest.param(
            "The global batch size was set to 1,024 in all runs.",
            {"global_batch": "1,024"},
            id="a whole sentence about all runs",
        ),
        pytest.param("The batch size is 32 for the 7B model.", {}, id="a sentence about some runs"),
        pytest.param(
            "8x H100, sequence length 4096, global batch 1,024.",
            {"seq_len": "4096", "global_batch": "1,024"},
            id="a list of names and numbers",
        ),
        pytest.param(
            "> 序列长度 4096,每卡 batch 2,梯度累积 8",
            {"seq_len": "4096", "micro_batch": "2", "grad_accum": "8"},
            id="a Chinese list",
        ),
        pytest.param("sequence length 2048, 4096, global batch 64", {}, id="several values"),
        pytest.param("global batch 64, and then it crashed", {}, id="one name and its number"),
        pytest.param("硬件环境：A800，每节点 8 卡", {"devices_per_node": "8"}, id="Chinese"),
        pytest.param("各ノード当たり4GPU", {"devices_per_node": "4"}, id="Japanese"),  # noqa: RUF001
    ],
)
def test_the_text_above_a_table_states_settings(text: str, expected: dict[str, str] | None) -> None:
    wanted = {"batch": "1024", "seq_len": "2048"} if expected is None else expected
    assert stated(f"# Results\n\n{text}\n{TABLE}") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Compute required assuming `global_batch_size=4096`:",
        "This would need `global_batch_size=4096`.",
        "If `global_batch_size=4096` is used",
        "e.g. `global_batch_size=4096`",
        "instead of `global_batch_size=4096`",
        "It defaults to `global_batch_size=4096`.",
        "- OOM'd at `bs=2` with long sequences",
        "- tried TP=8, hung in NCCL init",
        "* the run with `pp=4` crashed",
        "- next step: TP=2",
        "Earlier runs had `global_batch_size=4096`.",
        "On older cards you can use `--precision 16-true`.",
    ],
)
def test_hypothetical_settings_do_not_count(text: str) -> None:
    assert stated(f"# Results\n\n{text}\n{TABLE}") == {}


def test_a_fact_has_its_span() -> None:
    text = f"# Results\n\nRun with `global_batch_size=1024`.\n{TABLE}"
    (fact,) = facts(text)
    assert text[fact.span.start : fact.span.end] == "global_batch_size=1024"


def test_a_nearer_fact_wins() -> None:
    text = f"# All at seq_len=512\n\n## Longer, seq_len=1024\n\nHere `seq_len=2048`.\n{TABLE}"
    assert stated(text) == {"seq_len": "2048"}


def test_a_heading_wins_over_the_overview() -> None:
    text = f"# Overview\n- seq_len=512\n- tp=2\n# Runs at seq_len=1024\n{TABLE}"
    assert stated(text) == {"seq_len": "1024", "tp": "2"}


def test_conflicting_facts_of_one_scope_cancel_each_other() -> None:
    text = f"# Results\n\nWith `tp=2`.\n\nWith `tp=4` and `pp=2`.\n{TABLE}"
    assert stated(text) == {"pp": "2"}


def test_equal_facts_of_one_scope_apply() -> None:
    assert stated(f"# Results\n\nWith `tp=2`.\n\nAgain `tp=2`.\n{TABLE}") == {"tp": "2"}


def test_a_column_wins_over_a_fact() -> None:
    (run,) = read_runs(f"# Results\n\nWith `nodes=16` and `tp=2`.\n{TABLE}")
    assert (run["nodes"], run["tp"]) == (2, 2)


def test_a_fact_does_not_leak_into_a_sibling_section() -> None:
    text = f"# R\n## A, seq_len=512\n\nWith `tp=2`.\n{TABLE}\n## B\n{TABLE}"
    assert stated(text, 0) == {"seq_len": "512", "tp": "2"}
    assert stated(text, 1) == {}


def test_a_fact_of_a_section_applies_to_its_subsections() -> None:
    text = f"# R\n\nAll with `tp=2`.\n\n## A\n{TABLE}\n## B\n{TABLE}"
    assert [stated(text, at) for at in (0, 1)] == [{"tp": "2"}, {"tp": "2"}]


def test_a_command_in_a_manual_does_not_apply_to_subsections() -> None:
    text = f"# My tool\n\n```\nrun --tp=2\n```\n\n## Numbers\n{TABLE}"
    assert stated(text) == {}


def test_a_section_about_settings_applies_to_those_after_it() -> None:
    text = f"# R\n## Setup\n- --num-layers 24\n\n### Others\n- GBS=512\n## Runs\n{TABLE}"
    assert stated(text) == {"layers": "24", "global_batch": "512"}


def test_a_section_about_settings_does_not_apply_to_those_before_it() -> None:
    text = f"# R\n## Runs\n{TABLE}\n## Setup\n- --num-layers 24\n"
    assert stated(text) == {}


def test_a_section_about_something_else_does_not_apply_to_others() -> None:
    assert stated(f"# R\n## Conclusions\n- --num-layers 24\n## Runs\n{TABLE}") == {}


CONDITIONAL = """# BERT

* `micro_batch_size=32` when training with sequence length `512`. \
`micro_batch_size=8` when training with sequence length `2048`.

| Nodes | seqlen | Samples/s |
|---|---|---|
| 2 | 512 | 1167 |
| 2 | 2048 | 202 |
| 2 | 4096 | 90 |
"""


def test_a_condition_limits_a_fact_to_the_rows_that_meet_it() -> None:
    assert [run["micro_batch"] for run in read_runs(CONDITIONAL)] == [32, 8, None]


def test_a_list_right_below_the_last_table_is_about_it() -> None:
    text = f"# R\n{TABLE}\nSettings:\n\n- tp=2\n- pp=4\n\n# S\n{TABLE}"
    assert stated(text, 0) == {"tp": "2", "pp": "4"}
    assert stated(text, 1) == {}


def test_a_list_between_two_tables_is_about_the_next_if_lists_come_first() -> None:
    text = f"# R\n\n- tp=2\n{TABLE}\n- tp=4\n{TABLE}"
    assert [stated(text, at) for at in (0, 1)] == [{"tp": "2"}, {"tp": "4"}]


def test_a_list_between_two_tables_is_about_the_one_above_if_lists_come_last() -> None:
    text = f"# R\n{TABLE}\n- tp=2\n{TABLE}\n- tp=4\n"
    assert [stated(text, at) for at in (0, 1)] == [{"tp": "2"}, {"tp": "4"}]


def test_a_line_between_two_tables_is_about_the_next() -> None:
    text = f"# R\n{TABLE}\nNow `tp=4`.\n{TABLE}\nAnd `tp=8` at last.\n"
    assert [stated(text, at) for at in (0, 1)] == [{}, {"tp": "4"}]


def test_a_one_liner_below_a_table_is_about_it() -> None:
    one_liner = "```\nperl -le '$gbs=512; print $gbs'\n```"
    text = f"# R\n{TABLE}\n{one_liner}\n{TABLE}"
    assert [stated(text, at) for at in (0, 1)] == [{"global_batch": "512"}, {}]


def test_a_launch_command_is_not_a_one_liner() -> None:
    command = "```\npython train.py --config x.yaml --global-batch-size 32\n```"
    assert stated(f"# R\n{TABLE}\n{command}\n") == {}


def test_a_list_item_is_about_the_table_inside_it() -> None:
    rows = "  | Nodes | TFLOPs |\n  |---|---|\n  | 2 | 47.0 |\n"
    text = f"# R\n\n- First, `tp=2`:\n\n{rows}\n- Then `tp=4`:\n\n{rows}"
    assert [stated(text, at) for at in (0, 1)] == [{"tp": "2"}, {"tp": "4"}]


def test_a_branch_of_a_list_does_not_apply_to_another() -> None:
    rows = "    | Nodes | TFLOPs |\n    |---|---|\n    | 2 | 47.0 |\n"
    text = f"# R\n\n- Log\n  - First\n    - vocab=100\n  - Second\n\n{rows}"
    assert stated(text) == {}


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        pytest.param("FlexGen", "DeepSpeed", id="another framework"),
        pytest.param("MXFP8 training", "bf16", id="another precision"),
        pytest.param("GPT-3 175B", "LLaMA-7B", id="another model"),
    ],
)
def test_row_labels_override_a_name_in_a_heading(heading: str, label: str) -> None:
    table = f"\n|  | Tokens/s |\n|---|---|\n| {label} | 100 |\n| x | 90 |\n"
    assert stated(f"# {heading}\n{table}") == {}
    assert stated(f"# {heading}\n{table.replace(label, 'y')}") != {}


def test_row_labels_do_not_override_an_assignment() -> None:
    table = "\n|  | Tokens/s |\n|---|---|\n| seq 512 | 100 |\n"
    assert stated(f"# R\n\nWith `seq_len=2048`.\n{table}") == {"seq_len": "2048"}


def test_a_fact_fills_its_column_and_cells_have_its_origin() -> None:
    text = f"# Sequence Length=1024\n{TABLE}"
    (run,) = read_runs(text)
    assert run["seq_len"] == 1024
    (row,) = (
        row for row in tidy_rows(mdbench.parse(text), Shape.CELLS) if row["quantity"] == "seq_len"
    )
    assert (row["line"], row["column"], row["end_column"]) == (1, 3, 23)
    assert (row["row"], row["value"], row["header"]) == (None, 1024.0, "Sequence Length=1024")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--num-layers 24", [("num-layers", "24")]),
        ("--tp=2 --fp16", [("tp", "2"), ("fp16", "true")]),
        ("--use-x False", [("use-x", "False")]),
        ("--gres=gpu:4", [("gpus per node", "4")]),
        ("--gres=gpu:v100:8", [("gpus per node", "8")]),
        ("$gbs=512; $seqlen=2048;", [("$gbs", "512"), ("$seqlen", "2048")]),
        ("`tp=1` and `pp=1`.", [("tp", "1"), ("pp", "1")]),
        ("**Batch size**: 32", [("Batch size", "32")]),
        ("**tp=4**", [("tp", "4")]),
        ("0.5 Sec/it ==> 2.09 days", []),
        ("DP*TP=8", []),
    ],
)
def test_assignments_are_found_as_written(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.name, one.value) for one in find_assignments(text)] == expected


@pytest.mark.parametrize(
    ("columns", "name"), [("Nodes | MBS", "global_batch"), ("Nodes | GAS", "micro_batch")]
)
def test_the_columns_decide_which_batch_a_fact_means(columns: str, name: str) -> None:
    text = f"# Results\n\nBS=1024\n\n| {columns} |\n|---|---|\n| 2 | 4 |\n"
    assert stated(text) == {name: "1024"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("- Precision: bf16", {"precision": "bf16"}, id="a precision"),
        pytest.param("- Data type: mixed fp16", {"precision": "mixed fp16"}, id="mixed"),
        pytest.param("- GPU: A100", {"device": "A100"}, id="a device"),
        pytest.param("* **GPU:** `8x A100 80GB`", {"device": "A100 80GB"}, id="with marks"),
        pytest.param("- GPU: Tesla V100-SXM2-16GB * 8", {"device": "Tesla V100-SXM2-16GB"}),
        pytest.param("- Hardware: 8x A100 80GB per node", {"device": "A100 80GB"}, id="per node"),
        pytest.param("- Hardware: NVIDIA T4.", {"device": "NVIDIA T4"}, id="with a full stop"),
        pytest.param("- 硬件环境：GPU V100", {"device": "GPU V100"}, id="Chinese"),
        pytest.param("- Framework: PyTorch 2.3", {"framework": "PyTorch 2.3"}, id="a framework"),
        pytest.param("- Model: Llama-2 7B", {"model": "Llama-2 7B"}, id="a model"),
        pytest.param("Hardware: A100", {"device": "A100"}, id="a line above the table"),
        pytest.param("- GPU: A100 or newer", {}, id="a requirement"),
        pytest.param("- GPU: A100, H100", {}, id="a list"),
        pytest.param("- GPU: A100 H100", {}, id="two names"),
        pytest.param("- GPU: Graphics Processing Unit", {}, id="an explanation"),
        pytest.param("- Framework: our own", {}, id="nothing known"),
        pytest.param("- Precision: high", {}, id="no number format"),
        pytest.param("- Precision: fp16 is faster", {}, id="a sentence"),
        pytest.param("- Precision: fp16=1.2x", {}, id="a result"),
        pytest.param("- CPU: Xeon", {}, id="the host"),
        pytest.param("- Teacher: Llama-2 7B", {}, id="another model"),
        pytest.param("- GPU: V100\n- GPU: A100", {}, id="two values cancel each other"),
        pytest.param("- Tried GPU: A100", {}, id="more than a name"),
    ],
)
def test_a_name_with_a_known_value_on_its_own_line_is_a_setting(
    text: str, expected: dict[str, str]
) -> None:
    assert stated(f"# Results\n\n{text}\n{TABLE}") == expected


def test_a_name_in_a_list_gives_way_to_names_in_the_table() -> None:
    table = "\n| Run | TFLOPs |\n|---|---|\n| A100 | 47.0 |\n| H100 | 90.0 |\n"
    assert stated(f"# Results\n\n- GPU: A100\n{table}") == {}
