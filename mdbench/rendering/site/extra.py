"""Check that the packages of the extra `html` are installed."""

from __future__ import annotations

from importlib.util import find_spec

from mdbench.files.errors import ProblemError
from mdbench.installing import how_to_install

_NEEDED = ("altair", "vl_convert")


def require_extra() -> None:
    """Report missing packages, and how to install them, before any work is done."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ProblemError(
            f"HTML needs the extra `html` (not installed: {' and '.join(missing)}); "
            f"{how_to_install('html')}"
        )
