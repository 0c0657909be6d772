"""`mdbench columns`: the quantities it knows, or how the headers of a file were understood."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from mdbench.cli.inputs import list_reports
from mdbench.config.settings import Settings
from mdbench.errors import Complaints, printable
from mdbench.files.reading import report_name
from mdbench.files.writing import open_output
from mdbench.frames.text import pad
from mdbench.output.terminal import display_width
from mdbench.sheets.report import Report
from mdbench.sheets.report_files import read_file
from mdbench.source import SourceError
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import extended_vocabulary


def run_columns(arguments: argparse.Namespace) -> int:
    """Print quantities, or with files the reading of each header; 2 if a file could not be read."""
    complain = Complaints()
    lines = (
        _explain_all(arguments, complain)
        if arguments.paths
        else _list_quantities(arguments.settings)
    )
    with open_output(None) as sink:
        for line in lines:
            sink.write(f"{printable(line)}\n".encode())
    return complain.exit_code


def _list_quantities(settings: Settings) -> Iterator[str]:
    known = extended_vocabulary(settings.extensions).quantities.values()
    width = max(len(one.name) for one in known)
    for one in known:
        spellings = ", ".join(one.spellings)
        yield f"{one.name:{width}}  {one.unit.text or '-':12}  {one.role:11}  {spellings}"


def _explain_all(arguments: argparse.Namespace, complain: Complaints) -> Iterator[str]:
    reading = arguments.settings.reading(arguments.stdin_filename)
    for path in list_reports(arguments.paths, complain, arguments.settings):
        try:
            yield from read_file(path, lambda report: list(_explain(report)), reading)
        except SourceError as error:
            complain(f"{report_name(path, reading.stdin_name)}: {error}")


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
        meant = f"{header.quantity.name} [{unit}]" if unit else header.quantity.name
    elif header.candidates:
        meant = "undecided: " + " or ".join(one.name for one in header.candidates)
    else:
        meant = "kept in extra"
    stated = ", ".join(f"{name}={value}" for name, value in header.settings)
    return f"{meant}, states {stated}" if stated else meant
