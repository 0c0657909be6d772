"""What could not be done, told in one clear line on standard error."""

from __future__ import annotations

import sys


class ProblemError(Exception):
    """A command cannot go on; the message says what, where and what to do."""


def report_problem(message: str) -> None:
    """Print one line; what a terminal would obey is shown instead of sent."""
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in message)
    sys.stderr.write(f"mdbench: {shown}\n")
