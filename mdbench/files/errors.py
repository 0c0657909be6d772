"""Errors, exit codes, and text that is safe for terminals and logs."""

from __future__ import annotations

import sys
from collections.abc import Callable

from mdbench.regex import lazy

OK, COULD_NOT_RUN, INTERRUPTED, TERMINATED = 0, 2, 130, 143


ReportError = Callable[[str], None]
"""Reports an error that does not stop the command."""


class ProblemError(Exception):
    """The command cannot continue; the message says what is wrong, where, and what to do."""


class Errors:
    """Reports errors that do not stop a command, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def report(self, message: str) -> None:
        """Report one."""
        self.count += 1
        report_error(message)

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return COULD_NOT_RUN if self.count else OK


def report_error(message: str, *copied: str) -> None:
    """Print one line to standard error, unless that is closed; below it what may be copied."""
    if sys.stderr is not None:
        lines = (f"mdbench: {printable(message)}", *map(printable, copied))
        sys.stderr.write("".join(f"{line}\n" for line in lines))


def printable(text: str) -> str:
    """A text with control characters escaped, safe for a terminal or a log."""
    spelled = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in decodable(text)
    )
    return disarm(spelled)


def decodable(text: str) -> str:
    """Valid Unicode: bytes of a file name that are not UTF-8 are escaped."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


_BRACKET = lazy(r"##\w{0,20}\[")
_COLONS = lazy(r"\s*::")
_COLOUR = lazy(r"\x1b\[[0-9;]{1,5}m")
# Same width and length as the characters they replace.
_BRACKET_SHOWN, _COLON_SHOWN = "\u27e6", "\ua789"


def disarm(text: str) -> str:
    """A text of the same length that looks the same but is not a workflow command."""
    if "##" in text:
        text = _BRACKET.sub(lambda match: match[0][:-1] + _BRACKET_SHOWN, text)
    if "::" in text and (colons := _COLONS.match(text)) is not None:
        at = colons.end() - 2
        text = f"{text[:at]}{_COLON_SHOWN}{text[at + 1 :]}"
    return text


def disarm_json(text: str) -> str:
    """Equivalent JSON without workflow commands: their bracket is escaped."""
    return _BRACKET.sub(lambda match: match[0][:-1] + "\\u005b", text) if "##" in text else text


def is_tame(text: str) -> bool:
    """Whether lines can be shown as they are: they contain no control sequences but colors."""
    lines = _COLOUR.sub("", text).split("\n")
    return all(line.isprintable() and disarm(line) == line for line in lines)
