"""Figures that a benchmark puts into a page: between two markers, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def put_figures(path: Path, name: str, lines: Sequence[str]) -> None:
    """Put lines between `<!-- name:start -->` and `<!-- name:end -->` of a page."""
    opening, closing = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    text = path.read_text(encoding="utf-8")
    before, start, rest = text.partition(opening)
    _, end, after = rest.partition(closing)
    if not start or not end:
        raise SystemExit(f"{path} has no {opening} … {closing} to put the figures between")
    body = "\n".join(("", *lines, ""))
    path.write_text(f"{before}{start}{body}{end}{after}", encoding="utf-8")
