"""Columns that are a constant factor off: milliseconds under a header that says seconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from mdbench.diagnosis.constants import Agreement, agree
from mdbench.diagnosis.instances import Instance, apply
from mdbench.diagnosis.laws import Law, Row
from mdbench.diagnosis.models import sample_flops
from mdbench.diagnosis.variables import Variable
from mdbench.headers import Header
from mdbench.quantities import Role
from mdbench.records import Measurement
from mdbench.relations import Constant, Relation
from mdbench.sheet import Sheet

_FACTORS = (1000.0, 60.0, 3600.0, 1e6)
_TOLERANCE = 0.05
_FEWEST_ROWS = 2
_MOST_DEVICES = 64
_WORK = "work of a step"
_TIMES = frozenset(("s", "s/step"))


@dataclass(frozen=True)
class ScaledColumn:
    """A column whose numbers are `factor` times what they should be, and what shows it."""

    sheet: Sheet
    header: Header
    factor: float
    cells: tuple[Measurement, ...]
    evidence: tuple[str, ...]


def find_scaled(
    rows: Sequence[Row], laws: Sequence[Law], relations: Sequence[Relation]
) -> tuple[ScaledColumn, ...]:
    """The columns that are off by a factor in all of their rows."""
    sheets: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        sheets[id(row.sheet)].append(row)
    found: dict[int, ScaledColumn] = {}
    for members in sheets.values():
        own = [law for law in laws if law.sheet is members[0].sheet]
        for one in (
            *_by_relations(members, own, relations),
            *_by_other_tables(members, own, rows, laws),
            *_by_model(members),
        ):
            found.setdefault(id(one.header), one)
    return tuple(found.values())


def _by_relations(
    rows: Sequence[Row], laws: Sequence[Law], relations: Sequence[Relation]
) -> Iterator[ScaledColumn]:
    """An identity that every row misses by the same factor."""
    followed = {law.relation.family or law.relation.equation for law in laws}
    settled = {
        id(variable.measurement.header)
        for law in laws
        if law.relation.constant is not Constant.ANY
        for row in rows
        if (verdict := law.test(row)) is not None and not verdict.fails
        for variable in verdict.instance.variables
        if variable.measurement is not None
    }
    for relation in relations:
        if relation.constant is Constant.ANY or (relation.family or relation.equation) in followed:
            continue
        instances = [one for row in rows if (one := apply(relation, row.variables)) is not None]
        missed = _common_factor(instances, relation)
        if missed is not None:
            yield from _blame(rows, instances, *missed, settled)


def _common_factor(
    instances: Sequence[Instance], relation: Relation
) -> tuple[float, Agreement] | None:
    """The factor, and the constant of which it is a part, that all rows agree on."""
    intervals = [one.constant() for one in instances]
    agreed = agree(intervals) if len(intervals) >= _FEWEST_ROWS else None
    if agreed is None or agreed.count < len(intervals):
        return None
    middle = (agreed.low + agreed.high) / 2
    most = _MOST_DEVICES if relation.constant is Constant.WHOLE else 1
    for factor in _FACTORS:
        for ratio in (factor, 1 / factor):
            count = round(middle / ratio)
            if 1 <= count <= most and abs(middle / ratio / count - 1) < _TOLERANCE / 5:
                return ratio, agreed
    return None


def _blame(
    rows: Sequence[Row],
    instances: Sequence[Instance],
    ratio: float,
    agreed: Agreement,
    settled: set[int],
) -> Iterator[ScaledColumn]:
    """Of the columns that take part, the time; of several or none, nobody can tell."""
    suspects = [
        (variable, power)
        for variable, power in instances[0].factors
        if variable.measurement is not None
        and variable.quantity.role is Role.MEASUREMENT
        and id(variable.measurement.header) not in settled
    ]
    times = [one for one in suspects if one[0].quantity.unit.dimension in _TIMES]
    if len(suspects) > 1 and len(times) == 1:
        suspects = times
    if len(suspects) != 1:
        return
    variable, power = suspects[0]
    factor = ratio if power > 0 else 1 / ratio
    relation = instances[0].relation
    yield _column(
        rows,
        variable,
        factor,
        f"{relation.name} ({relation.equation}) is missed by this factor in all {agreed.count} rows",
    )


def _by_other_tables(
    rows: Sequence[Row], laws: Sequence[Law], everything: Sequence[Row], every_law: Sequence[Law]
) -> Iterator[ScaledColumn]:
    """The work of a step is a factor off that of another table of the same model."""
    here = next((law for law in laws if law.relation.name == _WORK), None)
    if here is None:
        return
    for law in every_law:
        if law.relation.name != _WORK or law.sheet is here.sheet:
            continue
        others = [row for row in everything if row.sheet is law.sheet]
        for key, constant in here.constants.items():
            for other_key, other in law.constants.items():
                if not _compatible(dict(key), dict(other_key)):
                    continue
                ratio = (constant.low + constant.high) / (other.low + other.high)
                factor = next((f for f in _FACTORS if abs(ratio / f - 1) < _TOLERANCE), None)
                if factor is not None:
                    yield from _off_from(rows, others, factor)


def _compatible(one: dict[str, str], other: dict[str, str]) -> bool:
    common = one.keys() & other.keys()
    return bool(common) and all(one[name] == other[name] for name in common)


def _off_from(
    rows: Sequence[Row], others: Sequence[Row], factor: float
) -> Iterator[ScaledColumn]:
    """The measured column that is by the factor larger than the same column elsewhere."""
    for name in ("step_time_s", "tflops_per_device"):
        mine = [row.variables[name] for row in rows if name in row.variables]
        theirs = [row.variables[name].value for row in others if name in row.variables]
        if not mine or not theirs or mine[0].measurement is None:
            continue
        size = median(one.value for one in mine) / median(theirs)
        if factor**0.5 < size:
            line = f"the work of a step is {factor:g} times that of the other table"
            yield _column(rows, mine[0], factor, line)


def _by_model(rows: Sequence[Row]) -> Iterator[ScaledColumn]:
    """The work of a step is a factor off what a model of this size takes."""
    ratios: list[tuple[float, float, Variable]] = []
    for row in rows:
        expected = sample_flops(row.variables)
        parts = [row.variables.get(n) for n in ("step_time_s", "tflops_per_device", "global_batch")]
        world = _world(row)
        if expected is None or world is None or any(one is None for one in parts):
            continue
        time, rate, batch = (one for one in parts if one is not None)
        work = time.value * rate.value * world / batch.value
        ratios.append((work / expected[1], work / expected[0], time))
    if len(ratios) < _FEWEST_ROWS:
        return
    for factor in _FACTORS:
        if all(low <= factor <= high for low, high, _ in ratios):
            line = f"a step takes {factor:g} times the FLOPs that its layers and hidden size need"
            yield _column(rows, ratios[0][2], factor, line)


def _world(row: Row) -> float | None:
    """The devices of a run, by their own number or by the parallel sizes."""
    if "devices" in row.variables:
        return row.variables["devices"].value
    sizes = [row.variables.get(name) for name in ("dp", "tp", "pp")]
    nodes = row.variables.get("nodes")
    if any(one is None for one in sizes) or nodes is None:
        return None
    product = 1.0
    for one in sizes:
        product *= one.value if one is not None else 1.0
    return nodes.value if product % nodes.value == 0 or nodes.value % product == 0 else product


def _column(rows: Sequence[Row], variable: Variable, factor: float, line: str) -> ScaledColumn:
    measurement = variable.measurement
    if measurement is None:
        raise ValueError("a scaled column needs a cell")
    cells = tuple(
        one.measurement
        for row in rows
        for one in row.variables.values()
        if one.measurement is not None and one.measurement.header is measurement.header
    )
    return ScaledColumn(rows[0].sheet, measurement.header, factor, cells, (line,))
