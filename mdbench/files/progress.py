"""A bar on the terminal that says how far long work has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from mdbench.files.notices import is_quiet

_Item = TypeVar("_Item")
_PATIENCE_S = 1.0
_EVERY_S = 0.1
_WIDTH = 24
_ERASE = "\r\x1b[K"


def show_progress(
    items: Iterable[_Item],
    total: int,
    what: str,
    prints: Callable[[_Item], bool] = lambda _: False,
) -> Iterator[_Item]:
    """Pass items through; after a second, show on a terminal's standard error how many are done.

    `prints` tells which items will be written to the same terminal: the bar gives way to those.
    """
    if is_quiet() or sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    shown_at = time.monotonic() + _PATIENCE_S
    shown = False
    try:
        for done, item in enumerate(items, 1):
            now = time.monotonic()
            if shown and prints(item):
                _write(_ERASE)
                shown = False
            elif now >= shown_at:
                _write(f"{_ERASE}{what} {_draw(done, total)}")
                shown_at, shown = now + _EVERY_S, True
            yield item
    finally:
        if shown:
            _write(_ERASE)


def _draw(done: int, total: int) -> str:
    filled = _WIDTH * done // max(total, 1)
    return f"[{'#' * filled}{' ' * (_WIDTH - filled)}] {done}/{total}"


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
