"""The folder of the cache, which git and backups ignore."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

FOLDER = ".mdbench_cache"
VARIABLE = "MDBENCH_CACHE_DIR"
INDEX_SUFFIX = ".index"
STAMP = "stamp"
_DRAFT_SUFFIX = ".tmp"
_PROJECT = ("mdbench.toml", "pyproject.toml", ".git")
_TAG = "CACHEDIR.TAG"
_IGNORE = ".gitignore"
_FIRST_LINE = b"Signature: 8a477f597d28d172789f06886806bc55\n"
_FILES = {
    # The tag is written first: a folder with content but without a tag is not ours.
    _TAG: _FIRST_LINE + b"# What `mdbench lint` has found before; `mdbench clean` removes it.\n",
    _IGNORE: b"*\n",
}


class ForeignFolderError(OSError):
    """A folder with other content."""


def find_root(start: str) -> str:
    """The root of the project that a folder belongs to, or the folder itself."""
    folder = start
    while True:
        if any(os.path.exists(os.path.join(folder, name)) for name in _PROJECT):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return start
        folder = parent


def choose_folder(root: str, stated: str | None) -> str:
    """The folder of the cache: from the environment, the settings or the project, in that order."""
    named = os.environ.get(VARIABLE) or stated or os.path.join(root, FOLDER)
    return os.path.abspath(os.path.expanduser(named))


def prepare_folder(folder: str) -> None:
    """Create the folder if it does not exist; raise `OSError` if it cannot be used."""
    if is_ours(folder):
        return
    os.makedirs(folder, exist_ok=True)
    if not os.listdir(folder) or is_ours(folder):
        for name, content in _FILES.items():
            replace_file(os.path.join(folder, name), content)
    else:
        raise ForeignFolderError("it contains other files")


def is_ours(folder: str) -> bool:
    """Whether a folder is a cache of mdbench."""
    try:
        with open(os.path.join(folder, _TAG), "rb") as file:
            return file.read(1024) == _FILES[_TAG]
    except OSError:
        return False


def replace_file(path: str, content: bytes) -> None:
    """Write a file atomically: readers see either the old or the new content."""
    draft = f"{path}.{os.urandom(6).hex()}{_DRAFT_SUFFIX}"
    try:
        with open(draft, "xb") as file:
            file.write(content)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise


def list_indexes(folder: str) -> list[os.DirEntry[str]]:
    """The index files of a cache, most recently used first."""
    with os.scandir(folder) as entries:
        found = [one for one in entries if one.name.endswith(INDEX_SUFFIX)]
    return sorted(found, key=lambda one: one.stat().st_mtime_ns, reverse=True)


def remove_folder(folder: str) -> bool:
    """Remove the files of mdbench from a cache, and the folder if it is then empty."""
    for name in _own_files(folder):
        os.unlink(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(folder)
    return not os.path.exists(folder)


def _own_files(folder: str) -> Iterator[str]:
    """Our files, the tag last: a partly removed folder can be removed again."""
    kinds = (INDEX_SUFFIX, _DRAFT_SUFFIX)
    names = os.listdir(folder)
    yield from (name for name in names if name.endswith(kinds) or name in (STAMP, _IGNORE))
    yield _TAG
