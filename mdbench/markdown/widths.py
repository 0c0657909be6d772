"""The display width of text in terminals and editors."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset(("Mn", "Me"))


def display_width(text: str) -> int:
    """The number of columns of a text; wide East Asian characters take two."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in _UNSEEN:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
