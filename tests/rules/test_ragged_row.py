"""MB101: what becomes of a cell that is too many."""

from __future__ import annotations

import pytest

from mdbench.linting.checker import check
from mdbench.source import Source

TABLE = "| Nodes | Sec/it | Notes |\n|--:|--:|--:|\n| 4 | 2.5 | 02-15 |\n| 8 | 1.3 | {} |\n"


@pytest.mark.parametrize(
    ("cells", "fixed"),
    [
        pytest.param("- | 02-15", "02-15", id="a dash is the one too many"),
        pytest.param("slow | 02-15", "slow 02-15", id="a note gets another one"),
    ],
)
def test_a_cell_too_many_is_put_into_the_last_column(cells: str, fixed: str) -> None:
    source = Source("report.md", TABLE.format(cells))
    (finding,) = (one for one in check(source) if one.code == "MB101")
    assert source.edited(finding.fixes[0].edits).text == TABLE.format(fixed)


def test_a_header_that_no_row_fits_is_reported_instead_of_the_rows() -> None:
    rows = "".join(f"| {at} | 0.{at} | 0.0{at} |\n" for at in range(1, 5))
    source = Source("report.md", f"| Run | a | max |b - a| |\n|--|--|--|--|--|\n{rows}")
    (finding,) = (one for one in check(source) if one.code == "MB101")
    assert source.cut(finding.span) == "| Run | a | max |b - a| |"
    assert finding.fixes == ()
