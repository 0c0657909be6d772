"""What a chart may measure runs by."""

from __future__ import annotations

from typing import NamedTuple


class Metric(NamedTuple):
    """A quantity of the tidy frame, as a chart names it."""

    name: str
    title: str
    per_device: bool = False


THROUGHPUT = (
    Metric("tokens_per_s", "Tokens per second"),
    Metric("samples_per_s", "Samples per second"),
    Metric("tflops_per_device", "TFLOPs", per_device=True),
    Metric("tokens_per_s_per_device", "Tokens per second", per_device=True),
    Metric("samples_per_s_per_device", "Samples per second", per_device=True),
    Metric("pflops_total", "PFLOPs"),
    Metric("requests_per_s", "Requests per second"),
    Metric("steps_per_s", "Steps per second"),
)
"""How fast runs are, what tells most first."""


def name_metric(metric: Metric) -> str:
    """The metric as printed: `TFLOPs per device`."""
    return f"{metric.title} per device" if metric.per_device else metric.title
