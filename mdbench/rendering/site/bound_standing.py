"""Whether a table is in step with its results, of which day these are, and when it was last."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from mdbench.compare.revisions import Repository, find_repository
from mdbench.files.errors import ProblemError
from mdbench.regex import lazy
from mdbench.results.asking import compare_with
from mdbench.results.comparison import BoundTable
from mdbench.results.files import FoundFile, ResultFiles, UnreadableError, find_files
from mdbench.sheets.report import Report

_WORD = lazy(r"\w+")
_PER_S = 1_000_000_000
_MOST_COMMITS = 10
_MOST_BYTES = 50_000_000


def describe_standing(table: BoundTable, report: Report, results: ResultFiles | None) -> str:
    """How a table stands to its results: `in step with the results of 2026-03-14`."""
    if table.problem:
        return table.problem
    drifted = sum(cell.drifted for cell in table.cells)
    files = _find(table.binding.query, results) if results is not None else ()
    of_day = f" of {_date_files(files)}" if files else ""
    if not drifted:
        return f"in step with the results{of_day}"
    numbers = "1 number" if len(table.cells) == 1 else f"{len(table.cells)} numbers"
    differ = "differs" if drifted == 1 else "differ"
    standing = f"{drifted} of {numbers} {differ} from the results{of_day}"
    day = _last_in_step(table, report, results, files) if results is not None and files else ""
    return f"{standing}; the table last matched those of {day}" if day else standing


def _find(query: str, results: ResultFiles) -> tuple[FoundFile, ...]:
    """The files that a query reads."""
    words = {word.lower() for word in _WORD.findall(query)}
    try:
        return tuple(
            file
            for name, pattern in results.patterns
            if name.lower() in words
            for file in find_files(results.folder, pattern)
        )
    except UnreadableError:
        return ()


def _last_in_step(
    table: BoundTable, report: Report, results: ResultFiles, files: tuple[FoundFile, ...]
) -> str:
    """The day of the last committed results that the table agrees with; empty if there are none."""
    try:
        repository = find_repository(os.path.dirname(files[0].real))
        for commit, day in repository.list_changes([one.real for one in files], _MOST_COMMITS):
            with TemporaryDirectory() as folder:
                _restore(repository, commit, files, folder)
                before = compare_with(report, results._replace(folder=os.path.realpath(folder)))
            if any(
                one.binding == table.binding
                and one.cells
                and not one.problem
                and not any(cell.drifted for cell in one.cells)
                for one in before.tables
            ):
                return day
    except ProblemError:
        return ""
    return ""


def _restore(
    repository: Repository, commit: str, files: tuple[FoundFile, ...], folder: str
) -> None:
    """Write files as they were in a commit into a folder, below it as below the results' own."""
    shown = {Path(one.real).relative_to(repository.top).as_posix(): one.shown for one in files}
    blobs = repository.list_blobs(f"{commit}^{{tree}}", [*shown])
    if sum(one.size for one in blobs) > _MOST_BYTES:
        return
    for blob, content in repository.read_blobs(blobs):
        path = Path(folder, shown[blob.path])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


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
