"""MB305: which of the sizes that do not divide each other is to be changed."""

from __future__ import annotations

from mdbench.linting.checker import check
from mdbench.source import Source

TABLE = """\
| Nodes | DP | TP | PP | MBS | GBS |
|--:|--:|--:|--:|--:|--:|
| 256 | 256 | 1 | 1 | 1 | 1024 |
| 512 | 512 | 1 | 1 | 1 | 1024 |
| 1024 | 512 | 2 | 1 | 1 | 1024 |
| 1024 | 1024 | 1 | 1 | 2 | 1024 |
"""


def test_a_size_that_another_relation_confirms_is_not_changed() -> None:
    source = Source("report.md", TABLE)
    (finding,) = (one for one in check(source) if one.code == "MB305")
    assert finding.message == "GBS 1024 is not divisible by MBS 2 × DP 1024"
    assert [fix.title for fix in finding.fixes] == ["change to MBS 1"]
    assert source.cut(finding.span) == "2"


def test_a_finding_covers_all_cells_that_may_be_wrong() -> None:
    text = TABLE.replace("Nodes |", "Run |").replace("| 1024 | 1024 |", "| 9 | 1024 |")
    source = Source("report.md", text)
    (finding,) = (one for one in check(source) if one.code == "MB305")
    assert [fix.title for fix in finding.fixes] == ["change to MBS 1", "change to DP 512"]
    assert source.cut(finding.span) == "1024 | 1 | 1 | 2"
