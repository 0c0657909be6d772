"""Choose the charts of a report and their points. Drawing is done elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mdbench.numerals.units import parse_unit
from mdbench.rendering.site.labels import (
    LOOSE,
    SCALE_FREE,
    count_things,
    describe,
    group_runs,
    label_runs,
    show_number,
    tell_apart,
)
from mdbench.rendering.site.metrics import THROUGHPUT, Metric, name_metric
from mdbench.rendering.site.views import Printed, RunView, join_unit

_MOST_SERIES = 8
_MOST_ROWS = 40
_FEWEST_ROWS = 3
_GB = 1e9
_MIB = 2**20
_SHOWN_FLAGS = ("error", "warning")
"""The worst first."""
_RAN_OUT = "oom"


class Point(NamedTuple):
    """A run in a chart. `label` describes it in words, `anchor` is its row."""

    x: float
    y: float
    series: str
    label: str
    anchor: str
    flag: str = ""
    doubted: bool = False
    """Its value contradicts others: no line goes through it."""
    bound: str = ""
    """Its value is a bound or an estimate: `<`, `>`, `≤`, `≥` or `~`. No line goes through it."""
    kind: str = ""
    """What its shape stands for, if shapes differ."""


class Scaling(NamedTuple):
    """Points over the size of the job. A series is a line; points without one are isolated."""

    name: str
    title: str
    x_title: str
    y_title: str
    points: tuple[Point, ...]
    series: tuple[str, ...] = ()
    ideal: tuple[tuple[str, float, float], ...] = ()
    """The vertices of the ideal lines: series, x, y."""
    share: bool = False
    """Whether y is a share of the ideal."""
    across: bool = False
    """Whether it compares reports: the series are then not lines."""
    kinds: tuple[str, ...] = ()
    """What the shapes of the points stand for, such as devices; nothing if all are alike."""
    ran_out: tuple[Point, ...] = ()
    """The runs that ran out of memory: they have a size and no throughput."""


class Bar(NamedTuple):
    """A run as a bar. `limit` is its maximum, `over` says that it ran out of memory."""

    name: str
    value: float | None
    label: str
    anchor: str
    flag: str = ""
    limit: float | None = None
    over: bool = False
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each run."""

    name: str
    title: str
    x_title: str
    bars: tuple[Bar, ...] = field(default=())
    left_out: int = 0
    """The number of runs that did not fit."""


class Trend(NamedTuple):
    """A metric over the versions of a report, with a line for each run."""

    name: str
    title: str
    y_title: str
    points: tuple[Point, ...]
    series: tuple[str, ...]
    ticks: tuple[str, ...]
    """The names of the versions, oldest first."""


Plot = Scaling | Bars | Trend


def choose_plots(runs: Sequence[RunView]) -> Iterator[Plot]:
    """The charts of a report: its scaling or its fastest setting, then the memory."""
    scaling = list(_scaling(runs))
    yield from scaling
    if not scaling:
        yield from _fastest(runs)
    yield from _memory(runs)


def job_size(runs: Sequence[RunView]) -> str:
    """The unit of a job's size: nodes, or devices if more runs state those."""
    nodes, devices = (
        len({run.number(name) for run in runs} - {None}) for name in ("nodes", "devices")
    )
    return "nodes" if nodes >= devices else "devices"


def flag_of(run: RunView, *plotted: str) -> str:
    """The mark of a run in a chart: a finding on its row or settings, or on a plotted value."""
    if run.doubts.intersection(plotted):
        return "error"
    found = {run.own, *(run.flags.get(name, "") for name in plotted)}
    return next((one for one in _SHOWN_FLAGS if one in found), "")


def _scaling(runs: Sequence[RunView]) -> Iterator[Scaling]:
    size = job_size(runs)
    sized = [run for run in runs if (run.number(size) or 0) > 0]
    for names in (SCALE_FREE, LOOSE):
        found = [(_lines(sized, metric, size, names), metric) for metric in THROUGHPUT]
        lines, metric = max(found, key=lambda pair: sum(map(len, pair[0].values())))
        if lines:
            yield from _draw_scaling(sized, metric, size, lines)
            return


