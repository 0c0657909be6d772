"""Format changes as text for a terminal, as Markdown for a pull request, or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from mdbench.compare.changes import Change, ChangeKind, Side
from mdbench.frames.answers import escape_markdown
from mdbench.markdown.widths import display_width
from mdbench.output.json import dump
from mdbench.output.terminal import PLAIN, Palette, show_text

_NOTHING_CHANGED = "no measurement changed"
_COUNTED = {
    ChangeKind.CHANGED: "changed",
    ChangeKind.APPEARED: "appeared",
    ChangeKind.VANISHED: "vanished",
}
_MARKDOWN_HEAD = ("| run | measurement | old | new | change |\n", "|---|---|---:|---:|---:|\n")


class _Setting(NamedTuple):
    """A setting that changed for several runs."""

    name: str
    old: str
    new: str


def to_text(changes: Sequence[Change], palette: Palette = PLAIN) -> Iterator[str]:
    """One paragraph per report, then the number of changes."""
    for report, members in groupby(changes, key=attrgetter("report", "old_report")):
        yield palette.strong(show_text(_title(*report))) + "\n"
        mine = list(members)
        for setting, runs in _settings(mine):
            yield f"  {_tell_setting(setting, runs)}\n"
        for run, told in groupby(_measured(mine), key=_run_of):
            whole, kind, *_ = run
            verdict = f": {kind}" if whole else ""
            found = list(told)
            yield f"  {show_text(_place(found[0]))}{verdict}\n"
            yield from _list_measurements(found, palette)
        yield "\n"
    yield f"{summarize(changes)}\n"


def to_markdown(changes: Sequence[Change]) -> Iterator[str]:
    """One table per report."""
    yield f"**{summarize(changes)}**\n"
    for report, members in groupby(changes, key=attrgetter("report", "old_report")):
        mine = list(members)
        yield f"\n### {_escape(_title(*report))}\n"
        settings = _settings(mine)
        if settings:
            yield "\n"
        for setting, runs in settings:
            yield f"- {_escape(_tell_setting(setting, runs))}\n"
        rows = _measured(mine)
        if rows:
            yield "\n"
            yield from _MARKDOWN_HEAD
        for change in rows:
            texts = map(_escape, (_place(change), change.name, *_sides(change), _verdict(change)))
            yield f"| {' | '.join(texts)} |\n"


def to_json(changes: Sequence[Change]) -> Iterator[str]:
    """A JSON list with one object per line."""
    lines = [dump(_object(change)) for change in changes]
    yield "[\n" + ",\n".join(lines) + "\n]\n" if lines else "[]\n"


def summarize(changes: Iterable[Change]) -> str:
    """A summary in one line: `2 measurements changed, 1 appeared in 1 report`."""
    found = list(changes)
    kinds = Counter(change.kind for change in found)
    parts = [f"{kinds[kind]} {word}" for kind, word in _COUNTED.items() if kinds[kind]]
    settings = len(_settings(found))
    if parts:
        first, *rest = parts
        number, word = first.split()
        parts = [f"{_count(int(number), 'measurement')} {word}", *rest]
    if settings:
        parts.append(f"{_count(settings, 'setting')} changed")
    reports = len({change.report for change in found})
    return f"{', '.join(parts)} in {_count(reports, 'report')}" if parts else _NOTHING_CHANGED


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _title(report: str, old_report: str) -> str:
    return f"{report} (was {old_report})" if old_report else report


def _settings(changes: Iterable[Change]) -> list[tuple[_Setting, list[Change]]]:
    """Settings that are stated differently, each once with all its runs."""
    found: dict[tuple[str, _Setting], list[Change]] = {}
    for change in changes:
        if change.kind is ChangeKind.SETTING and change.old and change.new:
            setting = _Setting(change.name, change.old.text, change.new.text)
            found.setdefault((change.report, setting), []).append(change)
    return [(setting, runs) for (_, setting), runs in found.items()]


def _tell_setting(setting: _Setting, runs: Sequence[Change]) -> str:
    where = _place(runs[0]) if len(runs) == 1 else f"{len(runs)} runs from line {runs[0].line}"
    return show_text(f"setting {setting.name}: {setting.old} → {setting.new} ({where})")


def _measured(changes: Iterable[Change]) -> list[Change]:
    return [change for change in changes if change.kind is not ChangeKind.SETTING]


def _run_of(change: Change) -> tuple[object, ...]:
    kind = change.kind if change.whole_run else ""
    return change.whole_run, kind, change.section, change.line, change.label


def _place(change: Change) -> str:
    where = f"line {change.line}, {change.section}" if change.section else f"line {change.line}"
    return f"{where}: {change.label}" if change.label else where


def _list_measurements(changes: Sequence[Change], palette: Palette) -> Iterator[str]:
    width = max(display_width(show_text(change.name)) for change in changes)
    for change in changes:
        name = show_text(change.name)
        name += " " * (width - display_width(name))
        yield f"    {name}  {_colour(change, palette)}\n"


def _colour(change: Change, palette: Palette) -> str:
    old, new = map(show_text, _sides(change))
    if change.old is None:
        return palette.added(f"+ {new}")
    if change.new is None:
        return palette.removed(f"- {old}")
    return f"{palette.removed(old)} → {palette.added(new)}  {_verdict(change)}".rstrip()


def _sides(change: Change) -> tuple[str, str]:
    old, new = (side.text if side is not None else "" for side in (change.old, change.new))
    return old, new


def _verdict(change: Change) -> str:
    if change.kind is not ChangeKind.CHANGED:
        return str(change.kind)
    return show_difference(change)


def show_difference(change: Change) -> str:
    """How much a value changed, for humans: a share in percentage points, all others in percent."""
    points = _share(change.new), _share(change.old)
    if points[0] is not None and points[1] is not None:
        return f"{_signed(points[0] - points[1])} percentage points"
    return "" if change.percent is None else f"{_signed(change.percent)} %"


def _share(side: Side | None) -> float | None:
    """A value that is printed in percent."""
    if side is None or side.value is None or not side.text.endswith("%"):
        return None
    return side.value * 100


def _signed(number: float) -> str:
    """One decimal, or one significant digit if it is smaller."""
    return f"{number:+,.1f}" if abs(number) >= 0.1 or number == 0 else f"{number:+.1g}"


def _escape(text: str) -> str:
    return escape_markdown(show_text(text))


def _object(change: Change) -> dict[str, object]:
    return {
        "kind": change.kind.value,
        "report": change.report,
        "old_report": change.old_report or None,
        "section": change.section,
        "run": dict(change.run),
        "whole_run": change.whole_run,
        "name": change.name,
        "unit": change.unit or None,
        "old": _side(change.old),
        "new": _side(change.new),
        "change_percent": None if change.percent is None else round(change.percent, 6),
    }


def _side(side: Side | None) -> dict[str, object] | None:
    if side is None:
        return None
    return {"text": side.text, "value": side.value, "status": side.status, "line": side.line}
