"""The changes of fixes, as a diff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdbench.linting.results import FileResult
from mdbench.output.terminal import PLAIN, Palette, show_text


def write_patches(
    results: Iterable[FileResult], palette: Palette = PLAIN, *, terminal: bool = False
) -> Iterator[str]:
    """The diffs of all files: exact, but without control characters on a terminal."""
    for result in results:
        for line in result.fixed.patch:
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
