"""Optional additions to a rendered report: computed cells and findings; and --minimal."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_regressions.file_regression import FileRegressionFixture

from mdbench.files.reading import read_source
from mdbench.frames.frame_columns import Shape
from mdbench.frames.rows import tidy_rows
from mdbench.linting.checker import check
from mdbench.rendering.markdown import Rendering, render_markdown
from mdbench.rules.findings import Severity
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

PROJECT = Path(__file__).resolve().parent.parent.parent


def render(
    text: str, *, minimal: bool = False, recompute: bool = False, annotate: bool = False
) -> str:
    way = Rendering(minimal, recompute, annotate)
    return render_markdown(Source("report.md", text), STANDARD, way).text


CLEAN = [
    pytest.param("| Nodes | TFLOPs |\n|------:|-------:|\n| 4     |   0.86 |\n", id="aligned"),
    pytest.param("| Nodes | TFLOPs |\n| --- | --- |\n| 4 | 0.86 |\n", id="one space around"),
    pytest.param("|Nodes|TFLOPs|\n|-|-|\n|4|0.86|\n|1024|-|\n", id="no space around"),
]


@pytest.mark.parametrize("text", CLEAN)
def test_minimal_leaves_a_clean_table_unchanged(text: str) -> None:
    assert render(text, minimal=True) == text
    assert render(text) != text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("| Nodes | TFLOPs |\n|--|--|\n| 4| 0.86 |\n|1024 | 3 |\n", id="ragged"),
        pytest.param("| Nodes | TFLOPs |\n|---|---|\n| 4 | 0.86 |\n| | |\n", id="a blank row"),
        pytest.param("| Nodes | Mem |\n|---|---|\n| 4 | 5 GB |\n", id="a unit to hoist"),
        pytest.param(
            "| Nodes | TFLOPs |\n|---|---|\n| 4 | N/A |\n", id="a sign for a missing value"
        ),
        pytest.param("| Nodes | TFLOPs |\n|---|---|\n| 4 |\n", id="a short row"),
        pytest.param("Nodes | TFLOPs\n---|---\n4 | 1.5\n", id="no outer pipes"),
    ],
)
def test_minimal_rewrites_all_other_tables(text: str) -> None:
    assert render(text, minimal=True) == render(text) != text


def test_recompute_fills_in_derived_cells_with_the_formula_of_the_report(
    file_regression: FileRegressionFixture,
) -> None:
    text = render((PROJECT / "reports" / "fugaku-1.3b.md").read_text("utf-8"), recompute=True)
    file_regression.check(text, extension=".md", newline="")
    lines = text.splitlines()
    assert "|   0.003[^computed-1] |" in lines[26]
    assert "|    0.05[^computed-1] |" in lines[27]
    (told,) = [line for line in lines if line.startswith("[^computed-1]:")]
    assert told == (
        "[^computed-1]: computed by mdbench: "
        "Est. Aggr. PetaFLOPs = TFLOPs × Nodes / 1024, the formula on line 20"
    )
    assert "computed" not in lines[28], "a row with an error is not computed from"


SHARES = """
| Nodes | Samples/s | Global bsz | Iter/s |
|------:|----------:|-----------:|-------:|
|     1 |       512 |       1024 |   0.50 |
|     2 |      1024 |       1024 |   1.00 |
|     4 |      2000 |       1024 |   1.95 |
|     8 |      4000 |       1024 |   {} |
"""


def test_recompute_never_overwrites() -> None:
    assert "computed" not in render(SHARES.format("3.00"), recompute=True)
    assert "computed" not in render(SHARES.format("OOM"), recompute=True)


def test_a_computed_cell_has_its_mark_in_the_frame() -> None:
    text = (PROJECT / "reports" / "fugaku-1.3b.md").read_text("utf-8")
    rendered = render_markdown(Source("r.md", text), STANDARD, Rendering(recompute=True))
    (cell,) = [
        row
        for row in tidy_rows(read_report(rendered, STANDARD), Shape.CELLS)
        if row["line"] == 27 and row["quantity"] == "pflops_total"
    ]
    assert (cell["value"], cell["markers"]) == (0.003, ["[^computed-1]"])
    assert str(cell["note"]).startswith("computed by mdbench: ")


def test_annotate_adds_each_finding_to_its_cell() -> None:
    path = str(PROJECT / "reports" / "nanotron-nemo.md")
    text = render_markdown(read_source(path), STANDARD, Rendering(annotate=True)).text
    assert "| 1.18[^MB301-1] |" in text
    assert "| 0.19[^MB304-1] |" in text
    assert "[^MB301-1]: MB301 derived-mismatch (error): Iter/s 1.18 should be 1.14" in text


def test_annotate_adds_the_finding_of_a_column_to_its_header() -> None:
    path = str(PROJECT / "reports" / "fugaku-30b.md")
    text = render_markdown(read_source(path), STANDARD, Rendering(annotate=True)).text
    assert "Sec/it[^MB303-1] |" in text


def test_annotated_reports_have_the_errors_of_the_clean_ones() -> None:
    path = str(PROJECT / "reports" / "fugaku-1.3b.md")
    clean = render_markdown(read_source(path), STANDARD)
    annotated = render_markdown(read_source(path), STANDARD, Rendering(annotate=True))
    before, after = (
        [one.code for one in check(source) if one.severity is Severity.ERROR]
        for source in (clean, annotated)
    )
    assert before == after == ["MB302", "MB301"]


def test_annotate_removes_outdated_footnotes() -> None:
    annotated = render(SHARES.format("3.00"), annotate=True)
    assert "[^MB301-1]" in annotated
    fixed = annotated.replace("  3.00 |", "  3.91 |")
    assert render(fixed, annotate=True) == render(SHARES.format("3.91"), annotate=True)
