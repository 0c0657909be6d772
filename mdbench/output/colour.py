"""Colours for a terminal, and when to use them."""

from __future__ import annotations

import os
from typing import NamedTuple

from mdbench.rules.findings import Severity

_RESET = "\x1b[0m"
_CODES = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}


class Palette(NamedTuple):
    """Puts colour on texts, or leaves them alone."""

    on: bool = False

    def severity(self, text: str, severity: Severity) -> str:
        """A text in the colour of a severity."""
        return f"{_CODES[severity]}{text}{_RESET}" if self.on else text

    def strong(self, text: str) -> str:
        """A text that stands out."""
        return f"\x1b[1m{text}{_RESET}" if self.on else text

    def faint(self, text: str) -> str:
        """A text that stands back."""
        return f"\x1b[2m{text}{_RESET}" if self.on else text

    def added(self, text: str) -> str:
        """A line that is new."""
        return f"\x1b[32m{text}{_RESET}" if self.on else text

    def removed(self, text: str) -> str:
        """A line that goes away."""
        return f"\x1b[31m{text}{_RESET}" if self.on else text


PLAIN = Palette()


def choose_palette(*, terminal: bool) -> Palette:
    """Colour on a terminal, unless NO_COLOR is set; elsewhere only if FORCE_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return PLAIN
    if os.environ.get("FORCE_COLOR"):
        return Palette(on=True)
    return Palette(on=terminal and os.environ.get("TERM") != "dumb")
