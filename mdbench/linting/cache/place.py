"""Where the cache is: a folder that git and backups leave alone by themselves."""

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
    # The tag comes first: a folder with something in it but no tag is somebody else's.
    _TAG: _FIRST_LINE + b"# What `mdbench lint` has found before; `mdbench clean` removes it.\n",
    _IGNORE: b"*\n",
}


class ForeignFolderError(OSError):
    """A folder that holds something else."""


def find_root(start: str) -> str:
    """The folder of the project that a folder belongs to: the folder itself if to none."""
    folder = start
    while True:
        if any(os.path.exists(os.path.join(folder, name)) for name in _PROJECT):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return start
        folder = parent


def choose_folder(root: str, stated: str | None) -> str:
    """Where the cache is: as the environment says, else as the settings do, else in the project."""
    named = os.environ.get(VARIABLE) or stated or os.path.join(root, FOLDER)
    return os.path.abspath(os.path.expanduser(named))


def prepare_folder(folder: str) -> None:
    """Make the folder where there is none; `OSError` where it may not be used."""
    if is_ours(folder):
        return
    os.makedirs(folder, exist_ok=True)
    if not os.listdir(folder) or is_ours(folder):
        for name, content in _FILES.items():
            replace_file(os.path.join(folder, name), content)
    else:
        raise ForeignFolderError("it holds something else")


def is_ours(folder: str) -> bool:
    """Whether a folder is a cache of mdbench."""
    try:
        with open(os.path.join(folder, _TAG), "rb") as file:
            return file.read(1024) == _FILES[_TAG]
    except OSError:
        return False


def replace_file(path: str, content: bytes) -> None:
    """Write a file so that whoever reads it sees all of it, or what was there before."""
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
    """The index files of a cache, the one that was used last first."""
    with os.scandir(folder) as entries:
        found = [one for one in entries if one.name.endswith(INDEX_SUFFIX)]
    return sorted(found, key=lambda one: one.stat().st_mtime_ns, reverse=True)


def remove_folder(folder: str) -> bool:
    """Remove what mdbench has put into a cache, and the folder if nothing else is in it."""
    for name in _own_files(folder):
        os.unlink(os.path.join(folder, name))
    with suppress(OSError):
        os.rmdir(folder)
    return not os.path.exists(folder)


def _own_files(folder: str) -> Iterator[str]:
    """What is ours, the tag last: a folder that is half removed can be removed again."""
    kinds = (INDEX_SUFFIX, _DRAFT_SUFFIX)
    names = os.listdir(folder)
    yield from (name for name in names if name.endswith(kinds) or name in (STAMP, _IGNORE))
    yield _TAG
