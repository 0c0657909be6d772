"""What the words around a table say of the columns that leave it open."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.sheet import Sheet


def table(*rows: str) -> str:
    bars = "|".join("---" for _ in rows[0].split("|"))
    first, *others = (f"| {row} |" for row in rows)
    return "\n".join((first, f"|{bars}|", *others))


def sheets(*blocks: str) -> tuple[Sheet, ...]:
    return mdbench.parse("\n\n".join((*blocks, ""))).sheets


def told(sheet: Sheet) -> list[str]:
    """The quantity and the unit of each column."""
    return [
        f"{header.quantity.name if header.quantity else '-'}"
        f" {header.unit.text if header.unit else '-'}"
        for header in (column.header for column in sheet.columns)
    ]


@pytest.mark.parametrize(
    ("corner", "label", "cells", "settings"),
    [
        ("method \\ number of threads", "method -", "- -", (("threads", "8"),)),
        ("Device \\ TFLOPS", "device -", "tflops_per_device TFLOPS", (("method", "8"),)),
        ("Loss (Model/Epoch)", "name -", "loss -", (("epochs", "8"),)),
    ],
)
def test_a_corner_names_the_rows_and_the_columns(
    corner: str, label: str, cells: str, settings: tuple[tuple[str, str], ...]
) -> None:
    (sheet,) = sheets("## Accuracy", table(f"{corner} | 8 | 16", "a | 3.4 | 2.9", "b | 3.3 | 2.8"))
    assert told(sheet)[0] == label
    if cells != "- -":
        assert told(sheet)[1] == cells
    assert sheet.columns[1].header.settings == settings


def test_words_per_second_are_a_rate() -> None:
    (sheet,) = sheets("训练吞吐率(words/sec)如下:", table("卡数 | FP32 | FP16", "1 | 8809.7 | 33082.1"))
    assert told(sheet)[1:] == ["items_per_s words/sec"] * 2
