"""`--benchmark_format=json` of Google Benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.results.shapes.shape import Content, Part, Record, Shape, records_of, runs_of_equal
from mdbench.results.tables import Meaning

_LEFT_OUT = frozenset(
    "family_index per_family_instance_index run_name run_type repetitions repetition_index "
    "time_unit aggregate_name aggregate_unit".split()
)
_COUNTED = {
    "name": Meaning("benchmark"),
    "iterations": Meaning("steps"),
    "threads": Meaning("threads"),
    "bytes_per_second": Meaning("bandwidth_gb_per_s", "B/s"),
    "items_per_second": Meaning("items_per_s", "items/s"),
}
_TIMES = {"real_time": "time_s", "cpu_time": "cpu_time_s"}
_AGGREGATES = {"mean": "mean", "median": "median", "stddev": "std", "min": "min", "max": "max"}


def _read(content: Content) -> list[Part] | None:
    found = records_of(content.data, "benchmarks")
    timed = [one for one in found if "real_time" in one and "time_unit" in one]
    if not timed:
        return None
    runs = [one for one in timed if one.get("run_type") != "aggregate"]
    return [_make_part(group, runs) for group in runs_of_equal(runs or timed, _unit)]


def _unit(record: Record) -> str:
    return str(record["time_unit"])


def _make_part(group: Sequence[Record], runs: Sequence[Record]) -> Part:
    unit = _unit(group[0])
    if runs:
        times = {name: Meaning(quantity, unit) for name, quantity in _TIMES.items()}
        records = [
            {key: value for key, value in one.items() if key not in _LEFT_OUT} for one in group
        ]
        return Part(records, {**_COUNTED, **times})
    statistics = {
        f"{name}_{aggregate}": Meaning(quantity, unit, statistic)
        for name, quantity in _TIMES.items()
        for aggregate, statistic in _AGGREGATES.items()
    }
    return Part(_join_aggregates(group), {**_COUNTED, **statistics})


def _join_aggregates(group: Sequence[Record]) -> list[Record]:
    """If only aggregates were written: one record for each benchmark."""
    joined: dict[str, Record] = {}
    for one in group:
        aggregate = one.get("aggregate_name")
        if aggregate in _AGGREGATES:
            name = str(one.get("run_name", one.get("name")))
            record = joined.setdefault(name, {"name": name, "threads": one.get("threads")})
            record.update({f"{time}_{aggregate}": one.get(time) for time in _TIMES})
    return list(joined.values())


GOOGLE_BENCHMARK = Shape("Google Benchmark", _read)
