"""Which relations the rows of a report follow, and which rows do not follow them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log10
from typing import NamedTuple

from mdbench.diagnosis.checks import Stand
from mdbench.diagnosis.laws.averages import are_apart
from mdbench.diagnosis.laws.bindings import (
    Binding,
    Choices,
    bindings_of,
    bound,
    find_choices,
    is_usual,
)
from mdbench.diagnosis.laws.constants import ONE, Agreement, agree, agree_on_whole
from mdbench.diagnosis.laws.instances import Instance, Key, apply, group_key, is_about
from mdbench.diagnosis.laws.verdicts import Verdict, compare, contradicts
from mdbench.diagnosis.run_numbers import RunKey, RunNumbers, by_sheet, known_names
from mdbench.diagnosis.thresholds import (
    FEWEST_ROWS,
    MOST_LONE_FAILURES,
    NEAR_MISS,
    NOISE,
    ROWS_IF_STALE,
    SURE_IF_PRECISE,
    SURE_SHARE,
    WIDEST_INTERVAL,
)
from mdbench.relations.catalogue import WORLD, Constant, Relation
from mdbench.sheets.sheet import Sheet


class Law(NamedTuple):
    """A relation that the rows of a sheet follow, with the constants that they agree on."""

    relation: Relation
    sheet: Sheet
    constants: Mapping[Key, Agreement]
    binding: Binding
    tested: "Mapping[RunKey, tuple[RunNumbers, Verdict]]"
    """The rows that it was found in."""

    def test(self, row: RunNumbers) -> "Verdict | None":
        """How a row stands to the law; None where it lacks a number, or its group a constant."""
        known = self.tested.get(row.key)
        verdict = known[1] if known is not None and known[0] is row else self._compare(row)
        if verdict is None or not verdict.fails:
            return verdict
        explained = (
            _lacks_a_factor(verdict, row)
            or _has_an_untested_factor(verdict)
            or are_apart(verdict.instance, row)
        )
        return None if explained else verdict

    def _compare(self, row: RunNumbers) -> "Verdict | None":
        instance = apply(self.relation, bound(row, self.binding))
        if instance is None or not is_about(self.relation, row.run):
            return None
        constant = self.constants.get(group_key(instance, row.run))
        return None if constant is None else compare(instance, constant)


def _lacks_a_factor(verdict: Verdict, row: RunNumbers) -> bool:
    """Whether counts only disagree by a whole number that may belong to the relation.

    Some formulas have context or expert parallelism, or virtual stages, in them, and some do not.
    How a model is split is often not said where most rows do not split it, and what is stated
    elsewhere may be of other runs.
    """
    several = verdict.instance.variables
    if not all(one.exact for one in several):
        return False
    if any(one.measurement is None and one.quantity.name in _CHOSEN for one in several):
        return True
    low, high = verdict.instance.constant()
    if low <= 0 or verdict.constant.low <= 0:
        return False
    ratio = high / verdict.constant.low
    ratio = max(ratio, 1 / ratio)
    if abs(ratio - round(ratio)) > NOISE:
        return False
    used = {one.quantity.name for one in several}
    unused = [one.value for name, one in row.variables.items() if name in _FACTORS - used]
    return (
        ratio in _products(unused)
        or bool(_unsaid(verdict.relation, row) - row.variables.keys())
        or _uses_part_of_a_node(verdict, row)
    )


def _has_an_untested_factor(verdict: Verdict) -> bool:
    """Whether a row agrees with the others without a count that is the same in all of those.

    Then they do not show that it belongs to the relation: an estimate may be for other devices.
    """
    instance, constant = verdict.instance, verdict.constant
    if not isinstance(instance, Instance) or not verdict.told_by_rows:
        return False
    shared = dict(constant.shared)
    low, high = instance.constant()
    for one, power in instance.factors:
        if (same := shared.get(one.quantity.name)) is not None and one.exact:
            without = (same / one.value) ** power
            if constant.admits(low * without, high * without):
                return True
    return False


def _unsaid(relation: Relation, row: RunNumbers) -> frozenset[str]:
    """How a model may be split, if the number of its replicas follows from that."""
    names = set(relation.names)
    by_world = "dp" not in names and not names.isdisjoint(WORLD) and "micro_batch" in names
    is_split = by_world and not _FACTORS.isdisjoint(row.variables)
    return _SPLITS if is_split else _SPLITS & names


def _uses_part_of_a_node(verdict: Verdict, row: RunNumbers) -> bool:
    """Whether a job may run on some devices of its only node."""
    nodes = row.variables.get("nodes")
    alone = nodes is not None and nodes.value == 1 and "devices" not in row.variables
    whole = verdict.relation.constant is Constant.WHOLE
    return alone and whole and verdict.instance.constant()[1] < verdict.constant.low


def _products(factors: Iterable[float]) -> set[float]:
    """The products of some of several numbers."""
    found = {1.0}
    for one in factors:
        found |= {one * other for other in found}
    return found - {1.0}


_SPLITS = frozenset(("tp", "pp"))
_CHOSEN = frozenset(("dp", "fsdp", "micro_batch", "grad_accum"))
_FACTORS = frozenset(("cp", "ep", "etp", "sp", "vp", "tp", "pp", "fsdp", "dp"))


class _Applied(NamedTuple):
    row: RunNumbers
    instance: Instance
    key: Key

    @property
    def sheet(self) -> Sheet:
        return self.row.sheet


class _Reading(NamedTuple):
    """A law with how many of its sheet's rows hold under it, and which fail."""

    law: Law
    holding: int
    failing: frozenset[RunKey]
    cut: int = 0
    """How many rows hold only if a number was cut."""

    @property
    def quality(self) -> tuple[int, int]:
        return self.holding, -len(self.failing)


