"""Which files the tables of results are made of; none is outside the configuration's folder."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.files.discovery import NEVER_ENTERED
from mdbench.files.globs import compile_glob
from mdbench.regex import lazy

_SPECIAL = lazy(r"[*?\[\]\\]")
_MOST_FILES = 10_000
# What the folder of a criterion benchmark holds: the estimates of the last run.
_CRITERION = "**/new/estimates.json"


class ResultFiles(NamedTuple):
    """What `[tool.mdbench.results]` says."""

    folder: str
    """The folder of the configuration file; patterns are below it."""
    patterns: tuple[tuple[str, str], ...] = ()
    """The name of each table, and the pattern of its files."""


class UnreadableError(Exception):
    """The files of a table cannot be read; the message is one line."""


class Stamp(NamedTuple):
    """What changes if a file is written again."""

    size: int
    modified: int
    inode: int


class FoundFile(NamedTuple):
    """One file of a table."""

    shown: str
    """Its path below the folder, with slashes."""
    real: str
    """Its path without links."""
    below: str
    """Its path below the part of the pattern that has no wildcards."""
    stamp: Stamp

    @property
    def suffix(self) -> str:
        """Its suffix, in small letters, with the dot."""
        return os.path.splitext(self.real)[1].lower()

    def check_unchanged(self) -> None:
        """Raise `UnreadableError` if the file is no longer what was found."""
        if os.path.realpath(self.real) != self.real or stamp_of(self.real) != self.stamp:
            raise UnreadableError(f"{self.shown}: changed while it was read")


def judge_pattern(pattern: str) -> str:
    """What is wrong with a pattern, in one line; empty if nothing is."""
    parts = pattern.replace("\\", "/").split("/")
    if os.path.isabs(pattern) or pattern.startswith(("/", "\\", "~")) or ":" in parts[0]:
        return f"{pattern!r} leads out of the folder of the configuration: it is not relative"
    if ".." in parts:
        return f"{pattern!r} leads out of the folder of the configuration: it has '..'"
    if compile_glob(f"/{pattern}") is None or not pattern.strip():
        return f"{pattern!r} is not a pattern of paths"
    return ""


def find_files(folder: str, pattern: str) -> tuple[FoundFile, ...]:
    """The files that match a pattern, sorted; `UnreadableError` if one is outside, or none is."""
    if wrong := judge_pattern(pattern):
        raise UnreadableError(wrong)
    home = os.path.realpath(folder)
    found = list(_match(home, pattern))
    if not found:
        raise UnreadableError(f"{pattern}: no file matches")
    if len(found) > _MOST_FILES:
        raise UnreadableError(f"{pattern}: more than {_MOST_FILES} files match")
    return tuple(sorted(found))


def stamp_of(path: str) -> Stamp:
    """What changes if a file is written again."""
    try:
        status = os.stat(path)
    except OSError as error:
        raise UnreadableError(f"{os.path.basename(path)}: {error.strerror}") from error
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino)


def _match(home: str, pattern: str) -> Iterator[FoundFile]:
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    fixed: list[str] = []
    while parts and not _SPECIAL.search(parts[0]):
        fixed.append(parts.pop(0))
    start = os.path.join(home, *fixed)
    if not parts and os.path.isdir(start):
        within = list(_walk(home, start, _CRITERION))
        yield from within or _walk(home, start, "**/*.*")
    elif not parts:
        if os.path.lexists(start):
            yield _found(home, start, start)
    else:
        yield from _walk(home, start, "/".join(parts))


def _walk(home: str, start: str, pattern: str) -> Iterator[FoundFile]:
    """The files below a folder that match; links to other folders are not followed."""
    matcher = compile_glob(f"/{pattern}")
    depth = None if "**" in pattern else pattern.count("/")
    if matcher is None:
        return
    if os.path.isdir(start) and not _is_within(os.path.realpath(start), home):
        raise UnreadableError(f"{_show(home, start)}: is a link that leads out of the folder")
    count = 0
    for folder, folders, names in os.walk(start):
        below = _slashes(os.path.relpath(folder, start))
        prefix = "" if below == "." else f"{below}/"
        if depth is not None and prefix.count("/") >= depth:
            folders.clear()
        folders[:] = sorted(name for name in folders if name not in NEVER_ENTERED)
        for name in names:
            if matcher.fullmatch(prefix + name):
                yield _found(home, os.path.join(folder, name), start)
                count += 1
                if count > _MOST_FILES:
                    return


def _found(home: str, path: str, start: str) -> FoundFile:
    real, shown = os.path.realpath(path), _show(home, path)
    if not _is_within(real, home):
        raise UnreadableError(f"{shown}: is a link that leads out of the folder")
    if not os.path.isfile(real):
        raise UnreadableError(f"{shown}: is not a file")
    below = shown if start == path else _show(start, path)
    return FoundFile(shown, real, below, stamp_of(real))


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _show(home: str, path: str) -> str:
    return _slashes(os.path.relpath(path, home))


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/")
