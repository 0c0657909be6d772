"""A number that the report prints outside of its table too is confirmed there."""

from __future__ import annotations

import pytest

from mdbench.diagnosis.printed_elsewhere import RepeatedNumbers
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

TABLE = """
| Nodes | Tokens/s |
|------:|---------:|
|     8 |   364083 |
|    16 |   728178 |
|    16 |   728178 |
|    32 |      400 |
"""


def _confirmed(text: str) -> list[str]:
    report = read_report(Source("report.md", text), standard_vocabulary())
    printed = RepeatedNumbers(report)
    cells = report.sheets[0].columns[1].mains
    return [one.cell.raw.strip() for one in cells if printed.confirm(one)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(TABLE, [], id="its own table confirms nothing"),
        pytest.param(f"{TABLE}\nIt reaches 364,083 tokens/s.\n", ["364083"], id="the text"),
        pytest.param(f"{TABLE}\n| a | b |\n|--|--|\n| x | 364083 |\n", ["364083"], id="a table"),
        pytest.param(f"{TABLE}\nIt reaches 400 tokens/s.\n", [], id="few digits"),
        pytest.param(f"{TABLE}\nIt reaches 3640831 tokens/s.\n", [], id="a longer number"),
    ],
)
def test_a_number_is_confirmed_by(text: str, expected: list[str]) -> None:
    assert _confirmed(text) == expected
