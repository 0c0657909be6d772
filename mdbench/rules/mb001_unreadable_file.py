"""MB001: a file that is no text in UTF-8."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule


@rule("MB001", "unreadable-file", Severity.ERROR)
def unreadable_file(_context: Context) -> Iterator[Violation]:
    """A file could not be read: it is no UTF-8, has NUL bytes, or may not be opened.

    Nothing in such a file was checked, so silence about it would be wrong. The other files are
    checked all the same. Save the file as UTF-8, or leave it out.
    """
    # What cannot be read never becomes a report; the command that reads files reports this.
    yield from ()
