"""Addresses of files and folders, here or elsewhere: what is there, and whether it has changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from mdbench.errors import ProblemError

_AT_ONCE = 16
# Only the process that wrote there sees what is there.
_PRIVATE = "memory://"
# To make a folder there could make a bucket that nobody wants.
_BUCKETS = frozenset("s3 s3a gs gcs abfs abfss az adl oss r2".split())
# What tells one version of a file from another, the best first.
_STAMPS = "ETag etag md5Hash content_md5 checksum mtime LastModified last_modified updated created"

Entry = Mapping[str, Any]
"""What a file system says of a file."""
Listed = tuple[str, Entry]


class Found(NamedTuple):
    """A file: what it is called, how any process opens it, and by what it is known again."""

    name: str
    address: str
    size: int
    stamp: str


class Place(NamedTuple):
    """An address that was looked up: its file system, and its path there."""

    system: Any
    path: str

    @property
    def is_local(self) -> bool:
        """Whether it is a path of this machine."""
        return isinstance(self.system, LocalFileSystem)

    def under(self, *names: str) -> Place:
        """What lies below it."""
        return Place(self.system, "/".join((self.path.rstrip("/"), *names)))

    @property
    def has_folders(self) -> bool:
        """Whether a folder must be there before a file in it; a store of objects has none."""
        protocol = self.system.protocol
        names = (protocol,) if isinstance(protocol, str) else protocol
        return _BUCKETS.isdisjoint(names)

    @property
    def address(self) -> str:
        """How any process finds it."""
        return self.path if self.is_local else str(self.system.unstrip_protocol(self.path))


def find_place(address: str) -> Place:
    """Look an address up; `ProblemError` where nothing here can open such ones."""
    try:
        system, path = url_to_fs(address)
    except ImportError as error:
        raise ProblemError(f"{address}: a package is missing: {error}") from error
    except (OSError, ValueError) as error:
        raise ProblemError(f"{address}: {error}") from error
    return Place(system, path)


def is_private(address: str) -> bool:
    """Whether no other process sees what is there."""
    return address.startswith(_PRIVATE)


def is_remote(address: str) -> bool:
    """Whether it is an address, not a path."""
    return "://" in address or "::" in address


def look_at(place: Place, name: str, entry: Entry | None = None) -> Found:
    """A file by what its file system says of it."""
    info = place.system.info(place.path) if entry is None else entry
    stamps = (info[key] for key in _STAMPS.split() if info.get(key) is not None)
    return Found(name, place.address, int(info.get("size") or 0), str(next(stamps, "")))


def list_below(place: Place) -> Iterator[Listed]:
    """Every file below a folder, sorted: its path from there, and what is known of it."""
    top = place.path.rstrip("/") + "/"
    for path, entry in sorted(place.system.find(place.path, detail=True).items()):
        yield str(path).removeprefix(top), entry


def match_pattern(place: Place) -> list[Listed]:
    """The files that a pattern stands for, sorted by their paths."""
    found = place.system.glob(place.path, detail=True)
    return sorted((path, entry) for path, entry in found.items() if entry.get("type") == "file")


def read_all(places: Iterable[Place]) -> Iterator[bytes]:
    """What many small files hold, several at a time, since elsewhere each takes a while."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        yield from pool.map(lambda place: bytes(place.system.cat_file(place.path)), places)


def shown_path(path: str, asked: str) -> str:
    """A path of this machine as it was asked for: from the current folder, or from the top."""
    return path if os.path.isabs(asked) else os.path.relpath(path).replace(os.sep, "/")
