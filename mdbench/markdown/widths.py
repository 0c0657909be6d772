"""The width of a text in a grid of characters: a terminal, or an editor."""

from __future__ import annotations


def display_width(text: str) -> int:
    """The columns of a text: two for a wide character or an emoji, one for a control character."""
    # Below the combining characters every one takes a column; wcwidth takes long to load.
    if text.isascii() or max(text) < "\u0300":
        return len(text)
    from wcwidth import wcswidth, wcwidth  # noqa: PLC0415

    width = wcswidth(text)
    return width if width >= 0 else sum(abs(wcwidth(char)) for char in text)
