"""A relation applied to one run: which numbers take part, and the constant they imply."""

from collections.abc import Iterable
from functools import cached_property
from math import inf
from typing import NamedTuple

from mdbench.diagnosis.laws.computed import Computed
from mdbench.diagnosis.laws.exponentials import Exponential
from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import Numbers
from mdbench.numerals.words import read_flag
from mdbench.relations.catalogue import REST, WORLD, Constant, Relation, Term
from mdbench.sheets.sheet import Run

Key = tuple[tuple[str, str], ...]
# What a job is spread over does not change the work of its steps.
_SPREAD = frozenset(
    "nodes devices devices_per_node dp fsdp tp pp cp sp ep etp vp micro_batch grad_accum batch "
    "global_batch steps zero_stage zero1 sharding_strategy offload".split()
)


class _InstanceFields(NamedTuple):
    relation: Relation
    factors: tuple[tuple[Number, int], ...]


class Instance(_InstanceFields):
    """The numbers of one run that a relation ties together, each with its power."""

    @property
    def variables(self) -> tuple[Number, ...]:
        """The numbers that take part."""
        return tuple([variable for variable, _ in self.factors])

    def constant(self) -> tuple[float, float]:
        """The interval of `k` that the printed numbers allow."""
        return self._constant

    @cached_property
    def _constant(self) -> tuple[float, float]:
        # Asked for by all rows together, by those of the table, and for each row.
        return self._product([(one.low, one.high) for one, _ in self.factors])

    def constant_if_cut(self, which: Number | None = None) -> tuple[float, float]:
        """The same if one number was cut instead of rounded; with None, if any of them may be."""
        bounds = []
        for one, _ in self.factors:
            if which is None:
                bounds.append((min(one.low, one.cut), max(one.high, one.cut)))
            elif one is which:
                bounds.append((min(one.value, one.cut), max(one.value, one.cut)))
            else:
                bounds.append((one.low, one.high))
        return self._product(bounds)

    def solve(self, wanted: Number, low: float, high: float) -> tuple[float, float] | None:
        """The interval that one number must lie in for `k` to lie between `low` and `high`."""
        power = next(p for one, p in self.factors if one is wanted)
        free = [(1.0, 1.0) if one is wanted else (one.low, one.high) for one, _ in self.factors]
        rest_low, rest_high = self._product(free)
        if rest_low <= 0 or abs(power) != 1:
            return None
        if power > 0:
            return low / rest_high, high / rest_low
        return rest_low / high, rest_high / low

    def printed(self, wanted: Number | None = None) -> float:
        """What the numbers as they are printed say that `k` is, but for one of them."""
        product = self.factor
        for one, power in self.factors:
            product *= 1.0 if one is wanted else one.value**power
        return product

    @property
    def factor(self) -> float:
        """The relation's own number, in base units."""
        relation = self.relation
        factor = relation.factor
        if relation.units:
            scales = dict(relation.units)
            for variable, power in self.factors:
                factor /= scales[variable.quantity.name] ** power
        elif relation.printed:
            for variable, power in self.factors:
                factor /= variable.scale**power
        return factor

    def _product(self, bounds: Iterable[tuple[float, float]]) -> tuple[float, float]:
        low = high = self.factor
        for (smallest, largest), (_, power) in zip(bounds, self.factors, strict=True):
            # Nearly all powers are this one, and to raise to it takes longer than all the rest.
            if power == 1:
                low *= smallest
                high *= largest
            elif power > 0:
                low *= smallest**power
                high *= largest**power
            else:
                low /= largest**-power
                # What was cut to nothing may have been anything near it.
                high = high / smallest**-power if smallest > 0 else inf
        slack = self.relation.slack
        return (low * (1 - slack), high * (1 + slack)) if slack else (low, high)


AnyInstance = Instance | Computed | Exponential


def apply(relation: Relation, variables: Numbers) -> Instance | None:
    """The relation over one run, or None where the run lacks a number for it."""
    factors: list[tuple[Number, int]] = []
    measured = 0
    for term in relation.terms:
        found = _resolve(term, relation, variables)
        if found is None:
            if term.optional:
                continue
            return None
        for one in found:
            if one.low <= 0:
                return None
            measured += one.measurement is not None
            factors.append((one, term.power))
    return Instance(relation, tuple(factors)) if measured > 1 else None


def _resolve(term: Term, relation: Relation, variables: Numbers) -> tuple[Number, ...] | None:
    if term.names == WORLD and "devices" not in variables:
        return _resolve_nodes(relation, variables)
    for name in term.names:
        if name in variables:
            return (variables[name],)
    return None


def _resolve_nodes(relation: Relation, variables: Numbers) -> tuple[Number, ...] | None:
    """Nodes stand for devices if it is known how many each has, or if `k` takes care of that."""
    nodes, each = variables.get("nodes"), variables.get("devices_per_node")
    if nodes is None:
        return None
    if each is not None:
        return nodes, each
    return None if relation.constant is Constant.ONE else (nodes,)


def is_about(relation: Relation, run: Run) -> bool:
    """Whether a run says what the relation asks for, where it asks for something."""
    if relation.when is None:
        return True
    name, wanted = relation.when
    return read_flag(run.described.get(name, "")) is wanted


def group_key(instance: Instance, run: Run) -> Key:
    """What rows must have in common for the relation's constant to be the same."""
    relation = instance.relation
    if relation.constant is Constant.ONE:
        return _settings_key(relation, run)
    # A constant stands for what a row does not say: it is another one where a row says more.
    optional = {name for one in relation.terms if one.optional for name in one.names}
    counted = {*WORLD, *(optional if relation.constant is Constant.ANY else ())}
    names = sorted(one.quantity.name for one in instance.variables if one.quantity.name in counted)
    return (*(("of", name) for name in names), *_settings_key(relation, run))


def _settings_key(relation: Relation, run: Run) -> Key:
    if not relation.same:
        return _node_size(relation, run)
    described = run.described
    if REST not in relation.same:
        same = ((name, described[name]) for name in relation.same if name in described)
        return (*same, *_node_size(relation, run))
    used = {name for term in relation.terms for name in term.names} | _SPREAD
    rest = sorted((name, text) for name, text in described.items() if name not in used)
    return (*rest, *_node_size(relation, run))


def _node_size(relation: Relation, run: Run) -> Key:
    """The devices of a node that are stated for a run alone.

    The constant of the others, which state none, may stand for theirs or for what they count by.
    """
    if not run.settings or relation.constant is Constant.ONE:
        return ()
    if "devices" in run.values or all(term.names != WORLD for term in relation.terms):
        return ()
    name = "devices_per_node"
    return tuple((name, one.raw) for one in run.settings if one.quantity.name == name)
