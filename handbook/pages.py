"""The pages of the documentation and the code blocks in them.

A comment before a block controls how it runs: `<!-- exit: 1 -->` gives the expected exit codes,
`<!-- not run: why -->` skips the block, `<!-- setup: … -->` runs a command first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
_RULES = PROJECT / "docs" / "rules"
_OPENING = re.compile(r'^(?P<ticks>`{3,})(?P<language>[\w-]*)(?: title="(?P<title>[^"]+)")?$')
_REMARK = re.compile(
    r"<!-- (?P<name>exit|not run|setup):\s+(?P<text>(?:(?!-->).)+?)\s*-->\s*\Z", re.DOTALL
)
_SECTION = "## "


@dataclass(frozen=True, slots=True)
class Fence:
    """A code block. `start` and `end` are the offsets of its body."""

    language: str
    title: str
    body: str
    start: int
    line: int
    section: int
    """The number of second-level headings above the block."""
    remarks: dict[str, str] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """The offset of the line that closes the block."""
        return self.start + len(self.body)


def list_pages() -> list[Path]:
    """README.md and the pages in docs/, without the rule pages, which are fully generated."""
    pages = (path for path in (PROJECT / "docs").rglob("*.md") if _RULES not in path.parents)
    return [PROJECT / "README.md", *sorted(pages)]


def find_fences(text: str) -> Iterator[Fence]:
    """The code blocks of a page, from top to bottom."""
    opened: re.Match[str] | None = None
    section = offset = begin = line = 0
    for number, row in enumerate(text.splitlines(keepends=True), 1):
        if opened is None:
            section += row.startswith(_SECTION)
            opened = _OPENING.match(row.rstrip())
            begin, line = offset + len(row), number
        elif row.rstrip() == opened["ticks"]:
            yield Fence(
                opened["language"],
                opened["title"] or "",
                text[begin:offset],
                begin,
                line,
                section,
                _read_remarks(text, begin),
            )
            opened = None
        offset += len(row)
    if opened is not None:
        raise ValueError(f"the code block on line {line} is not closed")


def _read_remarks(text: str, begin: int) -> dict[str, str]:
    """The comments directly before a block."""
    before = text[: text.rindex("\n", 0, begin - 1) + 1] if "\n" in text[: begin - 1] else ""
    found: dict[str, str] = {}
    while match := _REMARK.search(before):
        found[match["name"]] = match["text"]
        before = before[: match.start()]
    return found
