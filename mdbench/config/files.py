"""The configuration file of a project: mdbench.toml, or [tool.mdbench] in pyproject.toml.

Looked for in a folder and then in those above it; the first that is found counts alone.
"""

import os
from codecs import BOM_UTF8
from typing import Any, NamedTuple

from mdbench.files.errors import ProblemError
from mdbench.files.relative_paths import relative_path

OWN_FILE = "mdbench.toml"
SHARED_FILE = "pyproject.toml"
PREFIX = "tool.mdbench."
# How a line begins that may have something of ours in it or below it; brackets are left out.
_OURS = (b"tool.mdbench", b"tool]", b"tool=")


class ConfigFile(NamedTuple):
    """A file that has settings in it."""

    shown: str
    folder: str
    prefix: str
    table: dict[str, Any]


def find_file(start: str) -> ConfigFile | None:
    """The nearest file with settings, from a folder upwards."""
    folder = start
    while (found := find_own(folder)) is None and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return found


def find_own(folder: str) -> ConfigFile | None:
    """The file with settings in a folder itself."""
    own = os.path.join(folder, OWN_FILE)
    if os.path.isfile(own):
        return read_file(own)
    shared = os.path.join(folder, SHARED_FILE)
    # Most of these are not about mdbench, and need not be parsed to see that.
    if os.path.isfile(shared) and _may_be_ours(_read_bytes(shared)):
        found = _own_table(_parse(shared))
        if found is not None:
            return _make(shared, PREFIX, found)
    return None


def read_file(path: str) -> ConfigFile:
    """A file that must have settings in it."""
    table = _parse(path)
    if os.path.basename(path) != SHARED_FILE:
        return _make(path, "", table)
    found = _own_table(table)
    if found is None:
        raise ProblemError(f"{_shown(path)}: has no [tool.mdbench]")
    return _make(path, PREFIX, found)


def _may_be_ours(content: bytes) -> bool:
    """Whether a line begins as one does that states something below `tool.mdbench`."""
    if b"mdbench" not in content:
        return False
    lines = content.removeprefix(BOM_UTF8).splitlines()
    bare = (line.translate(None, b" \t\"'").lstrip(b"[") for line in lines)
    return b"\\" in content or any(line.startswith(_OURS) for line in bare)


def _own_table(table: dict[str, Any]) -> Any:
    tools = table.get("tool")
    return tools.get("mdbench") if isinstance(tools, dict) else None


def _make(path: str, prefix: str, table: Any) -> ConfigFile:
    if not isinstance(table, dict):
        raise ProblemError(f"{_shown(path)}: tool.mdbench: is not a table")
    return ConfigFile(_shown(path), os.path.dirname(os.path.abspath(path)), prefix, table)


def _parse(path: str) -> dict[str, Any]:
    # Loaded only where there is something to parse.
    import tomllib  # noqa: PLC0415

    try:
        return tomllib.loads(_read_bytes(path).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ProblemError(f"{_shown(path)}: is not UTF-8; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        raise ProblemError(f"{_shown(path)}: invalid TOML: {said[:1].lower()}{said[1:]}") from error
    except RecursionError as error:
        raise ProblemError(f"{_shown(path)}: is nested too deeply") from error


def _read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ProblemError(f"{_shown(path)}: cannot be read: {error.strerror or error}") from error


def _shown(path: str) -> str:
    """A file as it is called from here."""
    return relative_path(path)
