"""Regular expressions that are compiled on first use.

`lint` has about 250 of them and needs few for a report. Compiling them all would add a quarter to
its start-up time.
"""

from __future__ import annotations

import re
from typing import Any, cast


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled on first use."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


class LazyPattern:
    """A stand-in for a compiled pattern that copies its methods on first access."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, found)
        return found
