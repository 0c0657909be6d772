"""How names are spelled: many ways that are all the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mdbench.regex import lazy

_CAMEL = lazy(r"(?<=[a-z])(?=[A-Z])")
_PER = lazy(r"\bper\b")
_GAP = lazy(r"[^\w/%#$&+∆]+")


@lru_cache(maxsize=8192)
def squash(text: str) -> str:
    """A spelling without case, gaps and dots: `Tokens/s  per GPU` and `tokens_s/GPU` are alike."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if "Per" in text:
        text = _CAMEL.sub(" ", text)
    folded = text.casefold().replace("_", " ")
    if "per" in folded:
        folded = _PER.sub("/", folded)
    return folded if folded.isalnum() else _GAP.sub("", folded)


def list_keys(spellings: Iterable[str]) -> Iterator[str]:
    """What spellings are looked up by."""
    for spelling in spellings:
        key = squash(spelling)
        yield key
        if "/" in key:
            # Where the words run together nothing shows that `per` is one of them.
            yield key.replace("/", "per")


def split(text: str) -> Iterator[str]:
    """The spellings of a list as the vocabulary writes it."""
    return (stripped for part in text.split(";") if (stripped := part.strip()))
