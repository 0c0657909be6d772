"""MB209: words in the cell of a number."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.markdown.document import TableKind
from mdbench.markdown.footnotes import has_note
from mdbench.numerals.cell import Form
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement
from mdbench.vocabulary.comparisons import COMPARING, direction

_WORD = lazy(r"[^\W\d_]{2,}")
_MANY = 3


@rule("MB209", "note-in-number", Severity.INFO)
def note_in_number(context: Context) -> Iterator[Violation]:
    """A result has a note in its cell, such as `29138.6 MiB (OOM after first epoch)`.

    The note matters, but it makes many programs read a numeric column as text. With a notes column,
    you can keep both. If more than three cells of a column have notes, they are reported once.

    A second quantity in parentheses (`4.50 GB (19.05%)`), a spread and a footnote marker are not
    notes, and neither is `faster` after a factor. What tools print in code fences is not reported.

    ```bad
    | Nodes | Mem                 |
    |------:|--------------------:|
    |   192 |         16622.7 MiB |
    |   384 | «29087.7 MiB (OOM)» |
    ```

    ```good
    | Nodes | Mem         | Notes |
    |------:|------------:|------:|
    |   192 | 16622.7 MiB |       |
    |   384 | 29087.7 MiB |   OOM |
    ```
    """
    for sheet in context.sheets:
        if sheet.table.kind is TableKind.FENCE:
            # What a tool printed has its notes where the tool puts them.
            continue
        for column in sheet.columns:
            found = [entry[0] for entry in column.entries if _has_remark(entry)]
            if column.is_measured and found:
                yield from _report(column, found)


def _has_remark(entry: tuple[Measurement, ...]) -> bool:
    numeral = entry[0].numeral
    named = entry[0].quantity
    if named is not None and named.name in COMPARING and direction(numeral.note):
        return False
    if numeral.form is not Form.NUMBER or not numeral.note or has_note(entry[0].cell.raw):
        return False
    rest = numeral.note
    for second in entry[1:]:
        rest = rest.replace(second.numeral.text, "")
    return _WORD.search(rest) is not None


def _report(column: Column, found: list[Measurement]) -> Iterator[Violation]:
    if len(found) <= _MANY:
        for one in found:
            yield Violation(one.cell.span, f"note in the cell of a number: `{one.numeral.note}`")
        return
    first = found[0]
    message = f"notes in {len(found)} cells of {column.header.text}"
    evidence = (Evidence(f"another one: `{found[1].numeral.note}`", found[1].cell.span),)
    cells = tuple(one.cell.span for one in found)
    yield Violation(first.cell.span, f"{message}: `{first.numeral.note}`", evidence, cells=cells)
