"""MB501: more than twice as fast on twice the devices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Repeat, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.vocabulary.quantities import Role

_RATES = ("tokens_per_s", "samples_per_s", "steps_per_s", "pflops_total")
_BEYOND = 1.1
_RESULTS = (Role.MEASUREMENT, Role.SCORE)
_SPREAD = frozenset(("devices", "nodes", "dp", "fsdp", "global_batch"))


@rule("MB501", "superlinear-scaling", Severity.INFO)
def superlinear_scaling(context: Context) -> Iterator[Violation]:
    """A run is faster than its devices allow, compared with the smallest run of its table.

    Twice the devices give at most twice the rate, unless something else changed as well: more
    memory left for the batch, another split of the model, a cache that now fits. This can be true,
    and then deserves a note in the report. Often, a column is shifted or a row was not updated.

    ```bad
    | GPUs | Batch | Tokens/s |
    |-----:|------:|---------:|
    |    8 |    64 |    10240 |
    |   16 |    64 |    «24310» |
    ```

    ```good
    | GPUs | Batch | Tokens/s |
    |-----:|------:|---------:|
    |    8 |    64 |    10240 |
    |   16 |    64 |    19310 |
    ```
    """
    groups: dict[object, list[RunNumbers]] = defaultdict(list)
    for row in context.diagnosis.rows:
        if "devices" in row.variables:
            groups[row.sheet.number, _settings(row)].append(row)
    for rows in groups.values():
        for name in _RATES:
            yield from _compare(rows, name)


def _settings(row: RunNumbers) -> tuple[tuple[str, str], ...]:
    """Everything that the row says of itself, except how many devices it uses."""
    found = {one.quantity.name: one.raw for one in row.run.facts}
    found |= {one.quantity.name: one.raw for one in row.run.settings}
    found |= {
        f"{one.column} {one.part}": one.cell.raw.strip()
        for one in row.run.measurements
        if one.quantity is None or one.quantity.role not in _RESULTS
        if one.quantity is None or one.quantity.name not in _SPREAD
    }
    batch, devices = row.variables.get("global_batch"), row.variables["devices"].value
    if batch is not None and devices:
        found["batch of a device"] = f"{batch.value / devices:g}"
    return tuple(sorted(found.items()))


def _compare(rows: Sequence[RunNumbers], name: str) -> Iterator[Violation]:
    columns: dict[int, list[tuple[float, Number]]] = defaultdict(list)
    for row in rows:
        rate, devices = row.variables.get(name), row.variables["devices"].value
        # A rate of 0 is no baseline.
        if devices > 0 and rate is not None and rate.value > 0 and rate.measurement is not None:
            columns[rate.measurement.column].append((devices, rate))
    for measured in columns.values():
        yield from _report(measured, name)


def _report(measured: Sequence[tuple[float, Number]], name: str) -> Iterator[Violation]:
    size, base = min(measured, key=lambda one: one[0])
    for devices, one in measured:
        if devices <= size or one.measurement is None or base.measurement is None:
            continue
        if one.low / base.high > _BEYOND * devices / size:
            slower = base.measurement
            label = f"{slower.header.text} {slower.numeral.text} on {size:g}"
            yield Violation(
                one.measurement.cell.span,
                f"{one.value / base.value:.2f} times as fast on {devices / size:g}x the devices",
                (Evidence(label, slower.cell.span),),
                repeat=Repeat(f"{one.measurement.table} {name} {size}"),
            )
