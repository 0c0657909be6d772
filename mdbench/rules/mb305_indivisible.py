"""MB305: sizes that do not divide each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mdbench.diagnosis.confidence import weigh_definition
from mdbench.diagnosis.numbers import RunNumbers
from mdbench.diagnosis.repairs.divisibility import Indivisible, find_divisions
from mdbench.diagnosis.wording import round_number, shown
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Span


@rule("MB305", "indivisible", Severity.ERROR)
def indivisible(context: Context) -> Iterator[Violation]:
    """A size is not a multiple of the parts it is split into.

    The global batch must be divisible by micro batch times replicas, the hidden size by the heads,
    the heads by the tensor parallel size. Layers need not be divisible by pipeline stages: the
    embedding and the loss may be on stages of their own. A size is only reported if at least two
    other rows of the table divide evenly, because some reports count differently. More replicas
    (DP) than devices are always reported.

    ```bad
    | DP | MBS | GBS |
    |---:|----:|----:|
    |  8 |   2 | 512 |
    | 16 |   2 | 512 |
    | 32 |   2 | «500» |
    ```

    ```good
    | DP | MBS | GBS |
    |---:|----:|----:|
    |  8 |   2 | 512 |
    | 16 |   2 | 512 |
    | 32 |   2 | 512 |
    ```
    """
    even: dict[tuple[int, str], int] = defaultdict(int)
    odd: list[tuple[tuple[int, str], Indivisible]] = []
    for row in context.diagnosis.rows:
        for divides, division in find_divisions(row.variables):
            key = row.sheet.number, division.whole.quantity.name
            if divides:
                even[key] += 1
            else:
                odd.append((key, division))
    failing: dict[tuple[int, str], int] = defaultdict(int)
    for key, _ in odd:
        failing[key] += 1
    for key, division in odd:
        if even[key] >= 2 and even[key] > failing[key]:
            sure = weigh_definition(even[key], failing[key])
            yield from (one._replace(confidence=sure) for one in _violation(division))
    yield from dict.fromkeys(_crowded(context.diagnosis.rows))


def _crowded(rows: Iterable[RunNumbers]) -> Iterator[Violation]:
    """More replicas than devices, both in cells of the row: impossible, whatever others do."""
    for row in rows:
        replicas, devices = row.variables.get("dp"), row.variables.get("devices")
        if replicas is None or devices is None or replicas.low <= devices.high:
            continue
        one, other = replicas.measurement, devices.measurement
        if (
            one is None
            or other is None
            or {one.header.as_written, other.header.as_written} != {None}
        ):
            continue
        message = f"{shown(replicas)} is more than {shown(devices)}: a replica needs a device"
        evidence = Evidence(shown(devices), other.cell.span)
        yield Violation(one.cell.span, message, (evidence,))


def _violation(division: Indivisible) -> Iterator[Violation]:
    cells = [
        one.measurement.cell.span
        for one in (division.whole, *division.parts)
        if one.measurement is not None
    ]
    if not cells:
        return
    whole = division.whole.measurement
    span = whole.cell.span if whole is not None else Span(cells[0].start, cells[-1].end)
    product = 1.0
    for part in division.parts:
        product *= part.value
    parts = " × ".join(shown(part) for part in division.parts)
    quotient = round_number(division.whole.value / product)
    yield Violation(
        span,
        f"{shown(division.whole)} is not divisible by {parts}",
        (Evidence(f"{round_number(division.whole.value)} / {round_number(product)} = {quotient}"),),
    )
