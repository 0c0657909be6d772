"""Text for a terminal: colors, widths, no control sequences."""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from mdbench.files.errors import disarm
from mdbench.markdown.widths import display_width
from mdbench.rules.findings import Severity

_RESET = "\x1b[0m"
_CODES = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}


class Palette(NamedTuple):
    """Colors texts, or returns them unchanged."""

    on: bool = False

    def label(self, format_name: str) -> str:
        """A name for how a format looks in these colors."""
        return f"{format_name} in color" if self.on else format_name

    def severity(self, text: str, severity: Severity) -> str:
        """A text in the color of a severity."""
        return f"{_CODES[severity]}{text}{_RESET}" if self.on else text

    def strong(self, text: str) -> str:
        """An emphasized text."""
        return f"\x1b[1m{text}{_RESET}" if self.on else text

    def faint(self, text: str) -> str:
        """A dimmed text."""
        return f"\x1b[2m{text}{_RESET}" if self.on else text

    def added(self, text: str) -> str:
        """An added line."""
        return f"\x1b[32m{text}{_RESET}" if self.on else text

    def removed(self, text: str) -> str:
        """A removed line."""
        return f"\x1b[31m{text}{_RESET}" if self.on else text


PLAIN = Palette()


def choose_palette(color: str = "auto", *, terminal: bool) -> Palette:
    """Colors if asked for; else on a terminal without NO_COLOR, and where FORCE_COLOR is set."""
    if color != "auto":
        return Palette(on=color == "always")
    if os.environ.get("NO_COLOR"):
        return PLAIN
    if os.environ.get("FORCE_COLOR"):
        return Palette(on=True)
    return Palette(on=terminal and os.environ.get("TERM") != "dumb")


TAB = 4
_ELLIPSIS = "…"


def show_text(text: str) -> str:
    """A text for one line of a terminal: characters that are not printable are replaced."""
    return disarm(text if text.isprintable() else "".join(map(_stand_in, text)))


def show_lines(text: str) -> str:
    """A text for a terminal, in which line ends and tabs are kept."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(show_text, line.split("\t"))) for line in lines)


def underline(line: str, start: int, end: int, room: int) -> tuple[str, str]:
    """A line as shown, and the marks below it for the span from `start` to `end`.

    A line that is too long is cut around the span. An empty span gets one mark.
    """
    line = disarm(line)
    cells: Sequence[str] = line
    edges: Sequence[int] = range(len(line) + 1)
    if not (line.isascii() and line.isprintable()):
        cells = _lay_out(line)
        edges = [0, *accumulate(map(display_width, cells))]
    first, last = _window(edges, start, max(end, start), room)
    text = "".join(cells[first:last])
    offset = 0
    if first > 0:
        text, offset = _ELLIPSIS + text, 1
    if last < len(cells):
        text += _ELLIPSIS
    marked_to = min(max(end, start), last)
    left = edges[start] - edges[first] + offset
    width = max(1, edges[marked_to] - edges[start])
    return text.rstrip(), " " * left + "^" * width


def _window(edges: Sequence[int], start: int, end: int, room: int) -> tuple[int, int]:
    """Which characters to show so that the marked ones, or as many as fit, are among them."""
    count = len(edges) - 1
    if edges[-1] <= room:
        return 0, count
    marked = min(edges[end] - edges[start], room)
    lead = (room - marked) // 2
    left = max(0, min(edges[start] - lead, edges[-1] - room))
    first = min(bisect_left(edges, left), start)
    last = min(bisect_right(edges, edges[first] + room, first) - 1, count)
    return first, max(last, min(start + 1, count))


def _lay_out(line: str) -> list[str]:
    """Each character as it is shown, tabs as the spaces that they take."""
    shown: list[str] = []
    at = 0
    for char in line:
        text = " " * (TAB - at % TAB) if char == "\t" else _stand_in(char)
        at += display_width(text)
        shown.append(text)
    return shown


def _stand_in(char: str) -> str:
    if char.isprintable():
        return char
    if char in "\t\n\r\u00a0\u2009\u202f\u3000":
        return "\u3000" if char == "\u3000" else " "
    return chr(0x2400 + ord(char)) if ord(char) < 0x20 else "\ufffd"
