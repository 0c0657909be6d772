"""Which run of the old report is which run of the new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import NamedTuple

from mdbench.compare.profiles import Profile
from mdbench.compare.readings import count_same

# More pairs than this of runs that nothing tells apart are taken as they stand in the report.
_MOST_PAIRS = 20_000

_Key = Callable[[Profile], Hashable]


class Match(NamedTuple):
    """One run in two versions."""

    old: Profile
    new: Profile


@dataclass(slots=True)
class Matching:
    """The runs found on both sides, and those that are left, in the order of their reports."""

    olds: list[Profile]
    news: list[Profile]
    matches: list[Match] = field(default_factory=list)

    def take(self, pairs: Iterable[Match]) -> None:
        """Match runs, and leave them out of what follows."""
        self.matches += (found := list(pairs))
        gone = {one for pair in found for one in pair}
        self.olds = [one for one in self.olds if one not in gone]
        self.news = [one for one in self.news if one not in gone]


def match_runs(olds: Sequence[Profile], news: Sequence[Profile]) -> Matching:
    """Match by configuration, from what is certain to what is likely.

    Runs of one configuration are told apart by section, then by what they measured. What is left
    is matched only where nothing else can be meant: a setting that only one version states, or
    equal measurements with another setting.
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
    """Runs of which the text around tells another setting, as it does of runs that stayed alike.

    That one setting changed for a table is shown by its rows that measured the same; the others
    are the same runs then, measured anew.
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
    """Runs of one configuration: those first that have most measurements in common."""
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
        # Without one setting it takes more than a place to be the same run.
        if old.identity or any(likeness) or (len(olds) == len(news) and old.section == new.section):
            free_olds.remove(-at)
            free_news.remove(-to)
            yield Match(old, new)


def _likeness(old: Profile, new: Profile) -> tuple[int, int]:
    return len(old.remarks & new.remarks), count_same(old, new)


def _reset(found: Matching) -> list[Match]:
    """Runs that measured the same, and of which exactly one setting is another."""
    pairs: dict[Match, None] = {}
    for name in {name for run in found.olds for name in run.settings}:
        for match in _unique(found, partial(_without, name=name)):
            pairs[match] = None
    # One run cannot have become two: where another setting would do as well, nothing is certain.
    uses = Counter(one for pair in pairs for one in pair)
    return [pair for pair in pairs if uses[pair.old] == uses[pair.new] == 1]


def _without(run: Profile, name: str) -> Hashable:
    """What a run is but for one setting, which it must have."""
    if name not in run.settings or not (run.measured or len(run.settings) > 1):
        return None
    rest = frozenset(each for each in run.identity if each[0] != name)
    return rest, run.section, run.results


def _restated(found: Matching) -> list[Match]:
    """Runs whose settings do not contradict each other, but which one version tells more of."""
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
    """The settings that both sides have where one side has all of the other's, most first."""
    olds = {frozenset(run.settings) for run in found.olds}
    news = {frozenset(run.settings) for run in found.news}
    shared = {old & new for old in olds for new in news if old <= new or new <= old}
    return sorted(filter(None, shared), key=lambda names: (-len(names), sorted(names)))


def _reduced(run: Profile, names: frozenset[str]) -> Hashable:
    if not names <= run.settings.keys():
        return None
    return run.section, frozenset(each for each in run.identity if each[0] in names)
