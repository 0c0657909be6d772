"""A relation is between different columns: no column stands for two of its names."""

from __future__ import annotations

from mdbench.api import parse
from mdbench.diagnosis.laws.bindings import bindings_of, bound, find_choices
from mdbench.relations.catalogue import catalogue
from mdbench.rules.context import Context

# `Throughput` leaves open what it counts, and `Speed` does too.
TABLE = """\
| GPUs | Batch | Throughput | Speed | Samples/s |
|-----:|------:|-----------:|------:|----------:|
|    4 |    64 |       12.5 |  12.5 |      12.5 |
|    8 |    64 |       24.8 |  24.8 |      24.8 |
"""


def test_no_column_has_two_names() -> None:
    rows = Context(parse(TABLE)).diagnosis.rows
    choices = find_choices(rows)
    shared = [relation for relation in catalogue() if len(choices.keys() & set(relation.names)) > 1]
    assert shared, "no relation has two names that the headers leave open"
    for relation in shared:
        for binding in bindings_of(relation, choices):
            titles = [title for _, title in binding]
            assert len(titles) == len(set(titles))


def test_columns_that_leave_the_same_open_hold_the_same_quantity() -> None:
    choices = dict.fromkeys(("tokens_per_s", "samples_per_s"), ("A throughput", "B throughput"))
    (tokens, *_) = (one for one in catalogue() if choices.keys() <= set(one.names))
    assert list(bindings_of(tokens, choices)) == []


def test_a_column_that_is_bound_is_no_other_quantity() -> None:
    (row, *_) = Context(parse(TABLE)).diagnosis.rows
    cell = row.columns["samples_per_s"][-1]
    assert cell.measurement is not None
    assert "steps_per_s" not in bound(row, (("steps_per_s", cell.measurement.header.text),))
