"""Regular expressions that are compiled when they are first used.

`lint` has some 250 of them and needs few for a report: compiling all would add a quarter to its
start.
"""

from __future__ import annotations

import re
from typing import Any, cast


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled on first use."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


class LazyPattern:
    """Stands in for a compiled pattern and takes over its methods as they are asked for."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, found)
        return found
