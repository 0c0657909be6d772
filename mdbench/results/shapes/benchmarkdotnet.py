"""The full JSON of BenchmarkDotNet."""

from __future__ import annotations

from mdbench.results.shapes.shape import (
    Content,
    Part,
    Record,
    Shape,
    as_object,
    is_number,
    member,
    read_number,
    records_of,
    statistics_of,
)
from mdbench.results.tables import Meaning

_STATISTICS = {
    "mean": ("Mean", "mean"),
    "standard_error": ("StandardError", "error"),
    "stddev": ("StandardDeviation", "std"),
    "median": ("Median", "median"),
    "min": ("Min", "min"),
    "max": ("Max", "max"),
    "q1": ("Q1", "p25"),
    "q3": ("Q3", "p75"),
}
_MEANINGS = {
    "type": Meaning(),
    "method": Meaning("method"),
    **statistics_of("time_s", "ns", {name: said for name, (_, said) in _STATISTICS.items()}),
    "error": Meaning("time_s", "ns", "ci"),
    "p90": Meaning("time_s", "ns", "p90"),
    "p95": Meaning("time_s", "ns", "p95"),
    "allocated": Meaning("alloc_bytes", "bytes"),
    "gen0": Meaning("gc_collections"),
    "gen1": Meaning("gc_collections"),
    "gen2": Meaning("gc_collections"),
    "measurements": Meaning("rounds"),
}


def _read(content: Content) -> list[Part] | None:
    benchmarks = records_of(content.data, "Benchmarks")
    if not benchmarks or not all({"Method", "Statistics"} <= one.keys() for one in benchmarks):
        return None
    return [Part([_flatten(one) for one in benchmarks], _MEANINGS)]


def _flatten(benchmark: Record) -> Record:
    # A benchmark that failed has no statistics.
    statistics = as_object(benchmark["Statistics"])
    record: Record = {}
    for pair in str(benchmark.get("Parameters") or "").split("&"):
        name, equals, value = pair.partition("=")
        if equals:
            record[name] = read_number(value)
    record |= {"type": benchmark.get("Type"), "method": benchmark["Method"]}
    record["measurements"] = statistics.get("N")
    record |= {name: statistics.get(key) for name, (key, _) in _STATISTICS.items()}
    # What the printed table calls error: half of the confidence interval.
    record["error"] = member(statistics, "ConfidenceInterval", "Margin")
    record |= {
        "p90": member(statistics, "Percentiles", "P90"),
        "p95": member(statistics, "Percentiles", "P95"),
    }
    return {**record, **_read_memory(as_object(benchmark.get("Memory")))}


def _read_memory(memory: object) -> Record:
    operations = member(memory, "TotalOperations")
    record = {"allocated": member(memory, "BytesAllocatedPerOperation")}
    for generation in range(3):
        count = member(memory, f"Gen{generation}Collections")
        known = is_number(count) and is_number(operations) and operations
        record[f"gen{generation}"] = 1000 * count / operations if known else None
    return record


BENCHMARKDOTNET = Shape("BenchmarkDotNet", _read)
