"""The baseline of `lint`: opening it, writing it, and reporting what it suppressed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice

from mdbench.config.settings import BASELINE, Settings
from mdbench.files.errors import ProblemError, printable
from mdbench.files.relative_paths import relative_path
from mdbench.files.writing import open_output
from mdbench.linting.baseline import Baseline, Wanted, count_entries, read_baseline, write_baseline

_MOST_LISTED = 10


def open_baseline(named: str | None, settings: Settings, *, write: bool) -> Baseline:
    """The baseline to filter by, or to write."""
    new = relative_path(os.path.join(settings.folder, BASELINE))
    file = named or settings.baseline or new
    try:
        return read_baseline(file)
    except ProblemError:
        # A broken baseline is replaced, but never another file that was named by mistake.
        ours = os.path.basename(file) == BASELINE or not os.path.exists(file)
        if not write or not ours:
            raise
        return Baseline(file)


def renew_baseline(baseline: Baseline, wanted: Wanted) -> str:
    """Write the findings to the baseline; a line that says how many there are."""
    dropped = count_entries(baseline.gone(wanted))
    entries = baseline.renewed(wanted)
    with open_output(baseline.file) as sink:
        for text in write_baseline(entries):
            sink.write(text.encode())
    found = f"{_count(count_entries(entries), 'finding')} in {_count(len(entries), 'file')}"
    less = f"; {dropped} that no longer occur were removed" if dropped else ""
    return f"{printable(baseline.file)}: recorded {found}{less}"


def summarize_baseline(baseline: Baseline, wanted: Wanted) -> Iterator[str]:
    """How many findings were suppressed, and which entries no longer occur."""
    name = printable(baseline.file)
    if baseline.known:
        yield f"{_count(baseline.known, 'known finding')} suppressed by {name}"
    gone = baseline.gone(wanted)
    if not gone:
        return
    total = count_entries(gone)
    yield f"no longer found but listed in {name} (--write-baseline removes them):"
    lines = (
        f"  {path}: {entry.code} {entry.cells or entry.row}"
        for path, entries in gone.items()
        for entry in sorted(entries.elements())
    )
    yield from map(printable, islice(lines, _MOST_LISTED))
    if total > _MOST_LISTED:
        yield f"  and {total - _MOST_LISTED} more"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
