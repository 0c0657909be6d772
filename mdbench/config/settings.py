"""The settings in force: what the command line says, else a file, else the default."""

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from mdbench.files.gitignore import IgnoreFile, parents_of
from mdbench.files.limits import MOST_BYTES, read_size
from mdbench.files.relative_paths import relative_path
from mdbench.linting.cache.place import FOLDER, VARIABLE
from mdbench.linting.fail_on import read_threshold
from mdbench.linting.selection import PerFile, Selection
from mdbench.results.files import ResultFiles
from mdbench.rules.findings import Severity
from mdbench.rules.names import EVERY, read_code, read_codes
from mdbench.vocabulary.extensions import NO_EXTENSIONS, Extensions

if TYPE_CHECKING:
    from mdbench.sheets.report_files import Reading

BASELINE = ".mdbench-baseline.json"
DEFAULTS: Mapping[str, Any] = {
    "paths": [],
    "exclude": [],
    "select": [],
    "ignore": [],
    "per-file-ignores": {},
    "fail-on": "warning",
    "cache-dir": FOLDER,
    "max-file-size": "20MB",
    "timeout-per-file": 30,
    "columns": {},
    "quantities": {},
    "relations": [],
    "peaks": {},
    "constants": {},
    "results": {},
}
_EVERY = read_code(EVERY)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_ASKED_BY = {"paths": "the paths of the command line", "cache-dir": VARIABLE}


class Settings(NamedTuple):
    """Each setting by its name, and where it was said."""

    folder: str
    """The folder that paths and patterns of the file are relative to."""
    file: str = ""
    """The configuration file as messages call it; empty where there is none."""
    prefix: str = ""
    """What stands before each key in the file: `tool.mdbench.` in pyproject.toml."""
    stated: Mapping[str, Any] = _NOTHING
    """What the file says."""
    asked: Mapping[str, Any] = _NOTHING
    """What the command line says."""
    extensions: Extensions = NO_EXTENSIONS
    force_exclude: bool = False
    """Whether what is excluded is left out even where it is named."""
    fixed: bool = False
    """Whether these settings count for every file, because the command line chose their file."""

    def value(self, name: str) -> Any:
        """The value that counts."""
        if name in self.asked:
            return self.asked[name]
        return self.stated.get(name, DEFAULTS[name])

    def origin(self, name: str) -> str:
        """Where a setting comes from."""
        if name in self.asked:
            return _ASKED_BY.get(name, f"--{name}")
        return f"{self.file}: {self.prefix}{name}" if name in self.stated else "default"

    def ask(self, **asked: Any) -> "Settings":
        """These settings with what the command line says; None is nothing said."""
        said = {name.replace("_", "-"): value for name, value in asked.items() if value is not None}
        return self._replace(asked={**self.asked, **said})

    @property
    def most_bytes(self) -> int:
        """The largest report that is read."""
        return read_size(self.value("max-file-size")) or MOST_BYTES

    @property
    def threshold(self) -> Severity | None:
        """The lowest severity that makes the exit code 1; None if there is none."""
        return read_threshold(self.value("fail-on"))

    @property
    def most_seconds(self) -> float:
        """How long a file may take; 0 is no limit."""
        return float(self.value("timeout-per-file"))

    def reading(self, stdin_name: str) -> "Reading":
        """How reports are read."""
        # Needed by the commands that read reports, not by a lint that knows all from its cache.
        from mdbench.sheets.report_files import Reading  # noqa: PLC0415

        return Reading(self.extensions, self.most_bytes, stdin_name, self.most_seconds)

    @property
    def selection(self) -> Selection:
        """The rules that are wanted: what the command line says of a code counts for more."""
        select, ignore = read_codes(self.value("select")), read_codes(self.value("ignore"))
        if more := tuple(self.asked.get("extend-select", ())):
            select = (*(select or (_EVERY,)), *more)
            if "ignore" not in self.asked:
                ignore = tuple(code for code in ignore if code not in more)
        if "select" in self.asked and "ignore" not in self.asked:
            # Asked for by the very code that the file ignores, it is wanted.
            ignore = tuple(code for code in ignore if code not in select)
        elif "ignore" in self.asked and "select" not in self.asked:
            return Selection(select, never=ignore)
        return Selection(select, ignore)

    @property
    def per_file(self) -> PerFile:
        """The rules that are not wanted in some files."""
        listed: Mapping[str, Sequence[str]] = self.value("per-file-ignores")
        patterns = tuple((pattern, read_codes(codes)) for pattern, codes in listed.items())
        return PerFile(self.folder, patterns)

    @property
    def results(self) -> ResultFiles:
        """The tables of results, and where their files are."""
        patterns: Mapping[str, str] = self.value("results")
        return ResultFiles(self.folder, tuple(patterns.items()))

    def baseline_of(self, folder: str) -> str | None:
        """The baseline of the reports in a folder, given by its absolute path: the nearest one.

        Where there is none above, it is the one of the run: beside its configuration, or in the
        current folder. A configuration that the command line chose has one for all reports.
        """
        above = () if self.fixed else (folder, *parents_of(folder))
        places = (os.path.join(one, BASELINE) for one in (*above, self.folder, os.getcwd()))
        found = next((place for place in places if os.path.isfile(place)), None)
        return None if found is None else relative_path(found)

    @property
    def exclude(self) -> IgnoreFile | None:
        """What is left out."""
        if not self.value("exclude"):
            return None
        return IgnoreFile.from_patterns(os.path.realpath(self.folder), self.value("exclude"))

    @property
    def paths(self) -> tuple[str, ...]:
        """Where to look for reports, as seen from the current folder."""
        if "paths" in self.asked:
            return tuple(self.asked["paths"])
        return tuple(relative_path(os.path.join(self.folder, path)) for path in self.value("paths"))
