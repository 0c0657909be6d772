"""MB502: faster than the peak of the device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.peaks import highest_peak
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement

# Dense TFLOPS at the fastest precision used for training.
_PEAKS = {
    "v100": 125, "a100": 624, "a800": 624, "h100": 1979, "h800": 1979, "h200": 1979, "b200": 9000,
    "gb200": 10000, "a10": 250, "a10g": 140, "l40s": 733, "t4": 130, "p100": 21, "mi250x": 383,
    "mi300x": 2615, "tpu v3": 123, "tpu v4": 275, "v5e": 394, "v5p": 918, "a64fx": 14,
}  # fmt: skip
_WORD = lazy(r"(?<![a-z])[a-z]+\d+[a-z]*|tpu v\d\w?|v5[ep]")
_OF_ONE = lazy(r"(?:/|\bper\b)\s*(?:gpu|device|chip|card|accelerator|core)", re.IGNORECASE)
_ROUNDING = 1.02


@rule("MB502", "above-peak", Severity.WARNING)
def above_peak(context: Context) -> Iterator[Violation]:
    """A device exceeds its peak FLOPS, or a utilization exceeds 100 %.

    Neither is possible. Usually the rate counts operations that were never executed, or belongs to
    another device. A rate that all devices of the run together can reach is not reported, unless
    its header says that it is per device.

    ```bad
    | GPUs | MFU |
    |-----:|----:|
    |    8 | 56.7% |
    |   16 | «156.7%» |
    ```

    ```good
    | GPUs | MFU |
    |-----:|----:|
    |    8 | 56.7% |
    |   16 | 56.7% |
    ```
    """
    for row in context.diagnosis.rows:
        for name in ("mfu", "hfu"):
            share = row.variables.get(name)
            if share is not None and share.measurement is not None and share.low > _ROUNDING:
                yield _violation(share, "a utilization cannot exceed 100 %")
        rate = row.variables.get("tflops_per_device")
        if rate is None or rate.measurement is None or (peak := _peak(row)) is None:
            continue
        most = _ROUNDING * peak[1] * 1e12
        if rate.low > most * _devices(row, rate.measurement):
            yield _violation(rate, f"{peak[0]} reaches at most {peak[1]:g} TFLOPS")


def _devices(row: RunNumbers, rate: Measurement) -> float:
    """How many devices the rate may be of: all of the run, unless its header says of one."""
    if rate.header.as_written is not None:
        # Nothing but the text around the table says that this is a rate.
        return inf
    devices = row.variables.get("devices")
    return 1 if devices is None or _OF_ONE.search(rate.header.text) else max(devices.value, 1)


def _peak(row: RunNumbers) -> tuple[str, float] | None:
    given = highest_peak(row.run, row.sheet.vocabulary.extensions.peaks)
    if given is not None:
        return given.device, float(given.tflops)
    texts = [fact.raw for fact in row.run.facts if fact.quantity.name == "device"]
    texts += [stated.raw for stated in row.run.settings if stated.quantity.name == "device"]
    texts += [
        one.cell.raw
        for one in row.run.measurements
        if one.quantity is not None and one.quantity.name == "device"
    ]
    found = {word for text in texts for word in _WORD.findall(text.casefold()) if word in _PEAKS}
    return (found_one := found.pop(), _PEAKS[found_one]) if len(found) == 1 else None


def _violation(variable: Number, why: str) -> Violation:
    measurement = variable.measurement
    if measurement is None:
        raise ValueError("a rate without a cell")
    title = measurement.header.text
    return Violation(
        measurement.cell.span,
        f"{title} {measurement.numeral.text} is higher than possible",
        (Evidence(why),),
    )
