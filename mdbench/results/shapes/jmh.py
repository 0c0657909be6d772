"""`-rf json` of JMH."""

from __future__ import annotations

from mdbench.results.shapes.shape import (
    Content,
    Part,
    Record,
    Shape,
    as_object,
    is_number,
    member,
    parameters_of,
    records_of,
    runs_of_equal,
)
from mdbench.results.tables import Meaning

_PERCENTILES = {"50.0": "p50", "90.0": "p90", "95.0": "p95", "99.0": "p99", "99.9": "p99.9"}
_NEEDED = frozenset(("benchmark", "mode", "primaryMetric"))
_PLAIN = {
    "benchmark": Meaning("benchmark"),
    "full_name": Meaning(),
    "mode": Meaning("method"),
    "threads": Meaning("threads"),
    "samples": Meaning("rounds"),
    # In the unit beside it: one file may have several modes.
    **dict.fromkeys(("score", "score_error", "score_unit"), Meaning()),
}


def _read(content: Content) -> list[Part] | None:
    results = records_of(content.data)
    if not results or not all(one.keys() >= _NEEDED for one in results):
        return None
    return [_make_part(group) for group in runs_of_equal(results, _units)]


def _units(result: Record) -> str:
    """The units of all metrics: where they change, a new part begins."""
    metrics = as_object(result.get("secondaryMetrics"))
    others = [f"{name} {member(one, 'scoreUnit')}" for name, one in sorted(metrics.items())]
    return "\n".join([str(member(result, "primaryMetric", "scoreUnit")), *others])


def _make_part(group: list[Record]) -> Part:
    unit = str(member(group[0], "primaryMetric", "scoreUnit"))
    column, quantity = _measured(unit)
    meanings = dict(_PLAIN)
    if column:
        statistics = {name: f"{column}_{name}" for name in ("error", *_PERCENTILES.values())}
        meanings[column] = Meaning(quantity, unit, "mean")
        meanings |= {name: Meaning(quantity, unit, one) for one, name in statistics.items()}
    for name, metric in as_object(group[0].get("secondaryMetrics")).items():
        other = str(member(metric, "scoreUnit"))
        meanings[name.lstrip("·")] = Meaning(_measured(other)[1], other)
    return Part([_flatten(one, column) for one in group], meanings)


def _measured(unit: str) -> tuple[str, str]:
    """The column and the quantity of a unit."""
    if unit.startswith("ops/"):
        return "throughput", "ops_per_s"
    if unit == "B/op":
        return "", "alloc_bytes"
    return ("time", "time_per_op_ns") if unit.endswith("s/op") else ("", "")


def _flatten(result: Record, column: str) -> Record:
    metric = result["primaryMetric"]
    raw = member(metric, "rawData")
    forks = [one for one in raw if isinstance(one, list)] if isinstance(raw, list) else []
    score, error = member(metric, "score"), member(metric, "scoreError")
    # One measurement has no error: it is written as a word.
    error = error if is_number(error) else None
    record = {
        **parameters_of(result.get("params")),
        # As JMH prints it, without the package.
        "benchmark": ".".join(str(result["benchmark"]).split(".")[-2:]),
        "full_name": result["benchmark"],
        **{key: result.get(key) for key in ("mode", "threads", "forks")},
        "samples": sum(map(len, forks)) or None,
        "score": score,
        "score_error": error,
        "score_unit": member(metric, "scoreUnit"),
    }
    if column:
        percentiles = as_object(member(metric, "scorePercentiles"))
        record |= {column: score, f"{column}_error": error}
        record |= {
            f"{column}_{name}": percentiles[key]
            for key, name in _PERCENTILES.items()
            if key in percentiles
        }
    for name, one in as_object(result.get("secondaryMetrics")).items():
        record[name.lstrip("·")] = member(one, "score")
    return record


JMH = Shape("JMH", _read)
