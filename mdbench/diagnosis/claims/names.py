"""The names by which sentences call the rows of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mdbench.diagnosis.claims.columns import IN_BRACKETS
from mdbench.diagnosis.claims.words import is_neutral
from mdbench.prose.sentences import words_of
from mdbench.regex import lazy

_PIECE = lazy(r"[,;:|/()\[\]]")
# `13B` is a model, `16GB` is how much memory something has.
_AMOUNT = lazy(r"[+~<>≤≥-]?\d(?!\d*(?:\.\d+)?b$)")
_SHORTEST = 2
_SHORTEST_WORD = 3
_LONGEST_PART = 3


def read_names(
    labels: Mapping[int, str], rows: frozenset[int], known: frozenset[str]
) -> Mapping[str, int]:
    """The rows by their labels, and by parts of them that no other label has.

    `known` are words that are about all rows: those of the headers.
    """
    whole: dict[str, set[int]] = {}
    parts: dict[str, set[int]] = {}
    usable: set[str] = set()
    for row, label in labels.items():
        folded = " ".join(label.casefold().split())
        for part in _parts(folded):
            parts.setdefault(part, set()).add(row)
        if row in rows:
            bare = " ".join(IN_BRACKETS.sub(" ", folded).split())
            usable.update(_parts(IN_BRACKETS.sub(";", folded)))
            for name in {folded, bare}:
                if len(name) >= _SHORTEST and not name.isdigit():
                    whole.setdefault(name, set()).add(row)
    found = {name: next(iter(held)) for name, held in whole.items() if len(held) == 1}
    for part in usable - whole.keys():
        if len(parts[part]) == 1 and _is_name(part, known):
            found[part] = next(iter(parts[part]))
    return found


def _parts(label: str) -> Iterator[str]:
    """One to three words of a label that stand side by side."""
    for piece in _PIECE.split(label):
        words = [word for each in piece.split() if (word := each.strip("`'\"*+."))]
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + _LONGEST_PART) + 1):
                yield " ".join(words[start:end])


def _is_name(part: str, known: frozenset[str]) -> bool:
    """Whether a part of a label can only mean the row, and is no amount or usual word."""
    words = part.split(" ")
    return _AMOUNT.match(words[0]) is None and any(_tells(word, known) for word in words)


def _tells(word: str, known: frozenset[str]) -> bool:
    letters = any(map(str.isalpha, word))
    numbered = letters and any(map(str.isdigit, word)) and _AMOUNT.match(word) is None
    if len(word) < (_SHORTEST if numbered else _SHORTEST_WORD) or not letters:
        return False
    stems = words_of(word)
    return any(not is_neutral(one) and one not in known for one in stems)
