"""The measurements of a report over its commits: what each run showed, and what changed when."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from time import monotonic
from typing import NamedTuple

from mdbench.compare.changes import Change, compare_runs
from mdbench.compare.matching import match_runs
from mdbench.compare.profiles import MeasuredValue, Profile, profile_runs
from mdbench.compare.revisions import FileVersion, Repository, find_repository
from mdbench.files.errors import ProblemError
from mdbench.files.limits import MOST_BYTES
from mdbench.sheets.report_files import understand
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import Vocabulary

MOST_COMMITS = 50
MOST_SECONDS = 10.0
NOT_COMMITTED = "not committed"


class Moment(NamedTuple):
    """A version of a report, with what changed in it since the one before."""

    version: FileVersion
    changes: tuple[Change, ...]


class Track(NamedTuple):
    """One measurement of one run in all versions that have it, by their places."""

    name: str
    label: str
    values: dict[int, MeasuredValue]

    @property
    def changes(self) -> int:
        """How often its value changed."""
        seen = [one.said for one in self.values.values()]
        return sum(old != new for old, new in pairwise(seen))


class History(NamedTuple):
    """The versions of a report, oldest first, and its measurements over them."""

    moments: tuple[Moment, ...] = ()
    tracks: tuple[Track, ...] = ()
    note: str = ""
    """Why there is nothing, or nothing older."""


def read_history(path: str, vocabulary: Vocabulary) -> History:
    """The history of a report in git. The number of commits and the time are limited."""
    try:
        repository = find_repository(os.path.dirname(os.path.realpath(path)) or ".")
        versions, note = _read_versions(repository, path, vocabulary)
    except ProblemError as error:
        return History(note=str(error))
    if len(versions) < 2:
        return History(note=note or "there is only one version")
    profiles = [one for _, one in versions]
    chains = _follow(profiles)
    names = dict(_name_runs(chains))
    moments = [Moment(versions[0][0], ())]
    for (_, old), (version, new) in pairwise(versions):
        places = {_place(run): names[run] for run in (*old, *new)}
        changes = compare_runs(old, new, version.path)
        named = (replace(one, label=places.get(_place(one), one.label)) for one in changes)
        moments.append(Moment(version, tuple(named)))
    return History(tuple(moments), tuple(_track(chains, names)), note)


def _read_versions(
    repository: Repository, path: str, vocabulary: Vocabulary
) -> tuple[list[tuple[FileVersion, list[Profile]]], str]:
    """The versions that can be read, oldest first, and a note if older ones were left out."""
    real = os.path.realpath(path)
    found = repository.follow_file(real, MOST_COMMITS + 1)
    note = ""
    if repository.is_shallow:
        note = "older commits are missing here: this is a shallow clone"
    elif len(found) > MOST_COMMITS:
        note = f"commits before the last {MOST_COMMITS} are left out"
    end = monotonic() + MOST_SECONDS
    versions: list[tuple[FileVersion, list[Profile]]] = []
    last = b""
    for version, data in _contents(repository, real, found[:MOST_COMMITS]):
        if monotonic() > end:
            note = f"older commits are left out: reading took more than {MOST_SECONDS:.0f} s"
            break
        if data != last and (runs := _profile(version.path, data, vocabulary)) is not None:
            versions.append((version, runs))
        elif data == last and versions:
            # The older one of two equal versions is the commit that wrote it.
            versions[-1] = version, versions[-1][1]
        last = data
    return versions[::-1], note


def _contents(
    repository: Repository, path: str, found: Sequence[FileVersion]
) -> Iterator[tuple[FileVersion, bytes]]:
    """The bytes of each version, newest first: what is on disk, then the commits."""
    try:
        with open(path, "rb") as file:
            here = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ProblemError(f"cannot be read: {error.strerror or error}") from error
    if found:
        yield FileVersion("", "", NOT_COMMITTED, found[0].path), here
    for version in found:
        blobs = repository.list_blobs(f"{version.commit}^{{tree}}", [version.path])
        for blob, data in repository.read_blobs(one for one in blobs if one.size <= MOST_BYTES):
            if blob.path == version.path:
                yield version, data


def _profile(path: str, data: bytes, vocabulary: Vocabulary) -> list[Profile] | None:
    try:
        return understand(Source.from_bytes(path, data), profile_runs, vocabulary)
    except SourceError:
        return None


def _place(one: Profile | Change) -> tuple[object, ...]:
    """What tells a run from all others in a version, and is known of its changes, too."""
    if isinstance(one, Profile):
        settings = {name: value.text for name, value in one.settings.items()}
        return one.section, one.line, frozenset(settings.items())
    return one.section, one.line, frozenset(one.run.items())


def _follow(versions: Sequence[list[Profile]]) -> list[dict[int, Profile]]:
    """Follow each run from version to version."""
    chains: list[dict[int, Profile]] = []
    now: dict[Profile, dict[int, Profile]] = {}
    for at, runs in enumerate(versions):
        before = versions[at - 1] if at else []
        origin = {match.new: now[match.old] for match in match_runs(before, runs).matches}
        now = {}
        for run in runs:
            chain = origin.get(run)
            if chain is None:
                chain = {}
                chains.append(chain)
            chain[at] = run
            now[run] = chain
    return chains


def _name_runs(chains: Sequence[dict[int, Profile]]) -> Iterator[tuple[Profile, str]]:
    """The name of each run, the same in all versions, and of no other run."""
    varied = _varied([run for chain in chains for run in chain.values()])
    seen: Counter[str] = Counter()
    for chain in chains:
        last = chain[max(chain)]
        label = ", ".join(
            f"{name} {one.text}"
            for name, one in last.settings.items()
            if name in varied and one.own
        )
        label = label or last.section or "run"
        seen[label] += 1
        again = f" ({seen[label]})" if seen[label] > 1 else ""
        yield from ((run, f"{label}{again}") for run in chain.values())


def _track(chains: Sequence[dict[int, Profile]], labels: Mapping[Profile, str]) -> Iterator[Track]:
    """Follow each measurement of each run."""
    for chain in chains:
        names = dict.fromkeys(one.name for run in chain.values() for one in run.readings.values())
        for name in names:
            values = {
                at: one
                for at, run in chain.items()
                for one in reversed([*run.readings.values()])
                if one.name == name and one.value is not None
            }
            if values:
                yield Track(name, labels[chain[max(chain)]], values)


def _varied(runs: Sequence[Profile]) -> set[str]:
    values: dict[str, set[object]] = {}
    for run in runs:
        for name, one in run.settings.items():
            values.setdefault(name, set()).add(one.value)
    return {name for name, known in values.items() if len(known) > 1}
