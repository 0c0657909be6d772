"""MB001: a file that is not UTF-8 text."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule


@rule("MB001", "unreadable-file", Severity.ERROR)
def unreadable_file(_context: Context) -> Iterator[Violation]:
    """A file could not be read: it is not UTF-8, contains NUL bytes, or cannot be opened.

    The same is reported for a file above `--max-file-size`, and for one that takes longer than
    `--timeout-per-file`.

    Nothing in such a file was checked, so it must not pass silently. All other files are still
    checked. Save the file as UTF-8, raise the limit, or exclude it.
    """
    # An unreadable file never becomes a report, so the linter reports this itself.
    yield from ()
