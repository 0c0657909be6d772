"""`mdbench columns`: the quantities it knows, or how the headers of a file were understood."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from mdbench.discovery import DiscoveryError, find_reports
from mdbench.headers import Header
from mdbench.problems import ProblemError, report_problem
from mdbench.quantities import quantities
from mdbench.reader import read_source
from mdbench.source import SourceError
from mdbench.workbook import Workbook, read_workbook


def run_columns(arguments: argparse.Namespace) -> int:
    """Print quantities, or with files the reading of each header; 2 if a file could not be read."""
    if not arguments.paths:
        sys.stdout.writelines(f"{line}\n" for line in _list_quantities())
        return 0
    failed = False
    try:
        paths = list(find_reports(arguments.paths))
    except DiscoveryError as error:
        raise ProblemError(str(error)) from error
    for path in paths:
        try:
            workbook = read_workbook(read_source(path, arguments.stdin_filename))
        except SourceError as error:
            report_problem(f"{path}: {error}")
            failed = True
            continue
        sys.stdout.writelines(f"{line}\n" for line in _explain(workbook))
    return 2 if failed else 0


def _list_quantities() -> Iterator[str]:
    known = quantities().values()
    width = max(len(one.name) for one in known)
    for one in known:
        spellings = ", ".join(one.spellings)
        yield f"{one.name:{width}}  {one.unit.text or '-':12}  {one.role:11}  {spellings}"


def _explain(workbook: Workbook) -> Iterator[str]:
    source = workbook.source
    for number, sheet in enumerate(workbook.sheets, 1):
        line = source.line(sheet.table.span.start)
        way = ", transposed" if sheet.layout.transposed else ""
        yield f"{source.path}:{line}: table {number} ({sheet.table.kind}{way})"
        width = max((len(header.text) for header in sheet.headers), default=0)
        for header in sheet.headers:
            yield f"  {header.text:{width}}  {_understood(header)}  ({header.why})"
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
