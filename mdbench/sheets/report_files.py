"""How reports are read: what a project adds to the vocabulary, and how large a file may be."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.limits import MOST_BYTES
from mdbench.files.reading import read_source
from mdbench.files.timeouts import run_within
from mdbench.sheets.report import Report, read_report
from mdbench.source import Source, SourceError
from mdbench.vocabulary.extensions import NO_EXTENSIONS, Extensions
from mdbench.vocabulary.quantities import Vocabulary, extended_vocabulary

_Made = TypeVar("_Made")


class Reading(NamedTuple):
    """How to read a file. It can be sent to another process, which a vocabulary cannot."""

    extensions: Extensions = NO_EXTENSIONS
    most_bytes: int = MOST_BYTES
    stdin_name: str = "<stdin>"
    most_seconds: float = 0
    """How long a file may take; 0 is no limit."""
    folders: Mapping[str, Reading] = MappingProxyType({})
    """Folders whose files are read otherwise, because they have a configuration of their own."""

    def for_file(self, path: str) -> Reading:
        """How to read one file."""
        if not self.folders:
            return self
        name = self.stdin_name if path == STANDARD_INPUT else path
        return self.folders.get(os.path.dirname(os.path.abspath(name)), self)

    @property
    def vocabulary(self) -> Vocabulary:
        """What headers and settings are looked up in."""
        return extended_vocabulary(self.extensions)


STANDARD = Reading()


def read_file(path: str, make: Callable[[Report], _Made], reading: Reading = STANDARD) -> _Made:
    """What `make` makes of one file; `SourceError` says why that cannot be done."""
    reading = reading.for_file(path)
    source = read_source(path, reading.stdin_name, reading.most_bytes)
    work = partial(understand, source, make, reading.vocabulary)
    return run_within(reading.most_seconds, work)


def understand(source: Source, make: Callable[[Report], _Made], vocabulary: Vocabulary) -> _Made:
    """What `make` makes of a report; `SourceError` where that brings out a bug."""
    return guard(lambda: make(read_report(source, vocabulary)))


def guard(make: Callable[[], _Made]) -> _Made:
    """What `make` makes; `SourceError` where that brings out a bug."""
    try:
        return make()
    except Exception as error:
        # An unforeseen error in one file must not stop the others.
        raise SourceError(f"cannot be understood, a bug of mdbench: {_place(error)}") from error


def _place(error: Exception) -> str:
    """What went wrong and where in the code: what a bug report needs, in one line."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = f"{os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno}: " if at else ""
    return f"{where}{type(error).__name__}: {error}"
