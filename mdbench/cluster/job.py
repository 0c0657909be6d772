"""What is asked of a run, as a value that every worker is sent; and by what it is known again."""

from __future__ import annotations

import os
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from mdbench import __version__
from mdbench.cluster.columns import Columns
from mdbench.linting.selection import EVERY_FILE, EVERY_RULE, PerFile, Selection
from mdbench.vocabulary.extensions import NO_EXTENSIONS, Extensions

# Raised where the same version would write something else: a layout, or what is in a file's row.
_EDITION = 1


class Table(StrEnum):
    """What a run makes."""

    RUNS = "runs"
    CELLS = "cells"
    FINDINGS = "findings"


class Job(NamedTuple):
    """All that decides what is made of a file."""

    table: Table
    limit: int
    """The most bytes that a file may have."""
    extensions: Extensions = NO_EXTENSIONS
    selection: Selection = EVERY_RULE
    per_file: PerFile = EVERY_FILE
    folder: str = ""
    """Where a path starts that is not absolute, for the patterns of `per_file`."""
    columns: Columns | None = None
    """The columns of datasets, where there are some."""
    version: str = __version__

    def for_file(self, name: str) -> Selection:
        """The rules that are wanted in one file."""
        return self.per_file.narrow(self.selection, os.path.join(self.folder, name))

    @property
    def fingerprint(self) -> str:
        """The same for the same version and settings."""
        parts = (
            *(_EDITION, self.version, self.table.value, self.limit, self.extensions),
            *(self.selection, self.per_file, self.folder if self.per_file.patterns else ""),
            self.columns,
        )
        return digest(repr(parts))


def digest(text: str) -> str:
    """A short name for a long text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
