"""Which files to read: folders are walked for Markdown, honouring .gitignore."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from mdbench.gitignore import IgnoreFile, is_ignored, read_above

SUFFIXES = (".md", ".markdown", ".mdx")
STANDARD_INPUT = "-"
_NEVER_ENTERED = frozenset({".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__"})

_Complain = Callable[[str], None]


class DiscoveryError(Exception):
    """A path that was asked for is not there, or may not be looked into."""


def _refuse(message: str) -> NoReturn:
    raise DiscoveryError(message)


def find_reports(
    paths: Iterable[str], complain: _Complain = _refuse, exclude: IgnoreFile | None = None
) -> Iterator[str]:
    """The files that the paths stand for, each once, sorted within a folder.

    What `exclude` matches is left out in folders; a file that is asked for by its name is not.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _expand(path, complain, exclude):
            real = os.path.realpath(found) if found != STANDARD_INPUT else STANDARD_INPUT
            if real not in seen:
                seen.add(real)
                yield found


def is_report_path(path: str) -> bool:
    """Whether a walk would take what has this path for a report, if it were a file here."""
    *folders, name = path.split("/")
    return name.lower().endswith(SUFFIXES) and _NEVER_ENTERED.isdisjoint(folders)


def default_paths() -> tuple[str, ...]:
    """Where to look when nothing is said: reports/ where there is one, else this folder."""
    return ("reports",) if os.path.isdir("reports") else (".",)


def _expand(path: str, complain: _Complain, exclude: IgnoreFile | None) -> Iterable[str]:
    if path == STANDARD_INPUT:
        return (path,)
    # One name for one file, however it was asked for: `./a.md` is `a.md`, `a//b.md` is `a/b.md`.
    shown = Path(path).as_posix()
    if os.path.isdir(path):
        return _walk(shown, complain, exclude)
    if os.path.exists(path):
        return (shown if shown != STANDARD_INPUT else path,)
    complain(f"{path}: no such file or folder")
    return ()


def _walk(top: str, complain: _Complain, exclude: IgnoreFile | None) -> Iterator[str]:
    ignores = tuple(read_above(os.path.realpath(top)))
    # A stack of our own: folders may be nested deeper than Python's calls.
    waiting = [(top, os.path.realpath(top), ignores, True)]
    while waiting:
        shown, real, ignores, is_folder = waiting.pop()
        if not is_folder:
            yield shown
            continue
        try:
            entries = sorted(os.scandir(real), key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            complain(f"{shown}: cannot be looked into: {error.strerror}")
            continue
        here = IgnoreFile.read(real)
        rules = ignores if here is None else (*ignores, here)
        prefix = "" if shown == "." else f"{shown.rstrip('/')}/"
        for entry in entries:
            # A link to a folder is not entered: it may lead back up and never end.
            is_folder = entry.is_dir(follow_symlinks=False)
            wanted = entry.name not in _NEVER_ENTERED if is_folder else _is_report(entry)
            if wanted and exclude is not None and exclude.excludes(entry.path, is_folder):
                continue
            if wanted and not is_ignored(entry.path, is_folder, rules):
                waiting.append((prefix + entry.name, entry.path, rules, is_folder))


def _is_report(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.name.lower().endswith(SUFFIXES) and entry.is_file()
    except OSError:
        return False
