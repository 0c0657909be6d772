"""Open the cache for the settings of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mdbench.files.relative_paths import relative_path
from mdbench.linting.cache.keys import InstalledCode, spell, spell_key
from mdbench.linting.cache.memory import Log, Memory
from mdbench.linting.cache.place import choose_folder, find_root

SETTING = "cache-dir"


def open_memory(stated: Mapping[str, Any], settings: str, asked: object, log: Log) -> Memory | None:
    """What is remembered for what a file in the folder `settings` states and a user asks for.

    The settings may not be validated yet: `Memory.vouches` says whether they were before.
    """
    root = find_root(os.getcwd())
    folder = find_folder(stated, settings)
    if folder is None:
        return None
    try:
        code = InstalledCode(folder)
    except OSError as error:
        log(f"no cache: mdbench's own code cannot be read: {error.strerror or error}")
        return None
    # The only setting that depends on the location of its file.
    below = relative_path(settings, root) if stated.get("per-file-ignores") else ""
    # A cache shared by several projects must not mix up their files.
    apart = root if os.path.dirname(folder) != root else ""
    key = spell_key(code.fingerprint, stated, asked, below, apart)
    return Memory(root, code, key, spell(stated, asked), log)


def find_folder(stated: Mapping[str, Any], settings: str) -> str | None:
    """The folder of the cache; None if the setting is invalid."""
    named = stated.get(SETTING)
    if named is not None and not isinstance(named, str):
        return None
    if named is not None:
        named = os.path.join(settings, os.path.expanduser(named))
    return choose_folder(find_root(os.getcwd()), named)
