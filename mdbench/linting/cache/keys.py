"""What a cache depends on besides the reports: the code of mdbench, Python, and the settings."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import PathFinder
from typing import Any

from mdbench import __version__
from mdbench.linting.cache.place import STAMP, replace_file
from mdbench.linting.cache.signatures import SETTLED_NS

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_PARSER = "markdown_it"
_SUFFIXES = (".py", ".toml", ".json")
# Settings that choose the files to read, or what to do with the findings.
_WITHOUT_EFFECT = frozenset(
    ("paths", "exclude", "fail-on", "cache-dir", "max-file-size", "timeout-per-file")
)


def spell_key(code: str, stated: Mapping[str, Any], *more: object) -> str:
    """Everything that findings depend on, except the reports themselves."""
    effective = {name: value for name, value in stated.items() if name not in _WITHOUT_EFFECT}
    return spell(__version__, code, sys.version_info, effective, *more)


def mark_settings(stated: Mapping[str, Any], below: str) -> int:
    """A number that tells settings from others; never 0."""
    # Imported lazily: needed only if a folder has settings of its own.
    from hashlib import blake2b  # noqa: PLC0415

    effective = {name: value for name, value in stated.items() if name not in _WITHOUT_EFFECT}
    said = spell(effective, below if "per-file-ignores" in stated else "")
    return int.from_bytes(blake2b(said.encode(), digest_size=7).digest()) + 1


def spell(*values: object) -> str:
    """Join values into a text that is unique for these values."""
    return json.dumps(values, default=str)


class InstalledCode:
    """The running code. Its fingerprint is the same wherever the same code is installed.

    Reading all code takes longer than the rest of a fully cached run. So the fingerprint is stored
    in a stamp, together with the signatures of the files.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._stamp = os.path.join(folder, STAMP)
        files = _list_code()
        self._look = _look(files)
        self._newest = max(status.st_mtime_ns for *_, status in files)
        known = _read_stamp(self._stamp)
        kept = known.get("code") if known.get("look") == self._look else None
        self._is_stamped = isinstance(kept, str)
        self.fingerprint = kept if isinstance(kept, str) else _read_all(files)

    def is_unchanged(self) -> bool:
        """Whether the code is unedited; otherwise it is unknown which code was loaded."""
        return _look(_list_code()) == self._look

    def keep(self) -> None:
        """Update the stamp, unless it is current or could miss an edit happening right now."""
        if not self._is_stamped and self._newest + SETTLED_NS < time.time_ns():
            stamp = json.dumps({"look": self._look, "code": self.fingerprint})
            replace_file(self._stamp, stamp.encode())


_File = tuple[str, str, os.stat_result]


def _list_code() -> list[_File]:
    """Every file of mdbench, and the file with the version of the parser."""
    files = sorted(_list_files(_PACKAGE, ""), key=lambda one: one[0])
    spec = PathFinder.find_spec(_PARSER)
    if spec is not None and spec.origin is not None:
        files.append((_PARSER, spec.origin, os.stat(spec.origin)))
    return files


def _list_files(folder: str, prefix: str) -> Iterator[_File]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = prefix + entry.name
            if entry.name.endswith(_SUFFIXES):
                yield name, entry.path, entry.stat()
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _list_files(entry.path, f"{name}/")


def _look(files: Iterable[_File]) -> str:
    return spell(*((name, status.st_size, status.st_mtime_ns) for name, _, status in files))


def _read_all(files: Iterable[_File]) -> str:
    # Imported lazily: needed only if the stamp is out of date.
    from hashlib import blake2b  # noqa: PLC0415

    digest = blake2b(digest_size=20)
    for name, path, _ in files:
        with open(path, "rb") as file:
            content = file.read()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _read_stamp(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
