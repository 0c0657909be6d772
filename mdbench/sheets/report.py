"""A whole report understood: its document, a sheet for each table, and what its prose measures."""

from __future__ import annotations

from typing import NamedTuple

from mdbench.markdown.document import Document
from mdbench.markdown.inline import plain_text
from mdbench.markdown.parser import parse_document
from mdbench.prose.claims import Claim, find_claims
from mdbench.prose.facts import Fact, collect_facts, facts_by_table
from mdbench.prose.legends import collect_legends
from mdbench.sheets.captions import captions_by_table
from mdbench.sheets.sheet import Sheet, read_sheet
from mdbench.source import Source, as_source
from mdbench.vocabulary.extensions import PLAIN, Dialect, in_force


class Workbook(NamedTuple):
    """Everything that was read from one report."""

    document: Document
    sheets: tuple[Sheet, ...]
    facts: tuple[Fact, ...]
    claims: tuple[Claim, ...]
    dialect: Dialect = PLAIN
    """What the project adds to what is known: the report was read in the light of it."""

    @property
    def source(self) -> Source:
        """The report's text."""
        return self.document.source

    def section_title(self, section: int) -> str:
        """The words of a section's heading; nothing for -1, which is before the first heading."""
        return plain_text(self.document.sections[section].title) if section >= 0 else ""


def read_workbook(source: Source) -> Workbook:
    """Read a report, in the dialect that is in force."""
    return read_document(parse_document(source))


def read_document(document: Document) -> Workbook:
    """Read a report whose structure is known already."""
    legends = collect_legends(document)
    stated = collect_facts(document)
    sheets = tuple(
        read_sheet(table, facts, legends, captions)
        for table, facts, captions in zip(
            document.tables,
            facts_by_table(document.tables, stated),
            captions_by_table(document),
            strict=True,
        )
    )
    return Workbook(document, sheets, stated, tuple(find_claims(document)), in_force())


def parse(text: str, path: str = "<text>") -> Workbook:
    """Read a report from a string."""
    return read_workbook(as_source(text, path))
