"""The chart across reports: the metric that most of them have, over the size of the job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mdbench.rendering.site.index_page import ListedReport
from mdbench.rendering.site.labels import EVERYTHING, count_things, describe, tell_apart
from mdbench.rendering.site.metrics import THROUGHPUT, Metric, name_metric
from mdbench.rendering.site.plots import Point, Scaling, flag_of, show_result
from mdbench.rendering.site.views import RunView

_MOST_REPORTS = 10
_MOST_DEVICES = 5
_UNKNOWN = "device not stated"
_OTHER = "another device"

Found = Sequence[tuple[ListedReport, RunView]]


def plot_across(entries: Sequence[ListedReport]) -> Iterator[Scaling]:
    """The chart across reports: the most common metric over the size of the job."""
    best: tuple[int, int, Found] = (0, 0, [])
    meant: tuple[Metric, str] | None = None
    for metric in THROUGHPUT:
        for size in ("nodes", "devices"):
            found = [
                (entry, run)
                for entry in entries
                for run in entry.page.runs
                if (run.number(metric.name) or 0) > 0 and (run.number(size) or 0) > 0
            ]
            reports = len({entry.href for entry, _ in found})
            if (reports, len(found)) > best[:2]:
                best, meant = (reports, len(found), found), (metric, size)
    if meant is not None:
        yield _draw_across(best[2], *meant)


def _draw_across(found: Found, metric: Metric, size: str) -> Scaling:
    counts = Counter(entry.href for entry, _ in found)
    common = [href for href, _ in counts.most_common(_MOST_REPORTS)]
    names = _distinct_titles([entry for entry, _ in found])
    series = tuple(names[href] for href in counts if href in common)
    telling = tell_apart([run for _, run in found], EVERYTHING)
    devices = _name_devices([run for _, run in found])
    points = tuple(
        Point(
            run.number(size) or 0,
            run.number(metric.name) or 0,
            names[entry.href] if entry.href in common else "",
            _tell(entry, run, metric, [name for name in telling if name not in (size, "table")],
                  count_things(run.number(size) or 0, size)),
            f"{entry.href}#{run.anchor}",
            flag_of(run, metric.name, size),
            bound=run.bounds.get(metric.name, ""),
            kind=kind,
        )
        for (entry, run), kind in zip(found, devices, strict=True)
    )  # fmt: skip
    title = name_metric(metric)
    kinds = tuple(dict.fromkeys(sorted(devices, key=lambda one: (one in (_OTHER, _UNKNOWN), one))))
    return Scaling(
        "across", f"{title} across reports", size.capitalize(), title, points, series, across=True,
        kinds=kinds if len(kinds) > 1 else (),
    )  # fmt: skip


def _tell(
    entry: ListedReport, run: RunView, metric: Metric, telling: Sequence[str], sized: str
) -> str:
    words = (
        entry.page.title,
        show_result(run, metric),
        sized,
        describe(run, telling),
        f"line {run.line}",
        " ".join(run.codes),
    )
    return "\n".join(filter(None, words))


def _name_devices(runs: Sequence[RunView]) -> list[str]:
    """The device of each run; those that few runs have share one name."""
    stated = [str(run.values.get("device") or _UNKNOWN) for run in runs]
    counted = Counter(one for one in stated if one != _UNKNOWN).most_common(_MOST_DEVICES)
    kept = {_UNKNOWN, *(name for name, _ in counted)}
    return [one if one in kept else _OTHER for one in stated]


def _distinct_titles(entries: Sequence[ListedReport]) -> dict[str, str]:
    """A unique name for each report: its title, with its path if the title is not unique."""
    titles = {entry.href: entry.page.title for entry in entries}
    used = Counter(titles.values())
    return {
        entry.href: entry.page.title if used[entry.page.title] == 1 else
        f"{entry.page.title} ({entry.page.path})"
        for entry in entries
    }  # fmt: skip
