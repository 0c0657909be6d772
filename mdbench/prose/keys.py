"""Settings by which sentences tell runs apart: `with 7 threads`, `the single-node run`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.vocabulary.quantities import Role, Vocabulary

_SINGLE = lazy(r"\bsingle[ -](?P<noun>node|thread|GPU|core|process|worker|device)\b", re.IGNORECASE)
_SIZED = lazy(
    r"\b(?P<noun>batch size|sequence length|concurrency)(?: of |=| = | )"
    r"(?P<number>\d{1,7})(?![\w.,]\d)",
    re.IGNORECASE,
)
_COUNTED = lazy(r"(?<![\w.,$-])(?P<number>\d{1,7})[ -](?P<noun>[^\W\d_]{3,12})\b(?! ?/)")


class Key(NamedTuple):
    """A setting that tells the run of which a sentence speaks, and where it stands."""

    quantity: str
    value: int
    start: int
    end: int


def read_keys(text: str, vocabulary: Vocabulary) -> tuple[Key, ...]:
    """The settings with a number that a sentence has."""
    folded = text.casefold()
    matches = [*_COUNTED.finditer(text)]
    if "single" in folded:
        matches += _SINGLE.finditer(text)
    if "size" in folded or "length" in folded or "concurrency" in folded:
        matches += _SIZED.finditer(text)
    found: list[Key] = []
    for match in matches:
        name = _setting(match["noun"], vocabulary)
        if name:
            value = int(match.groupdict().get("number") or 1)
            found.append(Key(name, value, *match.span()))
    return tuple(found)


@lru_cache(maxsize=1024)
def _setting(word: str, vocabulary: Vocabulary) -> str:
    """The count of which a word speaks: threads, nodes, GPUs."""
    known = vocabulary.lookup(word) or vocabulary.lookup(f"{word}s")
    counts = known is not None and known.role is Role.SETTING and known.integer
    return known.name if known is not None and counts else ""
