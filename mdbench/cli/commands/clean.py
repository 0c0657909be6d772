"""`mdbench clean`: remove what `lint` remembers."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from mdbench.config.loading import read_settings
from mdbench.errors import OK, Complaints, printable
from mdbench.files.discovery import NEVER_ENTERED
from mdbench.files.writing import open_output
from mdbench.linting.cache.opening import find_folder
from mdbench.linting.cache.place import FOLDER, is_ours, remove_folder


def run_clean(arguments: argparse.Namespace) -> int:
    """Remove the cache of this project and those below this folder, and say so."""
    complain = Complaints()
    settings = read_settings(arguments.config)
    used = find_folder(settings.stated, settings.folder)
    folders = sorted({*_find_below("."), *((used,) if used is not None else ())})
    removed = [told for folder in folders if (told := _remove(folder, complain))]
    with open_output(None) as sink:
        for line in removed or ["nothing to remove"]:
            sink.write(f"{printable(line)}\n".encode())
    return complain.exit_code if complain.count else OK


def _find_below(top: str) -> Iterator[str]:
    """Every cache in a folder and those below it."""
    for folder, below, _ in os.walk(top):
        if FOLDER in below:
            yield os.path.abspath(os.path.join(folder, FOLDER))
        below[:] = [name for name in below if name != FOLDER and name not in NEVER_ENTERED]


def _remove(folder: str, complain: Complaints) -> str:
    """Remove one; what others have put there stays."""
    if not is_ours(folder):
        return ""
    shown = os.path.relpath(folder)
    size = sum(entry.stat().st_size for entry in os.scandir(folder))
    try:
        gone = remove_folder(folder)
    except OSError as error:
        complain(f"{shown}: cannot be removed: {error.strerror or error}")
        return ""
    left = "" if gone else "; what others have put there is left"
    return f"removed {shown} ({size / 1e6:.1f} MB){left}"
