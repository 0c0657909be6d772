"""Points between thousands, in tables that have decimal commas."""

from __future__ import annotations

import pytest

import mdbench
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

TABLE = """
| GPUs | Batch | ms/Iter | Bilder/s | Effizienz |
|-----:|------:|--------:|---------:|----------:|
|    1 |   256 |   184,1 |    1.390 |   100,0 % |
|    2 |   512 |   186,2 |    2.750 |    98,9 % |
|    4 |  1024 |   189,8 |    5.396 |    97,0 % |
|    8 |  2048 |   195,1 |   10.497 |    94,4 % |
"""


def rates(text: str) -> list[str]:
    report = read_report(Source("a.md", text), standard_vocabulary())
    (column,) = (one for one in report.sheets[0].columns if one.header.text == "Bilder/s")
    return [str(one.numeral.value) for one in column.mains]


def test_points_are_between_thousands_where_commas_are_decimal() -> None:
    assert rates(TABLE) == ["1390", "2750", "5396", "10497"]
    assert [one for one in mdbench.lint(TABLE) if one.code.startswith("MB3")] == []


def test_a_fix_has_points_too() -> None:
    (finding,) = [one for one in mdbench.lint(TABLE.replace("10.497", "10.947")) if one.fixes]
    text = Source("a.md", TABLE.replace("10.497", "10.947")).edited(finding.fixes[0].edits).text
    assert text == TABLE


@pytest.mark.parametrize(
    ("right", "other"),
    [("5.396", "5.39"), ("5.396", "0.396"), ("184,1", "184.1")],
)
def test_other_points_are_decimal(right: str, other: str) -> None:
    text = TABLE.replace(right, other)
    if other == "184.1":
        text = text.replace("%", "").replace(",", ".")
    assert rates(text)[0] == "1.390"
