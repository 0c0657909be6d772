"""Read files that may crash their process in a separate process.

If workers were killed by a piece, some file in it uses up the memory or crashes Python. A child,
`python -m mdbench.cluster.isolation`, reads the files again one by one. If it dies, its current
file is to blame, and a new child continues with the next file.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import IO

from mdbench.cluster.file_rows import FoundFile, InputError, Made, make_rows
from mdbench.cluster.job import Job


def make_rows_apart(entries: Iterable[FoundFile], job: Job) -> Iterator[tuple[FoundFile, Made]]:
    """The results of each file, even if the process that reads it dies."""
    child: _Child | None = None
    try:
        for entry in entries:
            child = child or _Child(job)
            made = child.ask(entry)
            if made is None:
                # Errors in a file are reported as usual.
                made = make_rows(FoundFile(entry.name, b"", entry.size, child.fate()), job)
                child = None
            yield entry, made
    finally:
        if child is not None:
            child.end()


class _Child:
    """The process that reads files."""

    def __init__(self, job: Job) -> None:
        command = [sys.executable, "-m", "mdbench.cluster.isolation"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self._ask(job) is None:
            raise InputError(f"cannot start a separate process: {self.fate()}")

    def ask(self, entry: FoundFile) -> Made | None:
        """The result of a file; None if the process dies."""
        made = self._ask(entry)
        return made if isinstance(made, Made) else None

    def _ask(self, value: object) -> object:
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            return None
        try:
            pickle.dump(value, requests)
            requests.flush()
            return pickle.load(answers)
        except (EOFError, OSError, pickle.UnpicklingError):
            return None

    def fate(self) -> str:
        """Why the process died."""
        self.end()
        code = self._process.returncode
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return f"crashed the process that read it ({how})"

    def end(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
        self._process.wait()


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    job: Job = pickle.load(requests)
    _answer(True, answers)
    while True:
        try:
            entry: FoundFile = pickle.load(requests)
        except EOFError:
            return
        _answer(make_rows(entry, job), answers)


def _answer(value: object, answers: IO[bytes]) -> None:
    pickle.dump(value, answers)
    answers.flush()


if __name__ == "__main__":
    # A terminal sends Ctrl-C to all processes; this one ends when its input is closed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Other output must not get in between the answers.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        _serve(sys.stdin.buffer, answers)
