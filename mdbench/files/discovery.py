"""Which files to read: folders are walked for Markdown, honouring .gitignore."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple, NoReturn, Protocol

from mdbench.files.errors import ReportError
from mdbench.files.gitignore import NAME, IgnoreFile, is_ignored, read_above
from mdbench.source import SUFFIXES

STANDARD_INPUT = "-"
NEVER_ENTERED = frozenset(
    {".git", ".hg", ".svn", ".venv", ".mdbench_cache", "node_modules", "__pycache__"}
)


class Exclude(Protocol):
    """What is left out; paths are absolute and free of links."""

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder is left out."""


class _Found(NamedTuple):
    """A file: what it is called, and its path without links."""

    shown: str
    real: str


class DiscoveryError(Exception):
    """A requested path does not exist or cannot be read."""


def _refuse(message: str) -> NoReturn:
    raise DiscoveryError(message)


def find_reports(
    paths: Iterable[str], report_error: ReportError = _refuse, exclude: Exclude | None = None
) -> Iterator[str]:
    """The reports in the paths, each once, sorted within a folder.

    Files in folders that match `exclude` are skipped; files named in `paths` are not.
    """
    seen: set[str] = set()
    for path in paths:
        for shown, real in _expand(path, report_error, exclude):
            if real not in seen:
                seen.add(real)
                yield shown


def is_report_path(path: str) -> bool:
    """Whether a walk would take a file with this path for a report."""
    *folders, name = path.split("/")
    return name.lower().endswith(SUFFIXES) and NEVER_ENTERED.isdisjoint(folders)


def default_paths() -> tuple[str, ...]:
    """Where to look by default: reports/ if it exists, else the current folder."""
    return ("reports",) if os.path.isdir("reports") else (".",)


def _expand(path: str, report_error: ReportError, exclude: Exclude | None) -> Iterable[_Found]:
    if path == STANDARD_INPUT:
        return (_Found(path, path),)
    shown = _spell(path)
    if os.path.isdir(path):
        return _walk(shown, report_error, exclude)
    if os.path.exists(path):
        return (_Found(shown if shown != STANDARD_INPUT else path, os.path.realpath(path)),)
    report_error(f"{path}: no such file or folder")
    return ()


def _spell(path: str) -> str:
    """One name for a file, however it is given: `./a.md` is `a.md`, `a//b` is `a/b`."""
    if path == "." or (
        os.sep == "/" and not {"", "."}.intersection(path.removeprefix("/").split("/"))
    ):
        return path
    # Loaded only for paths with another spelling.
    from pathlib import PurePath  # noqa: PLC0415

    return PurePath(path).as_posix()


def _walk(top: str, report_error: ReportError, exclude: Exclude | None) -> Iterator[_Found]:
    real = os.path.realpath(top)
    homes = real, os.path.realpath(".")
    # A stack of our own: folders may be nested deeper than Python's calls.
    waiting = [(_Found(top, real), tuple(read_above(real)), True)]
    while waiting:
        found, rules, is_folder = waiting.pop()
        if not is_folder:
            yield found
            continue
        try:
            entries = sorted(os.scandir(found.real), key=_name, reverse=True)
        except OSError as error:
            report_error(f"{found.shown}: cannot be read: {error.strerror}")
            continue
        here = IgnoreFile.read(found.real) if any(one.name == NAME for one in entries) else None
        rules = rules if here is None else (*rules, here)
        prefix = "" if found.shown == "." else f"{found.shown.rstrip('/')}/"
        for entry in entries:
            # A link to a folder is not followed: it may lead back up.
            is_folder = entry.is_dir(follow_symlinks=False)
            wanted = entry.name not in NEVER_ENTERED if is_folder else _is_report(entry)
            if not wanted or (exclude is not None and exclude.excludes(entry.path, is_folder)):
                continue
            if not rules or not is_ignored(entry.path, is_folder, rules):
                real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                # A link must not lead outside: others could have any file read and fixed.
                if real == entry.path or any(_is_within(real, home) for home in homes):
                    waiting.append((_Found(prefix + entry.name, real), rules, is_folder))


def _is_within(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_report(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.name.lower().endswith(SUFFIXES) and entry.is_file()
    except OSError:
        return False
