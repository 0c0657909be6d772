"""Move remarks inside numbers to footnotes below the table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdbench.markdown.footnotes import drop_findings, finding_marks
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form
from mdbench.numerals.words import is_bare_status
from mdbench.regex import lazy
from mdbench.rendering.draft import Draft
from mdbench.sheets.measurements import Measurement

_BRACKETED = lazy(
    r"(?P<number>[^()]*[^()\s])\s*\((?P<note>[^()]+(?:\([^()]*\)[^()]*)?)\)(?P<rest>[^()\w]*)"
)
_WORD = lazy(r"[^\W\d_]{2,}")


def move_remarks(draft: Draft, number: int) -> int:
    """Move remarks to footnotes, numbered from `number`; return the next number."""
    marks: dict[str, str] = {}
    for index in range(len(draft.titles)):
        if not draft.is_numeric(index):
            continue
        found = list(_remarks(draft, index))
        numbers = sum(entry[0].numeral.form is Form.NUMBER for _, entry in draft.column(index))
        if 2 * len(found) > numbers > 1:
            # If most numbers have one, they belong to the column.
            continue
        for row, match in found:
            if finding_marks(draft.rows[row][index]):
                continue
            note = match["note"].strip()
            if note not in marks:
                marks[note] = f"[^note-{number + len(marks)}]"
            draft.rows[row][index] = f"{match['number']}{marks[note]}{match['rest'].rstrip()}"
    draft.footnotes += ((mark, note) for note, mark in marks.items())
    return number + len(marks)


def _remarks(draft: Draft, index: int) -> Iterator[tuple[int, re.Match[str]]]:
    for row, entry in draft.column(index):
        match = _BRACKETED.fullmatch(drop_findings(draft.rows[row][index]))
        if match is not None and _is_remark(entry, plain_text(match["note"])):
            yield row, match


def _is_remark(entry: tuple[Measurement, ...], note: str) -> bool:
    """Whether parentheses contain words; a second number or a bare `OOM` stays visible."""
    numeral = entry[0].numeral
    if numeral.form is not Form.NUMBER or numeral.note != note or is_bare_status(note):
        return False
    for second in entry[1:]:
        note = note.replace(second.numeral.text, "")
    return _WORD.search(note) is not None
