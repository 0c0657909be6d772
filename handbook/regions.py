"""Generated text in a page, between `<!-- begin: NAME -->` and `<!-- end: NAME -->`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

_REGION = re.compile(
    r"(?P<begin><!-- begin: (?P<name>[\w ]+) -->)\n(?P<body>.*?)(?P<end><!-- end: (?P=name) -->)",
    re.DOTALL,
)


def find_regions(text: str) -> dict[str, str]:
    """The regions of a page by name."""
    return {match["name"]: match["body"].strip() for match in _REGION.finditer(text)}


def fill_regions(text: str, bodies: Mapping[str, str]) -> str:
    """Replace the regions that have a new body, and keep the others."""

    def fill(match: re.Match[str]) -> str:
        body = bodies.get(match["name"])
        return match[0] if body is None else f"{match['begin']}\n\n{body.strip()}\n\n{match['end']}"

    return _REGION.sub(fill, text)


def write_region(path: Path, name: str, lines: Iterable[str]) -> None:
    """Replace one region of a file. Exits with a message if the file does not have it."""
    text = path.read_text(encoding="utf-8")
    if name not in find_regions(text):
        raise SystemExit(f"{path}: no region <!-- begin: {name} --> … <!-- end: {name} -->")
    new = fill_regions(text, {name: "\n".join(lines)})
    path.write_text(new, encoding="utf-8", newline="\n")
