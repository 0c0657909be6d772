"""Whether a table is in step with its results, and of which day these are."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import lru_cache

from mdbench.compare.revisions import find_repository
from mdbench.files.errors import ProblemError
from mdbench.regex import lazy
from mdbench.results.comparison import BoundTable
from mdbench.results.files import FoundFile, ResultFiles, UnreadableError, find_files

_WORD = lazy(r"\w+")
_PER_S = 1_000_000_000


def describe_standing(table: BoundTable, results: ResultFiles | None) -> str:
    """How a table stands to its results: `in step with the results of 2026-03-14`."""
    if table.problem:
        return table.problem
    drifted = sum(cell.drifted for cell in table.cells)
    day = _date(table.binding.query, results) if results is not None else ""
    of_day = f" of {day}" if day else ""
    if drifted:
        return f"{drifted} of {len(table.cells)} numbers differ from the results{of_day}"
    return f"in step with the results{of_day}"


def _date(query: str, results: ResultFiles) -> str:
    """The day on which the results of a query were changed last; empty if they are no files."""
    words = {word.lower() for word in _WORD.findall(query)}
    try:
        files = tuple(
            file
            for name, pattern in results.patterns
            if name.lower() in words
            for file in find_files(results.folder, pattern)
        )
    except UnreadableError:
        return ""
    return _date_files(files) if files else ""


@lru_cache(maxsize=64)
def _date_files(files: tuple[FoundFile, ...]) -> str:
    """The day of their last commit, or of the newest file if they are not committed."""
    try:
        repository = find_repository(os.path.dirname(files[0].real))
        committed = repository.date_change([file.real for file in files])
    except ProblemError:
        committed = ""
    newest = max(file.stamp.modified for file in files) / _PER_S
    return committed or datetime.fromtimestamp(newest, UTC).date().isoformat()