def _lines(
    runs: Sequence[RunView], metric: Metric, size: str, names: Sequence[str]
) -> dict[str, list[RunView]]:
    """The groups of runs that differ only in size."""
    measured = [run for run in runs if (run.number(metric.name) or 0) > 0]
    lines = {
        label: members
        for label, members in group_runs(measured, names).items()
        if len({run.number(size) for run in members if _telling(run, metric, size)}) > 1
    }
    largest = sorted(lines, key=lambda label: -len(lines[label]))[:_MOST_SERIES]
    kept = {run for label in largest for run in lines[label]}
    # Fewer lines need fewer words to distinguish them.
    return group_runs([run for run in measured if run in kept], names)


def _doubted(run: RunView, metric: Metric, size: str) -> bool:
    return bool(run.doubts & {metric.name, size})


def _telling(run: RunView, metric: Metric, size: str) -> bool:
    """Whether a line may go through it."""
    return not _doubted(run, metric, size) and not run.bounds.keys() & {metric.name, size}


def _draw_scaling(
    runs: Sequence[RunView], metric: Metric, size: str, lines: dict[str, list[RunView]]
) -> Iterator[Scaling]:
    member = {run: label for label, members in lines.items() for run in members}
    telling = tell_apart(runs, SCALE_FREE)
    points: list[Point] = []
    shares: list[Point] = []
    ideal: list[tuple[str, float, float]] = []
    bases = {label: _base(members, metric, size) for label, members in lines.items()}
    for run in runs:
        value, count = run.number(metric.name), run.number(size)
        if not value or not count:
            continue
        label = member.get(run, "")
        total = value * count if metric.per_device else value
        point = _point(
            run, metric, size, Point(count, total, label, describe(run, telling), run.anchor)
        )
        points.append(point)
        if label and not point.doubted:
            first, start = bases[label]
            share = total / count / (start / first)
            said = f"{share * 100:.0f} % of the ideal\n{point.label}"
            shares.append(point._replace(y=share, label=said))
    for label, members in lines.items():
        first, start = bases[label]
        last = max(run.number(size) or 0 for run in members)
        ideal += (label, first, start), (label, last, start * last / first)
    title = f"Total {metric.title}" if metric.per_device else metric.title
    counted = f"{metric.title} × {size}" if metric.per_device else metric.title
    axis, series = size.capitalize(), tuple(lines)
    ran_out = tuple(_ran_out(runs, metric, size, telling))
    yield Scaling(
        "scaling", f"{title} over {size}", axis, counted, tuple(points), series, tuple(ideal),
        ran_out=ran_out,
    )  # fmt: skip
    yield Scaling(
        "efficiency", "Scaling efficiency", axis, "Share of the ideal", tuple(shares), series,
        share=True, ran_out=ran_out,
    )  # fmt: skip


def _ran_out(
    runs: Sequence[RunView], metric: Metric, size: str, telling: Sequence[str]
) -> Iterator[Point]:
    for run in runs:
        if run.values.get("status") == _RAN_OUT and not run.number(metric.name):
            count = run.number(size) or 0
            words = (
                count_things(count, size), "out of memory", describe(run, telling),
                f"line {run.line}",
            )  # fmt: skip
            yield Point(count, 0, "", "\n".join(filter(None, words)), run.anchor)


def _base(members: Sequence[RunView], metric: Metric, size: str) -> tuple[float, float]:
    """The size and throughput of the smallest undoubted job, the fastest of its size."""
    trusted = [run for run in members if _telling(run, metric, size)]
    first = min(run.number(size) or 0 for run in trusted)
    best = max(run.number(metric.name) or 0 for run in trusted if run.number(size) == first)
    return first, best * first if metric.per_device else best


def _point(run: RunView, metric: Metric, size: str, bare: Point) -> Point:
    """A point with its complete label."""
    bound = run.bounds.get(metric.name, "")
    doubted = _doubted(run, metric, size)
    words = (
        count_things(bare.x, size),
        show_result(run, metric),
        bare.label,
        f"line {run.line}",
        " ".join(run.codes),
        "in doubt, so no line goes through it" if doubted else "",
    )
    label = "\n".join(filter(None, words))
    flag = flag_of(run, metric.name, size)
    return bare._replace(label=label, flag=flag, doubted=doubted, bound=bound)


