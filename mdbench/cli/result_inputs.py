"""Results on the command line: a table that the configuration names, or a file."""

from __future__ import annotations

import json
import os

from mdbench.config.settings import Settings
from mdbench.files.errors import ProblemError, report_error
from mdbench.files.relative_paths import relative_path
from mdbench.regex import lazy
from mdbench.results.files import ResultFiles
from mdbench.source import SUFFIXES

_NOT_A_NAME = lazy(r"[^a-z0-9_]+")


def names_results(given: str, settings: Settings) -> bool:
    """Whether an argument is results, and no report and no folder of reports."""
    if os.path.lexists(given):
        return os.path.isfile(given) and not given.lower().endswith(tuple(SUFFIXES))
    return given in dict(settings.results.patterns)


def find_results(results: str, settings: Settings) -> tuple[ResultFiles, str]:
    """The files of results, and the name of their table."""
    known = settings.results
    if results in dict(known.patterns):
        return known, results
    if not os.path.exists(results):
        named = ", ".join(name for name, _ in known.patterns)
        told = f"; the configuration names {named}" if named else ""
        raise ProblemError(f"{results}: no such file, and no table of results{told}")
    path = relative_path(results, settings.folder)
    for name, pattern in known.patterns:
        if pattern == path:
            return known, name
    stem = _NOT_A_NAME.sub("_", os.path.splitext(os.path.basename(results))[0].lower()).strip("_")
    name = stem if stem[:1].isalpha() else f"runs_{stem}".strip("_")
    _tell_how_to_keep(name, path, settings)
    return ResultFiles(settings.folder, ((name, path),)), name


def _tell_how_to_keep(name: str, path: str, settings: Settings) -> None:
    """Say which lines of the configuration give results a name, ready to be pasted."""
    table = f"[{settings.prefix}results]"
    # A string of JSON is one of TOML; a second table of this name would be an error.
    line = f"{name} = {json.dumps(path, ensure_ascii=False)}"
    if settings.results.patterns:
        report_error(f"to update the table, add to {table} in {settings.file}:", line)
    else:
        told = f"add to {settings.file or 'mdbench.toml'}:"
        report_error(f"to update the table, {told}", table, line)
