"""The metrics that a chart can show."""

from __future__ import annotations

from typing import NamedTuple


class Metric(NamedTuple):
    """A quantity of the tidy frame with its title in charts."""

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
"""Metrics of speed, the most informative first."""


def name_metric(metric: Metric) -> str:
    """The title of the metric: `TFLOPs per device`."""
    return f"{metric.title} per device" if metric.per_device else metric.title
