"""Follow reports whose file was renamed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from posixpath import basename

from mdbench.compare.profiles import Profile

Runs = Mapping[str, Sequence[Profile]]

_ENOUGH = 0.5


def follow_renames(olds: Runs, news: Runs) -> dict[str, str]:
    """The new name of each old report, if only that report contains most of its runs.

    For the same file name in another folder, equal configurations are enough. Otherwise the runs
    must have the same measurements.
    """
    likely = {
        (old, new)
        for same_measurements in (True, False)
        for old, new in _find_likely(olds, news, same_measurements)
    }
    uses_old, uses_new = Counter(old for old, _ in likely), Counter(new for _, new in likely)
    return {old: new for old, new in likely if uses_old[old] == uses_new[new] == 1}


def _find_likely(olds: Runs, news: Runs, same_measurements: bool) -> Iterator[tuple[str, str]]:
    counts = {
        name: _count(runs, same_measurements) for name, runs in (*olds.items(), *news.items())
    }
    for old, new in product(olds, news):
        most = max(len(olds[old]), len(news[new]))
        shared = (counts[old] & counts[new]).total()
        moved = basename(old) == basename(new)
        if shared and shared >= _ENOUGH * most and (same_measurements or moved):
            yield old, new


def _count(runs: Sequence[Profile], same_measurements: bool) -> Counter[object]:
    return Counter(
        (run.identity, run.results if same_measurements else None)
        for run in runs
        if run.identity and run.measured
    )
