"""Recognize unchanged files without reading them, and known content after reading."""

from __future__ import annotations

import os
import stat
import time

from mdbench.linting.selection import Selection

Signature = list[int]
"""Size, modification time, change time and inode; an empty one never matches."""

# Two writes within one tick of the clock cannot be distinguished. The coarsest clocks of file
# systems have ticks of two seconds.
SETTLED_NS = 2_500_000_000
_DIGEST_BYTES = 20


def sign(status: os.stat_result) -> Signature:
    """The signature of a regular file."""
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def sign_again(path: str) -> Signature:
    """The signature of a file that was just read; empty if it may still change unnoticed."""
    now = time.time_ns()
    try:
        status = os.stat(path)
    except OSError:
        return []
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    settled = changed + SETTLED_NS < now and stat.S_ISREG(status.st_mode)
    return sign(status) if settled else []


def seal(content: bytes, selection: Selection, mark: int = 0) -> str:
    """A checksum of content, the rules that check it, and the mark of its configuration."""
    # Imported lazily: needed only if a file was read.
    from hashlib import blake2b  # noqa: PLC0415

    rules = repr((selection.select, selection.ignore, selection.never, mark)).encode()
    return blake2b(rules + b"\0" + content, digest_size=_DIGEST_BYTES).hexdigest()


class Names:
    """The names of files in an index: their path relative to a folder."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._folders: dict[str, str] = {}

    def find(self, path: str) -> tuple[str, Signature]:
        """The name of a file and its signature, which is empty if it is not a regular file."""
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            path, status = os.path.realpath(path), os.stat(path)
        folder, slash, name = path.rpartition("/")
        prefix = self._folders.get(folder)
        if prefix is None:
            prefix = self._folders[folder] = self._place(folder + slash or ".")
        return prefix + name, sign(status) if stat.S_ISREG(status.st_mode) else []

    def is_gone(self, name: str) -> bool:
        """Whether a file no longer exists."""
        return not os.path.isfile(os.path.join(self._root, name))

    def _place(self, folder: str) -> str:
        real = os.path.realpath(folder)
        if real == self._root:
            return ""
        below = real.removeprefix(self._root.rstrip(os.sep) + os.sep)
        return below.rstrip(os.sep).replace(os.sep, "/") + "/"
