"""Cells that name what they hold: `items_per_second=1.33G/s`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mdbench.regex import lazy
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Vocabulary

_COUNTER = lazy(r"(?P<name>[A-Za-z_][\w.]{1,60})=(?P<value>[-+]?\d[^\s=]{0,30})")
_SCALED = lazy(r"(?P<number>[-+]?\d[\d.,]*)(?P<letter>[kMGT]i?)?(?P<rate>/s)?")
_ENOUGH = 0.6


class Counters(NamedTuple):
    """The texts of a column without the names in them, and the header of each such cell."""

    texts: list[str]
    headers: Mapping[int, Header]
    """By the place of the cell in its column."""


def read_counters(header: Header, texts: Sequence[str], vocabulary: Vocabulary) -> Counters | None:
    """Read the names in the cells of a column, where its own title says nothing."""
    if header.understood or not any("=" in text for text in texts):
        return None
    filled = sum(bool(text.strip()) for text in texts)
    found = {at: match for at, text in enumerate(texts) if (match := _COUNTER.fullmatch(text))}
    if len(found) < _ENOUGH * filled:
        return None
    read = {at: read_header(match["name"], vocabulary) for at, match in found.items()}
    told = {at: one._replace(text=header.text) for at, one in read.items() if one.quantity}
    plain = [
        _spell_value(found[at]["value"], told[at]) if at in told else text
        for at, text in enumerate(texts)
    ]
    return Counters(plain, told)


def _spell_value(text: str, header: Header) -> str:
    """`1.25G/s` of bytes is 1.25 GiB/s, as tools that count so mean 1024; else it is 1.25 G."""
    match = _SCALED.fullmatch(text)
    if match is None or header.unit is None or not header.unit.dimension.endswith("/s"):
        return text
    letter = match["letter"] or ""
    if header.unit.dimension == "byte/s":
        return f"{match['number']} {letter[:1]}{'i' * bool(letter)}B/s"
    return match["number"] + letter
