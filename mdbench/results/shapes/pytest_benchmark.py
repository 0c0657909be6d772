"""`pytest --benchmark-json`."""

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
    "min": "min",
    "max": "max",
    "mean": "mean",
    "stddev": "std",
    "median": "median",
    "iqr": "iqr",
    "q1": "p25",
    "q3": "p75",
    "total": "total",
}
_MEANINGS = {
    "name": Meaning("name"),
    "fullname": Meaning(),
    "group": Meaning(),
    **statistics_of("time_s", "s", _TIMES),
    "ops": Meaning("ops_per_s", "ops/s"),
    "rounds": Meaning("rounds"),
    "iterations": Meaning("steps"),
}


def _read(content: Content) -> list[Part] | None:
    benchmarks = records_of(content.data, "benchmarks")
    if not benchmarks or not all({"stats", "fullname"} <= one.keys() for one in benchmarks):
        return None
    return [Part([_flatten(one) for one in benchmarks], _MEANINGS)]


def _flatten(benchmark: Record) -> Record:
    stats = as_object(benchmark["stats"])
    return {
        **parameters_of(benchmark.get("extra_info")),
        **parameters_of(benchmark.get("params")),
        **{key: benchmark.get(key) for key in ("name", "fullname", "group")},
        **{key: stats.get(key) for key in (*_TIMES, "ops", "rounds", "iterations")},
        "outliers": stats.get("outliers"),
    }


PYTEST_BENCHMARK = Shape("pytest-benchmark", _read)
