"""A progress line with the estimated time left."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic

from mdbench.cluster.partitions import PieceResult
from mdbench.files.notices import is_quiet

_CLEAR = "\r\x1b[K"


def show_meter(outcomes: Iterable[PieceResult], files: int, what: str) -> Iterator[PieceResult]:
    """Pass outcomes through; show the number of finished files if standard error is a terminal."""
    if is_quiet() or sys.stderr is None or not sys.stderr.isatty():
        yield from outcomes
        return
    started = monotonic()
    done = 0
    _show(f"{what} {files} files …")
    try:
        for outcome in outcomes:
            done += outcome.counts.files if outcome.counts is not None else 0
            _show(describe(done, files, monotonic() - started, what))
            yield outcome
    finally:
        _show("")


def describe(done: int, files: int, seconds: float, what: str) -> str:
    """The progress, the rate, and the estimated time left."""
    if not done or seconds <= 0:
        return f"{what} {files} files …"
    rate = done / seconds
    return f"{what} {done}/{files} files, {rate:.3g}/s, {show_time((files - done) / rate)} left"


def show_time(seconds: float) -> str:
    """Format a time for humans, with at most two units."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _show(text: str) -> None:
    sys.stderr.write(f"{_CLEAR}{text}")
    sys.stderr.flush()
