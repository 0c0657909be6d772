"""Findings that are known already: which file says so, what was left out, what is written down."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import islice

from mdbench.config.settings import BASELINE, Settings
from mdbench.errors import ProblemError, printable
from mdbench.files.writing import open_output
from mdbench.linting.baseline import Baseline, Wanted, count_entries, read_baseline, write_baseline

_MOST_LISTED = 10


def open_baseline(arguments: argparse.Namespace, settings: Settings) -> Baseline:
    """The baseline to sift by, or to write."""
    if arguments.write_baseline and (arguments.fix or arguments.diff or arguments.output):
        raise ProblemError("--write-baseline goes with neither --fix, --diff nor -o")
    new = os.path.relpath(os.path.join(settings.folder, BASELINE))
    file = arguments.baseline or settings.baseline or new
    try:
        return read_baseline(file)
    except ProblemError:
        # A broken baseline is written anew; another file, named by mistake, is not written over.
        ours = os.path.basename(file) == BASELINE or not os.path.exists(file)
        if not arguments.write_baseline or not ours:
            raise
        return Baseline(file)


def renew_baseline(baseline: Baseline, wanted: Wanted) -> str:
    """Write down what was found, and tell what that was."""
    dropped = count_entries(baseline.gone(wanted))
    entries = baseline.renewed(wanted)
    with open_output(baseline.file) as sink:
        for text in write_baseline(entries):
            sink.write(text.encode())
    found = f"{_count(count_entries(entries), 'finding')} in {_count(len(entries), 'file')}"
    less = f"; {dropped} that no longer occur were dropped" if dropped else ""
    return f"{printable(baseline.file)}: {found} recorded as known{less}"


def tell_baseline(baseline: Baseline, wanted: Wanted) -> Iterator[str]:
    """How many findings were known, and which of the known no longer occur."""
    name = printable(baseline.file)
    if baseline.known:
        yield f"{_count(baseline.known, 'known finding')} not shown, as listed in {name}"
    gone = baseline.gone(wanted)
    if not gone:
        return
    total = count_entries(gone)
    yield f"no longer found, though listed in {name}; --write-baseline drops it:"
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
