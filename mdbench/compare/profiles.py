"""The runs of a report, each with the settings that identify it and its measurements."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Numeral, Status, read_cell, read_flag
from mdbench.numerals.units import parse_unit
from mdbench.prose.claims import Claim
from mdbench.sheets.measurements import Measurement, Run
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Span
from mdbench.vocabulary.amounts import NUMERIC, Amount, scale
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import Quantity, Role, squash

_TELLING = frozenset((Role.SETTING, Role.IDENTITY))
_TOLD = frozenset((Status.OOM, Status.FAILED))


class Slot(NamedTuple):
    """What distinguishes a measurement from the others of its run."""

    name: str
    """The quantity; empty if the header is unknown."""
    statistic: str
    header: str
    part: int


class Setting(NamedTuple):
    """The value of one setting of a run."""

    value: Hashable
    text: str
    own: bool
    """Whether it comes from the table, not from the surrounding text."""


class MeasuredValue(NamedTuple):
    """One measurement."""

    slot: Slot
    header: str
    text: str
    """As printed, with the unit of the header."""
    status: Status
    line: int
    cell: Span
    value: Decimal | None = None
    """In the unit of the frame if the quantity is known."""
    quantum: Decimal = Decimal(0)
    unit: str = ""
    spread: Decimal | None = None
    bound: str = ""

    @property
    def name(self) -> str:
        """The column of the frame, or the header if there is no such column."""
        return " ".join(filter(None, (self.slot.name or self.header, self.slot.statistic)))

    @property
    def said(self) -> Hashable:
        """The value, independent of its formatting."""
        if self.value is None:
            return self.status, self.text.casefold()
        return self.status, self.value.normalize(), self.unit, self.spread, self.bound


@dataclass(frozen=True, eq=False)
class Profile:
    """One run. No two are equal, whatever they say."""

    section: str
    line: int
    settings: Mapping[str, Setting]
    readings: Mapping[Slot, MeasuredValue]
    remarks: frozenset[str]
    """Dates and notes: they distinguish runs that are otherwise equal."""

    @cached_property
    def identity(self) -> frozenset[tuple[str, Hashable]]:
        """All settings."""
        return frozenset((name, one.value) for name, one in self.settings.items())

    @cached_property
    def own(self) -> frozenset[tuple[str, Hashable]]:
        """The settings from the table itself."""
        return frozenset((name, one.value) for name, one in self.settings.items() if one.own)

    @cached_property
    def results(self) -> frozenset[tuple[Slot, Hashable]]:
        """All measurements."""
        return frozenset((slot, one.said) for slot, one in self.readings.items())

    @property
    def measured(self) -> bool:
        """Whether it contains a number."""
        return any(one.value is not None for one in self.readings.values())


def profile_runs(report: Report) -> list[Profile]:
    """The runs of a report, in order."""
    found = [
        _profile(report, sheet, run)
        for sheet in report.sheets
        if sheet.tells_something
        for run in sheet.runs
    ]
    return [*found, *(_profile_claim(report, claim) for claim in report.claims)]


def _profile(report: Report, sheet: Sheet, run: Run) -> Profile:
    settings: dict[str, Setting] = {}
    readings: dict[Slot, MeasuredValue] = {}
    remarks: set[str] = set()
    if run.label:
        settings.update([_read_label(sheet, run.label)])
    for one in run.measurements:
        if one.numeral.form is Form.DATE or _role(one) is Role.NOTE:
            remarks.add(plain_text(one.cell.raw))
        elif _role(one) in _TELLING:
            _add_setting(settings, one)
        elif (reading := _read(report, one)) is not None:
            readings.setdefault(reading.slot, reading)
    for quantity, numeral, raw in run.settings:
        settings.setdefault(quantity.name, _value(quantity, numeral, None, raw, own=True))
    for fact in run.facts:
        name, value = fact.quantity.name, _value(fact.quantity, fact.numeral, None, fact.raw)
        settings.setdefault(name, value)
    line = report.source.line(run.span.start)
    if run.status in _TOLD and all(one.status is not run.status for one in readings.values()):
        slot = Slot("status", "", "", 0)
        told = run.status.value
        readings[slot] = MeasuredValue(slot, "status", told, run.status, line, run.span)
    section = report.section_title(sheet.table.section)
    return Profile(section, line, settings, readings, frozenset(filter(None, remarks)))


def _read_label(sheet: Sheet, label: str) -> tuple[str, Setting]:
    """Interpret the header of a run in a transposed table, given the headers of all runs."""
    corner = sheet.layout.titles[0]
    quantity = read_header(corner, sheet.vocabulary).quantity
    if quantity is None or quantity.role not in _TELLING:
        return corner or "column", _words(label, own=True)
    return quantity.name, _value(quantity, read_cell(label)[0], None, label, own=True)


def _profile_claim(report: Report, claim: Claim) -> Profile:
    line = report.source.line(claim.span.start)
    header = Header(claim.quantity.name, claim.quantity)
    amount = scale(claim.numeral, claim.quantity)
    slot = Slot(claim.quantity.name, "", "", 0)
    text = claim.numeral.text
    reading = MeasuredValue(slot, header.text, text, claim.numeral.status, line, claim.span)
    settings = {
        "model": _words(claim.model, own=True),
        "device": _words(claim.device, own=True),
        "devices": Setting(Decimal(claim.devices), str(claim.devices), own=True),
    }
    measured = _measured(reading, claim.numeral, amount, claim.quantity)
    section = report.section_title(claim.section)
    return Profile(section, line, settings, {slot: measured}, frozenset())


def _role(one: Measurement) -> Role:
    """The role of a cell for its run; words under an unknown header identify the run."""
    if one.quantity is not None:
        return one.quantity.role
    candidates = {each.role for each in one.header.candidates}
    if one.numeral.form in NUMERIC and not (candidates and candidates <= _TELLING):
        return Role.MEASUREMENT
    broken = one.numeral.form is Form.NOTHING or one.numeral.status in _TOLD
    return Role.MEASUREMENT if broken else Role.SETTING


def _add_setting(settings: dict[str, Setting], one: Measurement) -> None:
    if one.numeral.form is Form.NOTHING:
        return
    title = plain_text(one.header.text)
    name = one.quantity.name if one.quantity is not None else title
    setting = _value(one.quantity, one.numeral, one.amount, one.cell.raw, own=True)
    for known in (name, title, f"{title} ({one.part})"):
        if settings.setdefault(known, setting).value == setting.value:
            return


def _value(
    quantity: Quantity | None,
    numeral: Numeral,
    amount: Amount | None,
    raw: str,
    *,
    own: bool = False,
) -> Setting:
    words = _words(raw or numeral.text, own=own)
    if quantity is None or quantity.text:
        return words
    if quantity.flag:
        flag = read_flag(numeral.text)
        return words if flag is None else words._replace(value=flag)
    amount = amount or scale(numeral, quantity)
    if amount is None or numeral.form not in (Form.NUMBER, Form.COUNT):
        return words
    return words._replace(value=quantity.convert(amount.value, amount.unit).normalize())


def _words(raw: str, *, own: bool) -> Setting:
    text = " ".join(plain_text(raw).split())
    return Setting(text.casefold(), text, own)


def _read(report: Report, one: Measurement) -> MeasuredValue | None:
    numeral = one.numeral
    if numeral.form is Form.NOTHING and numeral.status not in _TOLD:
        return None
    name = one.quantity.name if one.quantity is not None else ""
    title = plain_text(one.header.text)
    whole = numeral.form not in NUMERIC or numeral.status is not Status.OK
    text = " ".join(plain_text(one.cell.raw if whole else numeral.text).split())
    if one.header.unit is not None and not numeral.unit and numeral.form is Form.NUMBER:
        text = f"{text} {one.header.unit.text}".rstrip()
    reading = MeasuredValue(
        Slot(name, one.header.statistic, squash(title), one.part),
        title,
        text,
        numeral.status,
        report.source.line(one.cell.span.start),
        one.cell.span,
    )
    return _measured(reading, numeral, one.amount, one.quantity)


def _measured(
    reading: MeasuredValue, numeral: Numeral, amount: Amount | None, quantity: Quantity | None
) -> MeasuredValue:
    """A reading with its number, in the unit of the frame if there is one."""
    if numeral.value is None or numeral.form is Form.FLAG:
        return reading
    quantum = numeral.quantum or Decimal(0)
    if quantity is not None and amount is not None:
        value = quantity.convert(amount.value, amount.unit)
        quantum = quantity.convert(amount.quantum, amount.unit)
        unit = quantity.unit.text
    elif (known := parse_unit(numeral.unit)) is not None:
        value, quantum, unit = numeral.value * known.scale, quantum * known.scale, known.dimension
    else:
        value, unit = numeral.value, numeral.unit
    spread = numeral.spread * value / numeral.value if numeral.spread and numeral.value else None
    return reading._replace(
        value=value, quantum=quantum, unit=unit, spread=spread, bound=numeral.bound
    )
