"""Which rules are enabled: by code or prefix, and the longest match decides."""

import os
from functools import lru_cache
from typing import NamedTuple

from mdbench.files.gitignore import IgnoreFile

# Unreadable files and crashed rules are always reported, even with a narrow selection.
_ALWAYS = "MB0"


class Selection(NamedTuple):
    """The rules to run; an empty selection means all of them."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    """Disabled, whatever else matches."""

    def includes(self, code: str) -> bool:
        """Whether a rule is enabled; if both match equally well, it is ignored."""
        if not (self.select or self.ignore or self.never):
            return True
        if self.never and code.startswith(self.never):
            return False
        selected = _longest(code, self.select)
        if not self.select or (code.startswith(_ALWAYS) and selected < 0):
            selected = 0
        return selected > _longest(code, self.ignore)


EVERY_RULE = Selection()


def _longest(code: str, prefixes: tuple[str, ...]) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


class PerFile(NamedTuple):
    """Patterns relative to a folder, each with the codes to ignore in matching files."""

    folder: str = ""
    patterns: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def narrow(self, selection: Selection, path: str) -> Selection:
        """The selection for one file."""
        if not self.patterns:
            return selection
        real = os.path.realpath(path)
        codes = [
            code
            for pattern, codes in self.patterns
            if _compile(self.folder, pattern).covers(real)
            for code in codes
        ]
        return selection._replace(never=(*selection.never, *codes)) if codes else selection


EVERY_FILE = PerFile()


@lru_cache(maxsize=256)
def _compile(folder: str, pattern: str) -> IgnoreFile:
    return IgnoreFile.from_patterns(os.path.realpath(folder), (pattern,))
