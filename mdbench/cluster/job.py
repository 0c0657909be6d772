"""The parameters of a run, which are sent to every worker, and their fingerprint."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import NamedTuple

from mdbench import __version__
from mdbench.cluster.datasets import Columns
from mdbench.linting.selection import EVERY_FILE, EVERY_RULE, PerFile, Selection
from mdbench.vocabulary.extensions import NO_EXTENSIONS, Extensions

FINDINGS = "findings"
# Increased when the same version would write something else: a layout, or a file's row.
_EDITION = 2


class Job(NamedTuple):
    """Everything that determines the result of a file."""

    table: str
    """What to write: `runs`, `cells` or `findings`."""
    limit: int
    """The maximum size of a file in bytes."""
    extensions: Extensions = NO_EXTENSIONS
    selection: Selection = EVERY_RULE
    per_file: PerFile = EVERY_FILE
    folder: str = ""
    """The folder that relative paths start from, for the patterns of `per_file`."""
    columns: Columns = Columns()
    """The columns of datasets, if there are any."""
    version: str = __version__

    def for_file(self, name: str) -> Selection:
        """The enabled rules for one file."""
        return self.per_file.narrow(self.selection, os.path.join(self.folder, name))

    @property
    def fingerprint(self) -> str:
        """The same for the same version and settings."""
        folder = self.folder if self.per_file.patterns else ""
        return digest(repr((_EDITION, *self._replace(folder=folder))))


def digest(text: str) -> str:
    """A short name for a long text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
