"""Regular expressions that are compiled when they are first used.

There are three hundred on the way of `lint`, and a report needs less than half of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["Pattern"]


class _Pattern:
    """A pattern that becomes a compiled one as soon as anything is asked of it."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._wanted = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = re.compile(*self._wanted)
        # Found before this method is from now on.
        self.__dict__.update({each: getattr(made, each) for each in _METHODS})
        return getattr(made, name)


_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "split")

if TYPE_CHECKING:
    # To a type checker it is what it becomes.
    from re import compile as Pattern  # noqa: N812
else:
    Pattern = _Pattern