def show_result(run: RunView, metric: Metric) -> str:
    """A result as its report prints it: `>47.0 TFLOPs per device`."""
    printed = run.printed.get(metric.name) or Printed(show_number(run.number(metric.name) or 0))
    if not printed.unit:
        return f"{printed.text} {name_metric(metric)}"
    shared = " per device" if metric.per_device else ""
    return f"{join_unit(printed.text, printed.unit)}{shared}"


def _fastest(runs: Sequence[RunView]) -> Iterator[Bars]:
    found = [[run for run in runs if (run.number(one.name) or 0) > 0] for one in THROUGHPUT]
    measured, metric = max(zip(found, THROUGHPUT, strict=True), key=lambda pair: len(pair[0]))
    if len(measured) < _FEWEST_ROWS:
        return
    title = name_metric(metric)
    known = set(measured)
    drawn = [run for run in runs if run in known or _is_out_of_memory(run)]
    kept = _largest(drawn, metric.name)
    bars = tuple(
        _speed_bar(run, name, metric) for run, name in zip(kept, label_runs(kept), strict=True)
    )
    yield Bars("fastest", f"{title} by setting", title, bars, len(drawn) - len(bars))


def _speed_bar(run: RunView, name: str, metric: Metric) -> Bar:
    value = run.number(metric.name)
    said = show_result(run, metric) if value else "out of memory"
    flag, bound = flag_of(run, metric.name), run.bounds.get(metric.name, "")
    label = f"{name}\n{said}\nline {run.line}"
    return Bar(name, value, label, run.anchor, flag, over=not value, bound=bound)


def _largest(runs: Sequence[RunView], name: str) -> list[RunView]:
    """The largest runs that fit, in the order of the report."""
    kept = sorted(runs, key=lambda run: -(run.number(name) or 0))[:_MOST_ROWS]
    chosen = set(kept)
    return [run for run in runs if run in chosen]


def _memory(runs: Sequence[RunView]) -> Iterator[Bars]:
    stated = [run for run in runs if run.number("memory_mib")]
    if len(stated) < _FEWEST_ROWS:
        return
    known = set(stated)
    drawn = [run for run in runs if run in known or _is_out_of_memory(run)]
    kept = _largest(drawn, "memory_mib")
    unit, size = _memory_unit(stated)
    bars = tuple(
        _memory_bar(run, name, size) for run, name in zip(kept, label_runs(kept), strict=True)
    )
    against = " against its limit" if any(bar.limit for bar in bars) else ""
    yield Bars("memory", f"Memory{against}", unit, bars, len(drawn) - len(bars))


def _is_out_of_memory(run: RunView) -> bool:
    return run.values.get("status") == _RAN_OUT


def _memory_unit(runs: Sequence[RunView]) -> tuple[str, float]:
    """The unit that most runs are printed in, and its bytes."""
    units = Counter(one.unit for run in runs if (one := run.printed.get("memory_mib")) is not None)
    for text, _ in units.most_common(1):
        if text and (unit := parse_unit(text)) is not None:
            return text, float(unit.scale)
    return "MiB", _MIB


def _memory_bar(run: RunView, name: str, size: float) -> Bar:
    stated, limit = run.number("memory_mib"), run.number("device_memory_gb")
    printed = run.printed.get("memory_mib") or Printed(show_number(stated or 0))
    words = (
        name,
        join_unit(printed.text, printed.unit or "MiB") if stated else "",
        f"limit {join_unit(show_number(limit), 'GB')}" if limit else "",
        "out of memory" if _is_out_of_memory(run) else "",
        f"line {run.line}",
        " ".join(run.codes),
    )
    return Bar(
        name,
        stated * _MIB / size if stated else None,
        "\n".join(filter(None, words)),
        run.anchor,
        flag_of(run, "memory_mib"),
        limit * _GB / size if limit else None,
        _is_out_of_memory(run),
        run.bounds.get("memory_mib", ""),
    )
