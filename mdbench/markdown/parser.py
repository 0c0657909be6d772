"""Parse Markdown into sections, blocks and tables, each with its exact span."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from mdbench.markdown.document import Block, BlockKind, Document, Table, TextLine
from mdbench.markdown.footnotes import is_definition
from mdbench.markdown.plain import read_blocks
from mdbench.markdown.recorder import Recorder
from mdbench.markdown.unshown_tables import find_unshown_tables
from mdbench.source import Source, Span


def parse_document(source: Source) -> Document:
    """Parse the structure of a report. Any text is a valid document; nothing raises."""
    recorder = read_blocks(source.text) or _run_markdown_it(source.text)
    recorder.close_sections(0, len(source.text))
    found = sorted(_list_tables(recorder), key=lambda table: table.span)
    tables = [table._replace(number=number) for number, table in enumerate(found)]
    footnotes: tuple[Block, ...] = ()
    written = recorder.blocks
    if "[^" in source.text:
        footnotes = tuple(filter(_is_footnote, written))
        written = [block for block in written if not _is_footnote(block)]
    blocks = _cut_tables(written, [table.span for table in tables])
    return Document(source, tuple(recorder.sections), tuple(blocks), tuple(tables), footnotes)


def _run_markdown_it(text: str) -> Recorder:
    # Importing it takes as long as linting a report, and plain reports do not need it.
    from mdbench.markdown.block_rules import run_block_rules  # noqa: PLC0415

    return run_block_rules(text)


def _list_tables(recorder: Recorder) -> list[Table]:
    tables = [*recorder.tables, *find_unshown_tables(recorder.text, recorder.blocks)]
    kinds = {block.kind for block in recorder.blocks}
    # Only imported if needed.
    if BlockKind.FENCE in kinds:
        from mdbench.markdown.fence_tables import find_fence_tables  # noqa: PLC0415

        tables += find_fence_tables(recorder.text, recorder.blocks)
    if BlockKind.HTML in kinds:
        from mdbench.markdown.html_tables import find_html_tables  # noqa: PLC0415

        inner = [table.span for table in tables]
        tables += find_html_tables(recorder.text, recorder.blocks, inner)
    return tables


def _is_footnote(block: Block) -> bool:
    textual = block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM)
    return textual and all(is_definition(line.text) for line in block.lines)


def _cut_tables(blocks: Iterable[Block], spans: Sequence[Span]) -> Iterator[Block]:
    """Remove the lines of tables from the blocks."""
    ends = [span.end for span in spans]
    for block in blocks:
        index = bisect_right(ends, block.span.start)
        if index == len(ends) or spans[index].start >= block.span.end:
            yield block
            continue
        kept = tuple(line for line in block.lines if not _touches(line, spans, ends))
        if kept:
            yield block._replace(lines=kept)


def _touches(line: TextLine, spans: Sequence[Span], ends: Sequence[int]) -> bool:
    index = bisect_right(ends, line.start)
    return index < len(ends) and spans[index].start < line.end
