"""The patterns of the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "mdbench"
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_no_group_is_possessive(path: Path) -> None:
    """Python 3.11.0 to 3.11.4 match such groups wrongly; those over one character are fine."""
    assert POSSESSIVE_GROUP.findall(path.read_text(encoding="utf-8")) == []
