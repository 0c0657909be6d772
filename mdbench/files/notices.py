"""How much is told on standard error along the way: nothing, the usual, or every step."""

from __future__ import annotations

from mdbench.errors import report_problem


class _Loudness:
    quiet = False
    verbose = False


# One for the process, as standard error is.
_loudness = _Loudness()


def set_loudness(*, quiet: bool, verbose: bool) -> None:
    """Choose how much to tell until the next choice."""
    _loudness.quiet, _loudness.verbose = quiet, verbose


def is_quiet() -> bool:
    """Whether nothing but results and problems may be told."""
    return _loudness.quiet


def is_verbose() -> bool:
    """Whether every step is to be told."""
    return _loudness.verbose


def tell_step(message: str) -> None:
    """Tell what is being done, if every step is to be told."""
    if _loudness.verbose:
        report_problem(message)
