"""Charts in Vega-Lite, built with Altair, and their JavaScript. The only module that imports both.

Colors and fonts are left to the page, which knows whether it is dark: a mark names a style.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import vl_convert

from mdbench.rendering.site.plots import Bars, Plot, Point, Scaling, Trend

Spec = dict[str, Any]

_HEIGHT = 320
_ROW_HEIGHT = 22
_MOST_TICKS = 9
_BESIDE_ARROW = -20
_AIR = 1.35
_TICKS = 8
_TICK_WIDTH = 80
_SHARE_OF_AIR = 0.06
_LARGE = 1e4
_WIDE = 300
_SHAPES = {"error": "diamond", "warning": "triangle-up"}
_KINDS = ("circle", "square", "cross", "triangle-right", "stroke", "wedge", "triangle-down")
_LOG = "log scale"
# An arrow to where the number may be, by its bound; an estimate is a ring.
_UP, _DOWN, _RIGHT, _LEFT = 0, 180, 90, 270
_ARROWS = ((frozenset(">≥"), _UP, _RIGHT), (frozenset("<≤"), _DOWN, _LEFT))
_TOLD = alt.TooltipContent("data")
_LABEL = alt.Description("label:N")


@cache
def vega_script() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, from the installed package."""
    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def draw(plot: Plot) -> Spec:
    """Draw a plot as a Vega-Lite specification."""
    with alt.theme.enable("none"):
        spec: Spec = _draw_plot(plot).to_dict()
    # The page sets the style, and nothing is loaded from elsewhere.
    for unwanted in ("config", "$schema"):
        spec.pop(unwanted, None)
    return spec


def _draw_plot(plot: Plot) -> alt.LayerChart:
    if isinstance(plot, Trend):
        return _draw_trend(plot)
    return _draw_scaling(plot) if isinstance(plot, Scaling) else _draw_bars(plot)


def _draw_trend(plot: Trend) -> alt.LayerChart:
    rows = [{**_datum(one), "tick": plot.ticks[int(one.x)]} for one in plot.points]
    # The day above the commit, or in little room the year above both: upright labels are short.
    room = f"width < {_TICK_WIDTH * len(plot.ticks)}"
    lines = f"split({room} ? replace(datum.label, '-', ' ') : datum.label, ' ')"
    axis = alt.Axis(labelAngle=0, labelExpr=lines, labelOverlap="greedy", labelSeparation=3)
    scale = alt.Scale(domain=_frame([one.y for one in plot.points]), nice=_TICKS)
    y = alt.Y("y:Q", title=plot.y_title, scale=scale, axis=alt.Axis(tickCount=_TICKS))
    stroke = alt.Stroke("series:N", scale=alt.Scale(domain=list(plot.series)), legend=None)
    x = alt.X("tick:N", title=None, sort=None, scale=alt.Scale(domain=list(plot.ticks)), axis=axis)
    line = _silent(rows).mark_line(style="trend", aria=False).encode(x=x, y=y, stroke=stroke)
    points = _silent(rows).mark_point(style="member", filled=True, tooltip=_TOLD)
    layers = [line, points.encode(x=x, y=y, color=_colour(plot.series), description=_LABEL)]
    layered = alt.LayerChart(layer=layers, width="container", height=_HEIGHT)
    layered.resolve = alt.Resolve(
        legend=alt.LegendResolveMap(color="independent", stroke="independent")
    )
    return layered


