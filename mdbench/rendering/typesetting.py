"""Write a draft as lines of Markdown in place of the old table."""

from __future__ import annotations

from mdbench.files.errors import ProblemError
from mdbench.markdown.widths import display_width
from mdbench.rendering.definitions import line_end, line_ending, line_prefix
from mdbench.rendering.draft import Draft
from mdbench.rendering.templates import Data, fill_macro
from mdbench.source import Edit, Source, Span

_NARROWEST = 3
# A cell wider than this sticks out to the right instead of widening its column.
_WIDEST = 80
_TEMPLATE, _MACRO = "table", "lay_out"


def typeset(draft: Draft) -> list[str]:
    """The lines of a table: header, delimiter row, rows."""
    lines = fill_macro(_TEMPLATE, _MACRO, _describe(draft)).rstrip("\n").split("\n")
    if len(lines) != len(draft.rows) + 2:
        raise ProblemError(
            f"template {_TEMPLATE}: {_MACRO} gives {len(lines)} lines for {len(draft.rows)} rows; "
            "expected a header, a rule and one line per row"
        )
    return [line.rstrip() for line in lines]


def _describe(draft: Draft) -> Data:
    count = len(draft.titles)
    rows = [{"cells": cells[:count], "surplus": cells[count:]} for cells in draft.rows.values()]
    columns = [
        {
            "title": title,
            "align": align,
            "width": _width([title, *(row["cells"][at] for row in rows)]),
        }
        for at, (title, align) in enumerate(zip(draft.titles, draft.alignments, strict=True))
    ]
    return {"columns": columns, "rows": rows}


def _width(texts: list[str]) -> int:
    widths = [display_width(text) for text in texts]
    return max([_NARROWEST, *(width for width in widths if width <= _WIDEST)])


def replace_table(source: Source, draft: Draft, lines: list[str]) -> Edit:
    """The edit that replaces a table with lines, each after its own quote markers."""
    table = draft.sheet.table
    header = table.header.span
    rule = source.line_starts[source.line(header.start)]
    last = table.rows[-1].span.end if table.rows else table.span.end
    places = [rule, *(table.rows[at].span.start for at in draft.rows)]
    prefixes = [line_prefix(source, place) for place in places]
    first = source.text[source.line_starts[source.line(header.start) - 1] : header.start]
    if not first.strip() and not any(prefix.strip() for prefix in prefixes):
        prefixes = [first] * len(prefixes)
    ending = line_ending(source, header.start)
    text = lines[0] + "".join(
        ending + prefix + line for prefix, line in zip(prefixes, lines[1:], strict=True)
    )
    return Edit(Span(header.start, line_end(source, last)), text)
