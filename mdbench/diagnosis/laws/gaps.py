"""Every difference that the columns of a sheet allow, for trying which one the rows follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

from mdbench.diagnosis.laws.differences import Difference, Plan
from mdbench.diagnosis.ledger import Ledger
from mdbench.diagnosis.numbers import Variable
from mdbench.numerals.units import Unit
from mdbench.relations.catalogue import Relation
from mdbench.sheets.measurements import Measurement
from mdbench.vocabulary.comparisons import baseline_choices, can_be_compared
from mdbench.vocabulary.headers import Header

_RESULTS = frozenset(("change", "difference"))
_SIGNS = "+-−–"
_MOST_COLUMNS = 12
_MOST_RESULTS = 24
_SAMPLE = 8
_FEWEST_ROWS = 3


def candidates(ledger: Ledger) -> Iterator[Difference]:
    """Every difference that the columns of a sheet allow, the first ones of very many."""
    columns = list(ledger.columns())
    sources = [(at, header) for at, header, cells in columns if _is_source(header, cells)]
    results = (column for column in columns if _is_result(column[1]))
    for result, header, cells in islice(results, _MOST_RESULTS):
        name = header.quantity.name if header.quantity is not None else ""
        relation = Relation(f"difference {header.text}", f"{name} = parts")
        sample = _Sample(ledger, result)
        few = [(at, one) for at, one in sources if _agrees(one, header)][:_MOST_COLUMNS]
        for plan in _plans(result, header, cells, few):
            law = Difference(plan, ledger, relation)
            if plan.baselines:
                cells_there = ((at, ledger.find(plan.value, at)) for at in plan.baselines)
                yield replace(law, bases={at: one for at, one in cells_there if one is not None})
            elif sample.may_follow(law):
                yield law


def _is_result(header: Header) -> bool:
    name = header.quantity.name if header.quantity is not None else ""
    return name in _RESULTS and (name != "change" or _own_unit(header) is not None)


def _plans(
    result: int, header: Header, cells: Sequence[Measurement], sources: Sequence[tuple[int, Header]]
) -> Iterator[Plan]:
    choices = baseline_choices((one.run, one.numeral) for one in cells)
    plans = [
        Plan(result, value, base, _unit_of(header, one, other))
        for (value, one), (base, other) in combinations(sources, 2)
        if _agrees(one, other)
    ]
    for value, one in sources:
        plans += (
            Plan(result, value, value, _unit_of(header, one), rows, marked)
            for marked, rows in choices.items()
        )
    for plan in plans:
        yield from (plan, plan._replace(saved=True))
        if not any(_has_sign(one) for one in cells):
            yield plan._replace(unsigned=True)


def _has_sign(one: Measurement) -> bool:
    return one.numeral.value is not None and one.numeral.text.lstrip()[:1] in _SIGNS


def _is_source(header: Header, cells: Sequence[Measurement]) -> bool:
    numbers = sum(one.numeral.value is not None for one in cells)
    return can_be_compared(header.quantity) and 2 * numbers >= len(cells)


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


class _Sample:
    """The first rows with a difference, by which most pairs of columns are seen to be none."""

    def __init__(self, ledger: Ledger, result: int) -> None:
        numbers = (one for one in ledger.cells(result) if one.numeral.value is not None)
        self._results = list(islice(numbers, _SAMPLE))
        self._ledger = ledger

    def may_follow(self, law: Difference) -> bool:
        """Whether half of the rows come near; what few rows do may be known from another table."""
        near = tested = 0
        for one in self._results:
            result = law.read(one)
            value = law.read(self._ledger.find(law.plan.value, one.run))
            base = law.read(self._ledger.find(law.plan.base, one.run))
            if result is None or value is None or base is None:
                continue
            tested += 1
            gap = value.value - base.value
            if law.plan.saved or (law.plan.unsigned and gap < 0):
                gap = -gap
            near += abs(gap - result.value) <= 2 * width(result, value, base)
        return 2 * near >= tested or tested < _FEWEST_ROWS


def width(*variables: Variable) -> float:
    """How much several numbers together leave open."""
    return sum(one.high - one.low for one in variables)
