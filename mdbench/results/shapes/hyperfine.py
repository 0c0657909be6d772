"""`hyperfine --export-json`."""

from __future__ import annotations

from mdbench.results.shapes.shape import (
    Content,
    Part,
    Record,
    Shape,
    parameters_of,
    records_of,
    statistics_of,
)
from mdbench.results.tables import Meaning

_TIMES = {"mean": "mean", "stddev": "std", "median": "median", "min": "min", "max": "max"}
_MEANINGS = {
    "command": Meaning("configuration"),
    **statistics_of("time_s", "s", _TIMES),
    "user": Meaning("user_time_s", "s"),
    "system": Meaning("system_time_s", "s"),
    "runs": Meaning("rounds"),
}


def _read(content: Content) -> list[Part] | None:
    results = records_of(content.data, "results")
    if not results or not all({"command", "mean", "times"} <= one.keys() for one in results):
        return None
    return [Part([_flatten(one) for one in results], _MEANINGS)]


def _flatten(result: Record) -> Record:
    times = result.get("times")
    record = {name: result.get(name) for name in _MEANINGS if name != "runs"}
    record["runs"] = len(times) if isinstance(times, list) else None
    return {**parameters_of(result.get("parameters")), **record}


HYPERFINE = Shape("hyperfine", _read)
