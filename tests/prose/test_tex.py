"""Fractions of TeX in calculations."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.prose.tex import spell_out
from mdbench.source import Source


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (r"$$ speedup = \frac{1}{1 - 0.9431 + \frac{0.9431}{16}} = 1.892326616 $$", True),
        (r"$$ speedup = \frac{1}{1 - 0.9431 + \frac{0.9431}{16}} = 8.632 $$", False),
        (r"The slope is $\frac{7 - 1}{6.11 - 1}$ = 1.17.", False),
        (r"The slope is $\dfrac{7 - 1}{6.11 - 1}$ = 1.27.", True),
        (r"$\frac{p}{16} = 3$ and \frac{1}{2 = 7", False),
        (r"\frac12 = 7, \frac{1}3 = 9", False),
    ],
)
def test_a_fraction_is_worked_out(text: str, wrong: bool) -> None:
    assert [one.code for one in check(Source("report.md", text + "\n"))] == ["MB401"] * wrong


def test_a_fraction_is_spelled_out() -> None:
    assert spell_out(r"\frac{1}{1 - 0.9 + \frac{0.9}{16}}") == "(1)/(1 - 0.9 + 0.9/16)".replace(
        "(1)", "1"
    )
