"""Files written whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from mdbench.problems import ProblemError


@contextmanager
def open_output(path: str | None) -> Iterator[IO[bytes]]:
    """Standard output, or a new file that takes the old one's place once all is written."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = os.path.realpath(path)
    draft = f"{target}.{os.getpid()}.tmp"
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):
            os.chmod(draft, os.stat(target).st_mode & 0o7777)
        os.replace(draft, target)
    except OSError as error:
        raise ProblemError(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft)
