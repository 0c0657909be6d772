"""The tasks of tinybench with their results, or what its `table()` gives."""

from __future__ import annotations

from mdbench.regex import lazy
from mdbench.results.shapes.shape import (
    Content,
    Part,
    Record,
    Shape,
    latencies,
    member,
    read_number,
    records_of,
    statistics_of,
)
from mdbench.results.tables import Meaning

_SAMPLES = {"name": Meaning("benchmark"), "samples": Meaning("samples")}
_STATISTICS = {
    "mean": "mean",
    "p50": "median",
    "min": "min",
    "max": "max",
    "p75": "p75",
    "p99": "p99",
    "sd": "std",
}
_COLUMNS = {
    "Task name": "name",
    "Latency avg (ns)": "latency_mean",
    "Latency average (ns)": "latency_mean",
    "Latency med (ns)": "latency_median",
    "Latency median (ns)": "latency_median",
    "Throughput avg (ops/s)": "throughput_mean",
    "Throughput average (ops/s)": "throughput_mean",
    "Throughput med (ops/s)": "throughput_median",
    "Throughput median (ops/s)": "throughput_median",
    "Samples": "samples",
}
_SPREAD = lazy(r"(.{1,40}?) ?(?:±|\\xb1).{0,40}")


def _meanings(unit: str) -> dict[str, Meaning]:
    named = {_name("latency", said): said for said in _STATISTICS.values()}
    rates = {_name("throughput", said): said for said in _STATISTICS.values()}
    return {**_SAMPLES, **latencies(unit, named), **statistics_of("ops_per_s", "ops/s", rates)}


def _name(what: str, statistic: str) -> str:
    return f"{what}_{statistic}"


def _read(content: Content) -> list[Part] | None:
    tasks = records_of(content.data)
    if tasks and all({"Task name", "Samples"} <= one.keys() for one in tasks):
        return [Part([_read_row(one) for one in tasks], _meanings("ns"))]
    results = [{**one, **(member(one, "result") or {})} for one in tasks]
    if not results or not all(
        {"latency", "throughput", "totalTime"} <= one.keys() for one in results
    ):
        return None
    return [Part([_flatten(one) for one in results], _meanings("ms"))]


def _read_row(row: Record) -> Record:
    return {_COLUMNS[key]: _without_spread(value) for key, value in row.items() if key in _COLUMNS}


def _without_spread(value: object) -> object:
    match = _SPREAD.fullmatch(value) if isinstance(value, str) else None
    return read_number(match[1]) if match is not None else value


def _flatten(result: Record) -> Record:
    record: Record = {"name": result.get("name")}
    for what in ("latency", "throughput"):
        for key, statistic in _STATISTICS.items():
            record[_name(what, statistic)] = member(result, what, key)
    record["samples"] = member(result, "latency", "samplesCount")
    return record


TINYBENCH = Shape("tinybench", _read)
