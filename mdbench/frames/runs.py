"""The rows of the `runs` frame: one per run, with a column for each quantity in its unit.

Decimals are converted to floats and integers only here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from mdbench.frames.frame_columns import IN_RUNS, TidyRow
from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Numeral, Status, read_flag
from mdbench.numerals.durations import read_date
from mdbench.prose.claims import Claim
from mdbench.rules.findings import Marks
from mdbench.sheets.measurements import Measurement, Run
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.amounts import Amount, scale
from mdbench.vocabulary.quantities import Quantity

_GREATEST_INTEGER = 2**63 - 1
# These have their own column, computed from the whole row.
_TOLD_APART = frozenset(("notes", "date"))


@dataclass(frozen=True, slots=True)
class _Extra:
    """Values without a column, by header."""

    texts: dict[str, str] = field(default_factory=dict)
    _taken: Counter[str] = field(default_factory=Counter)

    def keep(self, title: str, raw: str) -> None:
        """Store a text; a repeated title becomes `title (2)`."""
        name = title
        while name in self.texts:
            self._taken[title] += 1
            name = f"{title} ({self._taken[title] + 1})"
        self.texts[name] = raw


def run_rows(report: Report, marks: Marks) -> Iterator[TidyRow]:
    """The runs of a report: those in tables, then those in prose. Empty columns may be missing."""
    for number, sheet in enumerate(report.sheets, 1):
        if not sheet.tells_something:
            continue
        places = {at: place for place, at in enumerate(sheet.layout.rows, 1)}
        section = report.section_title(sheet.table.section)
        for run in sheet.runs:
            yield {
                "report": report.source.path,
                "section": section,
                "table": number,
                "row": run.number if sheet.layout.transposed else places[run.number],
                "line": report.source.line(run.span.start),
                "source": sheet.table.kind.value,
                **_run(sheet, run),
                "findings": marks.on(one.cell.span for one in run.measurements),
            }
    for claim in report.claims:
        yield _claim(report, claim)


def _run(sheet: Sheet, run: Run) -> TidyRow:
    values: TidyRow = {}
    extra = _Extra()
    if run.label:
        extra.keep(sheet.layout.titles[0] or "column", run.label)
    for measurement in run.measurements:
        if measurement.part == 0 or _is_the_value(run, measurement):
            _place(values, extra, run, measurement)
    stated = ((one.quantity, one.numeral, one.raw) for one in run.facts)
    for quantity, numeral, raw in (*run.settings, *stated):
        amount = scale(numeral, quantity)
        filled = _fill(values, quantity, numeral, amount, raw)
        if not filled and quantity.integer and amount is not None and quantity.name not in values:
            # A fraction does not fit into a column of whole numbers.
            extra.keep(quantity.name, raw)
    marks = (mark for one in run.measurements for mark in one.numeral.markers)
    return {
        **values,
        "status": run.status.value,
        "markers": list(dict.fromkeys(marks)),
        "notes": _notes(sheet, run),
        "date": _date(run),
        "extra": extra.texts,
    }


def _is_the_value(run: Run, measurement: Measurement) -> bool:
    quantity = measurement.quantity
    return quantity is not None and measurement is run.values.get(quantity.name)


def _place(values: TidyRow, extra: _Extra, run: Run, measurement: Measurement) -> None:
    """Store a measurement in its quantity's column, or in `extra` if it does not fit."""
    quantity, numeral, cell = measurement.quantity, measurement.numeral, measurement.cell
    if quantity is not None and quantity.role in IN_RUNS:
        mine = run.values.get(quantity.name)
        wanted = mine is measurement or (mine is None and (quantity.text or quantity.flag))
        if wanted and _fill(values, quantity, numeral, measurement.amount, cell.raw):
            return
        if numeral.form is Form.NOTHING:
            return
    elif quantity is not None and quantity.name in _TOLD_APART:
        return
    if cell.raw and measurement.part == 0:
        raw = cell.raw if measurement.pick is None else numeral.text
        extra.keep(measurement.header.text, raw)


def _fill(
    values: TidyRow, quantity: Quantity, numeral: Numeral, amount: Amount | None, raw: str
) -> bool:
    """Store a value in its column if it fits and the column is still empty."""
    value = column_value(quantity, numeral, amount, raw)
    if value is None or values.get(quantity.name) is not None:
        return False
    values[quantity.name] = value
    return True


def column_value(
    quantity: Quantity, numeral: Numeral, amount: Amount | None, raw: str
) -> str | int | float | bool | None:
    """Convert a value to the unit of its quantity's column; None if it does not fit.

    A fraction does not fit into a column of whole numbers: its text belongs into `extra`.
    """
    if quantity.text:
        return plain_text(raw or numeral.text) or None if numeral.form is not Form.NOTHING else None
    if quantity.flag:
        return read_flag(numeral.text)
    if amount is None:
        return None
    number = quantity.convert(amount.value, amount.unit)
    if not quantity.integer:
        return float(number)
    whole = number == number.to_integral_value() and abs(number) <= _GREATEST_INTEGER
    return int(number) if whole else None


def _notes(sheet: Sheet, run: Run) -> str | None:
    notes: dict[str, None] = {}
    for one in run.measurements:
        if one.part == 0 and _is_remark(one):
            notes[plain_text(one.cell.raw)] = None
        elif one.numeral.note and not _is_told_in_full(one):
            notes[one.numeral.note] = None
        for marker in one.numeral.markers:
            if marker in sheet.legends:
                notes[sheet.legends[marker].text] = None
    return "; ".join(notes) or None


def _is_remark(one: Measurement) -> bool:
    noted = one.quantity is not None and one.quantity.name == "notes"
    return noted and one.numeral.form is Form.TEXT


def _is_told_in_full(one: Measurement) -> bool:
    """Whether the run's column has the whole text: `8x A100` needs no separate note about A100."""
    return one.quantity is not None and one.quantity.text and one.numeral.form is Form.COUNT


def _date(run: Run) -> str | None:
    for one in run.measurements:
        if one.numeral.form is Form.DATE:
            return read_date(one.numeral.text)
    return None


def _claim(report: Report, claim: Claim) -> TidyRow:
    return {
        "report": report.source.path,
        "section": report.section_title(claim.section),
        "line": report.source.line(claim.span.start),
        "source": "prose",
        "status": Status.OK.value,
        "markers": [],
        "findings": [],
        "model": claim.model,
        "device": claim.device,
        "devices": claim.devices,
        claim.quantity.name: column_value(
            claim.quantity, claim.numeral, scale(claim.numeral, claim.quantity), ""
        ),
        "extra": {},
    }
