"""`llama-bench -o json`, `jsonl` or `csv` of llama.cpp."""

from __future__ import annotations

from mdbench.results.shapes.shape import Content, Part, Record, Shape, records_of, rows_of
from mdbench.results.tables import Meaning

_NEEDED = ("model_type", "n_prompt", "n_gen", "avg_ts")
_MEANINGS = {
    "model_type": Meaning("model"),
    "model_size": Meaning("model_file_mib", "bytes"),
    "model_n_params": Meaning("params"),
    "backends": Meaning("backend"),
    "gpu_info": Meaning("device"),
    "n_threads": Meaning("threads"),
    "n_gpu_layers": Meaning("ngl"),
    "n_batch": Meaning("batch"),
    "n_ubatch": Meaning("micro_batch"),
    "flash_attn": Meaning("flash_attention"),
    "n_prompt": Meaning("input_len"),
    "n_gen": Meaning("output_len"),
    "test": Meaning("benchmark"),
    "avg_ns": Meaning("time_s", "ns", "mean"),
    "stddev_ns": Meaning("time_s", "ns", "std"),
    "avg_ts": Meaning("tokens_per_s", "token/s", "mean"),
    "stddev_ts": Meaning("tokens_per_s", "token/s", "std"),
    "build_commit": Meaning("commit"),
    **dict.fromkeys(("cpu_info", "n_depth", "split_mode", "type_k", "type_v"), Meaning()),
    "test_time": Meaning("date"),
}


def _read(content: Content) -> list[Part] | None:
    tests = records_of(content.data) or rows_of(content, *_NEEDED)
    if not tests or not all(set(_NEEDED) <= one.keys() for one in tests):
        return None
    return [Part([_flatten(one) for one in tests], _MEANINGS)]


def _flatten(test: Record) -> Record:
    samples = test.get("samples_ts")
    record = {name: value for name, value in test.items() if not isinstance(value, list)}
    if isinstance(samples, list):
        record["runs"] = len(samples)
    return {**record, "test": _name(test)}


def _name(test: Record) -> str:
    """What the printed table calls a test: `pp512`, `tg128`, `pp512+tg128`, `tg128 @ d512`."""
    parts = [
        f"{short}{test[key]}" for short, key in (("pp", "n_prompt"), ("tg", "n_gen")) if test[key]
    ]
    depth = test.get("n_depth")
    return "+".join(parts) + (f" @ d{depth}" if depth else "")


LLAMA_BENCH = Shape("llama-bench", _read)
