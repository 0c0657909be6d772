"""MB103: when a row may be removed, because no row below depends on it."""

from __future__ import annotations

import pytest

import mdbench

TABLE = "| Model | Device | Tokens/s | Latency (ms) |\n|---|---|--:|--:|\n"
FIRST, OTHER = "| a | H100 | 12.5 | 80 |\n", "| b | A100 | 30.1 | 33 |\n"


@pytest.mark.parametrize(
    ("below", "removable"),
    [
        pytest.param("| c | T4 | 3.5 | 285 |\n", True, id="complete"),
        pytest.param("| c | T4 | 3.5 |  |\n", True, id="a result that lacks repeats nothing"),
        pytest.param("| c |  | 3.5 | 285 |\n", False, id="a setting that lacks is the one above"),
        pytest.param("", True, id="nothing"),
    ],
)
def test_a_row_is_removed_if_none_below_depends_on_it(below: str, removable: bool) -> None:
    (found,) = mdbench.lint(f"{TABLE}{FIRST}{OTHER}{FIRST}{below}", select=["MB103"])
    assert bool(found.fixes) is removable


def test_equal_rows_in_a_row_leave_the_first() -> None:
    found = mdbench.lint(f"{TABLE}{FIRST * 4}| c |  | 3.5 | 285 |\n", select=["MB103"])
    assert [len(one.fixes) for one in found] == [1, 1, 1]


def test_equal_rows_below_another_leave_the_last_where_it_counts() -> None:
    text = f"{TABLE}{FIRST}{OTHER}{FIRST * 2}| c |  | 3.5 | 285 |\n"
    assert [len(one.fixes) for one in mdbench.lint(text, select=["MB103"])] == [1, 0]
