"""Which pages there are."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
_RULES = PROJECT / "docs" / "rules"


def list_pages() -> list[Path]:
    """The README and the pages written by hand; those of the rules are made as a whole."""
    pages = (path for path in (PROJECT / "docs").rglob("*.md") if _RULES not in path.parents)
    return [PROJECT / "README.md", *sorted(pages)]
