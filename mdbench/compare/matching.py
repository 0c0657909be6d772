"""Match the runs of the old report with the runs of the new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import NamedTuple

from mdbench.compare.profiles import Profile
from mdbench.compare.readings import count_same

# With more pairs of identical runs than this, runs are matched by their order.
_MOST_PAIRS = 20_000

_Key = Callable[[Profile], Hashable]


class Match(NamedTuple):
    """One run in two versions."""

    old: Profile
    new: Profile


@dataclass(slots=True)
class Matching:
    """The matched runs, and the remaining ones of each side, in the order of the reports."""

    olds: list[Profile]
    news: list[Profile]
    matches: list[Match] = field(default_factory=list)

    def take(self, pairs: Iterable[Match]) -> None:
        """Match runs, and remove them from the remaining ones."""
        self.matches += (found := list(pairs))
        gone = {one for pair in found for one in pair}
        self.olds = [one for one in self.olds if one not in gone]
        self.news = [one for one in self.news if one not in gone]


def match_runs(olds: Sequence[Profile], news: Sequence[Profile]) -> Matching:
    """Match runs by configuration, the most certain matches first.

    Runs with the same configuration are matched by section, then by their measurements. The
    remaining runs are matched only if the match is unambiguous: a setting that only one version
    states, or equal measurements with a different setting.
    """
    found = Matching(list(olds), list(news))
    found.take(_in_order(found, lambda one: (one.identity, one.section, one.results, one.remarks)))
    found.take(_in_order(found, lambda one: (one.identity, one.section, one.results)))
    found.take(_by_likeness(found, lambda one: (one.identity, one.section)))
    found.take(_by_likeness(found, lambda one: one.identity))
    found.take(_in_order(found, _by_own_results))
    found.take(_retold(found))
    found.take(_reset(found))
    found.take(_restated(found))
    return found


def _by_own_results(one: Profile) -> Hashable:
    return (one.own, one.section, one.results) if one.measured else None


def _retold(found: Matching) -> list[Match]:
    """Match runs whose setting in the surrounding text changed, as it did for unchanged runs.

    Rows with equal measurements show that a setting of the table changed. The other rows are then
    the same runs, measured again.
    """
    retold = {(pair.new.section, one) for pair in found.matches for one in _differences(pair)}
    likely = _unique(found, lambda one: (one.own, one.section) if one.own else None)
    return [
        pair
        for pair in likely
        if all((pair.new.section, one) in retold for one in _differences(pair))
    ]


def _differences(pair: Match) -> set[tuple[str, Hashable]]:
    return set(pair.old.identity ^ pair.new.identity)


def _group(runs: Iterable[Profile], key: _Key) -> dict[Hashable, list[Profile]]:
    groups: dict[Hashable, list[Profile]] = {}
    for run in runs:
        shared = key(run)
        if shared is not None:
            groups.setdefault(shared, []).append(run)
    return groups


def _join(found: Matching, key: _Key) -> Iterator[tuple[list[Profile], list[Profile]]]:
    news = _group(found.news, key)
    for shared, olds in _group(found.olds, key).items():
        if shared in news:
            yield olds, news[shared]


def _in_order(found: Matching, key: _Key) -> Iterator[Match]:
    for olds, news in _join(found, key):
        yield from map(Match, olds, news)


def _unique(found: Matching, key: _Key) -> Iterator[Match]:
    for olds, news in _join(found, key):
        if len(olds) == len(news) == 1:
            yield Match(olds[0], news[0])


def _by_likeness(found: Matching, key: _Key) -> Iterator[Match]:
    """Match runs with the same configuration, most common measurements first."""
    for olds, news in _join(found, key):
        if len(olds) == len(news) == 1 and olds[0].identity:
            yield Match(olds[0], news[0])
        elif len(olds) * len(news) > _MOST_PAIRS:
            yield from map(Match, olds, news)
        else:
            yield from _best(olds, news)


def _best(olds: Sequence[Profile], news: Sequence[Profile]) -> Iterator[Match]:
    pairs = [
        (_likeness(old, new), -abs(at - to), -at, -to)
        for (at, old), (to, new) in product(enumerate(olds), enumerate(news))
    ]
    free_olds, free_news = set(range(len(olds))), set(range(len(news)))
    for likeness, _, at, to in sorted(pairs, reverse=True):
        if -at not in free_olds or -to not in free_news:
            continue
        old, new = olds[-at], news[-to]
        # If one setting is missing, the same place is not enough to be the same run.
        if old.identity or any(likeness) or (len(olds) == len(news) and old.section == new.section):
            free_olds.remove(-at)
            free_news.remove(-to)
            yield Match(old, new)


def _likeness(old: Profile, new: Profile) -> tuple[int, int]:
    return len(old.remarks & new.remarks), count_same(old, new)


def _reset(found: Matching) -> list[Match]:
    """Match runs with equal measurements that differ in exactly one setting."""
    pairs: dict[Match, None] = {}
    for name in {name for run in found.olds for name in run.settings}:
        for match in _unique(found, partial(_without, name=name)):
            pairs[match] = None
    # One run cannot become two: if several settings are possible, the match is ambiguous.
    uses = Counter(one for pair in pairs for one in pair)
    return [pair for pair in pairs if uses[pair.old] == uses[pair.new] == 1]


def _without(run: Profile, name: str) -> Hashable:
    """What identifies a run apart from one setting, which it must have."""
    if name not in run.settings or not (run.measured or len(run.settings) > 1):
        return None
    rest = frozenset(each for each in run.identity if each[0] != name)
    return rest, run.section, run.results


def _restated(found: Matching) -> list[Match]:
    """Match runs whose settings agree, although one version states more of them."""
    matches: list[Match] = []
    done: set[Profile] = set()
    for shared in _shared_names(found):
        rest = Matching(
            [one for one in found.olds if one not in done],
            [one for one in found.news if one not in done],
        )
        for match in _unique(rest, partial(_reduced, names=shared)):
            if len(shared) == min(len(match.old.settings), len(match.new.settings)):
                matches.append(match)
                done.update(match)
    return matches


def _shared_names(found: Matching) -> list[frozenset[str]]:
    """The settings common to both sides where one has all of the other's, largest sets first."""
    olds = {frozenset(run.settings) for run in found.olds}
    news = {frozenset(run.settings) for run in found.news}
    shared = {old & new for old in olds for new in news if old <= new or new <= old}
    return sorted(filter(None, shared), key=lambda names: (-len(names), sorted(names)))


def _reduced(run: Profile, names: frozenset[str]) -> Hashable:
    if not names <= run.settings.keys():
        return None
    return run.section, frozenset(each for each in run.identity if each[0] in names)
