"""A bound on the time that a text may take, so that a hang is a failure and not a wait."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Reading takes some ten microseconds a byte: who needs a hundred times as much will need for ever.
_BASE_S = 10.0
_PER_BYTE_S = 0.001


class HangError(BaseException):
    """Not an `Exception`, or mdbench would take it for the fault of a rule and go on."""


@contextmanager
def hang_guard(size: int) -> Iterator[None]:
    """Fail if what is done takes more time of the processor than so many bytes can need."""
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
