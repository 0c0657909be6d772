"""`mdbench columns`: the known quantities, or how the headers of a file were understood."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from mdbench.cli.inputs import list_reports, load_configuration
from mdbench.cli.options import AddParser, ConfigOptions, add_config, add_stdin_filename, set_run
from mdbench.cli.tables import terminal_width
from mdbench.config.nearest import Nearest
from mdbench.config.settings import Settings
from mdbench.files.console import Console
from mdbench.files.errors import Errors, printable
from mdbench.files.reading import report_name
from mdbench.files.writing import open_output
from mdbench.frames.fitting_columns import cut_text
from mdbench.markdown.comments import may_bind
from mdbench.markdown.inline import plain_text
from mdbench.markdown.widths import display_width
from mdbench.numerals.numeral import Form
from mdbench.sheets.columns import Column
from mdbench.sheets.report import Report
from mdbench.sheets.report_files import read_file
from mdbench.source import Source, SourceError, Span
from mdbench.vocabulary.amounts import UNIT_NEEDED
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Quantity, extended_vocabulary

if TYPE_CHECKING:
    from mdbench.results.comparison import BoundTable
    from mdbench.results.files import ResultFiles

_GAP = "  "
_MOST_ALIGNED = 40
_NARROWEST = 10
_IN_CELLS = "the unit of its cells"
_REASONS = {
    "a bare number: the value of a pivot": "the header is a number",
    "a benchmark": "the header names a benchmark",
    "a name, as beside it": "a name, like the headers beside it",
    "a ratio of two columns beside it": "the ratio of two columns beside it",
    "a statistic": "the header names a statistic",
    "bare numbers beside TFLOPs": "beside TFLOPs",
    "compared with another": "the header compares two things",
    "empty": "there is no header",
    "its unit": "the header names the unit",
    "llama-bench notation": "llama-bench writes it so",
    "may be a time or a rate": "it may be a time or a rate",
    "spelling": "the header says so",
    "states settings": "the header is a setting",
    "unknown": "no known word",
    "words": "the words of the header",
}
_NO_UNIT = "unit not stated"
_SAID = frozenset(("spelling", "words"))
_BEGINNINGS = {
    "a value of ": "the header is a value of ",
    "as ": "like ",
    "its cells ": "the cells ",
    "says what ": "it says what ",
    "the caption says ": "the caption says: ",
    "words, ": "the words of the header, ",
}
"""Reasons in plain English; others are shown as they are."""


class ColumnsOptions(NamedTuple):
    """The options of `columns`."""

    paths: Sequence[str]
    stdin_filename: str
    configuration: ConfigOptions
    console: Console


def add_parser(add: AddParser) -> None:
    """Add the command."""
    parser = add(
        "columns",
        summary="list known quantities, or how a file's headers were understood",
        description="List quantities, units and spellings; with files, how each header was read.",
        examples=("mdbench columns", "mdbench columns reports/fugaku-30b.md"),
    )
    parser.add_argument("paths", nargs="*", metavar="FILE", help="reports whose headers to explain")
    add_stdin_filename(parser)
    add_config(parser)
    set_run(parser, ColumnsOptions, run)


def run(options: ColumnsOptions) -> int:
    """Print quantities, or with files the reading of each header; 2 if a file is unreadable."""
    errors = Errors()
    settings = load_configuration(options.configuration)
    explained = _explain_all(options, settings, errors)
    with open_output(None) as sink:
        for line in explained if options.paths else _list_quantities(settings):
            sink.write(f"{printable(line)}\n".encode())
    return errors.exit_code


def _list_quantities(settings: Settings) -> Iterator[str]:
    known = extended_vocabulary(settings.extensions).quantities.values()
    width = max(len(one.name) for one in known)
    room = terminal_width(None)
    for one in known:
        start = f"{one.name:{width}}  {one.unit.text or '-':12}  {one.role:11}  "
        # A pipe gets all of it, as from other tools.
        left = None if room is None else room - len(start)
        yield start + _list_spellings(one.spellings, left)


def _list_spellings(spellings: Sequence[str], room: int | None) -> str:
    """As many spellings as there is room for, and how many more there are."""
    every = ", ".join(spellings)
    if room is None or display_width(every) <= room:
        return every
    for kept in range(len(spellings) - 1, 0, -1):
        text = f"{', '.join(spellings[:kept])} … {len(spellings) - kept} more"
        if display_width(text) <= room:
            return text
    return cut_text(every, max(room, 1))


def _explain_all(options: ColumnsOptions, settings: Settings, errors: Errors) -> Iterator[str]:
    nearest = Nearest(settings)
    # A pipe gets all of it, as from other tools.
    room = terminal_width(None)
    paths = list_reports(options.paths, nearest, errors, options.console)
    reading = nearest.reading(paths, options.stdin_filename)
    others = nearest.for_others(paths, options.stdin_filename)
    for path in paths:
        results = others.get(os.path.dirname(os.path.abspath(path)), settings).results
        explain = partial(_explain_in, room=room, results=results)
        try:
            yield from read_file(path, explain, reading)
        except SourceError as error:
            errors.report(f"{report_name(path, reading.stdin_name)}: {error}")


def _explain_in(report: Report, room: int | None, results: ResultFiles) -> list[str]:
    return list(_explain(report, room, results))


def _explain(report: Report, room: int | None, results: ResultFiles) -> Iterator[str]:
    source = report.source
    bound = _bound_tables(report, results)
    if not report.sheets:
        yield f"{source.path}: no tables"
    for number, sheet in enumerate(report.sheets, 1):
        line = source.line(sheet.table.span.start)
        way = ", transposed" if sheet.layout.transposed else ""
        yield f"{source.path}:{line}: table {number} ({sheet.table.kind}{way})"
        yield from _describe(sheet.columns, room)
        for fact in sheet.facts:
            place = source.line(fact.span.start)
            stated = printable(f"  stated on line {place}: {fact.quantity.name} = {fact.raw}")
            yield stated if room is None else cut_text(stated, room)
        if sheet.table.span in bound:
            yield from _describe_binding(source, bound[sheet.table.span])


def _bound_tables(report: Report, results: ResultFiles) -> dict[Span, BoundTable]:
    """The tables that are bound to results."""
    if not may_bind(report.source.text):
        return {}
    from mdbench.results.asking import compare_with  # noqa: PLC0415 - loads duckdb

    tables = compare_with(report, results).tables
    return {one.binding.table.span: one for one in tables if one.binding.table is not None}


def _describe_binding(source: Source, table: BoundTable) -> Iterator[str]:
    """What each column of a bound table shows, and what is not bound and why."""
    query = " ".join(table.binding.query.split())
    yield printable(f"  bound on line {source.line(table.binding.span.start)}: {query}")
    if table.problem:
        yield printable(f"    not compared: {table.problem}")
    said = dict(table.binding.columns)
    for one in table.columns:
        what = "tells rows apart" if one.is_key else "shown"
        title = plain_text(one.column.header.text)
        gives = said.get(title, one.result.name)
        yield printable(f"    {title} = {gives} ({one.how}, {what})")
    for other in table.unbound:
        yield printable(f"    {plain_text(other.column.header.text)}: not bound: {other.why}")


def _describe(columns: Sequence[Column], room: int | None) -> Iterator[str]:
    """One line for each header: its text, what it was taken for, and why."""
    texts = [printable(column.header.text) for column in columns]
    most = _MOST_ALIGNED if room is None else min(_MOST_ALIGNED, max(_NARROWEST, room * 2 // 5))
    width = min(max(map(display_width, texts), default=0), most)
    for text, column in zip(texts, columns, strict=True):
        title, meaning = text, printable(_understood(column))
        reason = printable(_reason(column.header))
        if room is not None:
            title, left = cut_text(text, width), room - width - len(f"  {_GAP}{_GAP}()")
            # The meaning may take what the reason leaves, and half of the room at least.
            meaning = cut_text(meaning, max(left - display_width(reason), left // 2))
            reason = cut_text(reason, left - display_width(meaning))
        padded = title + " " * (width - display_width(title))
        yield f"  {padded}{_GAP}{meaning}{_GAP}({reason})"


def _understood(column: Column) -> str:
    header = column.header
    if header.quantity is not None:
        unit = header.unit.text if header.unit is not None else _unit_of(header.quantity, column)
        meaning = f"{header.quantity.name} [{unit}]" if unit else header.quantity.name
        if header.statistic and header.statistic not in header.quantity.name:
            meaning = f"{meaning}, {header.statistic}"
    elif header.candidates:
        meaning = "undecided: " + " or ".join(one.name for one in header.candidates)
    else:
        meaning = "kept in extra"
    stated = ", ".join(f"{name}={value}" for name, value in header.settings)
    return f"{meaning}, states {stated}" if stated else meaning


def _unit_of(one: Quantity, column: Column) -> str:
    """The unit of a column whose header has none: that of its cells, or of what has only one."""
    usual = one.unit.text
    filled = [main.numeral for main in column.mains if main.numeral.form is not Form.NOTHING]
    carried = {numeral.unit for numeral in filled if numeral.value is not None}
    if one.unit.dimension == "ratio" and carried == {"%"}:
        return "%"
    if one.unit.dimension not in UNIT_NEEDED or "count" in one.dimensions or usual == "bit":
        return usual
    if filled and not carried:
        return ""
    # `- GB` has a unit, if no number.
    carried = carried or {main.numeral.unit for main in column.mains if main.numeral.unit}
    if not carried or "" in carried:
        return _NO_UNIT
    return carried.pop() if len(carried) == 1 else usual


def _reason(header: Header) -> str:
    """Why a header was understood so, in a few words."""
    if header.why == _IN_CELLS and header.unit is not None:
        return f"the cells are in {header.unit.text}"
    if header.quantity is None and header.candidates and header.why in _SAID:
        return "neither header nor cells tell"
    why, mark, more = header.why.partition(";")
    if why in _REASONS:
        why = _REASONS[why]
    for start, words in _BEGINNINGS.items():
        if why.startswith(start):
            why = words + why.removeprefix(start)
    return f"{why}{mark}{more}"
