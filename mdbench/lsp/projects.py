"""The settings of the projects of open documents.

They are read again for every check, so that changes apply immediately. While a file is broken, its
last valid settings are used.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from pygls.uris import to_fs_path

from mdbench.config.loading import load_settings
from mdbench.config.settings import Settings
from mdbench.files.errors import ProblemError
from mdbench.lsp.document_state import Manuscript


def find_folder(manuscript: Manuscript, folders: Sequence[str]) -> str:
    """The folder to search for settings, upwards: the document's folder, else its workspace.

    `folders` are the URIs of the workspace folders.
    """
    if manuscript.path is not None:
        return os.path.dirname(os.path.abspath(manuscript.path))
    paths = (to_fs_path(uri) for uri in folders)
    return next((path for path in paths if path), os.getcwd())


class Projects:
    """The last valid settings of each folder, and the current errors."""

    def __init__(self) -> None:
        self._known: dict[str, Settings] = {}
        self._problems: dict[str, str] = {}

    def load(self, folder: str) -> tuple[Settings | None, str]:
        """The settings of a folder, and the error in them if it is new."""
        try:
            settings = load_settings(folder=folder)
        except ProblemError as error:
            return self._known.get(folder), self.complain(folder, str(error))
        self._known[folder] = settings
        self.settle(folder)
        return settings, ""

    def complain(self, place: str, problem: str) -> str:
        """The error, or None if it was reported before."""
        told = problem in self._problems.values()
        self._problems[place] = problem
        return "" if told else problem

    def settle(self, place: str) -> None:
        """Clear the error of a place."""
        self._problems.pop(place, None)
