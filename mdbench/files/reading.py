"""Read a file, or standard input, up to a size."""

from __future__ import annotations

import os
import sys

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import decodable
from mdbench.files.limits import MOST_BYTES, describe_too_large
from mdbench.source import Source, SourceError


def read_source(path: str, stdin_name: str = "<stdin>", most: int = MOST_BYTES) -> Source:
    """Read one file, `-` for standard input; `SourceError` says why it cannot be read."""
    return Source.from_bytes(report_name(path, stdin_name), read_bytes(path, most))


def read_bytes(path: str, most: int = MOST_BYTES) -> bytes:
    """What one file holds, text or not, `-` for standard input; or `SourceError`."""
    try:
        if path == STANDARD_INPUT:
            data = _read_standard_input(most + 1)
        else:
            with open(path, "rb") as file:
                if os.fstat(file.fileno()).st_size > most:
                    raise SourceError(describe_too_large(most))
                # Not by its size alone: a file may grow while it is read, and a device has none.
                data = file.read(most + 1)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}") from error
    if len(data) > most:
        raise SourceError(describe_too_large(most))
    return data


def report_name(path: str, stdin_name: str) -> str:
    """What a file is called in frames and messages."""
    return decodable(stdin_name if path == STANDARD_INPUT else path)


def _read_standard_input(most: int) -> bytes:
    # Python has no standard input if it was started with a closed one.
    if sys.stdin is None:
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read(most)
