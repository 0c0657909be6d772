"""Every difference that the columns of a sheet allow, for trying which one the rows follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from mdbench.diagnosis.laws.differences import Difference, DifferencePlan
from mdbench.diagnosis.numbers import Variable
from mdbench.diagnosis.thresholds import (
    DIFFERENCE_SAMPLE,
    FEWEST_ROWS,
    MOST_DIFFERENCE_COLUMNS,
    MOST_DIFFERENCES,
)
from mdbench.numerals.units import Unit
from mdbench.relations.catalogue import Relation
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.comparisons import baseline_choices, can_be_compared
from mdbench.vocabulary.headers import Header

_RESULTS = frozenset(("change", "difference"))
_SIGNS = "+-−–"


def candidates(sheet: Sheet) -> Iterator[Difference]:
    """Every difference that the columns of a sheet allow, the first ones of very many."""
    sources = [column for column in sheet.columns if _is_source(column)]
    results = (column for column in sheet.columns if _is_result(column.header))
    for result in islice(results, MOST_DIFFERENCES):
        header = result.header
        name = header.quantity.name if header.quantity is not None else ""
        relation = Relation(f"difference {header.text}", f"{name} = parts")
        sample = _FirstRows(sheet, result)
        few = [one for one in sources if _agrees(one.header, header)][:MOST_DIFFERENCE_COLUMNS]
        for plan in _plans(result, few):
            law = Difference(plan, sheet, relation)
            if plan.baselines:
                values = sheet.columns[plan.value]
                cells_there = ((at, values.find(at)) for at in plan.baselines)
                yield law._replace(bases={at: one for at, one in cells_there if one is not None})
            elif sample.may_follow(law):
                yield law


def _is_result(header: Header) -> bool:
    name = header.quantity.name if header.quantity is not None else ""
    return name in _RESULTS and (name != "change" or _own_unit(header) is not None)


def _plans(result: Column, sources: Sequence[Column]) -> Iterator[DifferencePlan]:
    header, cells = result.header, result.mains
    choices = baseline_choices((one.run, one.numeral) for one in cells)
    plans = [
        DifferencePlan(
            result.index, one.index, other.index, _unit_of(header, one.header, other.header)
        )
        for one, other in combinations(sources, 2)
        if _agrees(one.header, other.header)
    ]
    for one in sources:
        unit = _unit_of(header, one.header)
        plans += (
            DifferencePlan(result.index, one.index, one.index, unit, rows, marked)
            for marked, rows in choices.items()
        )
    for plan in plans:
        yield from (plan, plan._replace(saved=True))
        if not any(_has_sign(one) for one in cells):
            yield plan._replace(unsigned=True)


def _has_sign(one: Measurement) -> bool:
    return one.numeral.value is not None and one.numeral.text.lstrip()[:1] in _SIGNS


def _is_source(column: Column) -> bool:
    numbers = sum(one.numeral.value is not None for one in column.mains)
    return can_be_compared(column.header.quantity) and 2 * numbers >= len(column.mains)


def _own_unit(header: Header) -> Unit | None:
    """The unit of a column; none where it holds plain numbers."""
    unit = header.unit
    if unit is None and header.quantity is not None:
        unit = header.quantity.unit
    return unit if unit is not None and unit.text else None


def _unit_of(*headers: Header) -> Unit | None:
    return next(filter(None, map(_own_unit, headers)), None)


def _agrees(one: Header, other: Header) -> bool:
    """Whether numbers of one column can be added to those of another; plain ones go with any."""
    mine, theirs = _own_unit(one), _own_unit(other)
    if mine is None or theirs is None or mine.dimension == theirs.dimension:
        return True
    return one.quantity is not None and one.quantity.fits(theirs)


class _FirstRows:
    """The first rows with a difference, by which most pairs of columns are seen to be none."""

    def __init__(self, sheet: Sheet, result: Column) -> None:
        numbers = (one for one in result.mains if one.numeral.value is not None)
        self._results = list(islice(numbers, DIFFERENCE_SAMPLE))
        self._columns = sheet.columns

    def may_follow(self, law: Difference) -> bool:
        """Whether half of the rows come near; what few rows do may be known from another table."""
        near = tested = 0
        for one in self._results:
            result = law.read(one)
            value = law.read(self._columns[law.plan.value].find(one.run))
            base = law.read(self._columns[law.plan.base].find(one.run))
            if result is None or value is None or base is None:
                continue
            tested += 1
            gap = value.value - base.value
            if law.plan.saved or (law.plan.unsigned and gap < 0):
                gap = -gap
            near += abs(gap - result.value) <= 2 * width(result, value, base)
        return 2 * near >= tested or tested < FEWEST_ROWS


def width(*variables: Variable) -> float:
    """How much several numbers together leave open."""
    return sum(one.high - one.low for one in variables)