def _draw_scaling(plot: Scaling) -> alt.LayerChart:
    x, y, colour = _x_axis(plot), _y_axis(plot), _colour(plot.series)
    # Lines have their own scale; otherwise their dashes would appear in the legend.
    stroke = alt.Stroke("series:N", scale=alt.Scale(domain=list(plot.series)), legend=None)
    layers = [*_draw_ideal(plot, x, y, stroke)]
    if not plot.across:
        trend = _silent(_trend(plot.points)).mark_line(style="trend", aria=False)
        layers.append(trend.encode(x=x, y=y, stroke=stroke))
    alone = [_datum(one) for one in plot.points if not one.series]
    if alone:
        points = _silent(alone).mark_point(style="alone", tooltip=_TOLD)
        layers.append(points.encode(x=x, y=y, description=_LABEL))
    members = [_datum(one) for one in plot.points if one.series and not one.bound]
    points = _silent(members).mark_point(style="member", filled=True, tooltip=_TOLD)
    shaped = {"shape": _shape(plot.kinds)} if plot.kinds else {}
    layers.append(points.encode(x=x, y=y, color=colour, description=_LABEL, **shaped))
    bounded = [one for one in plot.points if one.series and one.bound]
    if bounded:
        rings = _silent([_datum(one) for one in bounded]).mark_point(
            style="bounded", filled=False, tooltip=_TOLD
        )
        layers.append(rings.encode(x=x, y=y, stroke=stroke, description=_LABEL))
    for signs, angle, _ in _ARROWS:
        open_ended = [_datum(one) for one in plot.points if one.bound in signs and one.bound]
        if open_ended:
            arrows = _silent(open_ended).mark_point(
                style="arrow", shape="arrow", angle=angle, tooltip=_TOLD, aria=False
            )
            layers.append(arrows.encode(x=x, y=y))
    for flag, shape in _SHAPES.items():
        flagged = [_datum(one) for one in plot.points if one.flag == flag]
        if flagged:
            rings = _silent(flagged).mark_point(
                style=f"flag-{flag}", shape=shape, tooltip=_TOLD, aria=False
            )
            layers.append(rings.encode(x=x, y=y))
    if plot.ran_out:
        low, _ = _reach(plot)
        lost = [{**_datum(one), "y": low} for one in plot.ran_out]
        crosses = _silent(lost).mark_point(style="over", shape="cross", tooltip=_TOLD)
        layers.append(crosses.encode(x=x, y=y, description=_LABEL))
    layered = alt.LayerChart(layer=layers, width="container", height=_HEIGHT)
    layered.resolve = alt.Resolve(
        legend=alt.LegendResolveMap(color="independent", stroke="independent", shape="independent")
    )
    return layered


def _draw_ideal(plot: Scaling, x: alt.X, y: alt.Y, stroke: alt.Stroke) -> Iterator[alt.Chart]:
    """What perfect scaling would give, for each series, and the word for it beside the longest."""
    if plot.share:
        yield _silent([{"y": 1}]).mark_rule(style="ideal", aria=False).encode(y=y)
        named: dict[str, object] = {"x": max(one.x for one in plot.points), "y": 1}
    elif plot.ideal:
        corners = [dict(zip(("series", "x", "y"), one, strict=True)) for one in plot.ideal]
        ideal = _silent(corners).mark_line(style="ideal", aria=False)
        yield ideal.encode(x=x, y=y, stroke=stroke)
        _, end, top = max(plot.ideal, key=lambda corner: corner[2])
        named = {"x": end, "y": top}
    else:
        return
    yield _silent([named]).mark_text(style="ideal-name", text="ideal").encode(x=x, y=y)


def _draw_bars(plot: Bars) -> alt.LayerChart:
    rows = [
        {
            "name": bar.name,
            "value": bar.value,
            "limit": bar.limit,
            "at": next((one for one in (bar.value, bar.limit) if one is not None), 0),
            "over": bar.over,
            "flag": bar.flag,
            "label": bar.label,
            "anchor": bar.anchor,
            "bound": bar.bound,
        }
        for bar in plot.bars
    ]
    y = alt.Y("name:N", title=None, sort=[bar.name for bar in plot.bars])
    x = alt.X("value:Q", title=plot.x_title, axis=alt.Axis(tickCount=8))
    layers = []
    for style, chosen in (
        ("run", [row for row in rows if not row["bound"]]),
        ("bounded-run", [row for row in rows if row["bound"]]),
    ):
        if chosen:
            bars = _silent(chosen).mark_bar(
                style=style, tooltip=_TOLD, height=alt.RelativeBandSize(0.66)
            )
            layers.append(bars.encode(x=x, y=y, description=_LABEL))
    layers += _bar_arrows(rows, y, plot.x_title)
    if any(bar.limit for bar in plot.bars):
        limits = _silent([row for row in rows if row["limit"]])
        ticks = limits.mark_tick(style="limit", tooltip=_TOLD, aria=False)
        layers.append(ticks.encode(x=alt.X("limit:Q", title=plot.x_title), y=y))
    lost = [row for row in rows if row["over"]]
    marks = [
        ("over", "cross", [row for row in lost if not row["bound"]], 0),
        ("over", "cross", [row for row in lost if row["bound"]], _BESIDE_ARROW),
    ]
    marks += [
        (f"flag-{flag}", shape, [row for row in rows if row["flag"] == flag], 0)
        for flag, shape in _SHAPES.items()
    ]
    for style, shape, chosen, offset in marks:
        if chosen:
            points = _silent(chosen).mark_point(
                style=style, shape=shape, tooltip=_TOLD, aria=style == "over", xOffset=offset
            )
            at = alt.X("at:Q", title=plot.x_title)
            layers.append(points.encode(x=at, y=y, description=_LABEL))
    return alt.LayerChart(
        layer=layers,
        width="container",
        height=_ROW_HEIGHT * len(plot.bars),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
    )


