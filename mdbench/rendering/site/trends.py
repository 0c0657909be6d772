"""The history of a report as a page: each metric over its commits, and what each commit changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from mdbench.compare.changes import Change
from mdbench.compare.history import History, Moment, Track
from mdbench.compare.showing import show_difference
from mdbench.numerals.units import RATIO, parse_unit
from mdbench.rendering.site.plots import Point, Trend

_MOST_METRICS = 8
_MOST_SERIES = 8
_MOST_CHANGES = 200
_KEY = 8


class ChangeView(NamedTuple):
    """A row of a table of changes."""

    run: str
    name: str
    old: str
    new: str
    difference: str


class CommitView(NamedTuple):
    """A version of the report, with its changes."""

    anchor: str
    key: str
    """The start of the name of its commit; nothing for what is not committed."""
    day: str
    subject: str
    changes: tuple[ChangeView, ...]
    more: int
    """The number of changes that are not listed."""


class TrendPage(NamedTuple):
    """The data of the page of a report's history."""

    commits: tuple[CommitView, ...]
    """Newest first."""
    left_out: tuple[str, ...]
    """The metrics that have no chart, as they never changed or there are too many."""
    note: str


def make_trends(history: History) -> TrendPage:
    """Lay out the history of a report."""
    drawn = {track.name for tracks in _choose(history) for track in tracks}
    others = dict.fromkeys(one.name for one in history.tracks if one.name not in drawn)
    commits = [_view(at, one) for at, one in enumerate(history.moments)]
    return TrendPage(tuple(reversed(commits)), tuple(others), history.note)


def plot_trends(history: History, titles: Mapping[str, str]) -> Iterator[Trend]:
    """A chart for each metric that changed, in the unit that the report prints."""
    commits = [_view(at, one) for at, one in enumerate(history.moments)]
    ticks = tuple(" ".join(filter(None, (one.day, one.key or one.subject))) for one in commits)
    for number, tracks in enumerate(_choose(history)):
        name = titles.get(tracks[0].name, tracks[0].name)
        unit, size = _shared_unit(tracks)
        points = tuple(
            Point(
                at,
                float(value.value or 0) / size,
                track.label,
                "\n".join(filter(None, (value.text, track.label, ticks[at], commits[at].subject))),
                commits[at].anchor,
                bound=value.bound,
            )
            for track in tracks
            for at, value in track.values.items()
        )
        title = f"{name}, {unit}" if unit and "/s" not in name else name
        labels = tuple(track.label for track in tracks)
        yield Trend(f"trend-{number}", name, title, points, labels, ticks)


def _shared_unit(tracks: Sequence[Track]) -> tuple[str, float]:
    """The unit that all values are printed in, and its size in the unit of the frame."""
    values = [one for track in tracks for one in track.values.values()]
    printed = {one.text.rpartition(" ")[2] for one in values}
    own = values[0].unit
    if len(printed) == 1:
        frame = RATIO if own in ("", RATIO.dimension) else parse_unit(own)
        unit = parse_unit(printed.pop())
        if unit is not None and frame is not None and unit.dimension == frame.dimension:
            return unit.text, float(unit.scale / frame.scale)
    return own, 1.0


def _choose(history: History) -> list[list[Track]]:
    """The metrics with the most changes, and of each the runs that changed most."""
    metrics: dict[str, list[Track]] = {}
    for track in history.tracks:
        metrics.setdefault(track.name, []).append(track)
    changed = [tracks for tracks in metrics.values() if any(one.changes for one in tracks)]
    changed.sort(key=lambda tracks: -sum(one.changes for one in tracks))
    return [_most_changed(tracks) for tracks in changed[:_MOST_METRICS]]


def _most_changed(tracks: Sequence[Track]) -> list[Track]:
    """The runs that changed most, in the order of the report."""
    kept = sorted(range(len(tracks)), key=lambda at: -tracks[at].changes)[:_MOST_SERIES]
    return [tracks[at] for at in sorted(kept)]


def _view(at: int, moment: Moment) -> CommitView:
    version, changes = moment
    return CommitView(
        f"v{at}",
        version.commit[:_KEY],
        version.day,
        version.subject,
        tuple(map(_view_change, changes[:_MOST_CHANGES])),
        max(0, len(changes) - _MOST_CHANGES),
    )


def _view_change(change: Change) -> ChangeView:
    old, new = (side.text if side is not None else "–" for side in (change.old, change.new))
    difference = show_difference(change) or change.kind.value
    return ChangeView(change.label or change.section, change.name, old, new, difference)
