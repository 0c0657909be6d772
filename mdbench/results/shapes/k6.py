"""The summary of k6: `--summary-export`, or the data of `handleSummary`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mdbench.regex import lazy
from mdbench.results.shapes.shape import (
    Content,
    Part,
    Shape,
    as_object,
    is_number,
    latencies,
    member,
)
from mdbench.results.tables import Meaning

_TREND = frozenset(("avg", "min", "med", "max"))
_PERCENTILE = lazy(r"p\((\d+(?:\.\d+)?)\)")
_STATISTICS = {"avg": "mean", "med": "median", "min": "min", "max": "max"}
_KNOWN = {
    # What `http_req_failed` calls passes are the requests that failed.
    "http_req_failed_passes": Meaning("failures"),
    "http_reqs_count": Meaning("requests"),
    "http_reqs_rate": Meaning("requests_per_s", "request/s"),
    "vus_max": Meaning("concurrency"),
    "data_received_count": Meaning("", "bytes"),
    "data_received_rate": Meaning("", "B/s"),
    "data_sent_count": Meaning("", "bytes"),
    "data_sent_rate": Meaning("", "B/s"),
    "duration": Meaning("time_s", "ms"),
}
# Other trends may be anything that a script measures.
_TIMES = ("http_req_", "iteration_duration", "group_duration", "ws_", "grpc_req_duration")
_LATENCY = "http_req_duration"


def _read(content: Content) -> list[Part] | None:
    metrics = as_object(member(content.data, "metrics"))
    trends = [name for name, one in metrics.items() if _values(one).keys() >= _TREND]
    if "iterations" not in metrics or not trends:
        return None
    record: dict[str, Any] = {}
    meanings: dict[str, Meaning] = {}
    for name, metric in metrics.items():
        for key, value in _numbers(_values(metric)):
            column = name if key == "value" else f"{name}_{_spell(key)}"
            record[column] = value
            meanings[column] = _KNOWN.get(column) or _meaning(name, _spell(key))
    duration = member(content.data, "state", "testRunDurationMs")
    if is_number(duration):
        record["duration"] = duration
        meanings["duration"] = _KNOWN["duration"]
    return [Part([record], meanings)]


def _values(metric: object) -> Mapping[str, Any]:
    values = member(metric, "values")
    return values if isinstance(values, dict) else as_object(metric)


def _numbers(values: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The numbers of a metric: a gauge only has its value, and a share is called rate."""
    is_share = "passes" in values
    for key, value in values.items():
        kept = is_share or "value" not in values or key == "value"
        if is_number(value) and kept:
            yield ("rate" if is_share and key == "value" else key), value


def _spell(key: str) -> str:
    match = _PERCENTILE.fullmatch(key)
    return f"p{match[1]}" if match is not None else key


def _meaning(name: str, key: str) -> Meaning:
    statistic = _STATISTICS.get(key, key)
    if name == _LATENCY:
        return latencies("ms", {key: statistic})[key]
    is_time = name.startswith(_TIMES) and (key in _STATISTICS or key.startswith("p"))
    return Meaning("", "ms", statistic) if is_time and key != "passes" else Meaning()


K6 = Shape("k6", _read)
