"""`run({format: "json"})` of mitata."""

from __future__ import annotations

from mdbench.results.shapes.shape import (
    Content,
    Part,
    Record,
    Shape,
    as_object,
    parameters_of,
    records_of,
    statistics_of,
)
from mdbench.results.tables import Meaning

_TIMES = {
    "avg": "mean",
    "min": "min",
    "p25": "p25",
    "p50": "p50",
    "p75": "p75",
    "p99": "p99",
    "p999": "p99.9",
    "max": "max",
}
_MEANINGS = {
    "name": Meaning("benchmark"),
    **statistics_of("time_per_op_ns", "ns/op", _TIMES),
    "heap_avg": Meaning("alloc_bytes", "bytes"),
}


def _read(content: Content) -> list[Part] | None:
    benchmarks = records_of(content.data, "benchmarks")
    runs = [run for one in benchmarks for run in records_of(one, "runs")]
    if not runs or not all({"name", "args"} <= run.keys() for run in runs):
        return None
    return [Part([_flatten(run) for run in runs], _MEANINGS)]


def _flatten(run: Record) -> Record:
    # A benchmark that threw an error has no statistics.
    stats = as_object(run.get("stats"))
    return {
        **parameters_of(run["args"]),
        "name": run["name"],
        **{name: stats.get(name) for name in _TIMES},
        "heap_avg": as_object(stats.get("heap")).get("avg"),
    }


MITATA = Shape("mitata", _read)
