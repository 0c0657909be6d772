"""What fixes would change, as a diff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.linting.results import FileResult
from mdbench.output.terminal import PLAIN, Palette, show_text


def write_patches(
    reports: Iterable[FileResult], palette: Palette = PLAIN, *, terminal: bool = False
) -> Iterator[str]:
    """The diffs of all files; on a terminal without what that would obey, elsewhere exact."""
    for report in reports:
        for line in report.fixed.patch:
            yield _paint(line, palette) if terminal or palette.on else line


def _paint(line: str, palette: Palette) -> str:
    text = show_text(line.rstrip("\r\n"))
    if line.startswith(("---", "+++")):
        return palette.strong(text) + "\n"
    if line.startswith("+"):
        return palette.added(text) + "\n"
    if line.startswith("-"):
        return palette.removed(text) + "\n"
    return (palette.faint(text) if line.startswith("@@") else text) + "\n"
