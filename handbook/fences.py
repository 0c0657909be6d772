"""The code blocks of a page: their language, the file they show, and what is said of running them.

A comment before a block says what nobody has to read: `<!-- exit: 1 -->` which code its commands
end with, `<!-- not run: why -->` that they are not run, `<!-- setup: … -->` what is done first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_OPENING = re.compile(r'^(?P<ticks>`{3,})(?P<language>[\w-]*)(?: title="(?P<title>[^"]+)")?$')
_REMARK = re.compile(
    r"<!-- (?P<name>exit|not run|setup):\s+(?P<text>(?:(?!-->).)+?)\s*-->\s*\Z", re.DOTALL
)
_SECTION = "## "


@dataclass(frozen=True, slots=True)
class Fence:
    """One block. `start` and `end` are where its body stands in the page."""

    language: str
    title: str
    body: str
    start: int
    line: int
    section: int
    """How many headings of the second level stand above it."""
    remarks: dict[str, str] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """Where the body ends: at the line that closes the block."""
        return self.start + len(self.body)


def find_fences(text: str) -> Iterator[Fence]:
    """Every block of a page, from top to bottom."""
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
        raise ValueError(f"the code block that begins on line {line} is not closed")


def _read_remarks(text: str, begin: int) -> dict[str, str]:
    """The comments that stand right before a block."""
    before = text[: text.rindex("\n", 0, begin - 1) + 1] if "\n" in text[: begin - 1] else ""
    found: dict[str, str] = {}
    while match := _REMARK.search(before):
        found[match["name"]] = match["text"]
        before = before[: match.start()]
    return found
