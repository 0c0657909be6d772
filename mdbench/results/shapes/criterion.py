"""The `estimates.json` of criterion, one for each benchmark; its name is in the path."""

from __future__ import annotations

from mdbench.results.shapes.shape import Content, Part, Shape, is_number, member, statistics_of
from mdbench.results.tables import Meaning

_ESTIMATES = {
    "mean": "mean",
    "median": "median",
    "std_dev": "std",
    "median_abs_dev": "mad",
}
_MEANINGS = {
    "benchmark": Meaning("benchmark"),
    "time": Meaning("time_s", "ns"),
    **statistics_of("time_s", "ns", _ESTIMATES),
    "slope": Meaning("", "ns"),
    "mean_low": Meaning("", "ns"),
    "mean_high": Meaning("", "ns"),
}


def _read(content: Content) -> list[Part] | None:
    points = {name: member(content.data, name, "point_estimate") for name in _ESTIMATES}
    if not all(is_number(points[name]) for name in ("mean", "median", "std_dev")):
        return None
    *folders, run, _ = ("", "", *content.path.split("/"))
    if "criterion" in folders:
        folders = folders[folders.index("criterion") + 1 :]
    slope = member(content.data, "slope", "point_estimate")
    interval = member(content.data, "mean", "confidence_interval")
    record = {
        "benchmark": "/".join(filter(None, folders)),
        "baseline": run,
        # As criterion prints it: by linear regression, if it counted iterations for that.
        "time": slope if is_number(slope) else points["mean"],
        **points,
        "slope": slope,
        "mean_low": member(interval, "lower_bound"),
        "mean_high": member(interval, "upper_bound"),
    }
    return [Part([record], _MEANINGS)]


CRITERION = Shape("criterion", _read)
