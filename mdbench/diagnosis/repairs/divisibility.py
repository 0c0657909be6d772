"""Sizes that must divide each other: a batch into micro batches, heads into tensor slices."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import Numbers

_DIVISIONS = (
    ("global_batch", ("micro_batch", "dp")),
    ("hidden", ("heads",)),
    ("heads", ("tp",)),
)


class Indivisible(NamedTuple):
    """A size that its parts do not divide."""

    whole: Number
    parts: tuple[Number, ...]


def find_divisions(variables: Numbers) -> Iterator[tuple[bool, Indivisible]]:
    """Each division that a run allows to be tried, and whether it comes out even."""
    for whole_name, part_names in _DIVISIONS:
        whole = variables.get(whole_name)
        if whole is None or not whole.exact:
            continue
        parts = tuple(variables[name] for name in part_names if name in variables)
        if len(parts) < len(part_names):
            continue
        # Nothing and less than nothing is no size.
        if all(one.value > 0 for one in (whole, *parts)):
            even = whole.value % math.prod(part.value for part in parts) == 0
            yield even, Indivisible(whole, parts)


def count_indivisible(variables: Numbers) -> int:
    """How many divisions do not come out even."""
    return sum(not even for even, _ in find_divisions(variables))
