"""A line on the terminal that says how far long work has come."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from mdbench.notices import is_quiet

_Item = TypeVar("_Item")
_PATIENCE_S = 1.0
_EVERY_S = 0.1


def show_progress(items: Iterable[_Item], total: int, what: str) -> Iterator[_Item]:
    """Pass items through; after a second, show on a terminal's standard error how many are done."""
    if is_quiet() or not sys.stderr.isatty():
        yield from items
        return
    shown_at = time.monotonic() + _PATIENCE_S
    shown = False
    try:
        for done, item in enumerate(items, 1):
            now = time.monotonic()
            if now >= shown_at:
                sys.stderr.write(f"\r\x1b[K{what} {done}/{total}")
                sys.stderr.flush()
                shown_at, shown = now + _EVERY_S, True
            yield item
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
