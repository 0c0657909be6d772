"""Find the input files of a run: parquet datasets, and reports by path, pattern or folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from mdbench.files.discovery import STANDARD_INPUT, DiscoveryError, default_paths, find_reports
from mdbench.files.errors import ProblemError, decodable
from mdbench.source import SUFFIXES

if TYPE_CHECKING:
    from mdbench.config.settings import Settings

_PARQUET = (".parquet", ".parq", ".pq")
# What distinguishes versions of a file, the best first.
_STAMPS = "ETag etag md5Hash content_md5 checksum mtime LastModified last_modified updated created"


class Found(NamedTuple):
    """A file: its name, how any process opens it, and its version."""

    name: str
    address: str
    size: int
    stamp: str

    @property
    def is_dataset(self) -> bool:
        """Whether its rows are files."""
        return self.address.lower().endswith(_PARQUET)


class Place(NamedTuple):
    """A resolved address: its file system, and its path there."""

    system: Any
    path: str

    @property
    def is_local(self) -> bool:
        """Whether it is a path on this machine."""
        return isinstance(self.system, LocalFileSystem)

    @property
    def address(self) -> str:
        """The address for other processes."""
        return self.path if self.is_local else str(self.system.unstrip_protocol(self.path))


def find_place(address: str) -> Place:
    """Resolve an address; raise `ProblemError` if it is not supported."""
    try:
        return Place(*url_to_fs(address))
    except (ImportError, OSError, ValueError) as error:
        missing = "a package is missing: " if isinstance(error, ImportError) else ""
        raise ProblemError(f"{address}: {missing}{error}") from error


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


def _expand(asked: str, settings: Settings) -> list[Found]:
    if asked == STANDARD_INPUT:
        raise ProblemError("--engine dask cannot read standard input; give files or a dataset")
    place = find_place(asked)
    try:
        # First check for a file: a web page with links also looks like a folder.
        if place.system.isfile(place.path):
            return [look_at(place, asked)]
        if place.system.isdir(place.path):
            return _check(asked, list(_look_into(place, asked, settings)))
        matches = sorted(place.system.glob(place.path, detail=True).items())
        found = [(path, entry) for path, entry in matches if entry["type"] == "file"]
        if found:
            return [look_at(Place(place.system, path), asked, entry) for path, entry in found]
    except (ProblemError, DiscoveryError) as error:
        raise ProblemError(str(error)) from error
    except Exception as error:
        # Each file system has errors of its own.
        raise ProblemError(f"{asked}: cannot be read: {error}") from error
    is_pattern = any(char in asked for char in "*?[")
    missing = "no file matches this pattern" if is_pattern else "no such file or folder"
    raise ProblemError(f"{asked}: {missing}")


def _look_into(place: Place, asked: str, settings: Settings) -> Iterator[Found]:
    """The datasets and reports in a folder."""
    wanted = (*_PARQUET, *SUFFIXES) if _is_url(asked) else _PARQUET
    for path, entry in sorted(place.system.find(place.path, detail=True).items()):
        parts = path.removeprefix(place.path).split("/")
        if path.lower().endswith(wanted) and not any(part.startswith(("_", ".")) for part in parts):
            yield look_at(Place(place.system, path), asked, entry)
    for path in () if _is_url(asked) else find_reports([asked], exclude=settings.exclude):
        yield look_at(find_place(os.path.abspath(path)), path)


def _check(asked: str, found: list[Found]) -> list[Found]:
    """A folder is a dataset or contains reports; if it could be both, that is an error."""
    if not found:
        raise ProblemError(f"{asked}: contains neither parquet files nor reports")
    if len({one.is_dataset for one in found}) > 1:
        top = asked.rstrip("/")
        raise ProblemError(
            f"{asked}: contains both parquet files and reports; choose one, such as "
            f"'{top}/**/*.parquet' or '{top}/**/*.md'"
        )
    return found


def look_at(place: Place, asked: str, entry: dict[str, Any] | None = None) -> Found:
    """A file as it was asked for, from the metadata of its file system."""
    path, name = place.path, place.address
    if place.is_local and not _is_url(asked) and not os.path.isabs(asked):
        name = os.path.relpath(path).replace(os.sep, "/")
    info = place.system.info(path) if entry is None else entry
    stamps = (info[key] for key in _STAMPS.split() if info.get(key) is not None)
    size = int(info.get("size") or 0)
    return Found(decodable(name), place.address, size, str(next(stamps, "")))


def _is_url(address: str) -> bool:
    return "://" in address or "::" in address
