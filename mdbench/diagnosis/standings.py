"""How the rows of a report stand to the known relations: how many follow them, in bits."""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.thresholds import BITS_IF_EXACT, MOST_ROW_BITS
from mdbench.relations.catalogue import Constant, Relation


class Standing(NamedTuple):
    """How many rows follow a relation, how many do not, and how telling that is, in bits."""

    holding: int
    failing: int
    bits: float


Standings = Mapping[Relation, Standing]
Kind = TypeVar("Kind")


def count_standings(verdicts: Iterable[tuple[Kind, Verdict]]) -> Mapping[Kind, Standing]:
    """Count the rows that hold and those that fail, for each kind of verdict."""
    found: dict[Kind, Standing] = {}
    for key, verdict in verdicts:
        holding, failing, bits = found.get(key, (0, 0, 0.0))
        if verdict.fails:
            found[key] = Standing(holding, failing + 1, bits)
        else:
            # A constant that only the rows tell uses up the first of them.
            free = verdict.relation.constant is not Constant.ONE and not holding
            found[key] = Standing(holding + 1, failing, bits + (0.0 if free else _bits(verdict)))
    return found


def _bits(verdict: Verdict) -> float:
    """How unlikely it is by chance that a row agrees with a relation to its printed digits."""
    if all(one.exact for one in verdict.instance.variables):
        return BITS_IF_EXACT
    low, high = verdict.instance.constant()
    width = (high - low) / high if 0 < low <= high < math.inf else 1.0
    return min(-math.log2(width), MOST_ROW_BITS) if width > 0 else MOST_ROW_BITS
