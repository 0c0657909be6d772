"""From a configuration file to settings, or to one line about what is wrong with it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mdbench.config.files import ConfigFile, find_file, read_file
from mdbench.config.settings import Settings
from mdbench.problems import ProblemError

if TYPE_CHECKING:
    from mdbench.config.kinds import WrongValueError


def load_settings(
    named: str | None = None, folder: str | None = None, *, force_exclude: bool = False
) -> Settings:
    """The settings of the file that is named, or of the one nearest to a folder, this one if none.

    `ProblemError` says what is wrong with it.
    """
    start = os.getcwd() if folder is None else os.path.abspath(folder)
    found = find_file(start) if named is None else _read_named(named)
    settings = Settings(start) if found is None else check_settings(found)
    return replace(settings, force_exclude=force_exclude)


def _read_named(named: str) -> ConfigFile:
    path = Path(named)
    if path.is_dir():
        raise ProblemError(f"{named}: is a folder, not a configuration file")
    return read_file(path)


def check_settings(found: ConfigFile) -> Settings:
    """The settings of a file, each of them checked."""
    # Loaded only where there is a file.
    from mdbench.config.declaration import OPTIONS  # noqa: PLC0415
    from mdbench.config.kinds import WrongValueError, hint, quote  # noqa: PLC0415
    from mdbench.config.meaning import make_dialect  # noqa: PLC0415

    known = {option.name: option for option in OPTIONS}
    for key, value in found.table.items():
        if key not in known:
            allowed = ", ".join(known)
            near = hint(key, known)
            if key == "tool" and not found.prefix:
                near = "; here settings stand at the top, without [tool.mdbench]"
            raise _problem(found, quote(key), f"no such setting; allowed are {allowed}{near}")
        try:
            known[key].kind.check(value)
        except WrongValueError as error:
            raise _tell(found, error.under(key)) from error
    try:
        dialect = make_dialect(found.table)
    except WrongValueError as error:
        raise _tell(found, error) from error
    return Settings(found.folder, found.shown, found.prefix, found.table, dialect=dialect)


def _tell(found: ConfigFile, error: WrongValueError) -> ProblemError:
    return _problem(found, error.key, error.message)


def _problem(found: ConfigFile, key: str, message: str) -> ProblemError:
    return ProblemError(f"{found.shown}: {found.prefix}{key}: {message}")
