"""Rates and latencies that are averages of their own, so that one is not exactly from the other.

The mean of the rates of all batches is above the batch by the mean latency if some batches are much
slower than others, and a rate over the whole run is below it, for it counts the time between two
batches.
"""

from __future__ import annotations

from mdbench.diagnosis.laws.instances import AnyInstance
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import HEAVY_TAIL, TIME_BETWEEN

_RATES = ("samples_per_s", "requests_per_s", "items_per_s", "ops_per_s")
_HIGH = frozenset(("p90", "p95", "p99", "p99.9", "max"))


def are_apart(instance: AnyInstance, row: RunNumbers) -> bool:
    """Whether a rate and a latency that disagree may both be right."""
    latency = next((one for one in instance.variables if one.quantity.name == "latency_ms"), None)
    rate = next((one for one in instance.variables if one.quantity.name in _RATES), None)
    others = [one for one in instance.variables if one is not latency and one is not rate]
    if latency is None or rate is None or len(others) != 1 or others[0].value <= 0:
        return False
    ratio = rate.value * latency.value / others[0].value
    if ratio < 1:
        return ratio > 1 - TIME_BETWEEN
    if others[0].quantity.name == "concurrency":
        # However the latencies are spread, no more requests are in flight than there can be.
        return False
    return _varies(latency, row)


def _varies(latency: Number, row: RunNumbers) -> bool:
    """Whether the percentiles beside a mean latency are far from it."""
    if latency.measurement is None or latency.measurement.header.statistic != "mean":
        return False
    high = [
        float(one.amount.value * one.amount.unit.scale)
        for one in row.run.measurements
        if one.header.statistic in _HIGH
        and one.amount is not None
        and one.amount.unit.dimension == latency.quantity.unit.dimension
    ]
    return any(one > HEAVY_TAIL * latency.value or one < latency.value for one in high)
