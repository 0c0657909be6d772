"""The two versions to compare: files, folders or git revisions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mdbench.compare.revisions import Blob, Repository, find_repository
from mdbench.files.discovery import STANDARD_INPUT, default_paths, find_reports, is_report_path
from mdbench.files.errors import ProblemError, ReportError, decodable
from mdbench.files.gitignore import IgnoreFile
from mdbench.files.limits import MOST_BYTES, describe_too_large
from mdbench.files.reading import read_bytes, report_name
from mdbench.files.relative_paths import relative_path
from mdbench.regex import lazy
from mdbench.source import SourceError

_RANGE = lazy(r"(?P<old>.*?)(?P<dots>\.\.\.?)(?P<new>[^/.].*|)")
_LATEST = "HEAD"
_STDIN_NAME = "<stdin>"


class Stored(NamedTuple):
    """A report of a version: its name, and its bytes or why they could not be read."""

    name: str
    data: bytes = b""
    error: str = ""


Version = Mapping[str, Stored]
"""The reports, by a name that is the same in both versions unless the report was moved."""


class Scope(NamedTuple):
    """Which files of a version to compare."""

    paths: Sequence[str] = ()
    """The requested paths."""
    usual: Sequence[str] = ()
    """The paths to search if none were requested."""
    exclude: IgnoreFile | None = None
    """The patterns to exclude in folders."""
    strict: bool = False
    """Whether to exclude files even if they are requested by name."""
    most_bytes: int = MOST_BYTES
    """The largest file to read."""

    @property
    def places(self) -> Sequence[str]:
        """The paths to search."""
        return self.paths or self.usual or default_paths()

    def admits(self, path: str, *, named: bool) -> bool:
        """Whether to include a file, by its absolute path and whether it was requested by name."""
        if self.exclude is None or (named and not self.strict):
            return True
        return not self.exclude.covers(path)


def open_versions(
    asked: Sequence[str], scope: Scope, report_error: ReportError
) -> tuple[Version, Version]:
    """Open the old and the new version; raise `ProblemError` if one does not exist.

    An existing file or folder is used as such, unless paths are given: then it must be a revision.
    Without any arguments, `HEAD` is compared with the working tree.
    """
    if len(asked) > 2:
        raise ProblemError(
            f"{asked[2]}: only two versions can be compared; put paths after --: "
            f"mdbench diff {asked[0]} {asked[1]} -- {asked[2]}"
        )
    named = [] if scope.paths else [text for text in asked if _is_here(text)]
    if len(named) == 2:
        return _open_paths(named[0], named[1], scope, report_error)
    repository = _find_repository(asked)
    trees = _find_trees(repository, asked, named)
    if named:
        scope = scope._replace(paths=named)
    return _open_trees(repository, trees, scope, report_error)


def _is_here(path: str) -> bool:
    return path == STANDARD_INPUT or os.path.exists(path)


def _open_paths(
    old: str, new: str, scope: Scope, report_error: ReportError
) -> tuple[Version, Version]:
    folders = [path for path in (old, new) if os.path.isdir(path)]
    if len(folders) == 1:
        raise ProblemError(f"{folders[0]}: is a folder; a file can only be compared with a file")
    if folders:
        return _open_folder(old, scope, report_error), _open_folder(new, scope, report_error)
    return {new: _load(old, scope.most_bytes)}, {new: _load(new, scope.most_bytes)}


def _open_folder(folder: str, scope: Scope, report_error: ReportError) -> Version:
    found = find_reports([folder], report_error, scope.exclude)
    most = scope.most_bytes
    return {relative_path(path, folder): _load(path, most) for path in found}


def _load(path: str, most: int) -> Stored:
    name = report_name(path, _STDIN_NAME)
    try:
        return Stored(name, read_bytes(path, most))
    except SourceError as error:
        return Stored(name, error=str(error))


def _find_repository(asked: Sequence[str]) -> Repository:
    try:
        return find_repository()
    except ProblemError as error:
        absent = [text for text in asked if not _is_here(text)]
        said = f"{absent[0]}: no such file or folder, and {error}" if absent else str(error)
        raise ProblemError(said) from error


def _find_trees(
    repository: Repository, asked: Sequence[str], named: Sequence[str]
) -> tuple[str | None, str | None]:
    """The trees of both versions; None means the working tree."""
    if len(asked) == 2:
        old, new = (None if text in named else _find_tree(repository, text) for text in asked)
        return old, new
    if not asked or named:
        return _find_tree(repository, _LATEST), None
    text = asked[0]
    match = None if text.startswith("../") or "/.." in text else _RANGE.fullmatch(text)
    if match is None:
        return _find_tree(repository, text), None
    first, last = match["old"] or _LATEST, match["new"] or _LATEST
    trees = _find_tree(repository, first), _find_tree(repository, last)
    if match["dots"] == "..":
        return trees
    fork = repository.find_fork(first, last)
    if fork is None:
        raise ProblemError(f"{text}: these revisions have no common commit")
    return _find_tree(repository, fork), trees[1]


def _find_tree(repository: Repository, revision: str) -> str:
    tree = repository.find_tree(revision)
    if tree is None:
        raise ProblemError(f"{revision}: no such file, folder or revision")
    return tree


def _open_trees(
    repository: Repository,
    trees: tuple[str | None, str | None],
    scope: Scope,
    report_error: ReportError,
) -> tuple[Version, Version]:
    read = [{} if tree is None else _open_tree(repository, tree, scope) for tree in trees]
    names = [name for version in read for name in version]
    old, new = (
        _open_files(scope, names, report_error) if tree is None else version
        for tree, version in zip(trees, read, strict=True)
    )
    for path in scope.paths:
        if not _is_here(path) and not _is_within(path, (*old, *new)):
            raise ProblemError(f"{path}: is in neither version")
    return old, new


def _is_within(path: str, names: Iterable[str]) -> bool:
    plain = _name_here(path)
    return any(name == plain or name.startswith(f"{plain}/") for name in names)


def _from_top(repository: Repository, path: str) -> str:
    """A path relative to the repository root; empty for the root itself."""
    inside = relative_path(_whole(path), repository.top)
    if inside == ".." or inside.startswith("../") or os.path.isabs(inside):
        raise ProblemError(f"{path}: is not in the repository {repository.top}")
    return "" if inside == "." else inside


def _open_tree(repository: Repository, tree: str, scope: Scope) -> dict[str, Stored]:
    """The reports of a revision, named relative to the current folder."""
    places = [_from_top(repository, path) for path in scope.places]

    def is_wanted(blob: Blob) -> bool:
        named = blob.path in places
        # git has slashes on every system, and patterns are compared with whole paths.
        whole = os.path.normpath(os.path.join(repository.top, blob.path))
        return (named or is_report_path(blob.path)) and scope.admits(whole, named=named)

    listed = list(filter(is_wanted, repository.list_blobs(tree, places)))
    data = dict(repository.read_blobs(blob for blob in listed if blob.size <= scope.most_bytes))
    found: dict[str, Stored] = {}
    for blob in listed:
        name = _name_here(os.path.join(repository.top, blob.path))
        error = "" if blob in data else describe_too_large(scope.most_bytes)
        found[name] = Stored(decodable(name), data.get(blob, b""), error)
    return found


def _open_files(scope: Scope, known: Iterable[str], report_error: ReportError) -> dict[str, Stored]:
    """The files here: what a walk finds, and what git has though it would ignore it by now."""
    found: dict[str, Stored] = {}
    walked = find_reports(filter(os.path.exists, scope.places), report_error, scope.exclude)
    for path in (*walked, *filter(os.path.isfile, known)):
        name = _name_here(path)
        # git stores no content for links.
        if name in found or os.path.islink(path):
            continue
        if scope.admits(_whole(path), named=True):
            found[name] = _load(path, scope.most_bytes)
    return found


def _name_here(path: str) -> str:
    return relative_path(_whole(path), os.path.realpath(os.curdir))


def _whole(path: str) -> str:
    """An absolute path with the links in its folders resolved; the path itself may be a link."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)
