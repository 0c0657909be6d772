"""A bound on the time that one file may take."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from mdbench.source import SourceError

_Result = TypeVar("_Result")
_AGAIN_S = 1.0
_LONGEST_S = 1e8


class _TimeUp(BaseException):
    """Not an `Exception`: code that survives the errors of one rule must not survive this."""


def run_within(seconds: float, work: Callable[[], _Result]) -> _Result:
    """What `work` returns; `SourceError` if that takes longer. 0 is no limit.

    A signal ends the work: that needs no second process, and the workers of `map_files` work in
    their main thread, to which signals come. In other threads there is no limit.
    """
    if not seconds:
        return work()
    # Loaded only where something is read.
    import signal  # noqa: PLC0415

    # Where there is no SIGALRM, no other process sends SIGTERM.
    alarm = getattr(signal, "SIGALRM", signal.SIGTERM)
    is_up = False

    def end(*_: object) -> None:
        nonlocal is_up
        is_up = True
        raise _TimeUp

    try:
        before = signal.signal(alarm, end)
    except ValueError:
        return work()
    start, stop = _make_clock(min(seconds, _LONGEST_S), alarm)
    try:
        try:
            start()
            result = work()
        finally:
            stop()
    except (_TimeUp, Exception):
        # Whatever came of it: a library may have made another error of it.
        if not is_up:
            raise
    finally:
        stop()
        signal.signal(alarm, before)
    if is_up:
        raise SourceError(describe_too_slow(seconds))
    return result


def describe_too_slow(seconds: float) -> str:
    """The error for a file that takes longer."""
    return (
        f"took longer than {seconds:g} s; use --timeout-per-file to allow more time, "
        "or 0 for no limit"
    )


def _make_clock(seconds: float, alarm: int) -> tuple[Callable[[], object], Callable[[], object]]:
    """What starts a clock that raises the alarm, and what stops it."""
    import signal  # noqa: PLC0415

    if hasattr(signal, "setitimer"):
        # Again each second: an exception is lost where Python cannot raise it, as in `__del__`.
        start = partial(signal.setitimer, signal.ITIMER_REAL, seconds, _AGAIN_S)
        return start, partial(signal.setitimer, signal.ITIMER_REAL, 0)
    from _thread import interrupt_main  # noqa: PLC0415
    from threading import Timer  # noqa: PLC0415

    timer = Timer(seconds, interrupt_main, (alarm,))
    timer.daemon = True
    return timer.start, timer.cancel
