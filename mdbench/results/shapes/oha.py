"""`oha --output-format json`."""

from __future__ import annotations

from mdbench.results.shapes.shape import Content, Part, Shape, as_object, latencies, member
from mdbench.results.tables import Meaning

_SUMMARY = {
    "total": "duration",
    "requestsPerSec": "requests_per_s",
    "sizePerSec": "bytes_per_s",
    "totalData": "bytes",
    "successRate": "success_rate",
    "average": "latency_mean",
    "fastest": "latency_min",
    "slowest": "latency_max",
}
_STATISTICS = (
    "mean",
    "min",
    "max",
    "p10",
    "p25",
    "p50",
    "p75",
    "p90",
    "p95",
    "p99",
    "p99.9",
    "p99.99",
)
_MEANINGS = {
    "duration": Meaning("time_s", "s"),
    "requests_per_s": Meaning("requests_per_s", "request/s"),
    "bytes_per_s": Meaning("bandwidth_gb_per_s", "B/s"),
    "bytes": Meaning("total_bytes", "bytes"),
    **latencies("s", {f"latency_{name}": name for name in _STATISTICS}),
}


def _read(content: Content) -> list[Part] | None:
    summary = as_object(member(content.data, "summary"))
    percentiles = as_object(member(content.data, "latencyPercentiles"))
    if not percentiles or not {"requestsPerSec", "average", "slowest"} <= summary.keys():
        return None
    record = {column: summary.get(key) for key, column in _SUMMARY.items()}
    record |= {f"latency_{name}": value for name, value in percentiles.items()}
    return [Part([record], _MEANINGS)]


OHA = Shape("oha", _read)
