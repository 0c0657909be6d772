"""One file with the cached results of all reports of a project.

Its first line contains the format and a checksum of the rows. The rows are JSON: one for each file
and one for each content. They are followed by the pieces that the rows refer to by offset, length
and checksum, so that only the pieces that are needed are read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from mdbench.linting.cache.place import replace_file

MAGIC = b"mdbench lint cache 3"
HEADER = b"%b %08x %012d\n"
HEADER_LENGTH = len(HEADER % (MAGIC, 0, 0))
MOST_BYTES = 64 * 2**20
"""The approximate maximum size of an index."""
_MOST_VOUCHERS = 32

FileRow = list[Any]
"""The signature, the seal of the content, and for each view its display name and piece."""
ContentRow = list[Any]
"""The tally, the reach, whether statistics were made, and the piece with all the rest."""
WRONG = (TypeError, ValueError, LookupError, AttributeError)
"""The errors that invalid rows cause."""


class Index:
    """The rows as they were read, which are validated on use, and the rows added since."""

    def __init__(self, key: str) -> None:
        self.vouchers: list[str] = []
        """Settings that are known to be valid."""
        self.files: dict[str, FileRow] = {}
        self.contents: dict[str, ContentRow] = {}
        self._key = key
        self._data = b""
        self._start = 0

    @classmethod
    def read(cls, path: str, key: str) -> Index:
        """Read an index file; empty if it is broken or has another key."""
        index = cls(key)
        try:
            with open(path, "rb") as file:
                index._load(file.read(2 * MOST_BYTES))
        except (OSError, RecursionError, *WRONG):
            return cls(key)
        return index

    def _load(self, data: bytes) -> None:
        magic, checksum, length = data[:HEADER_LENGTH].rsplit(b" ", 2)
        self._start = HEADER_LENGTH + int(length)
        rows = data[HEADER_LENGTH : self._start]
        if magic != MAGIC or int(checksum, 16) != crc32(rows):
            raise ValueError
        key, vouchers, files, contents = json.loads(rows)
        if key != self._key or [type(vouchers), type(files), type(contents)] != [list, dict, dict]:
            raise ValueError
        self.vouchers, self.files, self.contents = vouchers, files, contents
        self._data = data

    def piece(self, place: Any) -> bytes:
        """The piece of a row: the row itself if it was added, else as read. May raise `WRONG`."""
        if isinstance(place, bytes):
            return place
        offset, length, checksum = place
        if offset < 0 or length < 0:
            raise ValueError
        found = self._data[self._start + offset : self._start + offset + length]
        if len(found) != length or crc32(found) != checksum:
            raise ValueError
        return found

    def write(self, path: str, vouchers: Iterable[str], own: Iterable[str], others: Index) -> None:
        """Write the rows of some files, and as many rows of `others` as fit."""
        draft = _NewIndex()
        taken = dict.fromkeys(own)
        for name in taken:
            draft.take(self, name)
        for name in others.files:
            if name not in taken:
                draft.take(others, name)
        valid = list(dict.fromkeys((*vouchers, *others.vouchers)))
        rows = (self._key, valid[:_MOST_VOUCHERS], draft.files, draft.contents)
        head = json.dumps(rows, separators=(",", ":")).encode("ascii")
        header = HEADER % (MAGIC, crc32(head), len(head))
        replace_file(path, b"".join((header, head, *draft.pieces)))


class _NewIndex:
    """The rows of a new index, and the pieces in order."""

    def __init__(self) -> None:
        self.files: dict[str, FileRow] = {}
        self.contents: dict[str, ContentRow] = {}
        self.pieces: list[bytes] = []
        self._size = 0

    def take(self, index: Index, name: str) -> None:
        """Copy the row of a file with everything it refers to, if it is valid."""
        if self._size > MOST_BYTES:
            return
        try:
            signature, seal, looks = index.files[name]
            if seal not in self.contents:
                tally, reach, measured, place = index.contents[seal]
                self.contents[seal] = [tally, reach, measured, self._add(index.piece(place))]
            shown = {
                look: [path, self._add(index.piece(place))] for look, (path, place) in looks.items()
            }
        except WRONG:
            return
        self.files[name] = [signature, seal, shown]

    def _add(self, piece: bytes) -> list[int]:
        place = [self._size, len(piece), crc32(piece)]
        self.pieces.append(piece)
        self._size += len(piece)
        return place
