"""What `lint` does with each file."""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.limits import MOST_BYTES
from mdbench.linting.selection import EVERY_FILE, EVERY_RULE, PerFile, Selection
from mdbench.results.files import ResultFiles
from mdbench.rules.findings import Safety
from mdbench.vocabulary.extensions import NO_EXTENSIONS, Extensions


class Options(NamedTuple):
    """How to check a report."""

    selection: Selection = EVERY_RULE
    extensions: Extensions = NO_EXTENSIONS
    results: ResultFiles | None = None
    """Where the results are that reports are bound to."""


WITHOUT_RESULTS = Options(Selection(never=("MB6",)))
"""For what does not know where the results are."""


class Project(NamedTuple):
    """What a configuration says about the files below it."""

    selection: Selection = EVERY_RULE
    most_bytes: int = MOST_BYTES
    extensions: Extensions = NO_EXTENSIONS
    per_file: PerFile = EVERY_FILE
    results: ResultFiles | None = None
    mark: int = 0
    """Tells this configuration from that of the run, which has 0."""
    most_seconds: float = 0


class Plan(NamedTuple):
    """What to do with each file."""

    selection: Selection = EVERY_RULE
    statistics: bool = False
    stdin_name: str = "<stdin>"
    most_bytes: int = MOST_BYTES
    extensions: Extensions = NO_EXTENSIONS
    fix: Safety | None = None
    """The least safe fixes to apply; None applies no fixes."""
    add_ignores: bool = False
    """Whether to write ignore comments for the findings instead of fixing them."""
    write: bool = False
    """Whether to write fixes to the file; otherwise a diff is made."""
    per_file: PerFile = EVERY_FILE
    describe: bool = False
    """Whether to describe the findings for a baseline."""
    results: ResultFiles | None = None
    suppressed: bool = False
    """Whether the output lists suppressed findings too."""
    mark: int = 0
    folders: Mapping[str, Project] = MappingProxyType({})
    """Folders whose files have a configuration of their own."""
    most_seconds: float = 0
    """How long a file may take; 0 is no limit."""

    @property
    def options(self) -> Options:
        """The options for the checker."""
        return Options(self.selection, self.extensions, self.results)

    def for_file(self, path: str) -> "Plan":
        """The plan for one file, without the rules that are disabled for it."""
        name = self.stdin_name if path == STANDARD_INPUT else path
        if self.folders:
            project = self.folders.get(os.path.dirname(os.path.abspath(name)))
            if project is not None:
                own = self._replace(folders={}, **project._asdict())
                return own.for_file(path)
        selection = self.per_file.narrow(self.selection, name)
        return self if selection is self.selection else self._replace(selection=selection)

    def wants(self, code: str, path: str) -> bool:
        """Whether a rule is enabled for a file."""
        return self.for_file(path).selection.includes(code)
