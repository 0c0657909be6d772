"""MB209: words in the cell of a number."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.markdown.document import TableKind
from mdbench.markdown.footnotes import has_note
from mdbench.numerals.cell import Form, Status, plain_text
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Repeat, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.sheet import Measurement, Sheet
from mdbench.vocabulary.comparisons import COMPARING, direction
from mdbench.vocabulary.quantities import Role

_WORD = lazy(r"[^\W\d_]{2,}")
# An arrow highlights a number as bold text does.
_ARROW = lazy(r"[←-⇿⬅]|<-|<=")
# The word behind a number may be a unit that nobody knows.
_UNIT = lazy(r"[\d.,]+ ?[^\W\d_]+")


@rule("MB209", "note-in-number", Severity.INFO)
def note_in_number(context: Context) -> Iterator[Violation]:
    """A result has a note in its cell, such as `29138.6 MiB (OOM after first epoch)`.

    The note matters, but it makes many programs read a numeric column as text. Move it to the notes
    column to keep both. The same note in many cells is one finding.

    A table without a notes column is not reported: it has no other place for a note. If most
    numbers of a column have notes, readers expect them, and only those that say that a run failed
    are reported.

    A second quantity in parentheses (`4.50 GB (19.05%)`), a spread and a footnote marker are not
    notes, and neither are the words after a factor (`3x faster`, `1x (baseline)`). What tools print
    in code fences is not reported. Neither are a word that may be a unit (`1 jour`) and an arrow
    that highlights a number (`2.58 ← best`).

    ```bad
    | Nodes | Mem                 | Notes    |
    |------:|--------------------:|----------|
    |    96 |         12101.4 MiB |          |
    |   192 |         16622.7 MiB | 2nd try  |
    |   384 | «29087.7 MiB (OOM)» |          |
    ```

    ```good
    | Nodes | Mem         | Notes    |
    |------:|------------:|----------|
    |    96 | 12101.4 MiB |          |
    |   192 | 16622.7 MiB | 2nd try  |
    |   384 | 29087.7 MiB | OOM      |
    ```
    """
    for sheet in context.sheets:
        if sheet.table.kind is TableKind.FENCE:
            # What a tool printed has its notes where the tool puts them.
            continue
        notes = _notes_of(sheet)
        if notes is None:
            continue
        remarks: list[Measurement] = []
        failures: list[Measurement] = []
        for column in sheet.columns:
            if column.is_measured:
                noted = (entry for entry in column.entries if entry[0].numeral.note)
                found = [entry[0] for entry in noted if _has_remark(entry)]
                failures += filter(_failed, found)
                remarks += found if 2 * len(found) < len(column.numbers) else ()
        for one in dict.fromkeys((*remarks, *failures)):
            yield _report(one, notes)


def _has_remark(entry: tuple[Measurement, ...]) -> bool:
    numeral = entry[0].numeral
    named = entry[0].quantity
    if numeral.form is not Form.NUMBER or has_note(entry[0].cell.raw):
        return False
    if (named is not None and named.name in COMPARING) or direction(numeral.note):
        # What is compared, and which way, belongs to the factor.
        return False
    if _ARROW.match(numeral.note) or _UNIT.fullmatch(plain_text(entry[0].cell.raw)):
        return False
    rest = numeral.note
    for second in entry[1:]:
        rest = rest.replace(second.numeral.text, "")
    return _WORD.search(rest) is not None


def _notes_of(sheet: Sheet) -> str | None:
    """The title of the column for notes."""
    for column in sheet.columns:
        quantity = column.header.quantity
        if quantity is not None and quantity.role is Role.NOTE:
            return column.header.text
    return None


def _failed(one: Measurement) -> bool:
    return one.numeral.status in (Status.OOM, Status.FAILED)


def _report(one: Measurement, notes: str) -> Violation:
    message = f"note in the cell of a number: `{one.numeral.note}` belongs under {notes}"
    return Violation(one.cell.span, message, repeat=Repeat(one.numeral.note))
