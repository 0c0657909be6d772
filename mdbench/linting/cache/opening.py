"""From the settings of a run to what is remembered for them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mdbench.linting.cache.keys import Code, spell, spell_key
from mdbench.linting.cache.memory import Log, Memory
from mdbench.linting.cache.place import choose_folder, find_root

SETTING = "cache-dir"


def open_memory(stated: Mapping[str, Any], settings: str, asked: object, log: Log) -> Memory | None:
    """What is remembered for what a file in the folder `settings` states and a user asks for.

    What is stated need not have been checked: `Memory.vouches` says whether it was before.
    """
    root = find_root(os.getcwd())
    folder = find_folder(stated, settings)
    if folder is None:
        return None
    try:
        code = Code(folder)
    except OSError as error:
        log(f"no cache: mdbench's own code cannot be read: {error.strerror or error}")
        return None
    # The only setting that depends on where its file is.
    below = os.path.relpath(settings, root) if stated.get("per-file-ignores") else ""
    # A cache that several projects share must not take their files for each other's.
    apart = root if os.path.dirname(folder) != root else ""
    key = spell_key(code.fingerprint, stated, asked, below, apart)
    return Memory(root, code, key, spell(stated, asked), log)


def find_folder(stated: Mapping[str, Any], settings: str) -> str | None:
    """Where the cache is; None if what the settings say of it is nothing that can be right."""
    named = stated.get(SETTING)
    if named is not None and not isinstance(named, str):
        return None
    if named is not None:
        named = os.path.join(settings, os.path.expanduser(named))
    return choose_folder(find_root(os.getcwd()), named)
