"""Settings that nobody states, and the numbers that could be recomputed if somebody did."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers, by_sheet
from mdbench.relations.catalogue import Constant, Relation, Term
from mdbench.source import Span
from mdbench.vocabulary.quantities import Role, Vocabulary


class Lack(NamedTuple):
    """A setting that nobody states, how many cells wait for it, and the relations that do."""

    setting: str
    cells: int
    relations: tuple[str, ...]


def find_lacking(
    rows: Sequence[RunNumbers], relations: Sequence[Relation], verified: Collection[Span]
) -> tuple[Lack, ...]:
    """For each setting that a relation lacks, what it would allow to recompute."""
    cells: dict[str, set[Span]] = {}
    waiting: dict[str, dict[str, None]] = {}
    sheets = by_sheet(rows)
    fixed = [one for one in relations if one.constant is not Constant.ANY and one.tables is None]
    for members in sheets.values():
        known = {name for row in members for name in row.variables}
        for relation in fixed:
            if _lacks_one(relation, known, members[0].sheet.vocabulary) is None:
                continue
            for row in members:
                for name, span in _waiting(relation, row):
                    if span not in verified:
                        cells.setdefault(name, set()).add(span)
                        waiting.setdefault(name, {})[relation.equation] = None
    return tuple(Lack(name, len(cells[name]), tuple(waiting[name])) for name in sorted(cells))


def _lacks_one(relation: Relation, known: Collection[str], vocabulary: Vocabulary) -> str | None:
    """The only setting that a relation lacks; None if nothing or more is lacking."""
    missing = [term for term in relation.terms if not term.optional and not _has(term, known)]
    if len(missing) != 1:
        return None
    name = missing[0].names[0]
    quantity = vocabulary.quantities.get(name)
    return name if quantity is not None and quantity.role is Role.SETTING else None


def _has(term: Term, known: Collection[str]) -> bool:
    return any(name in known for name in term.names)


def _waiting(relation: Relation, row: RunNumbers) -> Iterator[tuple[str, Span]]:
    """The cells of a row that one setting keeps from being recomputed, with its name."""
    name = _lacks_one(relation, row.variables, row.sheet.vocabulary)
    if name is None:
        return
    found: list[Number] = []
    for term in relation.terms:
        found += [row.variables[one] for one in term.names if one in row.variables][:1]
    measured = [one.measurement for one in found if one.measurement is not None]
    results = [one for one in measured if one.quantity and one.quantity.role is Role.MEASUREMENT]
    if len(measured) > 1 and results:
        yield from ((name, one.cell.span) for one in measured)
