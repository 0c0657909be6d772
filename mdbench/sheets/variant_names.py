"""The variants that a header names: `TF32 and FP16`, `phase 1, phase 2`, `train/test`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from mdbench.regex import lazy
from mdbench.vocabulary.qualifiers import take_settings
from mdbench.vocabulary.quantities import Vocabulary

Settings = tuple[tuple[str, str], ...]

_SEPARATOR = lazy(r"[,/&|;，、]| (?:and|vs\.?) ", re.IGNORECASE)
_GROUP = lazy(r"[(（\[]([^()（）\[\]]{3,60})[)）\]]|[:：]\s*([^:：]{3,60})$")
_OPENINGS = frozenset("(（[:：")
_NUMBERED = lazy(r"(?P<stem>[^\W\d_]{0,20}?)[ -]?(?P<which>\d{1,2}|[A-Z])")
# `128 Encode / Decode`: a length before the names belongs to all of them.
_LENGTH = lazy(r"^\d[\d,]{0,8}k? (?=[^\W\d_]{3})")
_WORDS = (
    frozenset("train training test testing val valid validation dev eval evaluation".split()),
    frozenset("fwd forward bwd backward".split()),
    frozenset("prefill decode encode generate generation".split()),
    frozenset("read write reads writes".split()),
    frozenset("cold warm hot".split()),
    frozenset("before after".split()),
)
# What a variant is called if no quantity has it as a value.
_CALLED = "method"
_MOST_NAMES = 8


def variant_names(text: str, vocabulary: Vocabulary) -> tuple[Settings, ...]:
    """What each of two or more variants that a header names is; empty if it names none."""
    return _read_names(text, vocabulary) if _SEPARATOR.search(text) is not None else ()


@lru_cache(maxsize=4096)
def _read_names(text: str, vocabulary: Vocabulary) -> tuple[Settings, ...]:
    grouped = _GROUP.finditer(text) if not _OPENINGS.isdisjoint(text) else ()
    for group in (*(match[1] or match[2] for match in grouped), text):
        parts = [part.strip(" *_`") for part in _SEPARATOR.split(group)]
        if 1 < len(parts) <= _MOST_NAMES and all(parts):
            found = _by_settings(parts, vocabulary) or _by_words(parts)
            if found:
                return found
    return ()


def _by_settings(parts: Sequence[str], vocabulary: Vocabulary) -> tuple[Settings, ...]:
    """Values of one setting: `TF32`, `mixed precision`; the last may stand before the quantity."""
    taken = [take_settings(part, vocabulary) for part in parts]
    names = {name for _, settings in taken for name, _ in settings}
    one_each = all(len(settings) == 1 for _, settings in taken)
    distinct = len({settings for _, settings in taken}) == len(parts)
    bare = not any(rest for rest, _ in taken[:-1])
    return (
        tuple(said for _, said in taken)
        if len(names) == 1 and one_each and distinct and bare
        else ()
    )


def _by_words(parts: Sequence[str]) -> tuple[Settings, ...]:
    """`train` and `test`, `phase 1` and `phase 2`, `A` and `B`."""
    parts = (_LENGTH.sub("", parts[0]), *parts[1:])
    words = [part.casefold() for part in parts]
    if len(set(words)) < len(words):
        return ()
    numbered = [_NUMBERED.fullmatch(part) for part in parts]
    known = any(names.issuperset(words) for names in _WORDS)
    first = numbered[0]
    if not known and (first is None or not _count_up(numbered)):
        return ()
    stem = first["stem"] if first is not None and not known else ""
    return tuple(((_CALLED, _with_stem(part, stem)),) for part in parts)


def _count_up(numbered: Sequence[re.Match[str] | None]) -> bool:
    """Whether names differ only in a number or a letter; `phase 1, 2` leaves out the word."""
    known = [one for one in numbered if one is not None]
    if len(known) < len(numbered):
        return False
    stems = {one["stem"].casefold().removesuffix("s") for one in known}
    whole = all(one["which"].isdigit() for one in known)
    if whole and stems == {""}:
        # Bare numbers are rather what is measured than what it is called.
        return False
    return len(stems - {""}) <= 1


def _with_stem(part: str, stem: str) -> str:
    return f"{stem} {part}".strip() if part.isdigit() else part
