"""Compare two versions of many reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.compare.changes import Change, compare_runs
from mdbench.compare.profiles import Profile, profile_runs
from mdbench.compare.renames import follow_renames
from mdbench.compare.versions import Stored, Version
from mdbench.files.errors import ReportError
from mdbench.sheets.report_files import understand
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import Vocabulary

_NOTHING: list[Profile] = []


class Pair(NamedTuple):
    """A report in both versions; None if a version does not have it."""

    old: Stored | None
    new: Stored | None

    @property
    def is_same(self) -> bool:
        """Whether both versions are identical, byte by byte."""
        return self.old is not None and self.new is not None and self.old.data == self.new.data


def pair_reports(
    old: Version, new: Version, vocabulary: Vocabulary, report_error: ReportError
) -> list[Pair]:
    """Each report with its other version, sorted by name; a file with a new name is followed."""
    readable = _leave_out_unreadable(old, new, report_error)
    olds = {name: one for name, one in old.items() if name in readable}
    news = {name: one for name, one in new.items() if name in readable}
    lost = {name: one for name, one in olds.items() if name not in news}
    found = {name: one for name, one in news.items() if name not in olds}
    renamed = _follow(lost, found, vocabulary)
    came_from = {now: was for was, now in renamed.items()}
    pairs = {name: Pair(olds.get(came_from.get(name, name)), one) for name, one in news.items()}
    pairs |= {name: Pair(one, None) for name, one in lost.items() if name not in renamed}
    return [pairs[name] for name in sorted(pairs)]


def compare_pair(pair: Pair, vocabulary: Vocabulary, report_error: ReportError) -> Sequence[Change]:
    """What changed in one report; a report that cannot be read is reported as an error."""
    if pair.is_same:
        return ()
    try:
        olds, news = _profile(pair.old, vocabulary), _profile(pair.new, vocabulary)
    except _UnreadableError as error:
        report_error(str(error))
        return ()
    name = pair.new.name if pair.new else pair.old.name if pair.old else ""
    return compare_runs(olds, news, name, pair.old.name if pair.old and pair.new else "")


class _UnreadableError(Exception):
    """A report cannot be read as text; the message starts with its name."""


def _profile(stored: Stored | None, vocabulary: Vocabulary) -> list[Profile]:
    if stored is None:
        return _NOTHING
    try:
        return understand(Source.from_bytes(stored.name, stored.data), profile_runs, vocabulary)
    except SourceError as error:
        raise _UnreadableError(f"{stored.name}: {error}") from error


def _leave_out_unreadable(old: Version, new: Version, report_error: ReportError) -> set[str]:
    """The names of the reports of which both versions could be read."""
    names = {*old, *new}
    for name, stored in (*old.items(), *new.items()):
        if stored.error:
            report_error(f"{stored.name}: {stored.error}")
            names.discard(name)
    return names


def _follow(lost: Version, found: Version, vocabulary: Vocabulary) -> dict[str, str]:
    """Find the new names of reports: the same bytes, or else mostly the same runs."""
    if not lost or not found:
        return {}
    by_content = {one.data: name for name, one in found.items()}
    renamed = {
        name: by_content.pop(one.data) for name, one in lost.items() if one.data in by_content
    }
    olds = {name: one for name, one in lost.items() if name not in renamed}
    news = {name: one for name, one in found.items() if name not in renamed.values()}
    profiles = [dict(_profile_all(version, vocabulary)) for version in (olds, news)]
    return renamed | follow_renames(*profiles)


def _profile_all(version: Version, vocabulary: Vocabulary) -> Iterator[tuple[str, list[Profile]]]:
    for name, stored in version.items():
        try:
            yield name, _profile(stored, vocabulary)
        except _UnreadableError:
            # The error is reported where it is compared.
            continue
