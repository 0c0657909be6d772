"""Which relations the rows of a report follow, and which rows do not follow them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mdbench.diagnosis.constants import ONE, Agreement, agree, agree_on_whole
from mdbench.diagnosis.instances import Instance, Key, apply, group_key
from mdbench.diagnosis.variables import Digits, Variable, Variables
from mdbench.relations import Constant, Relation
from mdbench.sheet import Record, Sheet

_MOST_LONE_FAILURES = 2
_LEAST_AGREEING = 2
# Intervals wider than this agree with nearly anything.
_WIDEST = 1.25


class Outcome(StrEnum):
    """How a record stands to a law."""

    HOLDS = "holds"
    CUT = "holds if a number was cut"
    FAILS = "fails"


@dataclass(frozen=True)
class Row:
    """A record with its numbers."""

    sheet: Sheet
    record: Record
    variables: Variables
    digits: Digits


@dataclass(frozen=True)
class Law:
    """A relation that the rows of a sheet follow, with the constants that they agree on."""

    relation: Relation
    sheet: Sheet
    constants: Mapping[Key, Agreement]

    def test(self, row: Row) -> Verdict | None:
        """How a row stands to the law; None where it lacks a number, or its group a constant."""
        instance = apply(self.relation, row.variables)
        if instance is None:
            return None
        constant = self.constants.get(group_key(self.relation, row.record))
        return None if constant is None else compare(instance, constant)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One law over one row."""

    instance: Instance
    constant: Agreement
    outcome: Outcome
    cut: Variable | None = None

    @property
    def relation(self) -> Relation:
        """The relation."""
        return self.instance.relation

    @property
    def fails(self) -> bool:
        """Whether the printed numbers contradict each other."""
        return self.outcome is Outcome.FAILS


@dataclass(frozen=True, slots=True)
class _Applied:
    row: Row
    instance: Instance
    key: Key


@dataclass(frozen=True, slots=True)
class _Reading:
    """A law with how many of its sheet's rows hold and fail under it."""

    law: Law
    holding: int
    failing: int


def find_laws(rows: Sequence[Row], relations: Iterable[Relation]) -> tuple[Law, ...]:
    """The laws of each sheet; of a family, the reading under which the most rows hold."""
    best: dict[tuple[str, int], _Reading] = {}
    for relation in relations:
        for reading in _read(rows, relation):
            place = relation.family or relation.equation, id(reading.law.sheet)
            rival = best.get(place)
            if rival is None or _quality(reading) > _quality(rival):
                best[place] = reading
    return tuple(reading.law for reading in best.values())


def _quality(reading: _Reading) -> tuple[int, int]:
    return reading.holding, -reading.failing


def _read(rows: Sequence[Row], relation: Relation) -> Iterator[_Reading]:
    applied = [
        _Applied(row, instance, group_key(relation, row.record))
        for row in rows
        if relation.tables is None or row.sheet.table.span.start in relation.tables
        if (instance := apply(relation, row.variables)) is not None
    ]
    if not applied:
        return
    pooled = _constants(applied, relation)
    by_sheet: dict[int, list[_Applied]] = defaultdict(list)
    for one in applied:
        by_sheet[id(one.row.sheet)].append(one)
    for members in by_sheet.values():
        constants = {**pooled, **_constants(members, relation)}
        outcomes = [
            compare(one.instance, constants[one.key]).fails
            for one in members
            if one.key in constants
        ]
        if outcomes:
            law = Law(relation, members[0].row.sheet, constants)
            yield _Reading(law, outcomes.count(False), outcomes.count(True))


def _constants(applied: Sequence[_Applied], relation: Relation) -> Mapping[Key, Agreement]:
    """The constant of each group of rows that agrees on one well enough to tell who does not."""
    groups: dict[Key, list[Instance]] = defaultdict(list)
    for one in applied:
        groups[one.key].append(one.instance)
    found = {key: _establish(members, relation) for key, members in groups.items()}
    return {key: constant for key, constant in found.items() if constant is not None}


def _establish(members: Sequence[Instance], relation: Relation) -> Agreement | None:
    if relation.constant is Constant.ONE:
        failing = sum(compare(one, ONE).fails for one in members)
        holding = len(members) - failing
        enough = holding and failing <= max(_MOST_LONE_FAILURES, holding)
        return ONE._replace(count=holding) if enough else None
    if relation.constant is Constant.WHOLE:
        constant = agree_on_whole([one.constant() for one in members])
    else:
        tight = dict.fromkeys(one.constant() for one in members)
        constant = agree([(low, high) for low, high in tight if high <= low * _WIDEST])
    if constant is None or constant.count < _LEAST_AGREEING:
        return None
    holding = sum(not compare(one, constant).fails for one in members)
    return constant._replace(count=holding) if 2 * holding > len(members) else None


def compare(instance: Instance, constant: Agreement) -> Verdict:
    """How a row's numbers stand to the constant: rounded, cut, or not at all."""
    if constant.admits(*instance.constant()):
        return Verdict(instance, constant, Outcome.HOLDS)
    result = instance.relation.result
    for variable in sorted(instance.variables, key=lambda one: one.quantity.name != result):
        if not variable.exact and constant.admits(*instance.constant_if_cut(variable)):
            return Verdict(instance, constant, Outcome.CUT, variable)
    if constant.admits(*instance.constant_if_cut()):
        return Verdict(instance, constant, Outcome.HOLDS)
    return Verdict(instance, constant, Outcome.FAILS)
