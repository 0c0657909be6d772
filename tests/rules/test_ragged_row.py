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