def _bar_arrows(rows: Sequence[Mapping[str, object]], y: alt.Y, title: str) -> Iterator[alt.Chart]:
    at = alt.X("value:Q", title=title)
    for signs, _, angle in _ARROWS:
        chosen = [row for row in rows if row["bound"] in signs]
        if chosen:
            arrows = _silent(chosen).mark_point(
                style="arrow", shape="arrow", angle=angle, tooltip=_TOLD, aria=False
            )
            yield arrows.encode(x=at, y=y)


def _silent(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=[dict(row) for row in rows]))


def _datum(point: Point) -> dict[str, object]:
    return {
        "x": point.x,
        "y": point.y,
        "series": point.series,
        "label": point.label,
        "anchor": point.anchor,
        "kind": point.kind,
    }


def _trend(points: Sequence[Point]) -> list[dict[str, object]]:
    """The vertices of the lines: the best undoubted run of each size."""
    best: dict[tuple[str, float], float] = {}
    for one in points:
        if one.series and not (one.doubted or one.bound):
            key = one.series, one.x
            best[key] = max(one.y, best.get(key, one.y))
    return [{"series": series, "x": x, "y": y} for (series, x), y in best.items()]


def _x_axis(plot: Scaling) -> alt.X:
    sizes = sorted({point.x for point in (*plot.points, *plot.ran_out)})
    axis = alt.Axis(format="d", grid=False, labelOverlap=True)
    if len(sizes) <= _MOST_TICKS:
        axis = alt.Axis(format="d", grid=False, labelOverlap=True, values=sizes)
    scale = alt.Scale(type="log", base=2, nice=False, padding=24)
    return alt.X("x:Q", title=f"{plot.x_title} ({_LOG})", scale=scale, axis=axis)


def _y_axis(plot: Scaling) -> alt.Y:
    low, high = _reach(plot)
    if plot.share:
        scale = alt.Scale(domain=[low, high], nice=False)
        percent = alt.Axis(labelExpr="format(100 * datum.value, 'd') + ' %'", tickCount=5)
        return alt.Y("y:Q", title=plot.y_title, scale=scale, axis=percent)
    axis = alt.Axis(values=_log_ticks(low, high), format="~g" if high < _LARGE else "~s")
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    return alt.Y("y:Q", title=f"{plot.y_title} ({_LOG})", scale=scale, axis=axis)


def _reach(plot: Scaling) -> tuple[float, float]:
    """The lowest and the highest value of the y axis."""
    if plot.share:
        return 0, max((1.05, *(point.y * 1.05 for point in plot.points)))
    heights = [*(point.y for point in plot.points), *(corner[2] for corner in plot.ideal)]
    return min(heights) / _AIR, max(heights) * _AIR


def _frame(heights: Sequence[float]) -> list[float]:
    """The ends of an axis with some air around the values, but none below zero."""
    low, high = min(heights), max(heights)
    air = _SHARE_OF_AIR * ((high - low) or abs(high) or 1)
    return [low - air if low < 0 else max(0, low - air), high + air]


def _log_ticks(low: float, high: float) -> list[float]:
    """Round ticks between two numbers: powers of ten, with steps between them if there is space."""
    steps = (1, 2, 5) if high / low < _WIDE else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= tick <= high]


def _shape(kinds: Sequence[str]) -> alt.Shape:
    return alt.Shape(
        "kind:N",
        title=None,
        sort=list(kinds),
        scale=alt.Scale(domain=list(kinds), range=list(_KINDS[: len(kinds)])),
        legend=alt.Legend(symbolFillColor="transparent", symbolStrokeWidth=1.5),
    )


def _colour(series: Sequence[str]) -> alt.Color:
    return alt.Color(
        "series:N",
        title=None,
        sort=list(series),
        scale=alt.Scale(domain=list(series)),
        legend=alt.Legend(symbolType="circle") if len(series) > 1 else None,
    )
