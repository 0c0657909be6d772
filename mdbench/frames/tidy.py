"""Reports as tidy rows of plain values: what the `runs` and `cells` frames hold."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.frames.cells import cell_rows
from mdbench.frames.columns import Field, Kind, Shape, TidyRow, Value, fields
from mdbench.frames.runs import run_rows
from mdbench.rules.findings import UNMARKED, Marks
from mdbench.sheets.report import Workbook

__all__ = ["Field", "Kind", "Shape", "TidyRow", "Value", "fields", "tidy_rows"]


def tidy_rows(workbook: Workbook, shape: Shape, marks: Marks = UNMARKED) -> Iterator[TidyRow]:
    """The rows of a report in one of the frames, with what a check marked in it."""
    make = run_rows if shape is Shape.RUNS else cell_rows
    return make(workbook, marks)
