"""A bound on the time that one file may take."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from mdbench.source import SourceError

_Result = TypeVar("_Result")
_AGAIN_S = 1.0
_LONGEST_S = 1e8
_STEPS = 100
"""In so many steps of a thread, an exception that was raised there arrives."""


class _TimeUp(BaseException):
    """Not an `Exception`: code that survives the errors of one rule must not survive this."""


def run_within(seconds: float, work: Callable[[], _Result]) -> _Result:
    """What `work` returns; `SourceError` if that takes longer. 0 is no limit.

    A signal ends the work: that needs no second process. Signals come to main threads only; in
    other threads, such as those of a worker of a cluster, a watching thread ends it.
    """
    if not seconds:
        return work()
    is_up = False

    def note() -> None:
        nonlocal is_up
        is_up = True

    start, stop = _make_clock(min(seconds, _LONGEST_S), note)
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
    if is_up:
        raise SourceError(describe_too_slow(seconds))
    return result


def describe_too_slow(seconds: float) -> str:
    """The error for a file that takes longer."""
    return (
        f"took longer than {seconds:g} s; use --timeout-per-file to allow more time, "
        "or 0 for no limit"
    )


_Clock = tuple[Callable[[], object], Callable[[], object]]
"""What starts a clock, and what stops it, both of which can be called again."""


def _make_clock(seconds: float, note: Callable[[], None]) -> _Clock:
    """A clock that calls `note` and raises `_TimeUp` in this thread.

    It does so again each second: an exception is lost where Python cannot raise it, as in
    `__del__`.
    """
    # Loaded only where something is read.
    import signal  # noqa: PLC0415

    def end(*_: object) -> None:
        note()
        raise _TimeUp

    if not hasattr(signal, "setitimer"):
        return _watch_thread(seconds, note)
    try:
        before = signal.signal(signal.SIGALRM, end)
    except ValueError:
        return _watch_thread(seconds, note)

    def stop() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    return partial(signal.setitimer, signal.ITIMER_REAL, seconds, _AGAIN_S), stop


def _watch_thread(seconds: float, note: Callable[[], None]) -> _Clock:
    # Loaded only where there is no signal.
    import ctypes  # noqa: PLC0415
    from threading import Event, Thread, get_ident  # noqa: PLC0415

    watched, is_over = ctypes.c_ulong(get_ident()), Event()
    # The documented way to raise an exception in another thread.
    raise_there = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        wait = seconds
        while not is_over.wait(wait):
            note()
            raise_there(watched, ctypes.py_object(_TimeUp))
            wait = _AGAIN_S

    watcher = Thread(target=watch, daemon=True)

    def stop() -> None:
        stopped = False
        while not stopped:
            # An exception may still be on its way, and comes here. To take it back would make
            # CPython 3.11 look for it for ever, at each step of a profiler.
            with suppress(_TimeUp):
                is_over.set()
                if watcher.ident is not None:
                    watcher.join()
                for _ in range(_STEPS):
                    pass
                stopped = True

    return watcher.start, stop
