"""Read files that may crash their process in a separate process.

If workers were killed by a piece, some file in it uses up the memory or crashes Python. A child,
`python -m mdbench.cluster.isolation`, reads the files again. If it dies, the file after the last
result is to blame, and a new child continues with the next one.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator

from mdbench.cluster.file_rows import FoundFile, InputError, Made, make_rows
from mdbench.cluster.job import Job


def make_rows_apart(entries: Iterable[FoundFile], job: Job) -> Iterator[tuple[FoundFile, Made]]:
    """The results of each file, even if the process that reads it dies."""
    waiting = list(entries)
    while waiting:
        results, code = _run_child(waiting, job)
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if not results:
            raise InputError(f"cannot start a separate process: {how}")
        made = [one for one in results if isinstance(one, Made)]
        if len(made) < len(waiting):
            # Errors in a file are reported as usual.
            blamed = waiting[len(made)]
            error = f"crashed the process that read it ({how})"
            made.append(make_rows(FoundFile(blamed.name, b"", blamed.size, error), job))
        yield from zip(waiting, made, strict=False)
        waiting = waiting[len(made) :]


def _run_child(entries: list[FoundFile], job: Job) -> tuple[list[object], int]:
    """What the child wrote until its end: that it started, and results; and its exit code."""
    command = [sys.executable, "-m", "mdbench.cluster.isolation"]
    asked = pickle.dumps((entries, job))
    ended = subprocess.run(command, input=asked, stdout=subprocess.PIPE, check=False)
    results, written = [], io.BytesIO(ended.stdout)
    try:
        while True:
            results.append(pickle.load(written))
    except (EOFError, pickle.UnpicklingError):
        return results, ended.returncode


def _main() -> None:
    # A terminal sends Ctrl-C to all processes; this one ends with its files.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Other output must not get in between the results.
    with os.fdopen(os.dup(1), "wb", buffering=0) as results:
        os.dup2(2, 1)
        entries, job = pickle.load(sys.stdin.buffer)
        results.write(pickle.dumps("started"))
        for entry in entries:
            results.write(pickle.dumps(make_rows(entry, job)))


if __name__ == "__main__":
    _main()
