"""The list of tested failures is complete, and its tests exist."""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
_ROW = re.compile(r"^\|(?P<case>.+)\|(?P<behavior>.+)\|(?P<tests>[^|]+)\|$", re.MULTILINE)
_PLACE = re.compile(r"`([^`]+)`")


def _rows() -> list[tuple[str, list[str]]]:
    """Each case, with its tests."""
    text = (PROJECT / "docs" / "trust.md").read_text(encoding="utf-8")
    found = _ROW.findall(text.replace(r"\|", ""))
    return [(case.strip(), _PLACE.findall(tests)) for case, _, tests in found[2:]]


def test_every_case_has_a_test_that_exists() -> None:
    rows = _rows()
    assert len(rows) > 30
    for case, tests in rows:
        assert tests, case
        assert [one for one in tests if not (PROJECT / one).exists()] == [], case


def test_every_test_of_faults_is_listed() -> None:
    listed = {test for _, tests in _rows() for test in tests}
    written = {f"tests/trust/{path.name}" for path in (PROJECT / "tests/trust").glob("test_*.py")}
    assert written - listed == set()
