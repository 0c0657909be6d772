"""Which statistic `Best`, `Fastest` and `Worst` name: that depends on what is measured."""

from __future__ import annotations

from mdbench.regex import lazy

_WORD = lazy(r"[^\W\d_]+")
_BEST = frozenset("best fastest quickest".split())
_WORST = frozenset("worst slowest".split())
_EITHER = {"shortest": "min", "smallest": "min", "longest": "max", "largest": "max"}
_TURNED = {"min": "max", "max": "min", "": ""}
# Times and sizes.
_LESS_IS_BETTER = frozenset(("s", "byte"))
_RATE = "/s"


def best_statistic(dimension: str) -> str:
    """The statistic of the best number of a dimension: `min` or `max`; empty if that is open."""
    if dimension in _LESS_IS_BETTER:
        return "min"
    return "max" if dimension.endswith(_RATE) else ""


def named_statistic(title: str, dimension: str) -> str:
    """The statistic that such a word in a header names; empty if there is none."""
    for word in _words(title):
        if word in _EITHER:
            return _EITHER[word]
        if word in _BEST or word in _WORST:
            best = best_statistic(dimension)
            return best if word in _BEST else _TURNED[best]
    return ""


def _words(title: str) -> list[str]:
    return _WORD.findall(title.casefold())
