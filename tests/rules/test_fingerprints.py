"""Fingerprints survive moved lines and reformatted tables, but no other changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.linting.checker import check
from mdbench.linting.plan import Options
from mdbench.linting.selection import Selection
from mdbench.rules.findings import Finding, Severity, fingerprint_findings, portable_path
from mdbench.source import Source, Span

TABLE = "| Nodes | Mem | Sec/it |\n|--|--|--|\n| 2 | 17 GB | 47.1 |\n| 4 | 300 W | 23.6 |\n"


def prints(text: str, path: str = "a.md") -> list[str]:
    source = Source(path, text)
    return list(fingerprint_findings(source, check(source, Options(Selection(("MB1", "MB2"))))))


def test_a_finding_has_a_fingerprint() -> None:
    assert len(prints(TABLE)) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"# Title\n\nSome words.\n\n{TABLE}", id="lines above"),
        pytest.param(f"{TABLE}\nSome words.\n", id="lines below"),
        pytest.param(TABLE.replace("| 4 |", "| 3 | 16 GB | 31.0 |\n| 4 |"), id="an additional row"),
        pytest.param(TABLE.replace("| 4 | 300 W |", "|  4  |  300 W   |"), id="other spaces"),
        pytest.param(TABLE.replace("\n", "\r\n"), id="other line endings"),
    ],
)
def test_fingerprint_stays_the_same(text: str) -> None:
    assert prints(text) == prints(TABLE)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param(TABLE.replace("300 W", "301 W"), "a.md", id="another cell"),
        pytest.param(TABLE.replace("| 4 |", "| 8 |"), "a.md", id="another row"),
        pytest.param(TABLE, "b.md", id="another file"),
    ],
)
def test_fingerprint_changes(text: str, path: str) -> None:
    assert len(prints(text, path)) == 1
    assert prints(text, path) != prints(TABLE)


def test_equal_findings_have_two_fingerprints_and_the_first_is_stable() -> None:
    twice = prints(f"{TABLE}\nAgain:\n\n{TABLE}")
    assert len(twice) == len(set(twice)) == 2
    assert twice[0] == prints(TABLE)[0]


def test_two_cells_of_one_row_have_two_fingerprints() -> None:
    spans = [Span(TABLE.index(cell), TABLE.index(cell) + 4) for cell in ("300 W", "23.6")]
    findings = [Finding("MB201", "misplaced-unit", Severity.ERROR, one, "") for one in spans]
    source = Source("a.md", TABLE)
    both = list(fingerprint_findings(source, findings))
    assert both == [next(fingerprint_findings(source, [one])) for one in findings]
    assert both[0] != both[1]


@given(st.lists(st.sampled_from(TABLE.splitlines()), max_size=12))
def test_fingerprints_of_a_report_are_unique(lines: list[str]) -> None:
    found = prints("\n".join(lines))
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        pytest.param("reports/a.md", "reports/a.md", id="relative"),
        pytest.param("../a.md", "../a.md", id="relative and outside"),
        pytest.param("{here}/reports/a.md", "reports/a.md", id="absolute and inside"),
        pytest.param("{here}-other/a.md", "{here}-other/a.md", id="absolute and outside"),
    ],
)
def test_a_path_is_the_same_in_every_checkout(
    path: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert portable_path(path.format(here=tmp_path)) == shown.format(here=tmp_path)
