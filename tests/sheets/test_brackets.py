"""Ratios in brackets to the best number of a column."""

from __future__ import annotations

import pytest

from mdbench import parse
from mdbench.diagnosis.diagnosis import diagnose

HEAD = "| Name | Min (ns) | StdDev (ns) | OPS |\n|---|---|---|---|\n"
ROWS = (
    "| a | 224.6666 (1.0) | 113.5649 (1.0) | 4,095.8240 (1.0) |\n"
    "| b | 5,600.0008 (24.93) | 2,570.6551 (22.64) | 166.9545 (0.04) |\n"
    "| c | 531,119.9984 (>1000.0) | 182,326.1561 (>1000.0) | 1.3541 (0.00) |\n"
)


def second(text: str) -> list[str]:
    """What the numbers in brackets were read as."""
    return [
        one.quantity.name if one.quantity else ""
        for one in parse(text).sheets[0].measurements
        if one.part == 1
    ]


def test_ratios_to_the_least_and_to_the_greatest() -> None:
    assert second(HEAD + ROWS) == ["relative"] * 9


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("(24.93)", "(34.93)", id="another number"),
        pytest.param("224.6666 (1.0)", "224.6666 (2.0)", id="no best one"),
    ],
)
def test_numbers_that_are_no_ratios_have_no_quantity(before: str, after: str) -> None:
    assert second(HEAD + ROWS.replace(before, after))[:3] == [""] * 3


def test_the_ratios_verify_their_cells() -> None:
    text = HEAD + ROWS
    verified = {text[span.start : span.end] for span in diagnose(parse(text)).verified}
    assert "5,600.0008 (24.93)" in verified
    assert "2,570.6551 (22.64)" in verified
    assert "531,119.9984 (>1000.0)" not in verified
