"""How a column writes its numbers: thousands commas or decimal commas, dates or ranges."""

from __future__ import annotations

from collections.abc import Iterable

from mdbench.markdown.inline import flatten
from mdbench.numerals.durations import scan_date
from mdbench.numerals.numeral import Style
from mdbench.numerals.units import parse_unit
from mdbench.regex import lazy

_COMMA = lazy(r"(?<![\d.,])(\d+),(\d+)(?![\d.,]) ?([A-Za-zμ%][A-Za-zμ%/]*)?")
_SURE_THOUSANDS = lazy(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:,\d{3}|\.\d)")
_SURE_DECIMAL = lazy(r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+,\d+|0,\d\d+)(?![\d.,])")
_GROUP = 3
_LONGEST = 200
_ENOUGH = 3
COUNTED = frozenset({"device", "node", "core", "step", "layer", "token", "sample", "param"})
"""Dimensions of things that are counted: no decimals, so `6,3 GPUs` shows no decimal comma."""


def column_style(raws: Iterable[str]) -> Style:
    """The style that the cells of one column agree on."""
    lengths: list[int] = []
    decimal = thousands = dates = False
    for raw in raws:
        if len(raw) > _LONGEST:
            continue
        if "," in raw or "，" in raw:
            text = flatten(raw)
            thousands = thousands or _SURE_THOUSANDS.search(text) is not None
            decimal = decimal or _SURE_DECIMAL.search(text) is not None
            for match in _COMMA.finditer(text):
                lengths.append(len(match[2]))
                decimal = decimal or (len(match[2]) != _GROUP and is_measured(match[3] or ""))
        elif raw[:1].isdigit() and ("-" in raw or "/" in raw):
            dates = dates or scan_date(raw, loose=False) is not None
    uniform = len(lengths) >= _ENOUGH and len(set(lengths)) == 1 and lengths[0] not in {1, _GROUP}
    return Style(decimal_comma=(decimal or uniform) and not thousands, dates=dates)


def shows_decimal_comma(raws: Iterable[str]) -> bool | None:
    """Whether numbers have decimal commas for certain; False where they have thousands commas."""
    found: bool | None = None
    for raw in raws:
        if "," not in raw or len(raw) > _LONGEST:
            continue
        text = flatten(raw)
        if _SURE_THOUSANDS.search(text):
            return False
        if _SURE_DECIMAL.search(text) or any(
            len(match[2]) != _GROUP and is_measured(match[3] or "")
            for match in _COMMA.finditer(text)
        ):
            found = True
    return found


def is_measured(unit: str) -> bool:
    """Whether a number in this unit may have decimals."""
    known = parse_unit(unit) if unit else None
    return known is not None and known.dimension not in COUNTED
