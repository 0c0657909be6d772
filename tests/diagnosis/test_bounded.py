"""Bounds and estimates can contradict a law, and confirm none."""

from __future__ import annotations

from decimal import Decimal

import pytest

from mdbench.api import parse
from mdbench.diagnosis.bounded import open_ends
from mdbench.linting.checker import check
from mdbench.rules.context import Context
from mdbench.source import Source

HEADER = "| Baseline latency (s) | Ours latency (s) | Speedup |\n|---|---|---|\n"
SOUND = "| 10.0 | 5.0 | 2.00 |\n| 12.0 | 4.0 | 3.00 |\n| 9.0 | 6.0 | 1.50 |\n| 8.8 | 8.0 | 1.10 |\n"


def lint(text: str) -> list[tuple[str, int, int]]:
    source = Source("report.md", text)
    return [
        (one.code, source.line(one.span.start), len(one.fixes))
        for one in check(source)
        if one.code.startswith("MB3")
    ]


def report(speedup: str, time: str = "10.0") -> str:
    return f"{HEADER}{SOUND}| 20.0 | {time} | {speedup} |\n"


@pytest.mark.parametrize(
    ("value", "quantum", "bound", "ends"),
    [
        pytest.param("0.6", "0.1", "<", (None, "0.6"), id="open below"),
        pytest.param("80", "1", "≥", ("80", None), id="open above"),
        pytest.param("3", "1", "~", ("2", "4"), id="one unit of the last digit"),
        pytest.param("1000", "1", "~", ("800", "1200"), id="at least a fifth"),
    ],
)
def test_ends_of(value: str, quantum: str, bound: str, ends: tuple[str | None, str | None]) -> None:
    found = open_ends(Decimal(value), Decimal(quantum), bound)
    assert found == tuple(None if end is None else Decimal(end) for end in ends)


@pytest.mark.parametrize("speedup", ["<0.6", "> 3", "~4.5", "≤1.5x", "at least 2.5"])
def test_a_bound_that_its_row_contradicts_is_reported_without_a_fix(speedup: str) -> None:
    assert lint(report(speedup)) == [("MB301", 7, 0)]


@pytest.mark.parametrize("speedup", ["<2.5", ">1.5", "~2.1", "≈2×", "≥2", "up to 2x"])
def test_a_bound_that_agrees_is_neither_reported_nor_verified(speedup: str) -> None:
    text = report(speedup)
    assert lint(text) == []
    diagnosis = Context(parse(text)).diagnosis
    assert len(diagnosis.verified) == 12


def test_a_bound_confirms_no_law() -> None:
    text = HEADER + "".join(f"| {time}.0 | 5.0 | >1 |\n" for time in range(10, 20))
    assert not Context(parse(text)).diagnosis.verified


def test_a_cell_with_an_estimate_overrules_what_the_text_states() -> None:
    text = (
        "We use 8 GPUs.\n\n| GPUs | Tokens/s per GPU | Tokens/s |\n|---|---|---|\n"
        "| 8 | 100 | 800 |\n| 16 | 100 | 1600 |\n| ~30 | 100 | 3200 |\n"
    )
    assert lint(text) == []


def test_a_spread_does_not_widen_a_ratio_of_means() -> None:
    rows = SOUND.replace("10.0 |", "10.0 ± 9.0 |")
    assert lint(HEADER + rows) == []
    assert lint(HEADER + rows.replace("2.00", "2.60")) == [("MB301", 3, 1)]
