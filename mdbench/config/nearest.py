"""The settings nearest to each file, looked up once for each folder.

The same file has the same settings wherever a command is started, as in an editor. What is about a
whole run counts from the current folder: its paths, its cache and its baseline.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from mdbench.config.files import find_own
from mdbench.config.loading import check_settings
from mdbench.config.settings import Settings
from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.gitignore import IgnoreFile, parents_of

if TYPE_CHECKING:
    from mdbench.sheets.report_files import Reading
    from mdbench.vocabulary.extensions import Extensions


class Nearest:
    """The settings of a run, and those of the folders that have their own."""

    def __init__(
        self,
        run: Settings,
        check: Callable[[Settings], Settings] = check_settings,
        start: str | None = None,
    ) -> None:
        """`start` is the folder that `run` was looked up for, if not the current one."""
        self.run = run
        self._check = check
        self._known = {start or os.getcwd(): run}
        self._rules: dict[str, IgnoreFile | None] = {}

    def for_folder(self, folder: str) -> Settings:
        """The settings of files in a folder, given by its absolute path."""
        if self.run.fixed:
            return self.run
        passed: list[str] = []
        found = self._known.get(folder)
        while found is None:
            passed.append(folder)
            found, above = self._own(folder), os.path.dirname(folder)
            if found is None and above == folder:
                found = self._make() if self.run.file else self.run
            folder = above
            found = found or self._known.get(folder)
        self._known.update(dict.fromkeys(passed, found))
        return found

    def for_file(self, path: str) -> Settings:
        """The settings of a file."""
        return self.for_folder(os.path.dirname(os.path.abspath(path)))

    def for_others(self, paths: Iterable[str], stdin_name: str) -> Mapping[str, Settings]:
        """The settings of the folders of these files that are not those of the run."""
        names = (stdin_name if path == STANDARD_INPUT else path for path in paths)
        folders = (os.path.abspath(name) for name in {os.path.dirname(name) for name in names})
        found = {folder: self.for_folder(folder) for folder in folders}
        return {folder: one for folder, one in found.items() if one is not self.run}

    def reading(self, paths: Iterable[str], stdin_name: str) -> Reading:
        """How each of the files is read."""
        others = self.for_others(paths, stdin_name).items()
        readings = {folder: one.reading(stdin_name) for folder, one in others}
        return self.run.reading(stdin_name)._replace(folders=readings)

    def extensions(self, paths: Iterable[str], stdin_name: str) -> Extensions:
        """What the frame of all the files must have columns for: the quantities of each project."""
        mine = self.run.extensions
        quantities = {one.name: one for one in mine.quantities}
        for settings in self.for_others(paths, stdin_name).values():
            quantities.update({one.name: one for one in settings.extensions.quantities})
        return mine._replace(quantities=tuple(quantities.values()))

    def excludes(self, path: str, is_folder: bool) -> bool:
        """Whether a file or folder is left out; its path is absolute and free of links."""
        folder = os.path.dirname(path)
        if folder not in self._rules:
            self._rules[folder] = self.for_folder(folder).exclude
        rules = self._rules[folder]
        return rules is not None and rules.excludes(path, is_folder)

    def covers(self, path: str) -> bool:
        """Whether a file or one of its folders is left out."""
        return self.excludes(path, False) or any(
            self.excludes(parent, True) for parent in parents_of(path)
        )

    def _own(self, folder: str) -> Settings | None:
        file = find_own(folder)
        if file is None:
            return None
        if (file.folder, file.shown) == (self.run.folder, self.run.file):
            return self.run
        return self._check(
            self._make()._replace(
                folder=file.folder, file=file.shown, prefix=file.prefix, stated=file.table
            )
        )

    def _make(self) -> Settings:
        """The settings of a file without configuration."""
        run = self.run
        return Settings(run.folder, asked=run.asked, force_exclude=run.force_exclude)
