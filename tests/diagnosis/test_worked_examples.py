"""A calculation that was worked for one run is a formula for the others."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source

HEAD = "| GPUs | Size | Mic-BS | GBS | Speed | TFlops |\n|---|---|---|---|---|---|\n"
FIRST = HEAD + "| 64 | 52B | 4 | 1024 | 146s | 46.7 |\n| 32 | 24B | 4 | 512 | 98s | 32.1 |\n"
WORKED = (
    "\n```\nperl -le '$ng=64; $ms=52; $gbs=1024; $sp=146; "
    "print $ms*4*2*1024*$gbs / ( $sp * $ng * 1e3)'\n```\n\n"
)
SECOND = HEAD + "| 64 | 52B | 8 | 384 | 72s | 35.5 |\n"
WRONG = "| 64 | 91B | 8 | 256 | 80s | 47.3 |\n"


def find(text: str) -> list[tuple[str, str]]:
    source = Source("report.md", text)
    return [(one.code, source.cut(one.span)) for one in check(source) if one.code > "MB3"]


def test_the_formula_holds_for_every_table() -> None:
    assert find(FIRST + WORKED + SECOND + "| 64 | 350M | 8 | 512 | 0.6s | 38.2 |\n") == []
    assert find(FIRST + WORKED + SECOND + WRONG) == [("MB301", "47.3")]


@pytest.mark.parametrize(
    "worked",
    [
        pytest.param(WORKED.replace("$sp=146", "$sp=147"), id="of no run of the report"),
        pytest.param(WORKED.replace("4*2", "3*2"), id="with another result"),
        pytest.param(WORKED.replace("$ms=52", "$ms=64"), id="two numbers are one cell"),
    ],
)
def test_a_calculation_of_something_else_is_no_formula(worked: str) -> None:
    assert find(FIRST + worked + SECOND + WRONG) == []
