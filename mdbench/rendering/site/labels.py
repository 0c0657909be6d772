"""Short labels that distinguish runs."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.frames.frame_columns import Value
from mdbench.rendering.site.views import RunView

_NAMES = {
    "tp": "TP {}",
    "pp": "PP {}",
    "dp": "DP {}",
    "cp": "CP {}",
    "ep": "EP {}",
    "micro_batch": "MBS {}",
    "global_batch": "GBS {}",
    "batch": "batch {}",
    "grad_accum": "{} accumulations",
    "seq_len": "length {}",
    "input_len": "input {}",
    "output_len": "output {}",
    "params": "{} parameters",
    "device_memory_gb": "on {} GB",
    "clock_ghz": "{} GHz",
    "hidden": "hidden {}",
    "layers": "{} layers",
    "table": "table {}",
}
_FLAGS = {
    "activation_checkpointing": ("with checkpointing", "without checkpointing"),
    "flash_attention": ("with flash attention", "without flash attention"),
}
_WORDS = ("model", "device", "framework", "method", "precision", "quantization", "configuration")
SCALE_FREE = (
    *_WORDS, "device_memory_gb", "tp", "pp", "cp", "ep", "activation_checkpointing", "params",
    "seq_len", "micro_batch", "clock_ghz", "hidden", "layers", "flash_attention", "table",
)  # fmt: skip
"""The settings that stay the same while a job grows, the most important first."""
LOOSE = ("model", "params", "device", "precision", "seq_len", "table")
"""The settings that must stay the same even if all others change with the size of the job."""
EVERYTHING = (
    *_WORDS, "params", "nodes", "devices", "tp", "pp", "dp", "cp", "ep",
    "micro_batch", "batch", "global_batch", "grad_accum", "seq_len", "input_len", "output_len",
    "activation_checkpointing", "flash_attention", "clock_ghz", "hidden", "layers",
    "device_memory_gb", "table",
)  # fmt: skip
_SUFFIXES = ((1e12, "T"), (1e9, "B"))


def group_runs(runs: Sequence[RunView], names: Sequence[str]) -> dict[str, list[RunView]]:
    """Group runs with the same settings, each group with its own label."""
    telling = tell_apart(runs, names)
    groups: dict[str, list[RunView]] = {}
    for run in runs:
        groups.setdefault(describe(run, telling) or "all runs", []).append(run)
    return groups


def label_runs(runs: Sequence[RunView]) -> list[str]:
    """A unique label for each run."""
    telling = tell_apart(runs, EVERYTHING)
    labels = [describe(run, telling) or "run" for run in runs]
    return [
        label if labels.count(label) == 1 else f"{label} (line {run.line})"
        for run, label in zip(runs, labels, strict=True)
    ]


def tell_apart(runs: Sequence[RunView], names: Sequence[str]) -> list[str]:
    """The settings that are needed to distinguish the runs, chosen greedily."""
    chosen: list[str] = []
    parts = 1
    for name in names:
        tried = [*chosen, name]
        refined = len({tuple(run.values.get(one) for one in tried) for run in runs})
        if refined > parts:
            chosen, parts = tried, refined
    return chosen


def describe(run: RunView, names: Sequence[str]) -> str:
    """The settings of a run, in the order of the names."""
    return " · ".join(filter(None, (_word(name, run.values.get(name)) for name in names)))


def show_number(value: float) -> str:
    """Format a number with as few digits as needed; very large ones get a suffix."""
    for size, letter in _SUFFIXES:
        if abs(value) >= size:
            return f"{value / size:.4g}{letter}"
    if abs(value) < 1:
        return f"{value:.4g}"
    decimals = max(1, 5 - len(str(int(abs(value)))))
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def count_things(number: float, things: str) -> str:
    """Format a count: `1 node`, `2 nodes`."""
    return f"{show_number(number)} {things[:-1] if number == 1 else things}"


def _word(name: str, value: Value) -> str:
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, bool):
        return _FLAGS.get(name, (name, f"not {name}"))[0 if value else 1]
    if name in ("nodes", "devices") and not isinstance(value, str):
        return count_things(value, name)
    shown = value if isinstance(value, str) else show_number(value)
    return _NAMES.get(name, "{}").format(shown)
