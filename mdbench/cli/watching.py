"""`lint --watch`: run again when a report, its configuration or its results change.

Files are looked at with a plain stat, a few times a second: that needs no library, and works on
network drives and in containers, where notices of changes get lost.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import sleep

from mdbench.config.files import OWN_FILE, SHARED_FILE
from mdbench.config.nearest import Nearest
from mdbench.config.settings import BASELINE, Settings
from mdbench.files.console import Console
from mdbench.files.discovery import default_paths, find_reports
from mdbench.files.errors import OK, ProblemError, report_error
from mdbench.files.gitignore import parents_of
from mdbench.results.files import UnreadableError, find_files

PAUSE_S = 0.3
Look = frozenset[tuple[str, int, int, int]]
"""The files that count, each with its size, its time and its inode."""


def watch(
    run: Callable[[], int], look: Callable[[], Look], console: Console, pause: float = PAUSE_S
) -> int:
    """Run now and after each change; a burst of changes is one. Ends with Ctrl-C, as a success."""
    try:
        while True:
            seen = look()
            try:
                run()
            except ProblemError as error:
                report_error(str(error))
            if not console.quiet:
                files = "1 file" if len(seen) == 1 else f"{len(seen)} files"
                console.print(f"watching {files}; press Ctrl-C to stop\n")
            _wait_for_change(seen, look, pause)
    except KeyboardInterrupt:
        return OK


def _wait_for_change(seen: Look, look: Callable[[], Look], pause: float) -> None:
    while (now := look()) == seen:
        sleep(pause)
    # Others may be on their way: wait until all is quiet.
    while True:
        sleep(pause)
        before, now = now, look()
        if now == before:
            return


def look_at_files(paths: Iterable[str], read_settings: Callable[[], Settings]) -> Look:
    """The reports, the configuration of each, its results, and the baseline, as they are now."""
    try:
        settings = read_settings()
    except ProblemError:
        # Broken now: what is watched is what may repair it.
        settings = Settings(os.getcwd())
    nearest = Nearest(settings, check=lambda one: one)
    named = tuple(paths)
    found: list[str] = []
    with suppress(ProblemError, TypeError, ValueError):
        places = named or nearest.run.paths or default_paths()
        found = list(find_reports(places, lambda _: None, nearest))
    folders = {os.path.dirname(os.path.abspath(path)) for path in (*found, "x")}
    above = {parent for folder in folders for parent in (folder, *parents_of(folder))}
    files = {*found, *(one for one in named if os.path.isfile(one))}
    files.update(
        os.path.join(folder, name) for folder in above for name in (OWN_FILE, SHARED_FILE, BASELINE)
    )
    for folder in folders:
        with suppress(ProblemError, UnreadableError, TypeError, ValueError):
            results = nearest.for_folder(folder).results
            for _, pattern in results.patterns:
                with suppress(UnreadableError):
                    files.update(file.real for file in find_files(results.folder, pattern))
    return frozenset(one for one in map(_stamp, files) if one is not None)


def _stamp(path: str) -> tuple[str, int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return path, status.st_size, status.st_mtime_ns, status.st_ino
