"""The FLOPs of a step as a run prints them, beside those that a network needs."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from mdbench.diagnosis.laws.expectations import is_sparse
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import Numbers, RunNumbers
from mdbench.diagnosis.thresholds import FITS_MODEL
from mdbench.numerals.intervals import Interval
from mdbench.numerals.words import read_flag
from mdbench.prose.expressions import evaluate
from mdbench.regex import lazy
from mdbench.relations.models import PUBLISHED_VOCABULARY, models

_CHECKPOINTING = "activation_checkpointing"
# Only a part of the network is trained, or none: other counts hold for these.
_PARTLY_TRAINED = lazy(r"\bq?lora\b|\badapters?\b|\bpeft\b|frozen|freez|inference", re.IGNORECASE)
_NEEDED = ("step_time_s", "tflops_per_device", "global_batch")


class StepWork(NamedTuple):
    """What a run says about its work: the FLOPs of one sample, by its time and its rate."""

    row: RunNumbers
    flops: Interval

    @property
    def recomputes(self) -> bool | None:
        """Whether it recomputes activations, as far as that is said."""
        return read_flag(self.row.run.described.get(_CHECKPOINTING, ""))

    @property
    def rate(self) -> Number:
        """The rate that it prints."""
        return self.row.variables["tflops_per_device"]

    def ratio(self, flops: Interval) -> Interval:
        """The work as printed over another one."""
        return self.flops / flops

    def fits(self, flops: Interval, slack: float = FITS_MODEL) -> bool:
        """Whether the work as printed is another one, to a few per cent."""
        ratio = self.ratio(flops)
        return float(ratio.low) <= 1 + slack and float(ratio.high) >= 1 - slack


def read_work(row: RunNumbers) -> StepWork | None:
    """The work of a run's step; None where it lacks a number or is of another kind."""
    known = row.variables
    if any(name not in known or known[name].low <= 0 for name in _NEEDED):
        return None
    devices = _devices(known)
    if devices is None or is_sparse(row) or _is_partly_trained(row):
        return None
    time, rate, batch = (_interval(known[name]) for name in _NEEDED)
    return StepWork(row, time * rate * devices / batch)


def _is_partly_trained(row: RunNumbers) -> bool:
    return any(_PARTLY_TRAINED.search(text) for text in row.run.described.values())


def _devices(known: Numbers) -> float | None:
    """The devices of a run; None where its counts do not say it in one way."""
    if "devices" in known:
        return known["devices"].value
    nodes, each = known.get("nodes"), known.get("devices_per_node")
    if nodes is not None and each is not None:
        return nodes.value * each.value
    if any(name not in known for name in ("dp", "tp", "pp")):
        return None
    spread = known["dp"].value * known["tp"].value * known["pp"].value
    if spread <= 0 or (nodes is not None and (nodes.value <= 0 or spread % nodes.value)):
        return None
    return spread


def _interval(one: Number) -> Interval:
    return Interval(min(one.low, one.cut), max(one.high, one.cut))


def expected_work(known: Numbers, instead: Mapping[str, float]) -> tuple[Interval, ...]:
    """The FLOPs of a sample by the shape of the network, without and with recomputation."""
    values = {"vocab": Interval(PUBLISHED_VOCABULARY, PUBLISHED_VOCABULARY)}
    values |= {name: _interval(one) for name, one in known.items()}
    values |= {name: Interval(value, value) for name, value in instead.items()}
    found = []
    for model in models():
        if model.family == "FLOPs of a step":
            flops = evaluate(model.sides[1], values)
            if flops is None or flops.low <= 0:
                return ()
            found.append(flops)
    return tuple(found)


def work_by_parameters(known: Numbers, length: float) -> tuple[Interval, ...]:
    """The FLOPs of a sample by the number of parameters, without and with recomputation."""
    if "params" not in known or known["params"].low <= 0:
        return ()
    return tuple(_interval(known["params"]) * (each * length) for each in (6, 8))
