"""A whole report understood: its document, a sheet for each table, and what its prose measures."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mdbench.markdown.document import Document
from mdbench.markdown.inline import plain_text
from mdbench.markdown.parser import parse_document
from mdbench.prose.claims import Claim, find_claims
from mdbench.prose.facts import Fact, collect_facts, facts_by_table
from mdbench.prose.legends import collect_legends
from mdbench.sheets.caption_texts import Around, captions_by_table, texts_below
from mdbench.sheets.quotes import collect_quotes, quoted_unit
from mdbench.sheets.sheet import Sheet, read_sheet
from mdbench.sheets.sisters import meanings_by_sisters, open_columns
from mdbench.source import Source
from mdbench.vocabulary.quantities import Vocabulary


class Report(NamedTuple):
    """Everything that was read from one report."""

    document: Document
    sheets: tuple[Sheet, ...]
    facts: tuple[Fact, ...]
    claims: tuple[Claim, ...]
    vocabulary: Vocabulary
    """What the report was read with."""

    @property
    def source(self) -> Source:
        """The report's text."""
        return self.document.source

    def section_title(self, section: int) -> str:
        """The words of a section's heading; nothing for -1, which is before the first heading."""
        return plain_text(self.document.sections[section].title) if section >= 0 else ""


def read_report(source: Source, vocabulary: Vocabulary) -> Report:
    """Read a report."""
    return read_document(parse_document(source), vocabulary)


def read_document(document: Document, vocabulary: Vocabulary) -> Report:
    """Read a report whose structure is known already."""
    claims = tuple(find_claims(document, vocabulary))
    if not document.tables:
        # All else that a text states is about tables.
        return Report(document, (), (), claims, vocabulary)
    legends = collect_legends(document)
    stated = collect_facts(document, vocabulary)
    stated_for = facts_by_table(document.tables, stated)
    given = [
        (table, facts, Around(captions, below=below))
        for table, facts, captions, below in zip(
            document.tables,
            stated_for,
            captions_by_table(document),
            texts_below(document),
            strict=True,
        )
    ]
    sheets = [
        read_sheet(table, facts, legends, around, vocabulary) for table, facts, around in given
    ]
    captions_of = [around.captions for _, _, around in given]
    alike = meanings_by_sisters(sheets, captions_of)
    units = _units_in_text(document, sheets)
    for at in sorted(alike.keys() | units.keys()):
        table, facts, around = given[at]
        captions = (*around.captions, *units.get(at, ()))
        around = around._replace(captions=captions, sisters=alike.get(at, {}))
        sheets[at] = read_sheet(table, facts, legends, around, vocabulary)
    return Report(document, tuple(sheets), stated, claims, vocabulary)


def _units_in_text(document: Document, sheets: Sequence[Sheet]) -> Mapping[int, tuple[str, ...]]:
    """For each table that says too little, a caption with the unit that the text has for it."""
    silent = {sheet.number: columns for sheet in sheets if (columns := open_columns(sheet))}
    quotes = collect_quotes(document) if silent else {}
    told = ((at, quoted_unit(columns, quotes)) for at, columns in silent.items())
    return {at: (f"Unit: {unit.text}",) for at, unit in told if unit is not None}
