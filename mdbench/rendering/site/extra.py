"""Whether what the extra `html` brings is installed."""

from __future__ import annotations

from importlib.util import find_spec

from mdbench.errors import ProblemError

_NEEDED = ("altair", "vl_convert")


def require_extra() -> None:
    """Say what is missing, and what to do, before any work is done."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise ProblemError(
            f"HTML needs the extra `html`, {' and '.join(missing)} not being installed: "
            "pip install 'mdbench[html]'"
        )
