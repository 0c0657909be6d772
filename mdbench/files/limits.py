"""The size limit of reports."""

from __future__ import annotations

from mdbench.regex import lazy

MOST_BYTES = 20_000_000
_SIZE = lazy(r"(\d{1,12})\s?(|[kKmMgG])(i?)[bB]?")
_LETTERS = ("", "k", "m", "g")


def read_size(text: str) -> int | None:
    """The bytes of `20MB`, `512 KiB` or `1000`; None if it is not a size."""
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match[3] and not match[2]):
        return None
    base = 1024 if match[3] else 1000
    return int(match[1]) * int(base ** _LETTERS.index(match[2].lower()))


def show_size(size: int) -> str:
    """A size with a unit: `20 MB`."""
    for power, unit in ((3, "GB"), (2, "MB"), (1, "kB")):
        if size >= 1000**power:
            return f"{size / 1000**power:.4g} {unit}"
    return f"{size} bytes"


def describe_too_large(most: int) -> str:
    """The error for a file that is larger."""
    return f"is larger than {show_size(most)}; use --max-file-size to read larger files"
