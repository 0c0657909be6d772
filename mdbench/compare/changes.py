"""The changes between two versions of a report, measurement by measurement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from mdbench.compare.matching import Match, match_runs
from mdbench.compare.profiles import MeasuredValue, Profile, Setting
from mdbench.compare.readings import pair_readings, same

_NOT_STATED = "not stated"


class ChangeKind(StrEnum):
    """The kind of a change."""

    CHANGED = "changed"
    APPEARED = "appeared"
    VANISHED = "vanished"
    SETTING = "setting"
    """The run is the same, but one of its settings is stated differently."""


class Side(NamedTuple):
    """The value in one version."""

    text: str
    """As printed, with the unit of the header."""
    line: int
    value: float | None = None
    """In `Change.unit`."""
    status: str = "ok"


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `run` contains the settings that identify the run, as printed."""

    kind: ChangeKind
    report: str
    section: str
    run: Mapping[str, str] = field(hash=False)
    label: str
    """A short description of the run, from its table."""
    name: str
    """The column of the frame, or the header if there is no such column."""
    old: Side | None
    new: Side | None
    unit: str = ""
    percent: float | None = None
    whole_run: bool = False
    """Whether the whole run was added or removed."""
    old_report: str = ""
    """The old name of the report, if it was renamed."""

    @property
    def line(self) -> int:
        """The line in the new version, or in the old one if it was removed."""
        side = self.new or self.old
        return side.line if side is not None else 0


def compare_runs(
    olds: Sequence[Profile], news: Sequence[Profile], report: str, old_report: str = ""
) -> tuple[Change, ...]:
    """List the changes in the order of the new report; removed measurements come last."""
    teller = _Teller(report, old_report if old_report != report else "", _varied((*olds, *news)))
    found = match_runs(olds, news)
    kept = [(match.new.line, list(teller.compare(match))) for match in found.matches]
    born = [(run.line, list(teller.tell_whole(run, ChangeKind.APPEARED))) for run in found.news]
    gone = chain.from_iterable(teller.tell_whole(run, ChangeKind.VANISHED) for run in found.olds)
    ordered = sorted((*kept, *born), key=lambda each: each[0])
    return (*chain.from_iterable(changes for _, changes in ordered), *gone)


@dataclass(frozen=True, slots=True)
class _Teller:
    """Collects the changes of one report; a cell that several runs share is reported once."""

    report: str
    old_report: str
    varied: frozenset[str]
    """The settings that differ between the runs of this report."""
    told: set[object] = field(default_factory=set)

    def compare(self, match: Match) -> Iterator[Change]:
        old, new = match
        for name in dict.fromkeys((*old.settings, *new.settings)):
            was, now = old.settings.get(name), new.settings.get(name)
            if was is None or now is None or was.value != now.value:
                sides = _stated(was, old.line), _stated(now, new.line)
                yield self._change(ChangeKind.SETTING, new, name, *sides)
        for one, other in pair_readings(old, new):
            if not self._is_new((one, other)):
                continue
            if one is None or other is None:
                kind = ChangeKind.APPEARED if one is None else ChangeKind.VANISHED
                yield self._measured(kind, new, one, other)
            elif not same(one, other):
                yield self._measured(ChangeKind.CHANGED, new, one, other)

    def tell_whole(self, run: Profile, kind: ChangeKind) -> Iterator[Change]:
        """All measurements of a run that exists in one version only."""
        for one in run.readings.values():
            pair = (None, one) if kind is ChangeKind.APPEARED else (one, None)
            if self._is_new(pair):
                yield self._measured(kind, run, *pair, whole_run=True)

    def _is_new(self, pair: tuple[MeasuredValue | None, MeasuredValue | None]) -> bool:
        place = tuple(one and (one.cell, one.slot) for one in pair)
        known = place in self.told
        self.told.add(place)
        return not known

    def _measured(
        self,
        kind: ChangeKind,
        run: Profile,
        old: MeasuredValue | None,
        new: MeasuredValue | None,
        *,
        whole_run: bool = False,
    ) -> Change:
        known = new or old
        return self._change(
            kind,
            run,
            known.name if known is not None else "",
            _side(old),
            _side(new),
            unit=known.unit if known is not None else "",
            percent=_percent(old, new),
            whole_run=whole_run,
        )

    def _label(self, run: Profile, without: str) -> str:
        own = {name: one for name, one in run.settings.items() if one.own and name != without}
        telling = [name for name in own if name in self.varied] or list(own)
        return ", ".join(f"{name} {own[name].text}" for name in telling)

    def _change(  # noqa: PLR0913 - what a change is made of
        self,
        kind: ChangeKind,
        run: Profile,
        name: str,
        old: Side | None,
        new: Side | None,
        *,
        unit: str = "",
        percent: float | None = None,
        whole_run: bool = False,
    ) -> Change:
        return Change(
            kind,
            self.report,
            run.section,
            {key: one.text for key, one in run.settings.items()},
            self._label(run, without=name if kind is ChangeKind.SETTING else ""),
            name,
            old,
            new,
            unit,
            percent,
            whole_run,
            self.old_report,
        )


def _varied(runs: Sequence[Profile]) -> frozenset[str]:
    values: dict[str, set[object]] = {}
    for run in runs:
        for name, one in run.settings.items():
            values.setdefault(name, set()).add(one.value)
    everywhere = {name for name in values if all(name in run.settings for run in runs)}
    return frozenset(
        name for name, known in values.items() if len(known) > 1 or name not in everywhere
    )


def _stated(setting: Setting | None, line: int) -> Side:
    return Side(setting.text if setting is not None else _NOT_STATED, line)


def _side(reading: MeasuredValue | None) -> Side | None:
    if reading is None:
        return None
    value = None if reading.value is None else float(reading.value)
    return Side(reading.text, reading.line, value, reading.status.value)


def _percent(old: MeasuredValue | None, new: MeasuredValue | None) -> float | None:
    if old is None or new is None or old.unit != new.unit:
        return None
    if old.value is None or new.value is None or not old.value:
        return None
    return float((new.value - old.value) / abs(old.value) * 100)
