"""Headers that say in words how many of something there are in a time."""

from __future__ import annotations

import re

from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy

_PER_TIME = lazy(
    r"(?:^|(?<=[\s(]))(?:number of )?(?P<what>[a-z]{2,20})"
    r"(?: (?:[a-z]{2,16}ed|[a-z]{3,16}ing|written|read|sent|built|done|run|made|sold|won))?"
    r" per (?P<time>second|sec|s|minute|min|hour|day)\b",
    re.IGNORECASE,
)
# Not what is counted: `Time per second`, `Bytes written per second`.
_NOT_COUNTED = frozenset(("time", "times", "cost", "price", "energy", "power", "change"))


def rate_in_words(plain: str) -> Unit | None:
    """The rate of `Documents indexed per second`; things without a known name are items."""
    match = _PER_TIME.search(plain)
    if match is None or match["what"].casefold() in _NOT_COUNTED:
        return None
    known = parse_unit(f"{match['what']} per {match['time']}")
    counted = parse_unit(f"items per {match['time']}") if match["what"].endswith("s") else None
    return known or counted
