"""From a configuration file to settings, or to one line about what is wrong with it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mdbench.config.files import ConfigFile, find_file, read_file
from mdbench.config.settings import Settings
from mdbench.files.errors import ProblemError

if TYPE_CHECKING:
    from mdbench.config.kinds import WrongValueError


def load_settings(
    named: str | None = None, folder: str | None = None, *, force_exclude: bool = False
) -> Settings:
    """The settings of the file that is named, or of the one nearest to a folder, this one if none.

    `ProblemError` says what is wrong with it.
    """
    return check_settings(read_settings(named, folder, force_exclude=force_exclude))


def read_settings(
    named: str | None = None,
    folder: str | None = None,
    *,
    force_exclude: bool = False,
    isolated: bool = False,
) -> Settings:
    """The same as it stands in the file, not checked, without what it adds to what is known."""
    start = os.getcwd() if folder is None else os.path.abspath(folder)
    found = None
    if not isolated:
        found = find_file(start) if named is None else _read_named(named)
    settings = Settings(start, force_exclude=force_exclude, fixed=isolated or named is not None)
    if found is None:
        return settings
    return settings._replace(
        folder=found.folder, file=found.shown, prefix=found.prefix, stated=found.table
    )


def _read_named(named: str) -> ConfigFile:
    if os.path.isdir(named):
        raise ProblemError(f"{named}: is a folder, not a configuration file")
    return read_file(named)


def check_settings(settings: Settings) -> Settings:
    """The settings of a file, each of them checked, with what they add to what is known."""
    if not settings.file:
        return settings
    # Loaded only where there is a file.
    from mdbench.config.declaration import OPTIONS  # noqa: PLC0415
    from mdbench.config.kinds import WrongValueError, hint, quote  # noqa: PLC0415
    from mdbench.config.meaning import make_extensions  # noqa: PLC0415

    known = {option.name: option for option in OPTIONS}
    for key, value in settings.stated.items():
        if key not in known:
            allowed = ", ".join(known)
            near = hint(key, known)
            if key == "tool" and not settings.prefix:
                near = "; in this file, settings are at the top level, without [tool.mdbench]"
            raise _problem(settings, quote(key), f"no such setting; allowed are {allowed}{near}")
        try:
            known[key].kind.check(value)
        except WrongValueError as error:
            misplaced = error.key.removeprefix(".") if isinstance(value, dict) else ""
            if misplaced in known:
                # In TOML, what stands below a header belongs to its table.
                table = f"[{settings.prefix}{key}]"
                error.message += f"; if you mean the setting {misplaced}, move it above {table}"
            raise _tell(settings, error.under(key)) from error
    try:
        return settings._replace(extensions=make_extensions(settings.stated))
    except WrongValueError as error:
        raise _tell(settings, error) from error


def _tell(settings: Settings, error: WrongValueError) -> ProblemError:
    return _problem(settings, error.key, error.message)


def _problem(settings: Settings, key: str, message: str) -> ProblemError:
    return ProblemError(f"{settings.file}: {settings.prefix}{key}: {message}")
