"""MB305: sizes that do not divide each other."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from mdbench.diagnosis.confidence import weigh_definition
from mdbench.diagnosis.repairs.divisibility import Indivisible, find_divisions
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.slips import with_number
from mdbench.diagnosis.wording import name_number, round_number
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.source import Edit, Span

_SLICES = ("tp", "pp", "cp")


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
    rows = context.diagnosis.rows
    even: dict[tuple[int, str], int] = defaultdict(int)
    odd: list[tuple[tuple[int, str], Indivisible]] = []
    for row in rows:
        divisions = [*find_divisions(row.variables)]
        own = {one.key for one in row.run.measurements} if divisions else set()
        for divides, division in divisions:
            several = (division.whole, *division.parts)
            if not all(one.measurement and one.measurement.key in own for one in several):
                # What is stated elsewhere may be of other runs.
                continue
            key = row.sheet.number, division.whole.quantity.name
            if divides:
                even[key] += 1
            else:
                odd.append((key, division))
    failing: dict[tuple[int, str], int] = defaultdict(int)
    for key, _ in odd:
        failing[key] += 1
    usual = _usual_values(rows) if odd else {}
    for key, division in odd:
        if even[key] >= 2 and even[key] > failing[key]:
            sure = weigh_definition(even[key], failing[key])
            found = _violation(division, usual[key[0]], context.diagnosis.verified)
            yield from (one._replace(confidence=sure) for one in found)
    yield from dict.fromkeys(_crowded(rows))


def _usual_values(rows: Iterable[RunNumbers]) -> Mapping[int, Mapping[str, set[float]]]:
    """The values of each quantity in each table."""
    found: dict[int, dict[str, set[float]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        for name, one in row.variables.items():
            found[row.sheet.number][name].add(one.value)
    return found


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
        there = name_number(devices)
        message = f"{name_number(replicas)} is more than {there}: a replica needs a device"
        evidence = Evidence(there, other.cell.span)
        slices = math.prod(row.variables[name].value for name in _SLICES if name in row.variables)
        right = devices.value / slices if slices else 0.0
        text = with_number(one, f"{right:.0f}") if right >= 1 and right.is_integer() else None
        title = f"change to {one.header.text} {right:.0f}"
        fix = (Fix(title, (Edit(one.cell.span, text),), Safety.UNSAFE),) if text else ()
        yield Violation(one.cell.span, message, (evidence,), fix)


def _fixes(
    division: Indivisible, usual: Mapping[str, set[float]], verified: Collection[Span]
) -> Iterator[Fix]:
    """Each cell with the nearest number of its column, or slip of the fingers, that divides.

    A cell that another relation confirms is not the wrong one.
    """
    several = (division.whole, *division.parts)
    for at, one in enumerate(several):
        others = [each.value for place, each in enumerate(several) if place != at]
        product = math.prod(others[1:] if at else others)
        known = set(usual[one.quantity.name])
        if at == 0:
            nearest = max(1, round(one.value / product)) * product
            known |= {nearest} if _is_slip(one.value, nearest) else set()
        fitting = [
            value
            for value in known - {one.value}
            if value > 0
            and (value % product == 0 if at == 0 else others[0] % (product * value) == 0)
        ]
        if fitting and one.measurement is not None and one.measurement.cell.span not in verified:
            value = min(fitting, key=lambda value: abs(math.log(value / one.value)))
            text = with_number(one.measurement, f"{value:.0f}")
            if text is not None:
                title = f"change to {one.measurement.header.text} {value:.0f}"
                yield Fix(title, (Edit(one.measurement.cell.span, text),), Safety.UNSAFE)


def _is_slip(value: float, other: float) -> bool:
    """Whether two whole numbers differ in one digit."""
    one, two = f"{value:.0f}", f"{other:.0f}"
    return len(one) == len(two) and sum(a != b for a, b in zip(one, two, strict=True)) == 1


def _violation(
    division: Indivisible, usual: Mapping[str, set[float]], verified: Collection[Span]
) -> Iterator[Violation]:
    cells = [
        one.measurement.cell.span
        for one in (division.whole, *division.parts)
        if one.measurement is not None
    ]
    if not cells:
        return
    whole = division.whole.measurement
    fixes = tuple(_fixes(division, usual, verified))
    places = [edit.span for fix in fixes for edit in fix.edits]
    if not places:
        places = [whole.cell.span] if whole is not None else cells
    span = Span(min(one.start for one in places), max(one.end for one in places))
    product = 1.0
    for part in division.parts:
        product *= part.value
    parts = " × ".join(name_number(part) for part in division.parts)
    quotient = round_number(division.whole.value / product)
    yield Violation(
        span,
        f"{name_number(division.whole)} is not divisible by {parts}",
        (Evidence(f"{round_number(division.whole.value)} / {round_number(product)} = {quotient}"),),
        fixes,
        tuple(places),
    )
