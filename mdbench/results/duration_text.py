"""A duration printed as another one is: `3h 20m`, `1:30:00`."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

from mdbench.numerals.numeral import Numeral
from mdbench.regex import lazy

_PART = lazy(r"(?P<count>\d+)\s*(?P<unit>[a-zA-Z]*)")
_SIZES = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_CLOCK = (3600, 60, 1)


def write_duration(raw: str, numeral: Numeral, value: Decimal) -> str | None:
    """A text with another duration of so many seconds; None if it holds none in several parts."""
    start = raw.find(numeral.text)
    parts = list(_PART.finditer(numeral.text))
    sizes = _sizes([part["unit"].lower() for part in parts])
    told = sum(int(part["count"]) * size for part, size in zip(parts, sizes, strict=False))
    if start < 0 or value < 0 or not sizes or told != numeral.value:
        return None
    rest = int((value / sizes[-1]).quantize(Decimal(1), rounding=ROUND_HALF_EVEN)) * sizes[-1]
    # `1:05:00` and `1h 05m`: all parts but the first have two digits.
    padded = 2 if ":" in numeral.text or any(part["count"][0] == "0" for part in parts[1:]) else 1
    text, end = "", 0
    for part, size in zip(parts, sizes, strict=True):
        count, rest = divmod(rest, size)
        width = padded if end else len(part["count"]) if part["count"][0] == "0" else 1
        text += f"{numeral.text[end : part.start('count')]}{count:0{width}d}"
        end = part.end("count")
    text += numeral.text[end:]
    return raw[:start] + text + raw[start + len(numeral.text) :]


def _sizes(units: list[str]) -> list[int]:
    """How many seconds one of each part is; nothing if that is not clear."""
    if len(units) == len(_CLOCK) and not any(units):
        return [*_CLOCK]
    sizes = [_SIZES.get(unit[:1], 0) for unit in units]
    falling = sizes == sorted(set(sizes), reverse=True)
    return sizes if len(sizes) > 1 and all(sizes) and falling else []
