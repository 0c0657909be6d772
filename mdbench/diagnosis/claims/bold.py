"""What bold numbers stand for: `best per column in bold`, and a bold one that is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.diagnosis.claims.verdicts import Wrong
from mdbench.diagnosis.thresholds import ROWS_IF_NAMED
from mdbench.markdown.document import BlockKind, Document
from mdbench.numerals.numeral import Form
from mdbench.regex import lazy
from mdbench.sheets.columns import Column
from mdbench.sheets.measurements import Measurement
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet

_BEST = r"(?:best|fastest|highest|lowest|smallest|winners?)"
_SAID = lazy(
    rf"(?i)\b{_BEST}\b[^.;|]{{0,40}}\b(?:in |are |is )?bold\b|"
    rf"\bbold(?:face|ed)?\b[^.;|]{{0,30}}\b{_BEST}\b|"
    r"\bfett\b[^.;|]{0,30}\bbeste|\bbeste[^.;|]{0,40}\bfett\b|"
    r"\ben gras\b[^.;|]{0,30}\bmeilleur|\bmeilleur[^.;|]{0,40}\ben gras\b|"
    r"\bnegrita\b[^.;|]{0,30}\bmejor|\bmejor[^.;|]{0,40}\bnegrita\b|"
    r"\b\u0436\u0438\u0440\u043d[^.;|]{0,30}\b\u043b\u0443\u0447\u0448|\b\u043b\u0443\u0447\u0448[^.;|]{0,40}\b\u0436\u0438\u0440\u043d|"
    r"太字[^。|]{0,20}(?:最良|最高|最速|ベスト)|(?:最良|最高|最速|ベスト)[^。|]{0,20}太字|"
    r"(?:加粗|粗体)[^。|]{0,20}最|最[^。|]{0,20}(?:加粗|粗体)"
)
_ROWS = lazy(r"(?i)\brows?\b|\blines?\b|Zeile|ligne|fila|строк|行")
_BOLD = ("**", "__")
_FEWEST_COLUMNS = 2


class _Marked(NamedTuple):
    column: Column
    bold: Measurement
    others: Sequence[Measurement]

    @property
    def side(self) -> int:
        """1 if the bold number is the largest of its column, -1 if the smallest, else 0."""
        mine, others = _value(self.bold), [_value(one) for one in self.others]
        return (mine >= max(others)) - (mine <= min(others))


def find_wrong_bold(report: Report) -> Iterator[Wrong]:
    """The bold numbers that are not the best of their column, where the text says that they are.

    The other bold numbers of the table must be: then bold has no other meaning.
    """
    sections = set(_sections_that_say_so(report.document))
    for sheet in report.sheets if sections else ():
        if sheet.layout.transposed or not _around(report.document, sheet) & sections:
            continue
        marked = [one for column in sheet.columns if (one := _mark(column, sheet)) is not None]
        right = [one for one in marked if one.side]
        wrong = [one for one in marked if not one.side]
        if len(wrong) == 1 and len(right) >= _FEWEST_COLUMNS:
            yield _tell(wrong[0], right)


def _sections_that_say_so(document: Document) -> Iterator[int]:
    for block in document.blocks:
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            for line in block.lines:
                if "|" not in line.text and _SAID.search(line.text) and not _ROWS.search(line.text):
                    yield block.section


def _around(document: Document, sheet: Sheet) -> set[int]:
    """The section of a table, and those around it."""
    section = sheet.table.section
    found = {section}
    while section >= 0:
        section = document.sections[section].parent
        found.add(section)
    return found


def _mark(column: Column, sheet: Sheet) -> _Marked | None:
    """A column of numbers of which one is bold."""
    numbers = [one for one in column.mains if one.numeral.form is Form.NUMBER]
    numbers = [one for one in numbers if not _is_all_bold(sheet, one.run)]
    bold = [one for one in numbers if one.cell.raw.strip().startswith(_BOLD)]
    if len(bold) != 1 or len(numbers) <= ROWS_IF_NAMED:
        return None
    return _Marked(column, bold[0], [one for one in numbers if one is not bold[0]])


def _is_all_bold(sheet: Sheet, run: int) -> bool:
    """Whether a row is bold as a whole: that is a total, or what the table is about."""
    found = (column.find(run) for column in sheet.columns)
    cells = [one.cell.raw.strip() for one in found if one is not None]
    filled = [text for text in cells if text]
    return len(filled) > 1 and sum(text.startswith(_BOLD) for text in filled) > len(filled) / 2


def _tell(wrong: _Marked, right: Sequence[_Marked]) -> Wrong:
    bold = wrong.bold
    sides = {one.side for one in right}
    title, number = wrong.column.header.text, bold.numeral.text
    if len(sides) > 1:
        ends = [choose(wrong.others, key=_value) for choose in (min, max)]
        why = f"it is between {ends[0].numeral.text} and {ends[1].numeral.text}"
        return Wrong(bold.cell.span, f"{title} {number} is bold as the best: {why}", tuple(ends))
    (side,) = sides
    best = max(wrong.others, key=lambda one: side * _value(one))
    way = "higher" if side > 0 else "lower"
    message = f"{title} {number} is bold as the best, but {best.numeral.text} is {way}"
    return Wrong(bold.cell.span, message, (best,))


def _value(one: Measurement) -> float:
    if one.amount is not None:
        return float(one.amount.value * one.amount.unit.scale)
    return float(one.numeral.value or 0)
