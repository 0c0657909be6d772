"""Move a unit that every number of a column repeats into the header."""

from __future__ import annotations

import re

from mdbench.numerals.cell import Form, Style, read_cell
from mdbench.numerals.units import COUNTS, parse_unit
from mdbench.rendering.draft import Draft
from mdbench.rendering.missing import NO_VALUE
from mdbench.sheets.measurements import Measurement
from mdbench.vocabulary.headers import read_header
from mdbench.vocabulary.quantities import Vocabulary

# Not units that belong in a header: a factor, and money, which precedes its number.
_STAYING = frozenset("x×$€¥£")


def hoist_units(draft: Draft) -> None:
    """Move units into headers, column by column, if that is certain to be correct."""
    if draft.sheet.layout.transposed or draft.sheet.layout.asides:
        return
    for index, title in enumerate(draft.titles):
        unit = _common_unit(draft, index)
        if not unit:
            continue
        hoisted = _hoist_title(title, unit, draft.sheet.vocabulary)
        cells = {row: _cut(draft.rows[row][index], entry[0]) for row, entry in draft.column(index)}
        if hoisted is None or any(text is None for text in cells.values()):
            continue
        draft.titles[index] = hoisted
        for row, text in cells.items():
            draft.rows[row][index] = text or ""


def _common_unit(draft: Draft, index: int) -> str:
    """The unit that all numbers of a column have, in the same spelling."""
    mains = [entry[0] for _, entry in draft.column(index)]
    if any(one.numeral.form not in (Form.NUMBER, Form.NOTHING) for one in mains):
        return ""
    units = {one.numeral.unit for one in mains if one.numeral.form is Form.NUMBER}
    # `- MiB` states the unit of a column that has no number yet.
    units = units or {one.numeral.unit for one in mains if one.numeral.unit}
    unit = units.pop() if len(units) == 1 else ""
    known = unit and unit.lower() not in COUNTS and not _STAYING & set(unit)
    return unit if known and parse_unit(unit) is not None else ""


def _hoist_title(title: str, unit: str, vocabulary: Vocabulary) -> str | None:
    """The header with the unit; None if its meaning would change."""
    said, wanted = read_header(title, vocabulary), parse_unit(unit)
    if wanted is None or not title:
        return None
    if said.unit is not None:
        same = (said.unit.dimension, said.unit.scale) == (wanted.dimension, wanted.scale)
        return title if same else None
    hoisted = f"{title} ({unit})"
    now = read_header(hoisted, vocabulary)
    if now.unit is None or (now.unit.dimension, now.unit.scale) != (wanted.dimension, wanted.scale):
        return None
    if said.quantity is not None and now.quantity is not said.quantity:
        return None
    return hoisted if now.statistic == said.statistic else None


def _cut(text: str, one: Measurement) -> str | None:
    """A cell without its unit; None if anything else would change."""
    unit = one.numeral.unit
    if one.numeral.form is Form.NOTHING:
        return text if not unit or text.startswith(NO_VALUE) else NO_VALUE
    places = list(re.finditer(rf"(?<=[\d. ]){re.escape(unit)}(?![^\W\d_])", text))
    if len(places) != 1:
        return None
    start, end = places[0].span()
    cut = text[:start].rstrip() + text[end:]
    return cut if _reads_alike(text, cut) else None


def _reads_alike(text: str, cut: str) -> bool:
    old, new = (read_cell(one, Style())[0] for one in (text, cut))
    return (old.value, old.quantum, old.markers, old.note, old.status, old.spread, old.bound) == (
        new.value, new.quantum, new.markers, new.note, new.status, new.spread, new.bound
    )  # fmt: skip
