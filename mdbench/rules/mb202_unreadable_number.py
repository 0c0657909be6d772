"""MB202: a cell that should be a number but is not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mdbench.markdown.document import Cell
from mdbench.numerals.cell import plain_text
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Fix, Repeat, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.source import Edit
from mdbench.vocabulary.quantities import Role

_SPREADSHEET = lazy(r"#(?:VALUE!|REF!|DIV/0!|NAME\?|NUM!|NULL!)|#{3,}", re.IGNORECASE)
_SLIP = lazy(
    r"[-+~]?(?:\d+\.\.\d+|\.\d+\.\d+|\d+(?:\.\d+){2,}|\d*[oO]\.\d+|\d+\.\d*[oOlI]\d*|\d+,\.\d+|\d+\.,\d+)"
    r" ?(?:[KMGT]?i?B|%|m?s|x|[TGP]FLOPs?)?",
)
_POINT_TOO_MANY = lazy(r"(?<=\d)\.\.(?=\d)")
_POINT_BEFORE = lazy(r"(?<!\d)\.(?=\d+\.\d)")
_FEWEST = 2
_WORDS = frozenset((Role.NOTE, Role.IDENTITY))


@rule("MB202", "unreadable-number", Severity.WARNING)
def unreadable_number(context: Context) -> Iterator[Violation]:
    """A cell in a numeric column holds a typo or a spreadsheet error instead of a number.

    `12.3.4`, `1..5`, `O.5` (the letter O instead of a zero) and `#VALUE!` were supposed to be
    numbers, but neither a reader nor a program can tell which.

    Words, names, versions, and markers for a missing number (`-`, `N/A`, `OOM`) are not reported.

    ```bad
    | Nodes | Sec/it  |
    |------:|--------:|
    |     4 |   29.14 |
    |     8 | «15.0.2» |
    |    16 |    7.61 |
    ```

    ```good
    | Nodes | Sec/it |
    |------:|-------:|
    |     4 |  29.14 |
    |     8 |  15.02 |
    |    16 |   7.61 |
    ```
    """
    for sheet in context.sheets:
        for column in sheet.columns:
            if not _is_of_numbers(column):
                continue
            for one in column.mains:
                if one.is_number and "#" not in one.cell.raw:
                    continue
                text = plain_text(one.cell.raw)
                if text.startswith("#") and _SPREADSHEET.fullmatch(text):
                    message = f"`{text}` is a spreadsheet error, not a number"
                    yield Violation(one.cell.span, message, repeat=Repeat(text))
                elif not one.is_number and "." in text and _SLIP.fullmatch(text):
                    message = f"`{text}` cannot be read as a number"
                    yield Violation(one.cell.span, message, fixes=tuple(_fixes(one.cell)))


def _fixes(cell: Cell) -> Iterator[Fix]:
    """Of two points side by side, or one before a number that has its own, one was meant."""
    meant = _POINT_TOO_MANY.sub(".", cell.raw)
    meant = _POINT_BEFORE.sub("", meant)
    if meant != cell.raw:
        edit = Edit(cell.span, meant)
        yield Fix(f"change to {plain_text(meant)}", (edit,), Safety.UNSAFE)


def _is_of_numbers(column: Column) -> bool:
    one = column.header.quantity
    if one is not None and (one.text or one.role in _WORDS):
        return False
    return column.is_numeric and len(column.numbers) >= _FEWEST
