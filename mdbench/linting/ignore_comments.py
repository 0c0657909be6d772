"""Write ignore comments for the findings of a report: `lint --add-ignores`.

Comments go to the end of a line if that is possible, else before the table or block, else to the
end of the file. What is written is proved: the measurements and the rendered page are the same, and
each comment is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mdbench.linting.checker import check_context, check_each
from mdbench.linting.plan import Options
from mdbench.markdown.comments import code_spans, in_code
from mdbench.markdown.document import Table
from mdbench.markdown.rendered_page import render_page
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.sheets.equality import differences
from mdbench.sheets.report import Report, read_report
from mdbench.source import Edit, Source, Span

# Crashed rules must stay visible, and an unused comment should be removed instead.
NEVER = ("MB0", "MB9")
_QUOTE = " \t>"
_FENCES = ("```", "~~~")
# A comment in a blank row would be what the row has.
_EMPTY = " \t>|"
_HARD_BREAKS = ("  ", "\\")

Places = dict[Edit, set[str]]
"""Where a comment may go, as an edit with a gap for its text, and the codes it has to name."""


class Ignored(NamedTuple):
    """A report with comments, what they ignore, and what is left."""

    source: Source
    ignored: int
    left: tuple[Finding, ...]


def add_ignores(report: Report, options: Options) -> Ignored:
    """Write a comment for each finding that a comment may ignore."""
    page = render_page(report.source.text)
    book, ignored = report, 0
    for suppose in (_after_line, _before_block, _at_end):
        context = Context(book, options.results)
        every = check_each(context, options)
        found = [one for one in every if not one.code.startswith(NEVER)]
        places: Places = {}
        for finding in found:
            edit = suppose(context, finding)
            if edit is not None:
                places.setdefault(edit, set()).add(finding.code)
        after = _edit(book, _keep_same(report, page, book, places))
        if after.source.text == book.source.text or not _is_same(report, page, after):
            continue
        now = check_each(Context(after, options.results), options)
        before = {(one.code, one.message) for one in every}
        if not any(one.code.startswith("MB9") for one in now if _is_new(one, before)):
            left = [one for one in now if not one.code.startswith(NEVER)]
            ignored += len(found) - len(left)
            book = after
    return Ignored(book.source, ignored, check_context(Context(book, options.results), options))


def _keep_same(report: Report, page: str, book: Report, places: Places) -> Places:
    """The places where comments change nothing: half of them are tried where all do."""
    if not places or _is_same(report, page, _edit(book, places)):
        return places
    if len(places) == 1:
        return {}
    edits, half = list(places), len(places) // 2
    parts = ({edit: places[edit] for edit in part} for part in (edits[:half], edits[half:]))
    first, second = (_keep_same(report, page, book, part) for part in parts)
    return {**first, **second}


def put_before(source: Source, table: Table, comment: str) -> Edit:
    """Insert a line before the table, or before the code block that contains it."""
    line = source.line(table.span.start)
    lead = source.text[source.line_starts[line - 1] : table.span.start]
    if not table.takes_comments:
        above = range(line - 1, 0, -1)
        line = next((at for at in above if _opens_fence(source.line_text(at))), line)
    start = source.line_starts[line - 1]
    lead = "" if lead.strip(_QUOTE) else lead
    return Edit(Span(start, start), f"{lead}{comment}{_line_end(source)}")


def _after_line(context: Context, finding: Finding) -> Edit | None:
    source = context.source
    line = source.line(finding.span.start)
    text = source.line_text(line)
    end = source.line_starts[line - 1] + len(text)
    hidden = code_spans(context.document)
    if not text.strip(_EMPTY) or text.endswith(_HARD_BREAKS) or in_code(source, end - 1, hidden):
        return None
    return Edit(Span(end, end), " {}")


def _before_block(context: Context, finding: Finding) -> Edit | None:
    source, start = context.source, finding.span.start
    for table in context.document.tables:
        if table.span.start <= start <= table.span.end:
            return put_before(source, table, "{}")
    spans = (block.span for block in context.document.blocks)
    block = next((span for span in spans if span.start <= start <= span.end), None)
    if block is None:
        return None
    at = source.line_starts[source.line(block.start) - 1]
    lead = source.text[at : block.start]
    return Edit(Span(at, at), f"{'' if lead.strip(_QUOTE) else lead}{{}}{_line_end(source)}")


def _at_end(context: Context, _finding: Finding) -> Edit:
    source = context.source
    text, ending = source.text, _line_end(source)
    gap = "" if text.endswith("\n") else ending
    return Edit(Span(len(text), len(text)), f"{gap}{ending}{{file}}{ending}")


def _edit(book: Report, places: Places) -> Report:
    edits = [Edit(edit.span, _fill(edit.text, codes)) for edit, codes in places.items()]
    return read_report(book.source.edited(edits), book.vocabulary)


def _fill(text: str, codes: Iterable[str]) -> str:
    listed = ", ".join(sorted(codes))
    whole = f"<!-- mdbench: ignore-file {listed} -->"
    return text.replace("{file}", whole).replace("{}", f"<!-- mdbench: ignore {listed} -->")


def _is_same(before: Report, page: str, after: Report) -> bool:
    """Whether comments changed neither a measurement nor what a reader sees."""
    return not differences(before, after) and render_page(after.source.text) == page


def _is_new(finding: Finding, before: set[tuple[str, str]]) -> bool:
    return (finding.code, finding.message) not in before


def _line_end(source: Source) -> str:
    return "\r\n" if "\r\n" in source.text else "\n"


def _opens_fence(line: str) -> bool:
    return line.lstrip(_QUOTE).startswith(_FENCES)
