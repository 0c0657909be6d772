"""Findings in the frames: the codes on each cell, and which cells are verified."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

import mdbench


def cells_of(project: Path, name: str) -> pd.DataFrame:
    return mdbench.normalize(project / "reports" / name, shape="cells")


def test_a_finding_is_on_its_cell_and_on_no_other_of_the_row(project: Path) -> None:
    cells = cells_of(project, "nanotron-nemo.md")
    row = cells[(cells["line"] == 33) & cells["row"].notna()].set_index("header")
    assert row["findings"]["Iter/s"] == ["MB301"]
    assert all(not len(found) for found in row.drop("Iter/s")["findings"])


def test_a_number_is_verified_if_a_relation_confirms_it(project: Path) -> None:
    cells = cells_of(project, "nanotron-nemo.md")
    row = cells[(cells["line"] == 33) & cells["row"].notna()].set_index("header")
    assert row["verified"]["Samples/s"] == True  # noqa: E712
    assert bool(row.loc["Iter/s", "verified"]) is False


def test_words_are_neither_verified_nor_unverified(project: Path) -> None:
    cells = cells_of(project, "bigscience-1b3.md")
    assert cells[cells["raw"] == "OOM"]["verified"].isna().all()


def test_a_run_has_the_codes_of_its_cells(project: Path) -> None:
    runs = mdbench.normalize(project / "reports" / "fugaku-30b.md")
    found = {line: list(codes) for line, codes in zip(runs["line"], runs["findings"], strict=True)}
    assert found[35] == ["MB301", "MB303"]
    assert found[25] == []


def test_a_setting_in_the_text_has_its_finding(project: Path) -> None:
    cells = cells_of(project, "nanotron-nemo.md")
    stated = cells[(cells["line"] == 49) & (cells["quantity"] == "global_batch")]
    assert all(list(found) == ["MB402"] for found in stated["findings"])
