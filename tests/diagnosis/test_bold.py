"""Bold numbers, where the text says that the best ones are bold."""

from __future__ import annotations

import pytest

import mdbench

TABLE = """
| model | ARC | MMLU | GSM8K | Wino |
|-------|----:|-----:|------:|-----:|
| a | 59.47 | **66.49** | 45.79 | 77.35 |
| b | 60.32 | 62.58 | 36.16 | **78.37** |
| c | 61.09 | 66.03 | 52.77 | 78.45 |
| d | 58.70 | 63.94 | 49.13 | 77.03 |
| e | **61.86** | 64.37 | **61.71** | 77.66 |
"""


def messages(text: str) -> list[str]:
    return [one.message for one in mdbench.lint(text, select=["MB404"])]


@pytest.mark.parametrize(
    "said",
    [
        "Accuracy in %, best per column in **bold**.",
        "**Bold** = best in column",
        "The highest score is bold.",
        "Die beste Zahl jeder Spalte ist fett.",
        "最高の値は太字。",
        "每列最高值加粗。",
    ],
)
def test_a_bold_number_that_is_not_the_best(said: str) -> None:
    assert messages(said + "\n" + TABLE) == [
        "Wino 78.37 is bold as the best, but 78.45 is higher",
    ]


def test_columns_with_different_directions() -> None:
    text = "Bold: fastest or highest of its column.\n" + TABLE.replace("36.16", "**36.16**")
    text = text.replace("**61.71**", "61.71")
    assert messages(text) == ["Wino 78.37 is bold as the best: it is between 77.03 and 78.45"]


@pytest.mark.parametrize(
    ("said", "table"),
    [
        ("Scores of five models.", TABLE),
        ("Our own model is bold.", TABLE),
        ("The best of each row is bold.", TABLE),
        ("Best per column in bold.", TABLE.replace("**78.37**", "78.37")),
        ("Best per column in bold.", TABLE.replace("**66.49**", "66.49").replace("**61.86**", "1")),
        (
            "Best in bold.",
            TABLE.replace("| b | 60.32 | 62.58 | 36.16 |", "| **b** | **6** | **6** |"),
        ),
    ],
)
def test_bold_may_mean_something_else(said: str, table: str) -> None:
    assert messages(said + "\n" + table) == []
