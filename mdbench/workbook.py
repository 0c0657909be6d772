"""A whole report understood: its document, a sheet for each table, and what its prose measures."""

from __future__ import annotations

from dataclasses import dataclass

from mdbench.claims import Claim, find_claims
from mdbench.document import Document, parse_document
from mdbench.facts import collect_facts
from mdbench.legends import collect_legends
from mdbench.sheet import Sheet, read_sheet
from mdbench.source import Source


@dataclass(frozen=True, slots=True)
class Workbook:
    """Everything that was read from one report."""

    document: Document
    sheets: tuple[Sheet, ...]
    claims: tuple[Claim, ...]

    @property
    def source(self) -> Source:
        """The report's text."""
        return self.document.source


def read_workbook(source: Source) -> Workbook:
    """Read a report."""
    document = parse_document(source)
    facts = collect_facts(document)
    legends = collect_legends(document)
    sheets = tuple(read_sheet(table, facts, legends) for table in document.tables)
    return Workbook(document, sheets, tuple(find_claims(document)))


def parse(text: str, path: str = "<text>") -> Workbook:
    """Read a report from a string."""
    return read_workbook(Source(path, text))
