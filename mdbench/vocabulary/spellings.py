"""Normalize different spellings of the same name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from mdbench.regex import lazy

_CAMEL = lazy(r"(?<=[a-z])(?=[A-Z])")
_PER = lazy(r"\bper\b")
_GAP = lazy(r"[^\w/%#$&+∆]+")


@lru_cache(maxsize=8192)
def squash(text: str) -> str:
    """Remove case, spaces and dots: `Tokens/s  per GPU` and `tokens_s/GPU` become equal."""
    if not text.isascii():
        import unicodedata  # noqa: PLC0415 - most reports need none of its tables

        text = unicodedata.normalize("NFKC", text)
    if "Per" in text:
        text = _CAMEL.sub(" ", text)
    folded = text.casefold().replace("_", " ")
    if "per" in folded:
        folded = _PER.sub("/", folded)
    return folded if folded.isalnum() else _GAP.sub("", folded)


def list_keys(spellings: Iterable[str]) -> Iterator[str]:
    """The keys by which spellings are looked up."""
    for spelling in spellings:
        key = squash(spelling)
        yield key
        if "/" in key:
            # Without spaces, `per` cannot be recognized as a word.
            yield key.replace("/", "per")


def split(text: str) -> Iterator[str]:
    """Split a list of spellings from the vocabulary."""
    return (stripped for part in text.split(";") if (stripped := part.strip()))
