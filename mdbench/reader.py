"""Files to tidy rows, one by one or by several processes at once, in the order of the files."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from mdbench.discovery import STANDARD_INPUT
from mdbench.source import Source, SourceError
from mdbench.tidy import Shape, TidyRow, tidy_rows
from mdbench.workbook import read_workbook

_CHUNK = 16
_WORTH_A_PROCESS = 64


class FileRows(NamedTuple):
    """What came of one file: its rows, or why it could not be read."""

    path: str
    rows: list[TidyRow]
    error: str = ""


def read_source(path: str, stdin_name: str = "<stdin>") -> Source:
    """Read one file, `-` for standard input; `SourceError` says why it cannot be read."""
    if path == STANDARD_INPUT:
        return Source.from_bytes(stdin_name, sys.stdin.buffer.read())
    try:
        with open(path, "rb") as file:
            return Source.from_bytes(path, file.read())
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}") from error


def read_rows(path: str, shape: Shape, stdin_name: str = "<stdin>") -> list[TidyRow]:
    """The tidy rows of one file."""
    return list(tidy_rows(read_workbook(read_source(path, stdin_name)), shape))


def read_files(
    paths: Sequence[str], shape: Shape, *, jobs: int, stdin_name: str
) -> Iterator[FileRows]:
    """The rows of many files, in their order; however many there are, few wait in memory."""
    if min(jobs, len(paths) // _WORTH_A_PROCESS + 1) <= 1 or STANDARD_INPUT in paths:
        for path in paths:
            yield _read_file(path, shape, stdin_name)
        return
    # Loaded only for work that is worth several processes.
    from concurrent.futures import Future, ProcessPoolExecutor  # noqa: PLC0415

    chunks = iter([paths[at : at + _CHUNK] for at in range(0, len(paths), _CHUNK)])
    with ProcessPoolExecutor(jobs) as pool:
        waiting: deque[Future[list[FileRows]]] = deque(
            pool.submit(_read_chunk, chunk, shape) for chunk in islice(chunks, 2 * jobs)
        )
        while waiting:
            yield from waiting.popleft().result()
            for chunk in islice(chunks, 1):
                waiting.append(pool.submit(_read_chunk, chunk, shape))


def default_jobs() -> int:
    """As many processes as this one may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _read_chunk(paths: Sequence[str], shape: Shape) -> list[FileRows]:
    return [_read_file(path, shape, "<stdin>") for path in paths]


def _read_file(path: str, shape: Shape, stdin_name: str) -> FileRows:
    try:
        return FileRows(path, read_rows(path, shape, stdin_name))
    except SourceError as error:
        return FileRows(path, [], str(error))
