"""MB207: a marker on a number without an explanation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from mdbench.markdown.document import Document
from mdbench.markdown.inline import plain_text
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Repeat, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.sheet import Measurement, Sheet
from mdbench.vocabulary.quantities import Role

_SYMBOLS = "†‡§¶*^"
_LONGEST_SYMBOL = 3
_FOOTNOTE = lazy(r"\[\^[^\[\]\s]+\]")
_DEFINED = lazy(r"\[\^[^\[\]\s]+\](?=:)")
_STARS = lazy(r"(?<!\\)\*+")
_NAMES = {"*": r"asterisk|\bstars?\b|星号", "^": r"\bcarets?\b", "†": r"\bdagger"}
_RESULTS = frozenset((Role.MEASUREMENT, Role.SCORE))


@rule("MB207", "undefined-marker", Severity.WARNING)
def undefined_marker(context: Context) -> Iterator[Violation]:
    """A number has a marker (`^`, `*`, `†`, `[^1]`) that the report does not explain.

    The marker says that there is something special about the number: estimated, another machine,
    fewer steps. Without a legend, only the author knows what. Reported once per marker.

    Bold and italic are not markers. A marker counts as explained if it appears anywhere in the text
    of the report, in a header or in a note, or if its number is a link.

    ```bad
    | Nodes | TFLOPs |
    |------:|-------:|
    |     1 | «1.18^» |
    |     4 |   0.90 |
    |    64 |  0.86^ |
    ```

    ```good
    | Nodes | TFLOPs |
    |------:|-------:|
    |     1 | 1.18^ |
    |     4 |   0.90 |
    |    64 |  0.86^ |

    ^ estimated from the first ten steps
    ```
    """
    explained = dict.fromkeys(_DEFINED.findall(context.source.text), True)
    for sheet in context.sheets:
        marked: dict[str, list[Measurement]] = {}
        numbers = (one for column in sheet.columns for one in column.numbers)
        for one in numbers:
            # Where a number is a link, the link explains it.
            if one.numeral.markers and _is_result(one) and "](" not in one.cell.raw:
                for marker in one.numeral.markers:
                    if _is_mark(marker, one.cell.raw):
                        marked.setdefault(marker, []).append(one)
        for marker, cells in marked.items():
            if marker in sheet.legends:
                continue
            if marker not in explained:
                explained[marker] = _is_explained(marker, context)
            if not explained[marker]:
                yield from (_report(marker, one) for one in cells)


def _is_result(one: Measurement) -> bool:
    return one.quantity is None or one.quantity.role in _RESULTS


def _is_mark(marker: str, raw: str) -> bool:
    if _FOOTNOTE.fullmatch(marker):
        return True
    if marker.strip(_SYMBOLS) or not 1 <= len(marker) <= _LONGEST_SYMBOL:
        return False
    # More than one run of stars may be unclosed bold text.
    return marker[0] != "*" or "\\*" in raw or len(_STARS.findall(raw)) == 1


def _is_explained(marker: str, context: Context) -> bool:
    if marker.startswith("[^"):
        return False
    pattern = lazy(_pattern(marker), re.IGNORECASE)
    texts = chain(_prose(context.document), _words(context.sheets))
    return any(pattern.search(text) for text in texts)


def _pattern(marker: str) -> str:
    """Match the marker itself, not an arithmetic sign or emphasis around a word."""
    sign = re.escape(marker)
    char = re.escape(marker[0])
    alone = rf"(?<![\w{char}\]]){sign}(?!{char})(?=[\s:=)\"'`,.;]|[A-Z])"
    behind = rf"(?<=\w){sign}(?=[\s:=)\"'`,.;]|$)(?!{char})" if marker[0] != "*" else r"(?!)"
    escaped = "".join(rf"\\{re.escape(one)}" for one in marker)
    return "|".join((alone, behind, escaped, rf"<sup>\s*{sign}", _NAMES.get(marker[0], "(?!)")))


def _prose(document: Document) -> Iterator[str]:
    for block in document.blocks:
        yield "\n".join(line.text for line in block.lines)


def _words(sheets: Sequence[Sheet]) -> Iterator[str]:
    """Headers and cells without numbers: a legend may be in a row or note of a table."""
    for sheet in sheets:
        yield from sheet.table.titles
        for one in chain.from_iterable(column.others for column in sheet.columns):
            if len(one.cell.raw) > 3:
                yield plain_text(one.cell.raw)


def _report(marker: str, one: Measurement) -> Violation:
    message = f"the marker `{marker}` is not explained in this report"
    return Violation(one.cell.span, message, repeat=Repeat(marker))
