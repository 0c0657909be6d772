"""Files written whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from mdbench.problems import ProblemError

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextmanager
def open_output(path: str | None) -> Iterator[IO[bytes]]:
    """Standard output, or a new file that takes the old one's place once all is written."""
    opened = _open_standard() if path is None else _open_file(path)
    try:
        with opened as sink:
            yield sink
    except BrokenPipeError:
        raise
    except OSError as error:
        shown = "standard output" if path is None else path
        raise ProblemError(f"{shown}: cannot be written: {error.strerror or error}") from error


def on_terminal(path: str | None) -> bool:
    """Whether what is written to an output is shown by a terminal."""
    return path is None and sys.stdout is not None and sys.stdout.isatty()


def replace_file(path: str, old: bytes, new: bytes) -> None:
    """Put new content in the place of the old; a file that holds something else is left alone."""
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        raise ProblemError(f"{path}: is no regular file; left as it is")
    try:
        with _open_file(path, old) as sink:
            sink.write(new)
    except OSError as error:
        raise ProblemError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextmanager
def _open_standard() -> Iterator[IO[bytes]]:
    # Python has no standard output if it was started with a closed one.
    if sys.stdout is None:
        raise OSError("it is closed")
    try:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    except OSError:
        _give_up_standard()
        raise


def _give_up_standard() -> None:
    """What is still waiting to be written goes nowhere, or Python would try again at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError):
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@contextmanager
def _open_file(path: str, expected: bytes | None = None) -> Iterator[IO[bytes]]:
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        # A device or a pipe must not be replaced; opening a folder says what is wrong.
        with open(path, "wb") as file:
            yield file
        return
    if mode is not None:
        # To replace a file must not be a way around its write protection.
        open(path, "r+b").close()
    # A link keeps pointing where it did: what it points to is written.
    target = os.path.realpath(path)
    draft = f"{target}.{os.urandom(6).hex()}.tmp"
    descriptor = os.open(draft, _NEW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            _keep_owner(draft, target)
            os.chmod(draft, stat.S_IMODE(mode))
        if expected is not None and not _holds(target, expected):
            raise ProblemError(f"{path}: was changed by someone else meanwhile; left as it is")
        os.replace(draft, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)


def _mode(path: str) -> int | None:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _holds(path: str, expected: bytes) -> bool:
    with open(path, "rb") as file:
        return file.read() == expected


def _keep_owner(draft: str, target: str) -> None:
    """Let the new file belong to whom the old one did, as far as that may be done."""
    old, new = os.stat(target), os.stat(draft)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) and hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(draft, old.st_uid, old.st_gid)
