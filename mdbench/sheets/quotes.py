"""Numbers of a table that the text repeats with their unit: `2870 ns` says what 2870 is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mdbench.markdown.document import BlockKind, Document
from mdbench.numerals.units import Unit, parse_unit
from mdbench.regex import lazy
from mdbench.sheets.columns import Column

_NUMBER = lazy(
    # What stands before it is asked of digits only, not of each character of a text.
    r"(?P<number>\d(?<![\w.,/]\d)[\d,]{0,15}(?:\.\d{1,9})?) ?(?P<unit>[A-Za-zµμ]{1,8}(?:/s)?)\b"
)
_TEXTS = (BlockKind.PARAGRAPH, BlockKind.ITEM)
# Fewer digits are repeated by chance.
_FEWEST_DIGITS = 3
_FEWEST_QUOTES = 2

Quotes = Mapping[str, frozenset[Unit]]
"""For each number with many digits in the text, the units behind it."""


def collect_quotes(document: Document) -> Quotes:
    """The times and rates in the text of a report, by their numbers."""
    found: dict[str, set[Unit]] = {}
    for block in document.blocks:
        if block.kind in _TEXTS:
            for line in block.lines:
                for match in _NUMBER.finditer(line.text):
                    if _is_telling(match["number"]) and (unit := _read_unit(match["unit"])):
                        found.setdefault(match["number"], set()).add(unit)
    return {number: frozenset(units) for number, units in found.items()}


def quoted_unit(columns: Iterable[Column], quotes: Quotes) -> Unit | None:
    """The one unit with which the text repeats numbers of columns that have none."""
    numerals = [one.numeral for column in columns for one in column.mains]
    texts = {one.text for one in numerals if one.value is not None}
    if any(one.unit for one in numerals):
        # Cells of several kinds.
        return None
    units = [quotes[text] for text in texts if text in quotes]
    told = frozenset[Unit]().union(*units)
    return next(iter(told)) if len(units) >= _FEWEST_QUOTES and len(told) == 1 else None


def _is_telling(number: str) -> bool:
    digits = number.replace(",", "").replace(".", "").strip("0")
    return len(digits) >= _FEWEST_DIGITS


def _read_unit(text: str) -> Unit | None:
    unit = parse_unit(text)
    if unit is None or not (unit.dimension == "s" or unit.dimension.endswith("/s")):
        return None
    return unit
