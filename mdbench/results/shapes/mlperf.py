"""The log of MLPerf training: one record for a run, with the last value of each key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from mdbench.regex import lazy
from mdbench.results.shapes.shape import Content, Part, Record, Shape, is_number, member
from mdbench.results.tables import Meaning

_LINE = lazy(r":::MLL(?:OG)?[ \t]+(\{.*\})[ \t\r]*$", re.MULTILINE)
_MEANINGS = {
    "submission_benchmark": Meaning("benchmark"),
    "submission_platform": Meaning("configuration"),
    "global_batch_size": Meaning("global_batch"),
    "gradient_accumulation_steps": Meaning("grad_accum"),
    "max_sequence_length": Meaning("seq_len"),
    "opt_base_learning_rate": Meaning("learning_rate"),
    "seed": Meaning("seed"),
    "eval_accuracy": Meaning("accuracy"),
    "epoch_num": Meaning("epochs"),
    "status": Meaning("status"),
    "run_time": Meaning("time_s", "s"),
    "init_time": Meaning("", "s"),
}


def _read(content: Content) -> list[Part] | None:
    events = list(_parse(content.text))
    if not events:
        return None
    record: Record = {}
    times: dict[str, float] = {}
    for event in events:
        key, value, now = str(event["key"]), event.get("value"), event.get("time_ms")
        if event.get("event_type") in ("INTERVAL_START", "INTERVAL_END") and is_number(now):
            times[key] = now
        record |= {name: one for name, one in _values(key, value) if one is not None}
        if key == "run_stop":
            record["status"] = member(event, "metadata", "status")
        elif key.startswith("eval_"):
            epoch = member(event, "metadata", "epoch_num")
            record |= {"epoch_num": epoch} if is_number(epoch) else {}
    for what in ("init", "run"):
        start, stop = times.get(f"{what}_start"), times.get(f"{what}_stop")
        if start is not None and stop is not None:
            record[f"{what}_time"] = (stop - start) / 1000
    return [Part([record], _MEANINGS)]


def _parse(text: str) -> Iterator[Record]:
    # A log may have other lines before, between and behind.
    for line in _LINE.finditer(text):
        try:
            event = json.loads(line[1])
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict) and "key" in event:
            yield event


def _values(key: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield f"{key}.{name}", one
    else:
        yield key, value


MLPERF = Shape("MLPerf logging", _read)
