"""Fractions in TeX as plain text: `\\frac{1}{4 + 1}` is `(1 / (4 + 1))`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.source import Span

_FRACTIONS = ("\\frac", "\\dfrac", "\\tfrac")
# What stands for something else, and what only changes how things look.
_WORDS = {"\\times": "×", "\\cdot": "×", "\\div": "/", "\\approx": "≈", "\\%": "%", "\\$": "$"}
_LOOKS = ("\\left", "\\right", "\\,", "\\;", "\\!", "\\quad")
_DEEPEST = 8
_NUMBER = lazy(r"\s*[\d.,]+\s*")


class PlainText(NamedTuple):
    """A text, and where each of its characters was in the source."""

    text: str
    places: Sequence[int]

    def locate(self, span: Span) -> Span:
        """Where a part of the text was in the source."""
        return Span(self.places[span.start], self.places[span.end - 1] + 1)


def plain_formula(text: str, start: int) -> PlainText:
    """A line at `start` without TeX; as it is if it has no fraction, or one that is not closed."""
    asis = PlainText(text, range(start, start + len(text)))
    if not any(one in text for one in _FRACTIONS):
        return asis
    reader = _Reader(text)
    if not reader.read(len(text), 0):
        return asis
    return PlainText("".join(reader.characters), [start + place for place in reader.places])


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.characters: list[str] = []
        self.places: list[int] = []

    def read(self, end: int, depth: int) -> bool:
        """Read up to `end`; False if a fraction is not what it should be."""
        while self.at < end:
            fraction = next((one for one in _FRACTIONS if self.text.startswith(one, self.at)), "")
            if fraction:
                if depth == _DEEPEST or not self._read_fraction(len(fraction), end, depth):
                    return False
                continue
            word = next((one for one in _WORDS if self.text.startswith(one, self.at)), "")
            look = next((one for one in _LOOKS if self.text.startswith(one, self.at)), "")
            if word:
                self._write(_WORDS[word])
            elif not look:
                self._write(self.text[self.at])
            self.at += len(word or look) or 1
        return True

    def _read_fraction(self, length: int, end: int, depth: int) -> bool:
        self._write("(")
        self.at += length
        for between in (" / ", ""):
            close = self._find_close(end)
            if close < 0:
                return False
            # A number alone needs no brackets.
            alone = _NUMBER.fullmatch(self.text, self.at + 1, close) is not None
            self._write("" if alone else "(")
            self.at += 1
            if not self.read(close, depth + 1):
                return False
            self._write(between if alone else f"){between}")
            self.at = close + 1
        self.at -= 1
        self._write(")")
        self.at += 1
        return True

    def _find_close(self, end: int) -> int:
        """Where the group ends that starts here; -1 if none does."""
        if self.text[self.at : self.at + 1] != "{":
            return -1
        level = 0
        for place in range(self.at, end):
            level += (self.text[place] == "{") - (self.text[place] == "}")
            if level == 0:
                return place
        return -1

    def _write(self, characters: str) -> None:
        self.characters += characters
        self.places += [min(self.at, len(self.text) - 1)] * len(characters)
