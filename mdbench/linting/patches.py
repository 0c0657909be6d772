"""The changes to a file as a unified diff for `patch` and `git apply -p0`."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.source import Source

_NO_END = "\\ No newline at end of file\n"


def write_patch(before: Source, after: Source) -> Iterator[str]:
    """The lines of the diff with their line endings; empty if nothing changes."""
    # Imported lazily: needed only if something changes.
    from difflib import unified_diff  # noqa: PLC0415

    name = before.path
    for line in unified_diff(_lines(before), _lines(after), name, name):
        if line.endswith("\n"):
            yield line
        else:
            yield f"{line}\n"
            yield _NO_END


def _lines(source: Source) -> list[str]:
    """Split into lines like the programs that apply diffs: at line feeds only."""
    *lines, rest = source.to_bytes().decode("utf-8").split("\n")
    return [*(f"{line}\n" for line in lines), *([rest] if rest else [])]
