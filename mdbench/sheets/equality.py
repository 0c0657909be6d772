"""Whether two reports say the same: every measurement, wherever and however it is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import NamedTuple

from mdbench.markdown.inline import plain_text
from mdbench.numerals.cell import Form, Numeral, Status
from mdbench.numerals.units import parse_unit
from mdbench.prose.claims import Claim
from mdbench.prose.facts import Fact
from mdbench.sheets.measurements import Measurement, Run
from mdbench.sheets.report import Report
from mdbench.sheets.sheet import Sheet
from mdbench.source import Source, Span
from mdbench.vocabulary.amounts import Amount, scale
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity

_WORDS = frozenset((Form.TEXT, Form.DATE, Form.FLAG))
_NOTHING = "nothing"


class Discrepancy(NamedTuple):
    """One thing that a report says and the other says otherwise; `line` is of the first of them."""

    line: int
    header: str
    before: str
    after: str

    def __str__(self) -> str:
        where = f"line {self.line}, {self.header}" if self.header else f"line {self.line}"
        return f"{where}: {self.before} would become {self.after}"


class _Said(NamedTuple):
    """What one reading says, without where and how."""

    quantity: str = ""
    form: str = Form.NOTHING.value
    value: Decimal | str | None = None
    precision: Decimal | None = None
    unit: tuple[str, Decimal] | str = ""
    spread: Decimal | None = None
    bound: str = ""
    status: str = Status.MISSING.value
    markers: tuple[str, ...] = ()
    note: tuple[str, ...] = ()


_SILENT = _Said()


class _Entry(NamedTuple):
    """A thing to compare: all that is said at one place, and how that place is named."""

    said: tuple[object, ...]
    span: Span
    header: str
    raw: str


_Entries = Mapping[tuple[object, ...], _Entry]


def differences(
    before: Report, after: Report, *, footnotes: bool = False
) -> tuple[Discrepancy, ...]:
    """Where two readings of a report differ in more than places and looks; nothing if they agree.

    An empty cell, a missing one and a sign for "no value" are the same, and blank rows count for
    nothing. With `footnotes`, a mark that its report explains counts as the note it stands for.
    """
    return tuple(_compare(before, after, footnotes))


def _compare(before: Report, after: Report, footnotes: bool) -> Iterator[Discrepancy]:
    for old, new in zip_longest(before.sheets, after.sheets):
        if old is None or new is None:
            yield _lose_table(before, after, old, new)
            continue
        sections = [
            book.section_title(sheet.table.section) for book, sheet in ((before, old), (after, new))
        ]
        if sections[0] != sections[1]:
            yield Discrepancy(_line(before, old.table.span), "section", *sections)
        rows = _align(_rows(old, footnotes), _rows(new, footnotes))
        changed = [one for pair in rows for one in _match(before, after, *pair)]
        yield from changed
        # A row more or less is told once: what else it changes about the table follows from it.
        if not changed:
            yield from _match(before, after, _frame(old), _frame(new))
    yield from _match(before, after, _claims(before.claims), _claims(after.claims))


def _lose_table(before: Report, after: Report, old: Sheet | None, new: Sheet | None) -> Discrepancy:
    if old is not None:
        return Discrepancy(_line(before, old.table.span), "", "a table", _NOTHING)
    span = new.table.span if new is not None else Span(0, 0)
    return Discrepancy(_line(after, span), "", _NOTHING, "a table")


def _align(
    olds: Sequence[_Entries], news: Sequence[_Entries]
) -> Iterator[tuple[_Entries, _Entries]]:
    """The rows in pairs; where one report has more, those at which they part stand against none."""
    shorter = min(len(olds), len(news))
    top = 0
    if len(olds) != len(news):
        while top < shorter and _alike(olds[top], news[top]):
            top += 1
    else:
        top = shorter
    rest = shorter - top
    yield from zip(olds[:top], news[:top], strict=True)
    yield from ((old, {}) for old in olds[top : len(olds) - rest])
    yield from (({}, new) for new in news[top : len(news) - rest])
    yield from zip(olds[len(olds) - rest :], news[len(news) - rest :], strict=True)


def _alike(old: _Entries, new: _Entries) -> bool:
    return [(at, one.said) for at, one in old.items()] == [
        (at, one.said) for at, one in new.items()
    ]


def _match(before: Report, after: Report, olds: _Entries, news: _Entries) -> Iterator[Discrepancy]:
    for place in dict.fromkeys((*olds, *news)):
        old, new = olds.get(place), news.get(place)
        if (old.said if old else ()) == (new.said if new else ()):
            continue
        known = old or new
        if known is not None:
            line = _line(before if old else after, known.span)
            yield Discrepancy(line, known.header, *_tell(old, new))


def _rows(sheet: Sheet, footnotes: bool) -> list[dict[tuple[object, ...], _Entry]]:
    """What the cells of each run say, by their column; those that say nothing are left out."""
    runs: dict[int, dict[tuple[object, ...], _Entry]] = {}
    for column in sheet.columns:
        for entry in column.entries:
            first = entry[0]
            row = runs.setdefault(first.run, {})
            said = tuple(_read(sheet, one, footnotes) for one in entry)
            if said != (_SILENT,):
                row[(column.index,)] = _Entry(
                    said, first.cell.span, first.header.text, first.cell.raw
                )
    return [runs[number] for number in sorted(runs)]


def _read(sheet: Sheet, one: Measurement, footnotes: bool) -> _Said:
    numeral = one.numeral
    legends = [sheet.legends[mark].text for mark in numeral.markers if mark in sheet.legends]
    markers = numeral.markers
    if footnotes:
        markers = tuple(mark for mark in markers if mark not in sheet.legends)
    notes = tuple(sorted(set(filter(None, (numeral.note, *legends)))))
    if numeral.form is Form.NOTHING and numeral.status is Status.MISSING:
        # What a number would be of that is not there is no measurement.
        return _Said(markers=markers, note=notes)
    words = plain_text(one.cell.raw) if numeral.form in _WORDS else None
    return _say(numeral, one.amount, one.quantity, (words, markers, notes))


def _say(
    numeral: Numeral,
    amount: Amount | None,
    quantity: Quantity | None,
    told: tuple[str | None, tuple[str, ...], tuple[str, ...]] = (None, (), ()),
) -> _Said:
    words, markers, note = told
    unit = amount.unit if amount is not None else parse_unit(numeral.unit)
    value: Decimal | str | None = amount.value if amount is not None else numeral.value
    return _Said(
        quantity=quantity.name if quantity is not None else "",
        form=numeral.form.value,
        value=value if words is None else words,
        precision=amount.quantum if amount is not None else numeral.quantum,
        unit=(unit.dimension, unit.scale) if unit is not None else numeral.unit,
        spread=numeral.spread,
        bound=numeral.bound,
        status=numeral.status.value,
        markers=markers,
        note=note,
    )


def _frame(sheet: Sheet) -> dict[tuple[object, ...], _Entry]:
    """What holds for the cells: the headers, words that are no data, settings, and the runs."""
    found: dict[tuple[object, ...], _Entry] = {}
    for column in sheet.columns:
        if column.heading is not None:
            found["header", column.index] = _headed(column.header, column.heading.span)
    asides = [sheet.table.rows[at] for at in sheet.layout.asides]
    if sheet.layout.transposed:
        asides.insert(0, sheet.table.header)
    for at, row in enumerate(asides):
        texts = tuple(plain_text(cell.raw) for cell in row.cells)
        shown = " ".join(filter(None, texts))
        found["words", at] = _Entry((shown,), row.span, "", shown)
    for at, fact in enumerate(sheet.facts):
        found["fact", at] = _stated(fact)
    order = {_name_fact(fact): at for at, fact in enumerate(sheet.facts)}
    for at, run in enumerate(sheet.runs):
        found["run", at] = _ran(run, order)
    return found


def _headed(header: Header, span: Span) -> _Entry:
    name = header.quantity.name if header.quantity is not None else ""
    said = name, header.statistic, header.settings
    return _Entry(said, span, header.text, f"{name or 'unknown'} {header.statistic}".strip())


def _stated(fact: Fact) -> _Entry:
    said = _say(fact.numeral, scale(fact.numeral, fact.quantity), fact.quantity, (fact.raw, (), ()))
    return _Entry((said, fact.conditions), fact.span, fact.quantity.name, fact.raw)


def _name_fact(fact: Fact) -> tuple[Span, str]:
    """What no other fact of a table has: its place, and what it is about."""
    return fact.span, fact.quantity.name


def _ran(run: Run, order: Mapping[tuple[Span, str], int]) -> _Entry:
    settings = tuple((one.quantity.name, one.raw) for one in run.settings)
    facts = tuple(order[_name_fact(fact)] for fact in run.facts)
    said = run.label, settings, facts, run.status.value
    return _Entry(said, run.span, "the run", run.status.value)


def _claims(claims: Sequence[Claim]) -> dict[tuple[object, ...], _Entry]:
    return {
        ("claim", at): _Entry(
            (
                _say(one.numeral, scale(one.numeral, one.quantity), one.quantity),
                one.model,
                one.devices,
                one.device,
            ),
            one.span,
            one.quantity.name,
            one.numeral.text,
        )
        for at, one in enumerate(claims)
    }


def _tell(old: _Entry | None, new: _Entry | None) -> tuple[str, str]:
    """Both texts; where those are alike, what is understood otherwise."""
    before, after = (one.raw or _NOTHING if one else _NOTHING for one in (old, new))
    if before != after or old is None or new is None:
        return before, after
    firsts = [one.said[0] if one.said else None for one in (old, new)]
    if not isinstance(firsts[0], _Said) or not isinstance(firsts[1], _Said):
        return before, f"{after}, understood otherwise"
    unlike = [
        (name, *values)
        for name in _Said.__match_args__
        if (values := tuple(getattr(one, name) for one in firsts))[0] != values[1]
    ]
    told = [", ".join(f"{name} {_plain(pair[at])}" for name, *pair in unlike) for at in (0, 1)]
    return (f"{before} ({told[0]})", f"{after} ({told[1]})") if unlike else (before, after)


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or _NOTHING
    return _NOTHING if value is None or value == "" else str(value)


def _line(report: Report, span: Span) -> int:
    source: Source = report.source
    return source.line(span.start)
