"""Errors, exit codes, and text that is safe for terminals and logs."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from mdbench.regex import lazy

OK, COULD_NOT_RUN, INTERRUPTED, TERMINATED = 0, 2, 130, 143


class ProblemError(Exception):
    """mdbench cannot continue; the message says what, where and what to do."""


@dataclass(slots=True)
class Complaints:
    """Reports errors that do not stop a command, and remembers that there were any."""

    count: int = 0

    def __call__(self, message: str) -> None:
        """Report an error."""
        self.count += 1
        report_problem(message)

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return COULD_NOT_RUN if self.count else OK


def report_problem(message: str) -> None:
    """Print one line to standard error; it is not an error if that is closed."""
    if sys.stderr is not None:
        sys.stderr.write(f"mdbench: {printable(message)}\n")


def printable(text: str) -> str:
    """Escape everything that a terminal or log would interpret or could not show."""
    spelled = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in decodable(text)
    )
    return disarm(spelled)


def decodable(text: str) -> str:
    """Escape the bytes of a file name that are not UTF-8, so that it is valid Unicode."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


_BRACKET = lazy(r"##\w{0,20}\[")
_COLONS = lazy(r"\s*::")
_COLOUR = lazy(r"\x1b\[[0-9;]{1,5}m")
# Same width and length as the characters they replace.
_BRACKET_SHOWN, _COLON_SHOWN = "\u27e6", "\ua789"


def disarm(text: str) -> str:
    """Replace CI workflow commands with text of the same length that looks the same."""
    if "##" in text:
        text = _BRACKET.sub(lambda match: match[0][:-1] + _BRACKET_SHOWN, text)
    if "::" in text and (colons := _COLONS.match(text)) is not None:
        at = colons.end() - 2
        text = f"{text[:at]}{_COLON_SHOWN}{text[at + 1 :]}"
    return text


def disarm_json(text: str) -> str:
    """Escape the bracket of CI workflow commands, so that the JSON stays equivalent."""
    return _BRACKET.sub(lambda match: match[0][:-1] + "\\u005b", text) if "##" in text else text


def is_tame(text: str) -> bool:
    """Whether lines can be shown unchanged: they contain no control sequences but colours."""
    lines = _COLOUR.sub("", text).split("\n")
    return all(line.isprintable() and disarm(line) == line for line in lines)
