"""`mdbench clean`: remove the cache of `lint`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.cli.options import AddParser, set_run
from mdbench.config.loading import read_settings
from mdbench.files.discovery import NEVER_ENTERED
from mdbench.files.errors import Errors, printable
from mdbench.files.relative_paths import relative_path
from mdbench.files.writing import open_output
from mdbench.linting.cache.opening import find_folder
from mdbench.linting.cache.place import FOLDER, is_ours, remove_folder


class CleanOptions(NamedTuple):
    """The options of `clean`."""

    config: str | None


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "clean",
        summary="remove the cache of lint",
        description="Remove the cache of this project, and all caches in this folder or below it.",
        examples=("mdbench clean",),
    )
    parser.add_argument("--config", metavar="FILE", help="configuration file, as for lint")
    set_run(parser, CleanOptions, run)


def run(options: CleanOptions) -> int:
    """Remove the cache of this project and those below this folder."""
    errors = Errors()
    settings = read_settings(options.config)
    used = find_folder(settings.stated, settings.folder)
    folders = sorted({*_find_below("."), *((used,) if used is not None else ())})
    removed = [line for folder in folders if (line := _remove(folder, errors))]
    with open_output(None) as sink:
        for line in removed or ["nothing to remove"]:
            sink.write(f"{printable(line)}\n".encode())
    return errors.exit_code


def _find_below(top: str) -> Iterator[str]:
    """Every cache in a folder and those below it."""
    for folder, below, _ in os.walk(top):
        if FOLDER in below:
            yield os.path.abspath(os.path.join(folder, FOLDER))
        below[:] = [name for name in below if name != FOLDER and name not in NEVER_ENTERED]


def _remove(folder: str, errors: Errors) -> str:
    """Remove one, except files that mdbench did not write."""
    if not is_ours(folder):
        return ""
    shown = relative_path(folder)
    size = sum(entry.stat().st_size for entry in os.scandir(folder))
    try:
        gone = remove_folder(folder)
    except OSError as error:
        errors.report(f"{shown}: cannot be removed: {error.strerror or error}")
        return ""
    left = "" if gone else "; kept files that mdbench did not write"
    return f"removed {shown} ({size / 1e6:.1f} MB){left}"