def find_laws(rows: Sequence[RunNumbers], relations: Iterable[Relation]) -> tuple[Law, ...]:
    """The laws of each sheet; of a family, the reading under which the most rows hold."""
    sheets = by_sheet(rows)
    choices = {key: find_choices(members) for key, members in sheets.items()}
    known = {key: known_names(members).union(choices[key]) for key, members in sheets.items()}
    anywhere = frozenset[str]().union(*known.values())
    best: dict[tuple[str, int, str], _Reading] = {}
    for relation in relations:
        if not relation.applies_to(anywhere):
            continue
        bindings: dict[Binding, list[RunNumbers]] = defaultdict(list)
        for key, members in sheets.items():
            if relation.applies_to(known[key]) and not _compares_columns(relation, choices[key]):
                for binding in bindings_of(relation, choices[key]):
                    bindings[binding] += members
        for binding, members in bindings.items():
            for reading in _read(members, relation, binding):
                _keep_better(best, reading)
    return tuple(reading.law for reading in best.values() if reading.law.constants)


def _compares_columns(relation: Relation, choices: Choices) -> bool:
    """Whether a speed-up compares two times of its row, so that no other row is its baseline."""
    return set(relation.names) == {"speedup", "time_s"} and "time_s" in choices


def _keep_better(best: dict[tuple[str, int, str], _Reading], reading: _Reading) -> None:
    law = reading.law
    result = dict(law.binding).get(law.relation.result, "")
    place = law.relation.family or law.relation.equation, law.sheet.number, result
    rival = best.get(place)
    if rival is None or reading.quality > rival.quality:
        best[place] = reading
    elif reading.quality != rival.quality:
        return
    elif reading.failing != rival.failing:
        # Two readings explain the rows equally well and blame different ones: nobody can tell.
        nobody = Law(law.relation, law.sheet, {}, (), {})
        best[place] = _Reading(nobody, rival.holding, rival.failing)
    elif reading.cut < rival.cut and rival.law.constants:
        best[place] = reading


def _read(rows: Sequence[RunNumbers], relation: Relation, binding: Binding) -> Iterator[_Reading]:
    applied = [
        _Applied(row, instance, group_key(instance, row.run))
        for row in rows
        if relation.tables is None or row.sheet.table.span.start in relation.tables
        if (instance := apply(relation, bound(row, binding))) is not None
        if is_about(relation, row.run)
    ]
    if not applied:
        return
    sheets = by_sheet(applied)
    # Each table has a baseline of its own.
    pooled = _constants(applied, relation) if not relation.compares else {}
    for members in sheets.values():
        # What one sheet says alone is known already.
        own = _constants(members, relation) if len(sheets) > 1 or not pooled else {}
        reading = _read_sheet(members, {**pooled, **own}, relation, binding)
        if reading is not None and _stands(reading):
            yield reading
        else:
            # Others may follow it while this one counts in another way; not if all are alike.
            alike = [
                one
                for others in sheets.values()
                if others is not members and _titles(others[0].sheet) == _titles(members[0].sheet)
                for one in others
            ]
            if len(alike) >= ROWS_IF_STALE and _is_exact(members):
                told = _read_sheet(members, _constants(alike, relation), relation, binding)
                if told is not None:
                    yield told


def _stands(reading: _Reading) -> bool:
    """Whether a sheet follows a law, has but one row for it, or the project states it."""
    lone = len(reading.failing) == 1
    return bool(reading.holding) or lone or reading.law.relation.stated


def _is_exact(members: Sequence[_Applied]) -> bool:
    return all(one.exact for member in members for one in member.instance.variables)


def _titles(sheet: Sheet) -> tuple[str, ...]:
    return tuple(column.header.text for column in sheet.columns)


def _read_sheet(
    members: Sequence[_Applied],
    constants: Mapping[Key, Agreement],
    relation: Relation,
    binding: Binding,
) -> _Reading | None:
    verdicts = {
        one.row.key: (one.row, compare(one.instance, constants[one.key]))
        for one in members
        if one.key in constants
    }
    failing = frozenset(key for key, (_, one) in verdicts.items() if one.fails)
    cut = sum(one.stand is Stand.CUT for _, one in verdicts.values())
    holding = len(verdicts) - len(failing)
    if not verdicts:
        return None
    if failing and (relation.confirming or _is_only_near(members)):
        return None
    if not is_usual(binding, members[0].row):
        enough = holding >= FEWEST_ROWS and holding >= SURE_SHARE * len(verdicts)
        if not enough and not (relation.confirming and _is_precise(members)):
            return None
    law = Law(relation, members[0].row.sheet, constants, binding, verdicts)
    return _Reading(law, holding, failing, cut)


