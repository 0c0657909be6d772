"""How likely a finding is right, from the evidence for it.

Three things can be wrong with a finding: the law is not what the author meant, the row is an
exception to it, or another place is the wrong one. Each has a probability, and the confidence is
the product of the three opposites. It says that something is wrong at the place of the finding, not
that its first fix is right. `python -m benchmarks.calibration` compares it with what is right.
"""

from __future__ import annotations

from mdbench.diagnosis.arithmetic.applied import Applied
from mdbench.diagnosis.arithmetic.found import Found
from mdbench.diagnosis.arithmetic.misnamed import Misnamed
from mdbench.diagnosis.checks import Check
from mdbench.diagnosis.laws.verdicts import Verdict
from mdbench.diagnosis.repairs.values import Contradiction
from mdbench.diagnosis.standings import Standing, Standings
from mdbench.diagnosis.thresholds import (
    ALIKE_DOUBT,
    BITS_IF_NAMED,
    BITS_IF_UNNAMED,
    BITS_TO_HALVE,
    EXCEPTION_WEIGHT,
    KNOWN_BITS,
    KNOWN_ROWS,
    LAW_DOUBT,
    RIVAL_DOUBT,
    SURE_LEAD,
)
from mdbench.relations.catalogue import Constant, Relation


def weigh_evidence(extra: float, holding: int, failing: int, lead: float = SURE_LEAD) -> float:
    """The confidence from what speaks for a law, for its rows and for the place.

    `extra` are the bits for the law beyond those that are needed to believe it, and `lead` is by
    how many bits the best explanation is ahead of the next one.
    """
    law = 1 - LAW_DOUBT * 2 ** (-max(extra, 0.0) / BITS_TO_HALVE)
    place = 1 - RIVAL_DOUBT * 2 ** -max(lead, 0.0)
    return law * weigh_rows(holding, failing) * place


def weigh_rows(holding: int, failing: int) -> float:
    """How likely rows that break a law are mistakes, not exceptions that their author knows of."""
    return (holding + 1) / (holding + 1 + EXCEPTION_WEIGHT * failing)


def weigh_definition(holding: int, failing: int) -> float:
    """The same for what is true by definition, so that other rows need not show it."""
    return weigh_rows(KNOWN_ROWS + holding, failing)


def judge_contradiction(contradiction: Contradiction, standings: Standings) -> float | None:
    """The confidence in numbers that contradict each other; None if only units show it."""
    judged = [_judge(one, standings, contradiction.lead) for one in contradiction.failing]
    if not judged:
        return None
    return max(judged) * (1 - ALIKE_DOUBT if contradiction.alike else 1)


def _judge(check: Check, standings: Standings, lead: float) -> float:
    if isinstance(check, Applied):
        return _judge_law(check.found, lead)
    if isinstance(check, Verdict):
        return _judge_relation(check.relation, standings[check.relation], lead)
    raise TypeError(check)


def judge_misnamed(misnamed: Misnamed) -> float:
    """The confidence in a column that contradicts its header. No row of it is an exception.

    If some rows follow the law, all others together may be one.
    """
    exceptions = int(misnamed.found.is_partly_stale)
    return _judge_law(misnamed.found._replace(failing=exceptions), SURE_LEAD)


def _judge_law(found: Found, lead: float) -> float:
    needed = BITS_IF_NAMED if found.named else BITS_IF_UNNAMED
    return weigh_evidence(found.bits - needed, found.holding, found.failing, lead)


def _judge_relation(relation: Relation, standing: Standing, lead: float) -> float:
    # A relation without a constant is a definition.
    more = KNOWN_ROWS if relation.constant is Constant.ONE and not relation.model else 0
    holding = standing.holding + more
    # What the project itself states has no exceptions.
    failing = 0 if relation.stated else standing.failing
    return weigh_evidence(standing.bits + KNOWN_BITS, holding, failing, lead)
