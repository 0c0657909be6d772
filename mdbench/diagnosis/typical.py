"""How large quantities usually are: no proof, but it tells which of two repairs is the likelier."""

from __future__ import annotations

import math
from collections.abc import Iterable

# In base units: seconds, FLOPs per second, bytes, watts, shares. Generous at both ends.
_RANGES = {
    "step_time_s": (0.01, 5e4),
    "latency_ms": (1e-4, 3e3),
    "ttft_ms": (1e-3, 1e3),
    "tpot_ms": (1e-4, 1e2),
    "itl_ms": (1e-4, 1e2),
    "time_s": (1e-3, 1e6),
    "train_time_h": (60.0, 3e7),
    "steps_per_s": (1e-4, 1e3),
    "samples_per_s": (0.01, 2e4),
    "samples_per_s_per_device": (0.01, 5e3),
    "tokens_per_s": (0.1, 1e8),
    "tokens_per_s_per_device": (1.0, 1e5),
    "tflops_per_device": (1e11, 2.5e15),
    "pflops_total": (1e11, 1e19),
    "mfu": (0.005, 1.0),
    "hfu": (0.005, 1.05),
    "efficiency": (0.05, 1.2),
    "speedup": (0.1, 100.0),
    "power_w": (5.0, 5e4),
    "memory_mib": (1e7, 1e13),
    "nodes": (1.0, 2e5),
    "devices": (1.0, 2e5),
    "dp": (1.0, 2e4),
    "tp": (1.0, 64.0),
    "pp": (1.0, 128.0),
    "micro_batch": (1.0, 4096.0),
    "grad_accum": (1.0, 4096.0),
    "global_batch": (1.0, 1e5),
    "batch": (1.0, 1e5),
    "seq_len": (1.0, 2e6),
}


def strangeness(name: str, value: float) -> float:
    """How many powers of ten a value lies outside of what is usual; 0 where nothing is known."""
    if name not in _RANGES or value <= 0:
        return 0.0
    low, high = _RANGES[name]
    return max(0.0, math.log10(low / value), math.log10(value / high))


def median(values: Iterable[float]) -> float:
    """The middle of some values; the standard one takes longer to load than a report to check."""
    ordered = sorted(values)
    half, odd = divmod(len(ordered), 2)
    return ordered[half] if odd else (ordered[half - 1] + ordered[half]) / 2
