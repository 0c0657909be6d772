"""Columns that are a constant factor off: milliseconds under a header that says seconds."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.explanations import recomputation
from mdbench.diagnosis.laws.bindings import Binding, Choices, bindings_of, bound, find_choices
from mdbench.diagnosis.laws.constants import ONE, Agreement, agree
from mdbench.diagnosis.laws.expectations import sample_flops
from mdbench.diagnosis.laws.instances import Instance, apply
from mdbench.diagnosis.laws.products import Law
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.repairs.trials import AnyLaw
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet, known_names
from mdbench.diagnosis.thresholds import (
    CLEARLY_ODDER,
    COLUMN_FACTORS,
    EXACT_FACTOR,
    FEWEST_ROWS,
    FEWEST_SCALED_ROWS,
    MOST_DEVICES_PER_NODE,
    NEAR_FACTOR,
    NEARLY_ALL,
    SURE_SHARE,
    TOO_LARGE_BONUS,
    WIDEST_FACTOR,
)
from mdbench.diagnosis.typical import median, strangeness
from mdbench.relations.catalogue import Constant, Relation
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.source import Span
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Role

_WORK = "work of a step"
_PER_CENT = 0.01
_MEASURED = ("step_time_s", "tflops_per_device", "global_batch")
_TIMES = frozenset(("s", "s/step"))

Elsewhere = Callable[[str], float | None]
"""How large a quantity is in the other tables of the report."""


_LEAST_FACTOR = min(COLUMN_FACTORS) * (1 - NEAR_FACTOR)


class ScaledColumn(NamedTuple):
    """A column whose numbers are `factor` times what they should be, and what shows it."""

    sheet: Sheet
    header: Header
    factor: float
    cells: tuple[Measurement, ...]
    evidence: str
    where: Span | None = None
    """The other place that shows it."""
    by: str = ""
    """The setting by whose value each row is off, where the factor is not the same for all."""


def find_scaled(
    rows: Sequence[RunNumbers], laws: Sequence[AnyLaw], relations: Sequence[Relation]
) -> tuple[ScaledColumn, ...]:
    """The columns that are off by a factor in all of their rows."""
    sheets = by_sheet(rows)
    laws_by_sheet = by_sheet(laws)
    works = [law for law in laws if isinstance(law, Law) and law.relation.name == _WORK]
    found: dict[tuple[int, int], ScaledColumn] = {}
    choices = {key: find_choices(members) for key, members in sheets.items()}
    anywhere = known_names(rows).union(*choices.values())
    # Most relations are about nothing in the report.
    identities = [one for one in relations if one.applies_to(anywhere) and _is_identity(one)]
    for key, members in sheets.items():
        mine = laws_by_sheet.get(key, [])
        known = known_names(members)
        about = [one for one in identities if one.applies_to(known.union(choices[key]))]
        elsewhere = partial(_middle_elsewhere, sheets, key)
        for one in (
            *_by_relations(members, mine, about, choices[key], elsewhere),
            *_by_other_tables(members, works, sheets),
            *(_by_model(members) if known.issuperset(_MEASURED) else ()),
        ):
            if one.cells:
                found.setdefault((key, one.cells[0].column), one)
    return tuple(found.values())


def _middle_elsewhere(
    sheets: Mapping[int, Sequence[RunNumbers]], key: int, name: str
) -> float | None:
    """How large a measured quantity is in the other tables of the report."""
    found = []
    for other, rows in sheets.items():
        known = [row.variables[name] for row in rows if name in row.variables]
        values = [one.value for one in known if one.quantity.role is Role.MEASUREMENT]
        positive = [value for value in values if value > 0]
        if other != key and positive:
            found.append(median(positive))
    return median(found) if found else None


def _by_relations(
    rows: Sequence[RunNumbers],
    laws: Sequence[AnyLaw],
    relations: Sequence[Relation],
    choices: Choices,
    elsewhere: Elsewhere,
) -> Iterator[ScaledColumn]:
    """An identity that every row misses by the same factor."""
    followed = {_place(law.relation, law.binding) for law in laws if isinstance(law, Law)}
    settled: set[int] | None = None
    for relation in relations:
        for binding in bindings_of(relation, choices) if _is_about(relation, rows) else ():
            if _place(relation, binding) in followed:
                continue
            instances = [
                one for row in rows if (one := apply(relation, bound(row, binding))) is not None
            ]
            missed = _common_factor(instances, relation)
            per_cent = any(v.scale == _PER_CENT for one in instances for v in one.variables)
            if relation.printed and per_cent:
                continue  # the formula may or may not count in per cent
            if missed is None:
                if len(instances) > 1:
                    yield from _by_devices(rows, instances)
                continue
            settled = _settled(rows, laws) if settled is None else settled
            yield from _blame(rows, instances, missed, settled, elsewhere)


def _is_identity(relation: Relation) -> bool:
    """Whether it holds for all runs, with a constant that is known."""
    conditional = relation.constant is Constant.ANY or relation.when is not None
    return not (conditional or relation.confirming)


def _place(relation: Relation, binding: Binding) -> tuple[str, str]:
    """What a relation explains: its family, and of several columns the one that is the result."""
    return relation.family or relation.equation, dict(binding).get(relation.result, "")


def _is_about(relation: Relation, rows: Sequence[RunNumbers]) -> bool:
    return relation.tables is None or rows[0].sheet.table.span.start in relation.tables


def _settled(rows: Sequence[RunNumbers], laws: Sequence[AnyLaw]) -> set[int]:
    """The columns that take part in a relation without a free constant that holds."""
    return {
        variable.measurement.column
        for law in laws
        if law.relation.constant is not Constant.ANY
        for row in rows
        if (verdict := law.test(row)) is not None and not verdict.fails
        for variable in verdict.instance.variables
        if variable.measurement is not None and variable.measurement.table == row.sheet.number
    }


def _common_factor(
    instances: Sequence[Instance], relation: Relation
) -> tuple[float, Agreement] | None:
    """The factor, and the constant of which it is a part, that all rows agree on."""
    most = MOST_DEVICES_PER_NODE if relation.constant is Constant.WHOLE else 1
    agreed = _agreed(instances, FEWEST_SCALED_ROWS)
    missed = _known_factor(agreed, most) if agreed is not None else None
    return missed or (_nearly_missed(instances) if most == 1 else None)


def _nearly_missed(instances: Sequence[Instance]) -> tuple[float, Agreement] | None:
    """The same where the numbers were rounded before they were multiplied: most rows come near."""
    middles = [(low + high) / 2 for low, high in (one.constant_if_cut() for one in instances)]
    if len(middles) < FEWEST_ROWS:
        return None
    middle = median(middles)
    for factor in COLUMN_FACTORS[:2]:
        for ratio in (factor, 1 / factor):
            near = sum(abs(one / ratio - 1) < NEAR_FACTOR for one in middles)
            if abs(middle / ratio - 1) < 2 * EXACT_FACTOR and near >= SURE_SHARE * len(middles):
                return ratio, Agreement(ratio, ratio, near)
    return None


def _agreed(instances: Sequence[Instance], fewest: int) -> Agreement | None:
    """The constant that all rows agree on, or nearly all where there are many."""
    if len(instances) < fewest or len({one.constant() for one in instances}) < FEWEST_SCALED_ROWS:
        return None
    agreed = agree([one.constant_if_cut() for one in instances])
    if agreed is None or agreed.support < max(fewest, NEARLY_ALL * len(instances)):
        return None
    return agreed


def _known_factor(agreed: Agreement, most: int = 1) -> tuple[float, Agreement] | None:
    if agreed.high > WIDEST_FACTOR * agreed.low:
        return None
    middle = (agreed.low + agreed.high) / 2
    for factor in COLUMN_FACTORS:
        for ratio in (factor, 1 / factor):
            if most > 1 and agreed.high - agreed.low >= ratio:
                # Some count would fit, whatever the numbers are.
                continue
            count = min(max(1, round(middle / ratio)), most)
            if agreed.low * (1 - EXACT_FACTOR) <= ratio * count <= agreed.high * (1 + EXACT_FACTOR):
                return ratio, agreed
    return None


def _blame(
    rows: Sequence[RunNumbers],
    instances: Sequence[Instance],
    missed: tuple[float, Agreement],
    settled: set[int],
    elsewhere: Elsewhere,
) -> Iterator[ScaledColumn]:
    """The column that looks odd as it is and usual without the factor; of equals, the time."""
    ratio, agreed = missed
    suspects = [
        (_oddness(instances, at, ratio**power, elsewhere), at, variable, power)
        for at, (variable, power) in enumerate(instances[0].factors)
        if variable.measurement is not None
        and variable.quantity.role is Role.MEASUREMENT
        and variable.measurement.column not in settled
    ]
    if not suspects:
        return
    most = max(odd for odd, *_ in suspects)
    likely = [one for one in suspects if one[0] >= most - CLEARLY_ODDER]
    times = [one for one in likely if one[2].quantity.unit.dimension in _TIMES]
    chosen = times if len(likely) > 1 else likely
    if len(chosen) != 1:
        return
    _, _, variable, power = chosen[0]
    yield _column(rows, variable, ratio**power, _show(instances[0], variable, agreed.support))


def _show(instance: Instance, about: Number, count: int) -> str:
    """What one row shows, and how many show the same."""
    recomputed = recomputation(Verdict(instance, ONE, Stand.FAILS), about)
    printed = about.measurement.numeral.text if about.measurement is not None else ""
    return f"{recomputed}, not {printed}; the same in {count} rows"


def _oddness(instances: Sequence[Instance], at: int, factor: float, elsewhere: Elsewhere) -> float:
    """How much more usual the numbers at a place of an equation were without the factor."""
    variables = [one.factors[at][0] for one in instances if at < len(one.factors)]
    middle = median(one.value for one in variables)
    name = variables[0].quantity.name
    odd = TOO_LARGE_BONUS if factor > 1 else 0.0
    usual = elsewhere(name)
    if usual is not None:
        odd += abs(math.log10(middle / usual))
        odd -= abs(math.log10(middle / factor / usual))
    return odd + strangeness(name, middle) - strangeness(name, middle / factor)


def _by_devices(
    rows: Sequence[RunNumbers], instances: Sequence[Instance]
) -> Iterator[ScaledColumn]:
    """A total that is in every row what one device does: it was divided by the devices already."""
    relation = instances[0].relation
    if relation.constant is not Constant.ONE or len(instances) < len(rows) or not relation.result:
        return
    counts = [row.variables.get("devices") for row in rows]
    if len({one.value for one in counts if one is not None}) < FEWEST_SCALED_ROWS:
        return
    for one, devices in zip(instances, counts, strict=True):
        low, high = one.constant()
        if devices is None or devices.value < 2 or any(v is devices for v in one.variables):
            return
        if not low * (1 - EXACT_FACTOR) <= devices.value <= high * (1 + EXACT_FACTOR):
            return
    variable = next(v for v in instances[0].variables if v.quantity.name == relation.result)
    if variable.measurement is not None:
        line = _show(instances[0], variable, len(instances))
        yield _column(rows, variable, 1.0, line)._replace(by="devices")


def _by_other_tables(
    rows: Sequence[RunNumbers], works: Sequence[Law], sheets: Mapping[int, Sequence[RunNumbers]]
) -> Iterator[ScaledColumn]:
    """The work of a step is a factor off that of another table of the same model."""
    here = next((law for law in works if law.sheet is rows[0].sheet), None)
    if here is None:
        return
    mine = [(key, one.low + one.high) for key, one in here.constants.items()]
    most = max((size for _, size in mine), default=0.0) / _LEAST_FACTOR
    for law in works:
        if law.sheet is here.sheet:
            continue
        for other_key, other in law.constants.items():
            theirs = other.low + other.high
            for key, size in mine if theirs <= most else ():
                ratio = size / theirs
                factor = next((f for f in COLUMN_FACTORS if abs(ratio / f - 1) < NEAR_FACTOR), None)
                if factor is not None and _compatible(dict(key), dict(other_key)):
                    yield from _off_from(rows, sheets[law.sheet.number], factor)


def _compatible(one: dict[str, str], other: dict[str, str]) -> bool:
    common = one.keys() & other.keys()
    return bool(common) and all(one[name] == other[name] for name in common)


def _off_from(
    rows: Sequence[RunNumbers], others: Sequence[RunNumbers], factor: float
) -> Iterator[ScaledColumn]:
    """The measured column that is by the factor larger than the same column elsewhere."""
    for name in ("step_time_s", "tflops_per_device"):
        mine = [row.variables[name] for row in rows if name in row.variables]
        theirs = [row.variables[name].value for row in others if name in row.variables]
        if not mine or not theirs or mine[0].measurement is None:
            continue
        size = median(one.value for one in mine) / median(theirs)
        if factor**0.5 < size:
            line = f"the work per step is {factor:g} times that of this table"
            place = others[0].sheet.table.header.span
            yield _column(rows, mine[0], factor, line)._replace(where=place)


def _by_model(rows: Sequence[RunNumbers]) -> Iterator[ScaledColumn]:
    """The work of a step is a factor off what a model of this size takes."""
    ratios: list[tuple[float, float, Number]] = []
    for row in rows:
        if not all(name in row.variables for name in _MEASURED):
            continue
        time, rate, batch = (row.variables[name] for name in _MEASURED)
        expected, world = sample_flops(row.variables), _world(row)
        if expected is None or world is None:
            continue
        if min(batch.value, float(expected.low)) <= 0:
            continue
        work = time.value * rate.value * world / batch.value
        ratios.append((work / float(expected.high), work / float(expected.low), time))
    if len(ratios) < FEWEST_SCALED_ROWS:
        return
    for factor in COLUMN_FACTORS:
        if all(low <= factor <= high for low, high, _ in ratios):
            line = f"a step takes {factor:g} times the FLOPs that its layers and hidden size need"
            yield _column(rows, ratios[0][2], factor, line)


def _world(row: RunNumbers) -> float | None:
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
    if min(product, nodes.value) <= 0:
        return None
    return nodes.value if product % nodes.value == 0 or nodes.value % product == 0 else product


def _column(rows: Sequence[RunNumbers], variable: Number, factor: float, line: str) -> ScaledColumn:
    measurement = variable.measurement
    if measurement is None:
        raise ValueError("a scaled column needs a cell")
    sheet = rows[0].sheet
    # A setting may be that of the same run in another table, which nothing is said about here.
    known = sheet.columns[measurement.column].mains if measurement.table == sheet.number else ()
    cells = tuple(one for one in known if one.amount is not None)
    return ScaledColumn(sheet, measurement.header, factor, cells, line)
