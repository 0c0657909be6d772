"""Rules that a project does not want in some of its files."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import NamedTuple

from mdbench.files.gitignore import IgnoreFile
from mdbench.lint.selection import Selection


class PerFile(NamedTuple):
    """Patterns, relative to a folder, with the codes that are not wanted where they match."""

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
