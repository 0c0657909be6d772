"""Find the input files of a run: parquet datasets, and reports by path, pattern or folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdbench.cluster.addresses import (
    Entry,
    Found,
    Listed,
    Place,
    find_place,
    is_remote,
    list_below,
    look_at,
    match_pattern,
    shown_path,
)
from mdbench.files.discovery import STANDARD_INPUT, DiscoveryError, default_paths, find_reports
from mdbench.files.errors import ProblemError, decodable
from mdbench.source import SUFFIXES

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_PARQUET = (".parquet", ".parq", ".pq")
_MAGIC = frozenset("*?[")
_HIDDEN = ("_", ".")


def is_dataset(found: Found) -> bool:
    """Whether the rows of a file are files."""
    return found.address.lower().endswith(_PARQUET)


def list_inputs(asked: Sequence[str], settings: Settings, output: Place) -> list[Found]:
    """The files in the paths, in their order, each once, without the output."""
    seen: dict[str, Found] = {}
    below = f"{output.address.rstrip('/')}/"
    exclude = settings.exclude if settings.force_exclude else None
    for path in asked or settings.paths or default_paths():
        for found in _expand(path, settings):
            left_out = exclude is not None and exclude.covers(os.path.realpath(found.address))
            if not left_out and not found.address.startswith(below):
                seen.setdefault(found.address, found)
    return list(seen.values())


def _expand(asked: str, settings: Settings) -> Iterator[Found]:
    if asked == STANDARD_INPUT:
        raise ProblemError("--engine dask cannot read standard input; give files or a dataset")
    place = find_place(asked)
    try:
        yield from _look(place, asked, settings)
    except ProblemError:
        raise
    except FileNotFoundError as error:
        raise ProblemError(f"{asked}: no such file or folder") from error
    except Exception as error:
        # Each file system has errors of its own.
        raise ProblemError(f"{asked}: cannot be read: {error}") from error


def _look(place: Place, asked: str, settings: Settings) -> Iterator[Found]:
    # First check for a file: a web page with links also looks like a folder.
    if place.system.isfile(place.path):
        yield _name(place, asked)
    elif place.system.isdir(place.path):
        yield from _look_into(place, asked, settings)
    elif _MAGIC.isdisjoint(asked):
        raise FileNotFoundError(asked)
    else:
        matches = match_pattern(place)
        if not matches:
            raise ProblemError(f"{asked}: no file matches this pattern")
        for path, entry in matches:
            yield _name(Place(place.system, path), asked, entry)


def _look_into(place: Place, asked: str, settings: Settings) -> Iterator[Found]:
    """A folder is a dataset or contains reports; if it could be both, that is an error."""
    if is_remote(asked):
        listed = [one for one in list_below(place) if not _is_hidden(one[0])]
        dataset = _pick(place, asked, listed, _PARQUET)
        reports = _pick(place, asked, listed, SUFFIXES)
    else:
        dataset = [_name(find_place(path), asked) for path in _walk_dataset(place.path)]
        reports = _walk_reports(asked, settings)
    if dataset and reports:
        top = asked.rstrip("/")
        raise ProblemError(
            f"{asked}: contains both parquet files and reports; choose one, such as "
            f"'{top}/**/*.parquet' or '{top}/**/*.md'"
        )
    if not dataset and not reports:
        raise ProblemError(f"{asked}: contains neither parquet files nor reports")
    yield from dataset or reports


def _pick(
    place: Place, asked: str, listed: Sequence[Listed], suffixes: tuple[str, ...]
) -> list[Found]:
    wanted = (one for one in listed if one[0].lower().endswith(suffixes))
    return [_name(place.under(path), asked, entry) for path, entry in wanted]


def _walk_dataset(top: str) -> list[str]:
    found: list[str] = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith(_HIDDEN)]
        wanted = (name for name in names if name.lower().endswith(_PARQUET))
        found += (os.path.join(folder, name) for name in wanted if not name.startswith(_HIDDEN))
    return sorted(found)


def _walk_reports(asked: str, settings: Settings) -> list[Found]:
    try:
        paths = list(find_reports([asked], exclude=settings.exclude))
    except DiscoveryError as error:
        raise ProblemError(str(error)) from error
    return [_name(find_place(os.path.abspath(path)), path) for path in paths]


def _is_hidden(path: str) -> bool:
    return any(part.startswith(_HIDDEN) for part in path.split("/"))


def _name(place: Place, asked: str, entry: Entry | None = None) -> Found:
    name = shown_path(place.path, asked) if place.is_local and not is_remote(asked) else ""
    return look_at(place, decodable(name or place.address), entry)
