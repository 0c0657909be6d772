"""MB501: more than twice as fast on twice the devices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mdbench.diagnosis.laws.instances import group_key
from mdbench.diagnosis.numbers import RunNumbers, Variable
from mdbench.relations.catalogue import REST, Constant, Relation
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule

_RATES = ("tokens_per_s", "samples_per_s", "steps_per_s", "pflops_total")
_BEYOND = 1.1
_ALIKE = Relation("scaling", "speedup = world * k", Constant.ANY, same=(REST,))


@rule("MB501", "superlinear-scaling", Severity.INFO)
def superlinear_scaling(context: Context) -> Iterator[Violation]:
    """A run is faster than its devices allow, compared with the smallest run of its table.

    Twice the devices give at most twice the rate, unless something else changed as well: more
    memory left for the batch, another split of the model, a cache that now fits. It may be true,
    and then deserves a note in the report; often a column is shifted or a row was not updated.

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
        if _world(row) is not None:
            groups[row.sheet.number, group_key(_ALIKE, row.run)].append(row)
    for rows in groups.values():
        for name in _RATES:
            yield from _compare(rows, name)


def _world(row: RunNumbers) -> Variable | None:
    return row.variables.get("devices") or row.variables.get("nodes")


def _compare(rows: Sequence[RunNumbers], name: str) -> Iterator[Violation]:
    measured = [
        (world.value, row.variables[name])
        for row in rows
        if (world := _world(row)) is not None and world.value > 0
        # A rate of 0 is no baseline.
        if name in row.variables and row.variables[name].value > 0
    ]
    if len(measured) < 2:
        return
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
            )
