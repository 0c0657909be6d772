"""Reads benchmark reports in Markdown as a careful reviewer does: frames, findings, clean text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mdbench.api import configured, fix, lint, render
    from mdbench.compare.diff import Change, diff
    from mdbench.errors import ProblemError
    from mdbench.frames.pandas import normalize
    from mdbench.rules.findings import Finding
    from mdbench.sheets.report import parse

__version__ = "0.1.0"
__all__ = [
    "Change",
    "Finding",
    "ProblemError",
    "__version__",
    "configured",
    "diff",
    "fix",
    "lint",
    "normalize",
    "parse",
    "render",
]

# Looked up when first used: pandas must not be loaded by a command that makes no frame.
_HOMES = {
    "Change": "mdbench.compare.diff",
    "Finding": "mdbench.rules.findings",
    "ProblemError": "mdbench.errors",
    "configured": "mdbench.api",
    "diff": "mdbench.compare.diff",
    "fix": "mdbench.api",
    "lint": "mdbench.api",
    "normalize": "mdbench.frames.pandas",
    "parse": "mdbench.sheets.report",
    "render": "mdbench.api",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
