"""Which models the rows of a report follow, and which rows are far from what they let expect."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.laws.computed import Computed, compute
from mdbench.diagnosis.laws.constants import ONE
from mdbench.diagnosis.laws.products import Law
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.run_numbers import Numbers, RunNumbers, by_sheet, known_names
from mdbench.diagnosis.thresholds import FEWEST_ROWS, MODEL_WRONG, MOST_OFF_MODEL
from mdbench.numerals.intervals import Interval
from mdbench.prose.expressions import evaluate
from mdbench.regex import lazy
from mdbench.relations.catalogue import Relation
from mdbench.relations.models import USUAL, Model, models
from mdbench.sheets.measurements import Run
from mdbench.sheets.sheet import Sheet

# Of a mixture of experts, a token passes through a part only.
_SPARSE = lazy(
    r"\bmoe\b|expert|mixtral|\d{1,4}x\d{1,4}(?:\.\d{1,4})?b\b|-a\d{1,4}(?:\.\d{1,4})?b\b",
    re.IGNORECASE,
)
_SHAPE = ("seq_len", "layers", "hidden")
_SPARSE_SETTINGS = ("experts", "ep")


class Expectation(NamedTuple):
    """A law: the rows of a sheet come near to what a model lets expect."""

    model: Model
    sheet: Sheet
    rivals: tuple[Law, ...]
    """Laws by which the table itself shows the constant; the table's beats the model's."""

    @property
    def relation(self) -> Relation:
        """What it says."""
        return self.model.relation

    def test(self, row: RunNumbers) -> Verdict | None:
        """How a row stands to the law; None where it is neither near nor far off."""
        if any(law.test(row) is not None for law in self.rivals):
            return None
        instance = _apply(self.model, row)
        return None if instance is None else _judge(instance)


def _judge(instance: Computed) -> Verdict | None:
    low, high = instance.constant()
    if low <= 1 <= high:
        return Verdict(instance, ONE, Stand.HOLDS)
    if high * MODEL_WRONG < 1 or low > MODEL_WRONG:
        return Verdict(instance, ONE, Stand.FAILS)
    return None


def _apply(model: Model, row: RunNumbers) -> Computed | None:
    length = row.variables.get("seq_len")
    if length is not None and length.value > model.longest:
        return None
    found = compute(model.relation, model.sides, row.variables, USUAL)
    return None if found is None or is_sparse(row) else found


def is_sparse(row: RunNumbers) -> bool:
    """Whether a token passes through a part of the network only."""
    for name in _SPARSE_SETTINGS:
        known = row.variables.get(name)
        if known is not None and known.value > 1:
            return True
    return any(_SPARSE.search(text) for text in _texts(row.run) if not text.isdigit())


def _texts(run: Run) -> Iterator[str]:
    yield run.label
    yield from (fact.raw for fact in run.facts)
    yield from (stated.raw for stated in run.settings)
    yield from (one.cell.raw for one in run.measurements)


def find_expectations(rows: Sequence[RunNumbers], laws: Sequence[Law]) -> tuple[Expectation, ...]:
    """Of each family, the model that the most rows of a sheet follow."""
    sheets = by_sheet(rows)
    best: dict[tuple[int, str], tuple[int, Expectation]] = {}
    for key, members in sheets.items():
        known = known_names(members) | USUAL.keys()
        for model in models():
            if not known.issuperset(model.names):
                continue
            mine = (law for law in laws if law.sheet is members[0].sheet)
            rivals = tuple(law for law in mine if law.relation.name == model.measured)
            law = Expectation(model, members[0].sheet, rivals)
            held = _count_holding(law, members)
            if held and held > best.get((key, model.family), (0,))[0]:
                best[key, model.family] = held, law
    return tuple(law for _, law in best.values())


def _count_holding(law: Expectation, rows: Sequence[RunNumbers]) -> int:
    """How many different rows follow a model, if hardly any other row contradicts it."""
    instances = {
        tuple(one.value for one in instance.variables): instance
        for row in rows
        if (instance := _apply(law.model, row)) is not None
    }
    verdicts = [_judge(instance) for instance in instances.values()]
    held = sum(one is not None and not one.fails for one in verdicts)
    other = len(verdicts) - held
    return held if held >= FEWEST_ROWS and other <= MOST_OFF_MODEL * len(verdicts) else 0


def sample_flops(variables: Numbers) -> Interval | None:
    """The FLOPs of one sample's step: a report may count activations as recomputed or not."""
    if not all(name in variables for name in _SHAPE):
        return None
    named = ((name, variables[name]) for name in (*_SHAPE, *USUAL) if name in variables)
    return _flops_of(tuple((name, one.low, one.high) for name, one in named))


@lru_cache(maxsize=256)
def _flops_of(shape: tuple[tuple[str, float, float], ...]) -> Interval | None:
    """The rows of a table nearly always are about one network."""
    values = {**USUAL, **{name: Interval(low, high) for name, low, high in shape}}
    found = [
        flops
        for model in models()
        if model.family == "FLOPs of a step"
        if (flops := evaluate(model.sides[1], values)) is not None
    ]
    if not found:
        return None
    slack = models()[0].slack
    ends = [float(end) for one in found for end in (one.low, one.high)]
    return Interval(min(ends) * (1 - slack), max(ends) * (1 + slack))
