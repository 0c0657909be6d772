"""Generated texts and damaged real ones: every law holds for them.

A fixed, small number of texts; `make fuzz` searches for new ones.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.markdown import reports
from tests.fuzz.mutations import mutate
from tests.fuzz.trial import LAWS, put_to

DAMAGED = 48
QUICK = ("document", "lint", "rows", "formats")


@settings(suppress_health_check=list(HealthCheck))
@given(reports())
def test_laws_hold_for_generated_reports(data: bytes) -> None:
    put_to(data, QUICK)


@settings(suppress_health_check=list(HealthCheck), max_examples=settings().max_examples // 4)
@given(reports())
def test_generated_reports_are_fixed_and_rendered(data: bytes) -> None:
    put_to(data, [name for name in LAWS if name not in QUICK])


@pytest.mark.parametrize("seed", range(DAMAGED))
def test_laws_hold_for_damaged_reports(seed: int) -> None:
    put_to(mutate(Random(seed)))
