"""Local and remote files and folders: their content, and whether they have changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from mdbench.files.errors import ProblemError

_AT_ONCE = 16
# Only the process that wrote the files can see them.
_PRIVATE = "memory://"
# Creating a folder could create an unwanted bucket.
_BUCKETS = frozenset("s3 s3a gs gcs abfs abfss az adl oss r2".split())
# What distinguishes versions of a file, the best first.
_STAMPS = "ETag etag md5Hash content_md5 checksum mtime LastModified last_modified updated created"

Entry = Mapping[str, Any]
"""The metadata of a file."""
Listed = tuple[str, Entry]


class Found(NamedTuple):
    """A file: its name, how any process opens it, and its version."""

    name: str
    address: str
    size: int
    stamp: str


class Place(NamedTuple):
    """A resolved address: its file system, and its path there."""

    system: Any
    path: str

    @property
    def is_local(self) -> bool:
        """Whether it is a path on this machine."""
        return isinstance(self.system, LocalFileSystem)

    def under(self, *names: str) -> Place:
        """A path below it."""
        return Place(self.system, "/".join((self.path.rstrip("/"), *names)))

    @property
    def has_folders(self) -> bool:
        """Whether folders must be created before their files; object stores have none."""
        protocol = self.system.protocol
        names = (protocol,) if isinstance(protocol, str) else protocol
        return _BUCKETS.isdisjoint(names)

    @property
    def address(self) -> str:
        """The address for other processes."""
        return self.path if self.is_local else str(self.system.unstrip_protocol(self.path))


def find_place(address: str) -> Place:
    """Resolve an address; raise `ProblemError` if it is not supported."""
    try:
        system, path = url_to_fs(address)
    except ImportError as error:
        raise ProblemError(f"{address}: a package is missing: {error}") from error
    except (OSError, ValueError) as error:
        raise ProblemError(f"{address}: {error}") from error
    return Place(system, path)


def is_private(address: str) -> bool:
    """Whether other processes cannot see it."""
    return address.startswith(_PRIVATE)


def is_remote(address: str) -> bool:
    """Whether it is an address, not a path."""
    return "://" in address or "::" in address


def look_at(place: Place, name: str, entry: Entry | None = None) -> Found:
    """A file, from the metadata of its file system."""
    info = place.system.info(place.path) if entry is None else entry
    stamps = (info[key] for key in _STAMPS.split() if info.get(key) is not None)
    return Found(name, place.address, int(info.get("size") or 0), str(next(stamps, "")))


def list_below(place: Place) -> Iterator[Listed]:
    """Every file below a folder, sorted: its relative path and its metadata."""
    top = place.path.rstrip("/") + "/"
    for path, entry in sorted(place.system.find(place.path, detail=True).items()):
        yield str(path).removeprefix(top), entry


def match_pattern(place: Place) -> list[Listed]:
    """The files that match a pattern, sorted by path."""
    found = place.system.glob(place.path, detail=True)
    return sorted((path, entry) for path, entry in found.items() if entry.get("type") == "file")


def read_all(places: Iterable[Place]) -> Iterator[bytes]:
    """Read many small files, several at a time, since remote access is slow."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        yield from pool.map(lambda place: bytes(place.system.cat_file(place.path)), places)


def shown_path(path: str, asked: str) -> str:
    """A local path as requested: relative to the current folder, or absolute."""
    return path if os.path.isabs(asked) else os.path.relpath(path).replace(os.sep, "/")