def _is_only_near(members: Sequence[_Applied]) -> bool:
    """Whether an equation that holds only nearly takes in a number from outside the table."""
    relation = members[0].instance.relation
    if relation.constant is not Constant.ONE or not relation.slack or relation.stated:
        return False
    return any(one.fact is not None for one in members[0].instance.variables)


def _is_precise(members: Sequence[_Applied]) -> bool:
    """Whether rows that all hold agree to so many digits that it is no chance."""
    ends = [one.instance.constant() for one in members]
    return sum(-log10((high - low) / high) for low, high in ends if high > low) >= SURE_IF_PRECISE


def _constants(applied: Sequence[_Applied], relation: Relation) -> Mapping[Key, Agreement]:
    """The constant of each group of rows that agrees on one well enough to tell who does not."""
    groups: dict[Key, list[_Applied]] = defaultdict(list)
    for one in applied:
        groups[one.key].append(one)
    found = {key: _establish(members, relation) for key, members in groups.items()}
    return {key: constant for key, constant in found.items() if constant is not None}


def _establish(applied: Sequence[_Applied], relation: Relation) -> Agreement | None:
    members = [one.instance for one in applied]
    if relation.constant is Constant.ONE:
        fails = [contradicts(one, ONE) for one in members]
        holding = [one.row for one, fail in zip(applied, fails, strict=True) if not fail]
        failing = [one for one, fail in zip(members, fails, strict=True) if fail]
        # What the report itself defines needs no other row, if it is clearly about these columns.
        defined = relation.printed and relation.tables is None and _are_near(failing)
        enough = relation.stated or (
            _is_followed(len(holding), failing)
            if holding
            else defined and len(failing) <= MOST_LONE_FAILURES
        )
        return ONE._replace(support=len(holding), rows=_lines(holding)) if enough else None
    best: Agreement | None = None
    for constant in _agreements(members, relation):
        if best is not None and best.support == len(members):
            break
        if constant is None or constant.support < relation.rows:
            continue
        if constant.low > 1 and relation.constant is Constant.WHOLE and _knows_node(members):
            # Nothing is left that it could be.
            continue
        agreeing = [one for one in applied if not contradicts(one.instance, constant)]
        # That there is no factor at all is what anybody would suppose.
        plain = relation.constant is Constant.WHOLE and constant.low == 1
        enough = plain or len(agreeing) >= SURE_SHARE * len(members)
        enough = enough or len(members) - len(agreeing) == 1
        enough = enough and 2 * len(agreeing) > len(members)
        if enough and (best is None or len(agreeing) > best.support):
            told = relation.constant is Constant.ANY
            shared = _shared_counts([one.instance for one in agreeing]) if told else frozenset()
            rows = _lines([one.row for one in agreeing])
            best = constant._replace(support=len(agreeing), rows=rows, shared=shared)
    return best


def _shared_counts(instances: Sequence[Instance]) -> frozenset[tuple[str, float]]:
    """The counts that all of some rows have in common."""
    counts = (
        {(one.quantity.name, one.value) for one, _ in each.factors if one.exact}
        for each in instances
    )
    return frozenset(set.intersection(*counts))


def _agreements(members: Sequence[Instance], relation: Relation) -> Iterator[Agreement | None]:
    """What rows agree on: as they are printed, and if any number may have been cut."""
    if relation.constant is Constant.WHOLE:
        yield agree_on_whole([one.constant_if_cut() for one in members])
    else:
        yield _agree([one.constant() for one in members])
        yield _agree([one.constant_if_cut() for one in members])


def _knows_node(members: Sequence[Instance]) -> bool:
    return any(one.quantity.name == "devices_per_node" for one in members[0].variables)


def _is_followed(holding: int, failing: Sequence[Instance]) -> bool:
    """Whether most rows hold; one may stand for two that come so near that they are meant to."""
    if len(failing) <= holding:
        return True
    return len(failing) <= MOST_LONE_FAILURES and _are_near(failing)


def _are_near(failing: Sequence[Instance]) -> bool:
    return all(1 / NEAR_MISS <= end <= NEAR_MISS for one in failing for end in one.constant())


def _agree(intervals: Sequence[tuple[float, float]]) -> Agreement | None:
    """What most rows agree on, of those that are fine enough; equal rows count once."""
    tight = [(low, high) for low, high in dict.fromkeys(intervals) if high <= low * WIDEST_INTERVAL]
    return agree(tight)


def _lines(rows: Sequence[RunNumbers]) -> tuple[RunNumbers, ...]:
    """A few of the rows that agree, to point at."""
    return tuple(rows[:3])
