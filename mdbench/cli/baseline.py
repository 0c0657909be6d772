"""The baselines of `lint`: opening them, writing them, and reporting what they suppressed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from mdbench.config.settings import BASELINE, Settings
from mdbench.files.errors import ProblemError, printable
from mdbench.files.relative_paths import relative_path
from mdbench.files.writing import open_output
from mdbench.linting.baseline import Baseline, Wanted, count_entries, read_baseline, write_baseline
from mdbench.linting.results import FileResult

_MOST_LISTED = 10


class Baselines:
    """The baselines of a run: each report has the one nearest to it, as in an editor."""

    def __init__(self, folders: Mapping[str, Baseline], usual: Baseline | None) -> None:
        self._folders = folders
        self._usual = usual

    def sift(self, reports: Iterable[FileResult]) -> Iterator[FileResult]:
        """Pass results through without their known findings."""
        for report in reports:
            folder = os.path.dirname(os.path.abspath(report.path))
            baseline = self._folders.get(folder, self._usual)
            yield from (report,) if baseline is None else baseline.sift((report,))

    def renew(self, wanted: Wanted) -> Iterator[str]:
        """Write the findings to the baselines; a line for each that says how many there are."""
        for baseline in self._all():
            yield _renew(baseline, wanted)

    def summarize(self, wanted: Wanted) -> Iterator[str]:
        """How many findings were suppressed, and which entries no longer occur."""
        for baseline in self._all():
            yield from _summarize(baseline, wanted)

    def _all(self) -> Iterable[Baseline]:
        found = {baseline.file: baseline for baseline in self._folders.values()}
        return [found[file] for file in sorted(found)]


def open_baselines(
    named: str | None, settings: Settings, folders: Iterable[str], *, write: bool
) -> Baselines:
    """The baselines to filter by, or to write, of the reports in some folders."""
    new = relative_path(os.path.join(settings.folder, BASELINE)) if write else None
    opened: dict[str, Baseline] = {}
    found: dict[str, Baseline] = {}
    for folder in folders:
        file = named or settings.baseline_of(folder) or new
        if file is not None:
            if file not in opened:
                opened[file] = _open(file, write=write)
            found[folder] = opened[file]
    return Baselines(found, found.get(settings.folder))


def _open(file: str, *, write: bool) -> Baseline:
    try:
        return read_baseline(file)
    except ProblemError:
        # A broken baseline is replaced, but never another file that was named by mistake.
        ours = os.path.basename(file) == BASELINE or not os.path.exists(file)
        if not write or not ours:
            raise
        return Baseline(file)


def _renew(baseline: Baseline, wanted: Wanted) -> str:
    dropped = count_entries(baseline.gone(wanted))
    entries = baseline.renewed(wanted)
    with open_output(baseline.file) as sink:
        for text in write_baseline(entries):
            sink.write(text.encode())
    found = f"{_count(count_entries(entries), 'finding')} in {_count(len(entries), 'file')}"
    occur = "occurs" if dropped == 1 else "occur"
    less = f"; removed {dropped} that no longer {occur}" if dropped else ""
    return f"{printable(baseline.file)}: recorded {found}{less}"


def _summarize(baseline: Baseline, wanted: Wanted) -> Iterator[str]:
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
