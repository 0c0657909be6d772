"""What could not be done, told in one clear line on standard error."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from mdbench.disarm import disarm

OK, COULD_NOT_RUN, INTERRUPTED, TERMINATED = 0, 2, 130, 143


class ProblemError(Exception):
    """mdbench cannot go on; the message says what, where and what to do."""


@dataclass(slots=True)
class Complaints:
    """Reports problems that do not stop a command, and remembers that there were some."""

    count: int = 0

    def __call__(self, message: str) -> None:
        """Report one."""
        self.count += 1
        report_problem(message)

    @property
    def exit_code(self) -> int:
        """What the command ends with."""
        return COULD_NOT_RUN if self.count else OK


def report_problem(message: str) -> None:
    """Print one line; a closed standard error does not stop the work."""
    if sys.stderr is not None:
        sys.stderr.write(f"mdbench: {printable(message)}\n")


def printable(text: str) -> str:
    """A text in which what a terminal or a log would obey, or could not show, is spelled out."""
    spelled = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in decodable(text)
    )
    return disarm(spelled)


def decodable(text: str) -> str:
    """A text that is valid Unicode: the bytes of a file name that are not UTF-8 are spelled out."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
