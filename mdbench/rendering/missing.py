"""Use one sign for missing values in a table."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mdbench.markdown.footnotes import drop_findings, finding_marks
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Status
from mdbench.regex import lazy
from mdbench.rendering.draft import Draft, is_measured
from mdbench.sheets.measurements import Measurement

NO_VALUE = "-"
# Words such as TBD say more than that a value is missing.
_SIGN = lazy(r"[-–—―−_]+|n\.?[/\\]?a\.?", re.IGNORECASE)


def unify_missing(draft: Draft) -> None:
    """Write `-` for every missing result, and for every other sign with the same meaning."""
    titles = _title_rows(draft)
    for index in range(len(draft.titles)):
        column = list(draft.column(index))
        signed = any(_is_sign(entry[0]) for _, entry in column)
        for row, entry in column:
            one = entry[0]
            # A blank below a name or a setting may mean "as above".
            fills = _is_empty(one) and (is_measured(one) or signed) and row not in titles
            if _is_sign(one) or fills:
                draft.rows[row][index] = NO_VALUE + finding_marks(one.cell.raw)


def _title_rows(draft: Draft) -> set[int]:
    """The rows with a single cell in a complete table: they are titles of the rows below."""
    lone = {row for row, cells in draft.rows.items() if _count_filled(cells) < 2}
    gaps = (
        row not in lone and is_measured(entry[0]) and _is_nothing(entry[0])
        for (row, _), entry in draft.entries.items()
        if row in draft.rows
    )
    return set() if any(gaps) else lone


def _count_filled(cells: Iterable[str]) -> int:
    return sum(bool(drop_findings(text)) for text in cells)


def _is_nothing(one: Measurement) -> bool:
    numeral = one.numeral
    said = numeral.note or numeral.markers
    return numeral.form is Form.NOTHING and numeral.status is Status.MISSING and not said


def _is_empty(one: Measurement) -> bool:
    return not drop_findings(one.cell.raw) and _is_nothing(one)


def _is_sign(one: Measurement) -> bool:
    if not _is_nothing(one):
        return False
    text = plain_text(drop_findings(one.cell.raw))
    return bool(one.numeral.unit) or _SIGN.fullmatch(text) is not None
