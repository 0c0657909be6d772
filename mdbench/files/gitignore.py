"""The patterns of .gitignore files, as git reads them.

Not by pathspec 1.1.1: it differs from git in 8 of the 55 cases of tests/files/test_gitignore.py,
and takes 65 s to match `*a*a*a*a*a*a*a*ab` with a name of 60 letters. A .gitignore comes with other
people's reports, so no pattern in it may hang.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from re import Pattern
from typing import NamedTuple

NAME = ".gitignore"
_BOM = "\xef\xbb\xbf"
_MOST_BYTES = 1_000_000


class _Rule(NamedTuple):
    glob: Pattern[str]
    negated: bool
    folders_only: bool


class IgnoreFile(NamedTuple):
    """One .gitignore: its patterns hold below its folder, the last one that matches decides.

    Paths are absolute and free of links.
    """

    folder: str
    rules: tuple[_Rule, ...]

    @classmethod
    def read(cls, folder: str) -> IgnoreFile | None:
        """The .gitignore of a folder, if it is a regular file and not huge."""
        try:
            with open(os.path.join(folder, NAME), "rb", opener=_open_at_once) as file:
                is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
                content = file.read(_MOST_BYTES + 1) if is_file else b""
        except OSError:
            return None
        if not content or len(content) > _MOST_BYTES:
            return None
        return cls(folder, tuple(_read_rules(_spell_bytes(content))))

    @classmethod
    def from_patterns(cls, folder: str, patterns: Iterable[str]) -> IgnoreFile:
        """The patterns as those of a .gitignore in a folder."""
        lines = "\n".join(patterns).encode("utf-8", "surrogateescape")
        return cls(folder, tuple(_read_rules(_spell_bytes(lines))))

    def covers(self, path: str) -> bool:
        """Whether a file below the folder, or one of its parent folders, is ignored."""
        return self.excludes(path, False) or any(
            self.excludes(parent, True) for parent in parents_of(path)
        )

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether a path below the folder is ignored."""
        return path.startswith(f"{self.folder.rstrip(os.sep)}{os.sep}") and bool(
            self.verdict(path, is_folder)
        )

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True if ignored, False if a `!` pattern includes it again, None if no pattern matches."""
        below = path.removeprefix(self.folder).lstrip(os.sep).replace(os.sep, "/")
        relative = _spell_bytes(os.fsencode(below))
        for rule in reversed(self.rules):
            if rule.folders_only and not is_folder:
                continue
            if rule.glob.fullmatch(relative):
                return not rule.negated
        return None


def read_above(folder: str) -> Iterator[IgnoreFile]:
    """The .gitignore files from the repository's root down to above a folder."""
    chain = [folder, *parents_of(folder)]
    roots = (at for at, parent in enumerate(chain) if os.path.exists(f"{parent}/.git"))
    depth = next(roots, 0)
    for parent in reversed(chain[1 : depth + 1]):
        found = IgnoreFile.read(parent)
        if found is not None:
            yield found


def is_ignored(path: str, is_folder: bool, files: Sequence[IgnoreFile]) -> bool:
    """Whether the innermost .gitignore with a matching pattern ignores a path."""
    for file in reversed(files):
        verdict = file.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False


def parents_of(path: str) -> Iterator[str]:
    """The parent folders of a path, from the nearest up to the root."""
    parent = os.path.dirname(path)
    while parent != path:
        yield parent
        path, parent = parent, os.path.dirname(parent)


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the writer of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _spell_bytes(content: bytes) -> str:
    """A character for each byte: `?` is one byte to git, and a name need not be UTF-8."""
    return content.decode("latin-1")


def _read_rules(text: str) -> Iterator[_Rule]:
    # Loaded only where there are patterns.
    from mdbench.files.globs import compile_glob  # noqa: PLC0415

    for line in text.removeprefix(_BOM).split("\n"):
        if line.startswith("#"):
            continue
        glob = _trim(line.removesuffix("\r"))
        negated = glob.startswith("!")
        glob = glob.removeprefix("!")
        folders_only = glob.endswith("/")
        expression = compile_glob(glob.removesuffix("/"))
        if expression is not None:
            yield _Rule(expression, negated, folders_only)


def _trim(line: str) -> str:
    """The line without the spaces at its end, but for one that a backslash keeps."""
    bare = line.rstrip(" ")
    kept = (len(bare) - len(bare.rstrip("\\"))) % 2
    return bare + " " if kept and bare != line else bare
