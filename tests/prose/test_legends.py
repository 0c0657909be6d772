"""Explanations of markers: a line below the table, a footnote anywhere, nearest first."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.frames.frame_columns import Shape
from mdbench.frames.rows import tidy_rows

TABLE = "\n| Nodes | TFLOPs |\n|---|---|\n| 2 | 1.18{} |\n\n"


def meanings(text: str, table: int = 0) -> dict[str, str]:
    """The explained markers of a table, with their explanations."""
    sheet = mdbench.parse(text).sheets[table]
    return {mark: legend.text for mark, legend in sheet.legends.items()}


@pytest.mark.parametrize(
    ("cell", "line", "expected"),
    [
        pytest.param(
            "^", "^ Estimated from one step", {"^": "Estimated from one step"}, id="a caret"
        ),
        pytest.param("^", "^: estimated", {"^": "estimated"}, id="a colon after the marker"),
        pytest.param("†", "† with XLA", {"†": "with XLA"}, id="a dagger"),
        pytest.param("†", "†With XLA", {"†": "With XLA"}, id="no space before a capital letter"),
        pytest.param("*", r"\* one run only", {"*": "one run only"}, id="an escaped star"),
        pytest.param("*", "(*) one run only", {"*": "one run only"}, id="in brackets"),
        pytest.param("[^1]", "[^1]: See the log.", {"[^1]": "See the log."}, id="a footnote"),
        pytest.param("^", "- ^ in a list", {"^": "in a list"}, id="a list item"),
        pytest.param("^", "x ^ 2 is a power", {}, id="a caret inside a sentence"),
        pytest.param("*", "*emphasis* is no mark", {}, id="emphasis"),
        pytest.param("*", "**Bold** is no mark", {}, id="bold"),
        pytest.param("", "^ Estimated", {}, id="a marker that the table does not use"),
    ],
)
def test_a_line_below_a_table_explains_a_marker(
    cell: str, line: str, expected: dict[str, str]
) -> None:
    assert meanings(f"# R\n{TABLE.format(cell)}{line}\n") == expected


def test_a_legend_has_its_span() -> None:
    text = f"# R\n{TABLE.format('^')}^ Estimated\n"
    legend = mdbench.parse(text).sheets[0].legends["^"]
    assert text[legend.span.start : legend.span.end] == "^ Estimated"


def test_the_nearest_explanation_below_counts() -> None:
    text = f"# R\n\n^ above\n{TABLE.format('^')}^ below\n\n^ further below\n"
    assert meanings(text) == {"^": "below"}


def test_one_above_counts_if_none_is_below() -> None:
    assert meanings(f"# R\n\n^ above\n{TABLE.format('^')}") == {"^": "above"}


def test_a_sibling_section_with_tables_explains_only_its_own_markers() -> None:
    text = f"# R\n## A\n{TABLE.format('^')}\n## B\n{TABLE.format('^')}^ of B\n"
    assert [meanings(text, at) for at in (0, 1)] == [{}, {"^": "of B"}]


def test_a_section_of_notes_explains_markers_everywhere() -> None:
    text = f"# R\n## A\n{TABLE.format('^')}\n## Notes\n\n^ estimated\n"
    assert meanings(text) == {"^": "estimated"}


def test_a_footnote_applies_everywhere() -> None:
    text = f"# R\n## A\n{TABLE.format('[^1]')}\n## B\n{TABLE.format('')}[^1]: the note\n"
    assert meanings(text) == {"[^1]": "the note"}


def test_the_meaning_of_a_marker_is_a_note_of_the_cell_and_the_run() -> None:
    report = mdbench.parse(f"# R\n{TABLE.format('^')}^ Estimated\n")
    (run,) = tidy_rows(report, Shape.RUNS)
    assert (run["markers"], run["notes"]) == (["^"], "Estimated")
    cell = next(row for row in tidy_rows(report, Shape.CELLS) if row["raw"] == "1.18^")
    assert (cell["value"], cell["markers"], cell["note"]) == (1.18, ["^"], "Estimated")


def test_an_unexplained_marker_is_kept_without_a_note() -> None:
    (run,) = tidy_rows(mdbench.parse(f"# R\n{TABLE.format('^')}"), Shape.RUNS)
    assert (run["markers"], run["notes"], run["tflops_per_device"]) == (["^"], None, 1.18)
