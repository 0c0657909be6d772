"""The history of a report as a page: each metric over its commits, and what each commit changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.compare.changes import Change
from mdbench.compare.history import History, Moment, Track
from mdbench.rendering.site.plots import Point, Trend

_MOST_METRICS = 8
_MOST_SERIES = 8
_MOST_CHANGES = 200
_KEY = 8


class CommitView(NamedTuple):
    """A version of the report, with its changes."""

    anchor: str
    key: str
    """The start of the name of its commit; nothing for what is not committed."""
    day: str
    subject: str
    changes: tuple[Change, ...]
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


def plot_trends(history: History) -> Iterator[Trend]:
    """A chart for each metric that changed."""
    commits = [_view(at, one) for at, one in enumerate(history.moments)]
    ticks = tuple(" ".join(filter(None, (one.day, one.key or one.subject))) for one in commits)
    for number, tracks in enumerate(_choose(history)):
        first = next(iter(tracks[0].values.values()))
        labels = _distinct([one.label for one in tracks])
        points = tuple(
            Point(
                at,
                float(value.value or 0),
                label,
                "\n".join(filter(None, (value.text, label, ticks[at], commits[at].subject))),
                commits[at].anchor,
                bound=value.bound,
            )
            for track, label in zip(tracks, labels, strict=True)
            for at, value in track.values.items()
        )
        title = f"{tracks[0].name}, {first.unit}" if first.unit else tracks[0].name
        yield Trend(f"trend-{number}", tracks[0].name, title, points, tuple(labels), ticks)


def _choose(history: History) -> list[list[Track]]:
    """The metrics with the most changes, and of each the runs that changed most."""
    metrics: dict[str, list[Track]] = {}
    for track in history.tracks:
        metrics.setdefault(track.name, []).append(track)
    changed = [tracks for tracks in metrics.values() if any(one.changes for one in tracks)]
    changed.sort(key=lambda tracks: -sum(one.changes for one in tracks))
    return [
        sorted(tracks, key=lambda one: -one.changes)[:_MOST_SERIES]
        for tracks in changed[:_MOST_METRICS]
    ]


def _distinct(labels: Sequence[str]) -> list[str]:
    """Labels of which no two are equal."""
    seen: dict[str, int] = {}
    named = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        again = f" ({seen[label]})" if seen[label] > 1 else ""
        named.append(f"{label or 'run'}{again}")
    return named


def _view(at: int, moment: Moment) -> CommitView:
    version, changes = moment
    return CommitView(
        f"v{at}",
        version.commit[:_KEY],
        version.day,
        version.subject,
        changes[:_MOST_CHANGES],
        max(0, len(changes) - _MOST_CHANGES),
    )
