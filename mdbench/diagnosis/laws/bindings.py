"""Which column a relation means where several hold the same quantity, or one may hold several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from mdbench.diagnosis.run_numbers import Numbers, RunNumbers
from mdbench.diagnosis.thresholds import BINDING_SAMPLE, MOST_BINDINGS
from mdbench.relations.catalogue import Relation

Binding = tuple[tuple[str, str], ...]
"""For each quantity that is not clear, the header of the column that is meant."""
Choices = Mapping[str, tuple[str, ...]]


def find_choices(rows: Sequence[RunNumbers]) -> Choices:
    """The quantities that several columns of a sheet may hold, with the headers of those."""
    found: dict[str, dict[str, None]] = {}
    for row in rows[:BINDING_SAMPLE]:
        for name, several in () if row.is_clear else row.columns.items():
            if len(several) > 1 or name not in row.variables:
                titles = (one.measurement.header.text for one in several if one.measurement)
                found.setdefault(name, {}).update(dict.fromkeys(titles))
    return {name: tuple(titles) for name, titles in found.items()}


def bindings_of(relation: Relation, choices: Choices) -> Iterator[Binding]:
    """Every way to bind the names of a relation that are not clear; one if all are.

    A column that had two names would agree with itself, and columns whose headers leave the same
    open hold the same quantity.
    """
    open_names = [name for name in relation.names if name in choices]
    ways = product(*([(name, title) for title in choices[name]] for name in open_names))
    return islice((way for way in ways if _tells_apart(way, choices)), MOST_BINDINGS)


def _tells_apart(binding: Binding, choices: Choices) -> bool:
    left_open = {
        frozenset(name for name, titles in choices.items() if title in titles)
        for _, title in binding
    }
    return len(left_open) == len(binding)


def bound(row: RunNumbers, binding: Binding) -> Numbers:
    """The numbers of a row under a binding."""
    if not binding:
        return row.variables
    taken = {title for _, title in binding}
    variables = {
        name: one
        for name, one in row.variables.items()
        if one.measurement is None or one.measurement.header.text not in taken
    }
    for name, title in binding:
        for one in row.columns.get(name, ()):
            if one.measurement is not None and one.measurement.header.text == title:
                variables[name] = one
                break
    return variables


def is_usual(binding: Binding, row: RunNumbers) -> bool:
    """Whether a binding takes the columns that the row's values are from anyway."""
    usual = row.variables
    return all(
        name in usual and (one := usual[name].measurement) is not None and one.header.text == title
        for name, title in binding
    )
