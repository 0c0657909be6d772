"""The parameters of a run, which are sent to every worker, and their fingerprint."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import NamedTuple

from mdbench import __version__
from mdbench.cluster.datasets import Columns
from mdbench.linting.plan import Plan

FINDINGS = "findings"
# Increased when the same version would write something else: a layout, or a file's row.
_EDITION = 3


class Job(NamedTuple):
    """Everything that determines the result of a file."""

    table: str
    """What to write: `runs`, `cells` or `findings`."""
    plan: Plan
    folder: str = ""
    """The folder that relative paths start from, for the patterns of the plan."""
    columns: Columns = Columns()
    """The columns of datasets, if there are any."""
    version: str = __version__

    def for_file(self, name: str) -> Plan:
        """The plan for one file."""
        return self.plan.for_file(os.path.join(self.folder, name))

    @property
    def fingerprint(self) -> str:
        """The same for the same version and settings."""
        folder = self.folder if self.plan.per_file.patterns else ""
        return digest(repr((_EDITION, *self._replace(folder=folder))))


def digest(text: str) -> str:
    """A short name for a long text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
