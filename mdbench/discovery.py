"""Which files to read: folders are walked for Markdown, honouring .gitignore."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mdbench.gitignore import IgnoreFile, is_ignored, read_above

SUFFIXES = (".md", ".markdown", ".mdx")
STANDARD_INPUT = "-"
_NEVER_ENTERED = frozenset({".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__"})


class DiscoveryError(Exception):
    """A path that was asked for is not there."""


def find_reports(paths: Sequence[str]) -> Iterator[str]:
    """The files that the paths stand for, each once, sorted within a folder."""
    seen: set[str] = set()
    for path in paths or default_paths():
        for found in _expand(path):
            if found not in seen:
                seen.add(found)
                yield found


def default_paths() -> tuple[str, ...]:
    """Where to look when nothing is said: reports/ where there is one, else this folder."""
    return ("reports",) if os.path.isdir("reports") else (".",)


def _expand(path: str) -> Iterable[str]:
    if os.path.isdir(path):
        real = Path(path).resolve()
        return _walk(path, real, tuple(read_above(real)))
    if path == STANDARD_INPUT or os.path.exists(path):
        return (path,)
    raise DiscoveryError(f"{path}: no such file or folder")


def _walk(shown: str, real: Path, ignores: tuple[IgnoreFile, ...]) -> Iterator[str]:
    here = IgnoreFile.read(real)
    if here is not None:
        ignores = (*ignores, here)
    try:
        entries = sorted(os.scandir(real), key=lambda entry: entry.name)
    except PermissionError as error:
        raise DiscoveryError(f"{shown}: {error.strerror}") from error
    for entry in entries:
        # A link to a folder is not entered: it may lead back up and never end.
        is_folder = entry.is_dir(follow_symlinks=False)
        wanted = entry.name not in _NEVER_ENTERED if is_folder else _is_report(entry)
        if not wanted or is_ignored(real / entry.name, is_folder, ignores):
            continue
        name = entry.name if shown == "." else os.path.join(shown, entry.name)
        if is_folder:
            yield from _walk(name, real / entry.name, ignores)
        else:
            yield name


def _is_report(entry: os.DirEntry[str]) -> bool:
    return entry.name.lower().endswith(SUFFIXES) and entry.is_file()
