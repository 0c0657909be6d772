"""`df.bench`: units, the best configuration, speed-ups and scaling efficiency of a frame."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import pandas as pd

from mdbench.vocabulary.quantities import standard_vocabulary

_SMALLER = frozenset(("s", "byte", "J", "W", "$", "°C"))
"""The dimensions of which less is better: time, memory, energy, power, cost, heat."""
_PER_DEVICE = "_per_device"


@pd.api.extensions.register_dataframe_accessor("bench")
class Bench:
    """What is often asked of a frame of runs. Results have the index of the frame."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one."""
        known = standard_vocabulary().quantities
        stated: Mapping[str, str] = self._frame.attrs.get("units", {})
        return {
            str(name): unit
            for name in self._frame.columns
            if (unit := stated.get(name) or (known[name].unit.text if name in known else ""))
        }

    def best(self, metric: str, by: str | Sequence[str] = ()) -> pd.DataFrame:
        """The row with the best value, or that of each group of `by`.

        The best is the smallest for times, memory, energy and cost, and else the largest.
        """
        names = [by] if isinstance(by, str) else list(by)
        self._require(metric, *names)
        frame = self._frame[self._frame[metric].notna()]
        ordered = frame.sort_values(metric, ascending=is_smaller_better(metric), kind="stable")
        return (ordered.drop_duplicates(names) if names else ordered.head(1)).sort_index()

    def speedup(self, metric: str, baseline: Mapping[str, object]) -> pd.Series[float]:
        """How many times better each row is than the baseline.

        `baseline` names the row to compare with: `{"nodes": 1, "precision": "bf16"}`.
        """
        self._require(metric, *baseline)
        values = self._frame[metric].astype("float64")
        chosen = pd.Series(data=True, index=self._frame.index)
        for name, value in baseline.items():
            chosen &= (self._frame[name] == value).fillna(value=False).astype(bool)
        found = values[chosen].dropna()
        if len(found) != 1:
            raise ValueError(f"{dict(baseline)!r} is the baseline of {len(found)} rows, not of one")
        base = float(found.iloc[0])
        ratio = base / values if is_smaller_better(metric) else values / base
        return ratio.rename("speedup")

    def efficiency(
        self, metric: str, size: str = "nodes", by: str | Sequence[str] = ()
    ) -> pd.Series[float]:
        """The share of ideal scaling: 1 if twice the size is twice as fast.

        Each row is compared with the best one of the smallest size, in its group of `by`.
        """
        names = [by] if isinstance(by, str) else list(by)
        self._require(metric, size, *names)
        sizes = self._frame[size].astype("float64")
        speed = self._frame[metric].astype("float64")
        if is_smaller_better(metric):
            speed = 1 / speed
        each = speed if metric.endswith(_PER_DEVICE) else speed / sizes
        each = each.where(sizes.notna())
        keys = [self._frame[name] for name in names] or [pd.Series(0, index=self._frame.index)]
        sized = sizes.where(each.notna())
        smallest = sized.groupby(keys, dropna=False).transform("min")
        base = each.where(sized == smallest).groupby(keys, dropna=False).transform("max")
        return (each / base).rename("efficiency")

    def _require(self, *names: Hashable) -> None:
        for name in names:
            if name not in self._frame.columns:
                raise KeyError(f"the frame has no column {name!r}")


def is_smaller_better(metric: str) -> bool:
    """Whether less of a metric is better."""
    one = standard_vocabulary().quantities.get(metric)
    return (
        one is not None
        and one.unit.dimension.split("/")[0] in _SMALLER
        and "/s" not in one.unit.text
    )
