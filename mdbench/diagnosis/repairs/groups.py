"""Rows of another kind: they fail alike, and share what no row has that follows the law.

They may be of a kind that nobody names, unless a column tells the kinds apart: where each machine
has its price, a row with the price of no machine is wrong.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.repairs.trials import Trials, settings_of
from mdbench.diagnosis.repairs.values import Contradiction
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.thresholds import ROWS_ALIKE
from mdbench.relations.catalogue import Constant, Relation
from mdbench.vocabulary.quantities import Role

_Trait = tuple[str, str]
"""A label, setting or note of a row, or where it is."""


def leave_out_groups(found: Sequence[Contradiction], trials: Trials) -> Iterator[Contradiction]:
    """The contradictions of rows that are not of another kind."""
    groups = _Groups(found, trials)
    for one in found:
        alike = list(groups.find(one))
        if not any(groups.explain(rows, relation) for relation, rows in alike):
            yield one._replace(alike=bool(alike))


class _Groups:
    """Rows that fail a relation alike, if only the rows tell its constant."""

    def __init__(self, found: Sequence[Contradiction], trials: Trials) -> None:
        self._trials = trials
        self._by_factor: dict[tuple[Relation, float], list[RunNumbers]] = defaultdict(list)
        self._by_table: dict[tuple[int, Relation], list[tuple[RunNumbers, Verdict]]] = defaultdict(
            list
        )
        for one in found:
            for verdict in _free(one):
                self._by_factor[verdict.relation, _factor(verdict)].append(one.row)
                self._by_table[one.row.sheet.number, verdict.relation].append((one.row, verdict))
        self._followed: dict[Relation, frozenset[_Trait]] = {}

    def find(self, one: Contradiction) -> Iterator[tuple[Relation, Sequence[RunNumbers]]]:
        """The rows that fail a relation like one, by one factor or with one constant."""
        free = _free(one)
        by_factor = [self._by_factor[verdict.relation, _factor(verdict)] for verdict in free]
        if all(len(rows) > 1 for rows in by_factor):
            for verdict, rows in zip(free, by_factor, strict=True):
                yield verdict.relation, rows
        for verdict in free:
            others = self._by_table[one.row.sheet.number, verdict.relation]
            for rows in _with_one_constant(verdict, others):
                yield verdict.relation, rows

    def explain(self, rows: Sequence[RunNumbers], relation: Relation) -> bool:
        """Whether rows share what no row has that follows a relation, or may do so unsaid."""
        if relation.compares or not self._has_kinds(rows[0].sheet.number, relation):
            return True
        common = set.intersection(*(set(_traits(row)) for row in rows))
        if relation not in self._followed:
            self._followed[relation] = frozenset(
                trait
                for row in self._trials.rows
                if any(
                    one.relation == relation and not one.fails for one in self._trials.verdicts(row)
                )
                for trait in _traits(row)
            )
        return not common <= self._followed[relation]

    def _has_kinds(self, sheet: int, relation: Relation) -> bool:
        """Whether a column of a table explains that its rows have different constants."""
        constants = {
            (verdict.constant.low, verdict.constant.high)
            for row in self._trials.rows
            if row.sheet.number == sheet
            for verdict in self._trials.verdicts(row)
            if verdict.relation == relation and not verdict.fails
        }
        return len(constants) > 1


def _traits(row: RunNumbers) -> Iterator[_Trait]:
    yield "table", str(row.sheet.number)
    yield "section", str(row.sheet.table.section)
    yield "label", row.run.label
    yield from settings_of(row)
    yield from ((one.quantity.name, one.raw) for one in row.run.settings)
    for one in row.run.measurements:
        if one.numeral.note:
            yield one.header.text, one.numeral.note
        elif one.quantity is not None and one.quantity.role is Role.NOTE:
            yield one.header.text, one.numeral.text


def _free(contradiction: Contradiction) -> Sequence[Verdict]:
    """What fails, if only the rows tell the constant of each relation."""
    found = contradiction.related
    return found if all(one.relation.constant is Constant.ANY for one in found) else ()


def _factor(verdict: Verdict) -> float:
    """By which factor a row fails a relation."""
    low, high = verdict.instance.constant()
    return round((low + high) / (verdict.constant.low + verdict.constant.high), 2)


def _with_one_constant(
    mine: Verdict, others: Sequence[tuple[RunNumbers, Verdict]]
) -> Iterator[list[RunNumbers]]:
    """The rows of a table that may have the same constant, as far as their digits tell."""
    low, high = mine.instance.constant()
    spans = [(row, *verdict.instance.constant()) for row, verdict in others]
    fewest = 2 if mine.relation.compares else ROWS_ALIKE
    for end in {end for _, *ends in spans for end in ends if low <= end <= high}:
        rows = [row for row, least, most in spans if least <= end <= most]
        if len(rows) >= fewest:
            yield rows
