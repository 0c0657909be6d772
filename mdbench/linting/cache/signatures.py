"""By what a file is known to be unchanged without reading it, and by what it is known if read."""

from __future__ import annotations

import os
import stat
import time

from mdbench.linting.selection import Selection

Signature = list[int]
"""Size, time of the last change of content and of anything, and inode; empty is like no other."""

# A file that is written twice within one tick of its clock looks as if it had been written once.
# The coarsest clocks of file systems have ticks of two seconds.
SETTLED_NS = 2_500_000_000
_DIGEST_BYTES = 20


def sign(status: os.stat_result) -> Signature:
    """What a regular file looks like from outside."""
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def sign_again(path: str) -> Signature:
    """The same of a file that has just been read: empty if it may still change unseen."""
    now = time.time_ns()
    try:
        status = os.stat(path)
    except OSError:
        return []
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    settled = changed + SETTLED_NS < now and stat.S_ISREG(status.st_mode)
    return sign(status) if settled else []


def seal(content: bytes, selection: Selection) -> str:
    """What is the same only for the same content, checked by the same rules."""
    # Loaded only where a file has been read.
    from hashlib import blake2b  # noqa: PLC0415

    rules = repr((selection.select, selection.ignore, selection.never)).encode()
    return blake2b(rules + b"\0" + content, digest_size=_DIGEST_BYTES).hexdigest()


class Names:
    """What the files of a run are called in an index: by their place below a folder."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._folders: dict[str, str] = {}

    def find(self, path: str) -> tuple[str, Signature]:
        """The name of a file and its signature, which is empty for anything but a file."""
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            path, status = os.path.realpath(path), os.stat(path)
        folder, slash, name = path.rpartition("/")
        prefix = self._folders.get(folder)
        if prefix is None:
            prefix = self._folders[folder] = self._place(folder or slash or ".")
        return prefix + name, sign(status) if stat.S_ISREG(status.st_mode) else []

    def is_gone(self, name: str) -> bool:
        """Whether there is no file of a name any more."""
        return not os.path.isfile(os.path.join(self._root, name))

    def _place(self, folder: str) -> str:
        real = os.path.realpath(folder)
        if real == self._root:
            return ""
        below = real.removeprefix(self._root.rstrip(os.sep) + os.sep)
        return below.rstrip(os.sep).replace(os.sep, "/") + "/"
