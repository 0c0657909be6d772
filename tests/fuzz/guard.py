"""A time limit for a text, so that a hang is a failure."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Reading takes about ten microseconds per byte; a hundred times as much is a hang.
_BASE_S = 10.0
_PER_BYTE_S = 0.001


class HangError(BaseException):
    """Not an `Exception`: otherwise mdbench would report it as a crashed rule and continue."""


@contextmanager
def hang_guard(size: int) -> Iterator[None]:
    """Fail if the block takes more CPU time than this many bytes can need."""
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _BASE_S + _PER_BYTE_S * size)
    try:
        yield
    except HangError as hang:
        raise AssertionError(f"{size} bytes took too long") from hang
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
