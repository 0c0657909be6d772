"""`mdbench columns`: the known quantities, or how the headers of a file were understood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdbench.cli.inputs import list_reports, load_configuration
from mdbench.cli.options import AddParser, ConfigOptions, add_config, add_stdin_filename, set_run
from mdbench.config.settings import Settings
from mdbench.errors import Errors, printable
from mdbench.files.console import Console
from mdbench.files.reading import report_name
from mdbench.files.writing import open_output
from mdbench.frames.text import pad
from mdbench.markdown.widths import display_width
from mdbench.sheets.report import Report
from mdbench.sheets.report_files import read_file
from mdbench.source import SourceError
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import extended_vocabulary


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
    parser.add_argument("paths", nargs="*", metavar="FILE", help="reports to explain")
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
    for one in known:
        spellings = ", ".join(one.spellings)
        yield f"{one.name:{width}}  {one.unit.text or '-':12}  {one.role:11}  {spellings}"


def _explain_all(options: ColumnsOptions, settings: Settings, errors: Errors) -> Iterator[str]:
    reading = settings.reading(options.stdin_filename)
    for path in list_reports(options.paths, settings, errors, options.console):
        try:
            yield from read_file(path, lambda report: list(_explain(report)), reading)
        except SourceError as error:
            errors.report(f"{report_name(path, reading.stdin_name)}: {error}")


def _explain(report: Report) -> Iterator[str]:
    source = report.source
    if not report.sheets:
        yield f"{source.path}: no tables"
    for number, sheet in enumerate(report.sheets, 1):
        line = source.line(sheet.table.span.start)
        way = ", transposed" if sheet.layout.transposed else ""
        yield f"{source.path}:{line}: table {number} ({sheet.table.kind}{way})"
        headers = [column.header for column in sheet.columns]
        width = max((display_width(header.text) for header in headers), default=0)
        for header in headers:
            yield f"  {pad(header.text, width)}  {_understood(header)}  ({header.why})"
        for fact in sheet.facts:
            place = source.line(fact.span.start)
            yield f"  stated on line {place}: {fact.quantity.name} = {fact.raw}"


def _understood(header: Header) -> str:
    if header.quantity is not None:
        unit = header.unit.text if header.unit is not None else header.quantity.unit.text
        meaning = f"{header.quantity.name} [{unit}]" if unit else header.quantity.name
    elif header.candidates:
        meaning = "undecided: " + " or ".join(one.name for one in header.candidates)
    else:
        meaning = "kept in extra"
    stated = ", ".join(f"{name}={value}" for name, value in header.settings)
    return f"{meaning}, states {stated}" if stated else meaning
