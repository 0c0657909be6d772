"""Blank cells at the left of a table that is grouped by them mean "as above"."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape
from mdbench.frames.rows import tidy_rows


def read_settings(*rows: str) -> list[tuple[object, object]]:
    """The model and the devices of each run of a table with a column for both."""
    lines = ["| Model | GPUs | MBS | s/it |", "|---|---|---|---|", *(f"| {row} |" for row in rows)]
    runs = tidy_rows(mdbench.parse("\n".join(lines)), Shape.RUNS)
    return [(run["model"], run["devices"]) for run in runs]


def test_blank_cells_at_the_left_take_over_what_stands_above() -> None:
    assert read_settings("a | 8 | 4 | 1", " | | 8 | 2", " | 16 | 4 | 3", "b | 8 | 4 | 4") == [
        ("a", 8),
        ("a", 8),
        ("a", 16),
        ("b", 8),
    ]


@pytest.mark.parametrize("ditto", ['"', "''", "〃"])
def test_a_sign_of_repetition_does_too(ditto: str) -> None:
    assert read_settings("a | 8 | 4 | 1", f"{ditto} | 16 | 4 | 2") == [("a", 8), ("a", 16)]


def test_a_blank_right_of_a_filled_cell_may_mean_anything() -> None:
    assert read_settings("a | 8 | 4 | 1", "b | | 4 | 2") == [("a", 8), ("b", None)]


def test_what_is_blank_from_the_first_row_on_is_not_known() -> None:
    assert read_settings(" | 8 | 4 | 1", "b | 8 | 4 | 2", " | 8 | 8 | 3")[2] == (None, 8)


def test_a_row_that_measures_nothing_takes_over_nothing() -> None:
    assert read_settings("a | 8 | 4 | 1", " | | | -", "b | 8 | 4 | 2")[1] == (None, None)


def test_a_run_that_failed_takes_over_what_stands_above() -> None:
    assert read_settings("a | 8 | 4 | 1", " | | 8 | OOM")[1] == ("a", 8)
