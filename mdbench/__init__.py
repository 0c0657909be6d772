"""Check the arithmetic of benchmark tables in Markdown, read them into frames, write them clean."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mdbench.api import diff, fix, lint, normalize, normalize_arrow, parse, render, update
    from mdbench.compare.changes import Change
    from mdbench.files.errors import ProblemError
    from mdbench.frames.findings import Findings
    from mdbench.rules.findings import Finding

__version__ = "0.1.0"
__all__ = [
    "Change",
    "Finding",
    "Findings",
    "ProblemError",
    "__version__",
    "diff",
    "fix",
    "lint",
    "normalize",
    "normalize_arrow",
    "parse",
    "render",
    "update",
]

_HOMES = {
    "Change": "mdbench.compare.changes",
    "Finding": "mdbench.rules.findings",
    "Findings": "mdbench.frames.findings",
    "ProblemError": "mdbench.files.errors",
}


def __getattr__(name: str) -> object:
    # Looked up when first used: `mdbench lint` imports this module and needs none of them.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    value: object = getattr(import_module(_HOMES.get(name, "mdbench.api")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
