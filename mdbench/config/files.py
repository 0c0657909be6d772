"""The configuration file of a project: mdbench.toml, or [tool.mdbench] in pyproject.toml.

Looked for in the current folder and then in those above it; the first that is found counts alone.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

from mdbench.problems import ProblemError

OWN_FILE = "mdbench.toml"
SHARED_FILE = "pyproject.toml"
PREFIX = "tool.mdbench."


class ConfigFile(NamedTuple):
    """A file that has settings in it."""

    shown: str
    folder: str
    prefix: str
    table: dict[str, Any]


def find_file(start: str) -> ConfigFile | None:
    """The nearest file with settings, from a folder upwards."""
    for folder in (Path(start), *Path(start).parents):
        own = folder / OWN_FILE
        if own.is_file():
            return read_file(own)
        shared = folder / SHARED_FILE
        # Most of these are not about mdbench, and need not be parsed to see that.
        if shared.is_file() and b"mdbench" in _read_bytes(shared):
            found = _own_table(_parse(shared))
            if found is not None:
                return _make(shared, PREFIX, found, shared)
    return None


def read_file(path: Path) -> ConfigFile:
    """A file that must have settings in it."""
    table = _parse(path)
    if path.name != SHARED_FILE:
        return _make(path, "", table, path)
    found = _own_table(table)
    if found is None:
        raise ProblemError(f"{_shown(path)}: has no [tool.mdbench]")
    return _make(path, PREFIX, found, path)


def _own_table(table: dict[str, Any]) -> Any:
    tools = table.get("tool")
    return tools.get("mdbench") if isinstance(tools, dict) else None


def _make(path: Path, prefix: str, table: Any, shown: Path) -> ConfigFile:
    if not isinstance(table, dict):
        raise ProblemError(f"{_shown(shown)}: tool.mdbench: is not a table")
    return ConfigFile(_shown(shown), str(path.absolute().parent), prefix, table)


def _parse(path: Path) -> dict[str, Any]:
    # Loaded only where there is something to parse.
    import tomllib  # noqa: PLC0415

    try:
        return tomllib.loads(_read_bytes(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ProblemError(f"{_shown(path)}: is not UTF-8; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        raise ProblemError(f"{_shown(path)}: is not TOML: {said[:1].lower()}{said[1:]}") from error
    except RecursionError as error:
        raise ProblemError(f"{_shown(path)}: is nested too deeply") from error


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ProblemError(f"{_shown(path)}: cannot be read: {error.strerror or error}") from error


def _shown(path: Path) -> str:
    """A file as it is called from here."""
    try:
        return os.path.relpath(path).replace(os.sep, "/")
    except ValueError:
        return str(path)
