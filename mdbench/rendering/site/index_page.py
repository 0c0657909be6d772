"""The index page: all runs in one table, and one chart across reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.frames.frame_columns import Value
from mdbench.rendering.site.labels import (
    EVERYTHING,
    count_things,
    describe,
    show_number,
    tell_apart,
)
from mdbench.rendering.site.metrics import THROUGHPUT, Metric, name_metric
from mdbench.rendering.site.plots import Point, Scaling, flag_of
from mdbench.rendering.site.views import Page, RunView

_TITLES = {
    "nodes": "Nodes",
    "devices": "Devices",
    "tp": "TP",
    "pp": "PP",
    "dp": "DP",
    "micro_batch": "MBS",
    "global_batch": "GBS",
    "seq_len": "Length",
    "precision": "Precision",
    "memory_mib": "Memory, MiB",
    "step_time_s": "Step, s",
    "samples_per_s": "Samples/s",
    "tokens_per_s": "Tokens/s",
    "tokens_per_s_per_device": "Tokens/s per device",
    "tflops_per_device": "TFLOPs per device",
    "pflops_total": "PFLOPs",
    "mfu": "MFU",
    "status": "Status",
}
_FILTERED = ("model", "nodes", "tp", "pp", "dp", "status")
_MEASURED = frozenset(_TITLES) - frozenset(
    "nodes devices tp pp dp micro_batch global_batch seq_len precision status".split()
)
_MOST_CHOICES = 200
_MOST_REPORTS = 10


class ListedReport(NamedTuple):
    """A report in the list of reports."""

    page: Page
    href: str


class IndexCell(NamedTuple):
    """One value of a run in the table."""

    text: str
    value: float | None = None


class IndexColumn(NamedTuple):
    """A column of the table."""

    name: str
    title: str
    numeric: bool
    measured: bool
    choices: tuple[str, ...] = ()
    """The values to filter by."""


class RunRow(NamedTuple):
    """A run in the table of all runs."""

    href: str
    report: str
    line: int
    severity: str
    codes: tuple[str, ...]
    slots: tuple[IndexCell, ...]


class IndexPage(NamedTuple):
    """The data of the index page."""

    entries: tuple[ListedReport, ...]
    headings: tuple[IndexColumn, ...]
    rows: tuple[RunRow, ...]
    counts: dict[str, int]
    numbers: int
    verified: int


def make_index(entries: Sequence[ListedReport]) -> IndexPage:
    """Collect the runs of all reports in one table."""
    runs = [(entry, run) for entry in entries for run in entry.page.runs]
    names = [name for name in ("model", *_TITLES) if any(_show(run, name).text for _, run in runs)]
    rows = tuple(
        RunRow(
            f"{entry.href}#{run.anchor}",
            entry.page.title,
            run.line,
            run.severity,
            run.codes,
            tuple(_show(run, name) for name in names),
        )
        for entry, run in runs
    )
    counts: Counter[str] = Counter()
    for entry in entries:
        counts.update(entry.page.counts)
    return IndexPage(
        tuple(entries),
        tuple(_heading(name, at, rows) for at, name in enumerate(names)),
        rows,
        dict(counts),
        sum(entry.page.numbers for entry in entries),
        sum(entry.page.verified for entry in entries),
    )


def _heading(name: str, at: int, rows: Sequence[RunRow]) -> IndexColumn:
    slots = {row.slots[at] for row in rows if row.slots[at].text}
    choices: tuple[str, ...] = ()
    if name in _FILTERED:
        order = sorted(slots, key=lambda slot: (slot.value or 0, slot.text.casefold(), slot.text))
        choices = tuple(dict.fromkeys(slot.text for slot in order))[:_MOST_CHOICES]
    numeric = any(slot.value is not None for slot in slots) and name != "model"
    return IndexColumn(name, _TITLES.get(name, "Model"), numeric, name in _MEASURED, choices)


def _show(run: RunView, name: str) -> IndexCell:
    value: Value = run.values.get(name)
    if name == "model" and value is None:
        params = run.number("params")
        return IndexCell(f"{show_number(params)} parameters" if params else "")
    if isinstance(value, str):
        return IndexCell(value)
    number = run.number(name)
    return IndexCell("" if number is None else show_number(number), number)


def plot_across(entries: Sequence[ListedReport]) -> Iterator[Scaling]:
    """The chart across reports: the most common metric over the size of the job."""
    best: tuple[int, int, list[tuple[ListedReport, RunView]]] = (0, 0, [])
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


def _draw_across(
    found: Sequence[tuple[ListedReport, RunView]], metric: Metric, size: str
) -> Scaling:
    counts = Counter(entry.href for entry, _ in found)
    common = [href for href, _ in counts.most_common(_MOST_REPORTS)]
    names = _distinct_titles([entry for entry, _ in found])
    series = tuple(names[href] for href in counts if href in common)
    telling = tell_apart([run for _, run in found], EVERYTHING)
    points = tuple(
        Point(
            run.number(size) or 0,
            run.number(metric.name) or 0,
            names[entry.href] if entry.href in common else "",
            "\n".join(
                filter(
                    None,
                    (
                        entry.page.title,
                        f"{show_number(run.number(metric.name) or 0)} {name_metric(metric)}",
                        count_things(run.number(size) or 0, size),
                        describe(run, [name for name in telling if name not in (size, "table")]),
                        f"line {run.line}",
                        " ".join(run.codes),
                    ),
                )
            ),
            f"{entry.href}#{run.anchor}",
            flag_of(run, metric.name, size),
        )
        for entry, run in found
    )
    title = name_metric(metric)
    return Scaling(
        "across", f"{title} across reports", size.capitalize(), title, points, series, across=True
    )


def _distinct_titles(entries: Sequence[ListedReport]) -> dict[str, str]:
    """A unique name for each report: its title, with its path if the title is not unique."""
    titles = {entry.href: entry.page.title for entry in entries}
    used = Counter(titles.values())
    return {
        entry.href: entry.page.title if used[entry.page.title] == 1 else
        f"{entry.page.title} ({entry.page.path})"
        for entry in entries
    }  # fmt: skip
