"""Read files that may crash their process in a separate process.

If workers were killed by a piece, some file in it uses up the memory or crashes Python. A child,
`python -m mdbench.cluster.isolation`, reads the files again. If it dies, each half of them is read
by a new child, down to the file that is to blame.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Thread

from mdbench.cluster.file_rows import FoundFile, Made, make_rows
from mdbench.cluster.job import Job


def make_rows_apart(entries: Sequence[FoundFile], job: Job) -> Iterator[tuple[FoundFile, Made]]:
    """The results of each file, even if the process that reads it dies."""
    code, made = _run_child(pickle.dumps((entries, job)))
    half = len(entries) // 2
    if code == 0:
        yield from zip(entries, pickle.loads(made), strict=True)
    elif half:
        yield from make_rows_apart(entries[:half], job)
        yield from make_rows_apart(entries[half:], job)
    else:
        how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        (blamed,) = entries
        # Errors in a file are reported as usual.
        problem = f"crashed the process that read it ({how})"
        yield blamed, make_rows(blamed._replace(content=b"", problem=problem), job)


def _run_child(asked: bytes) -> tuple[int, bytes]:
    """The exit code and the output of a child, which ends when its input does, or this process."""
    command = [sys.executable, "-m", "mdbench.cluster.isolation"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        with suppress(BrokenPipeError):
            child.stdin.write(asked)
            child.stdin.flush()
        made = child.stdout.read()
        # Its input stays open until then.
        return child.wait(), made


def _end_with_input() -> None:
    # Not by the buffer of `sys.stdin`, whose lock Python needs to exit.
    while os.read(0, 1):
        pass
    os._exit(1)


def _main() -> None:
    # A terminal sends Ctrl-C to all processes; this one ends with the worker that started it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Other output must not get in between the results.
    with os.fdopen(os.dup(1), "wb") as results:
        os.dup2(2, 1)
        entries, job = pickle.load(sys.stdin.buffer)
        Thread(target=_end_with_input, daemon=True).start()
        pickle.dump([make_rows(one, job) for one in entries], results)


if __name__ == "__main__":
    _main()
