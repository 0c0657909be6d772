"""Name the page of each report: short, valid in any file system, and stable; and its path."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from hashlib import sha256

from mdbench.regex import lazy

_UNSAFE = lazy(r"[^\w.-]+")
_LONGEST = 80


def name_pages(paths: Sequence[str]) -> tuple[str, ...]:
    """A file name without suffix for each report; unique even if case is ignored."""
    taken: set[str] = set()
    names: list[str] = []
    for parts in _without_common_folder(paths):
        bare = _squeeze("-".join(parts))
        name, count = bare, 1
        while name.casefold() in taken:
            count += 1
            name = f"{bare}-{count}"
        taken.add(name.casefold())
        names.append(name)
    return tuple(names)


def show_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """The path of each report, relative: from the current folder, or from one that all share."""
    here = os.getcwd()
    elsewhere = [path for path in paths if os.path.isabs(path) and not _is_below(path, here)]
    shared = os.path.dirname(
        os.path.commonpath([os.path.dirname(one) for one in elsewhere] or [""])
    )
    return tuple(
        path if not os.path.isabs(path) else
        os.path.relpath(path, here if _is_below(path, here) else shared).replace(os.sep, "/")
        for path in paths
    )  # fmt: skip


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _without_common_folder(paths: Sequence[str]) -> list[list[str]]:
    split = [[part for part in _parts(path) if part not in ("", ".", "..")] for path in paths]
    depth = 0
    for level in zip(*(parts[:-1] for parts in split), strict=False):
        if len(set(level)) > 1:
            break
        depth += 1
    return [parts[depth:] for parts in split]


def _parts(path: str) -> list[str]:
    return os.path.splitext(unicodedata.normalize("NFC", path))[0].replace("\\", "/").split("/")


def _squeeze(text: str) -> str:
    name = _UNSAFE.sub("-", text).strip("-.") or "report"
    if len(name.encode()) <= _LONGEST:
        return name
    digest = sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{name.encode()[:_LONGEST].decode('utf-8', 'ignore')}-{digest}"
