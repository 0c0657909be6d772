"""Reads the benchmark tables of Markdown reports into tidy frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mdbench.comparison import Change, diff
    from mdbench.frames import normalize
    from mdbench.problems import ProblemError
    from mdbench.workbook import parse

__version__ = "0.1.0"
__all__ = ["Change", "ProblemError", "__version__", "diff", "normalize", "parse"]

# Looked up when first used: pandas must not be loaded by a command that makes no frame.
_HOMES = {
    "Change": "mdbench.comparison",
    "ProblemError": "mdbench.problems",
    "diff": "mdbench.comparison",
    "normalize": "mdbench.frames",
    "parse": "mdbench.workbook",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
