"""Topics of `mdbench help`: the pages in help/."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "help"
_SUFFIX = ".md"


def topics() -> Mapping[str, str]:
    """The title of each topic, by its name."""
    return {
        page.stem: page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        for page in sorted(_FOLDER.glob(f"*{_SUFFIX}"))
    }


def read_topic(name: str) -> str:
    """The page of a topic."""
    return (_FOLDER / f"{name}{_SUFFIX}").read_text(encoding="utf-8")
