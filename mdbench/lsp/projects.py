"""The settings of the projects that open documents belong to.

They are read again for every check, so that a change counts at once. While a file is broken, what
it said before holds.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from pygls.uris import to_fs_path

from mdbench.config.loading import load_settings
from mdbench.config.settings import Settings
from mdbench.errors import ProblemError
from mdbench.lsp.document_state import Manuscript


def find_folder(manuscript: Manuscript, folders: Sequence[str]) -> str:
    """Where to look for settings, from there upwards: beside the document, else its workspace.

    `folders` are the URIs of the workspace's folders.
    """
    if manuscript.path is not None:
        return os.path.dirname(os.path.abspath(manuscript.path))
    paths = (to_fs_path(uri) for uri in folders)
    return next((path for path in paths if path), os.getcwd())


class Projects:
    """The last settings of each folder that could be read, and what is wrong now."""

    def __init__(self) -> None:
        self._known: dict[str, Settings] = {}
        self._problems: dict[str, str] = {}

    def load(self, folder: str) -> tuple[Settings | None, str]:
        """The settings of a folder, and what is wrong with them if nobody was told that yet."""
        try:
            settings = load_settings(folder=folder)
        except ProblemError as error:
            return self._known.get(folder), self.complain(folder, str(error))
        self._known[folder] = settings
        self.settle(folder)
        return settings, ""

    def complain(self, place: str, problem: str) -> str:
        """A problem, or nothing where it was told before."""
        told = problem in self._problems.values()
        self._problems[place] = problem
        return "" if told else problem

    def settle(self, place: str) -> None:
        """There is no problem at a place any more."""
        self._problems.pop(place, None)
