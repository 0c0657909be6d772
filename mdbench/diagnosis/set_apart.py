"""Rows that a mark sets apart, and whose mark the text explains: `22‡`, and `‡ 480 instead of 512`.

What only other rows tell, such as a batch that no column has, may be different there.
"""

from __future__ import annotations

from collections import defaultdict

from mdbench.diagnosis.repairs.values import Contradiction
from mdbench.markdown.document import BlockKind
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet

_TEXTUAL = frozenset((BlockKind.PARAGRAPH, BlockKind.ITEM))
# Others are markup, or stand in sentences that have nothing to do with a table.
_MARKS = frozenset("†‡§¶※")


def is_set_apart(contradiction: Contradiction, report: Report) -> bool:
    """Whether the row of a contradiction has a mark of its own that is explained with a number."""
    if not all(one.told_by_rows for one in contradiction.failing):
        return False
    operands = (operand for check in contradiction.failing for operand in check.operands)
    numbers = (one.number.measurement for one in operands)
    wrong = next((one for one in numbers if one is not None), None)
    if wrong is None:
        return False
    sheet = report.sheets[wrong.table]
    marks: dict[str, set[int]] = defaultdict(set)
    for one in sheet.measurements:
        for mark in one.numeral.markers:
            marks[mark].add(one.run)
    own = (mark for mark, runs in marks.items() if runs == {wrong.run})
    return any(_is_explained(mark, sheet, report) for mark in own)


def _is_explained(mark: str, sheet: Sheet, report: Report) -> bool:
    legend = sheet.legends.get(mark)
    if legend is not None:
        return _has_digit(legend.text)
    texts = (
        line.text
        for block in report.document.blocks
        if block.kind in _TEXTUAL
        for line in block.lines
    )
    return mark in _MARKS and any(mark in text and _has_digit(text) for text in texts)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
