"""Files written completely or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, NoReturn

from mdbench.files.errors import TERMINATED, ProblemError

# Hidden, and not the name of a report: what a killed run leaves is not read as one.
_DRAFT, _DRAFT_END = ".mdbench-", ".tmp"
# A draft that was not written to for so long is abandoned.
_ABANDONED_S = 24 * 3600
_swept: set[str] = set()

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
    """Whether an output is a terminal."""
    return path is None and sys.stdout is not None and sys.stdout.isatty()


def replace_file(path: str, old: bytes, new: bytes) -> None:
    """Replace the old content of a file by new; a file with other content stays unchanged."""
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        raise ProblemError(f"{path}: not a regular file; unchanged")
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
    except OSError as error:
        _give_up_standard()
        if sys.platform == "win32" and error.errno == errno.EINVAL:
            # What Windows says of a pipe whose reader is gone.
            raise BrokenPipeError from error
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
    folder = os.path.dirname(target)
    draft = os.path.join(folder, f"{_DRAFT}{os.urandom(6).hex()}{_DRAFT_END}")
    with _ended_in_order(), _drafting(draft):
        with os.fdopen(os.open(draft, _NEW, 0o600), "wb") as file:
            _sweep(folder, os.fstat(file.fileno()).st_mtime)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            _keep_owner(draft, target)
        # Only now may others read it who might read the old one.
        os.chmod(draft, _usual_mode() if mode is None else stat.S_IMODE(mode))
        if expected is not None and not _holds(target, expected):
            raise ProblemError(f"{path}: was changed by another process; unchanged")
        os.replace(draft, target)


@contextmanager
def _drafting(draft: str) -> Iterator[None]:
    """Leave no draft behind, whatever happens."""
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(draft)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let SIGTERM end the work as Ctrl-C does, not in the middle of a line of code."""
    import signal  # noqa: PLC0415  (only where something is written)

    def end(*_: object) -> NoReturn:
        raise SystemExit(TERMINATED)

    ours = False
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        # Not in another thread, to which no signal comes.
        with suppress(ValueError):
            signal.signal(signal.SIGTERM, end)
            ours = True
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _sweep(folder: str, now: float) -> None:
    """Remove the drafts of killed runs from a folder, once; `now` is by the clock of its disk."""
    if folder in _swept:
        return
    _swept.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_DRAFT) and entry.name.endswith(_DRAFT_END):
                with suppress(OSError):
                    if now - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED_S:
                        os.unlink(entry.path)


def _usual_mode() -> int:
    """What others may do with a new file of this user, which cannot be asked without setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


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
