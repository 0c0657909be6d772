"""MB105: a heading with nothing below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mdbench.markdown.document import BlockKind
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule

# Block quote marks and rules are not content.
_UNSEEN = " \t\r\n>*_-"
_LINK = lazy(r"\]\(|<a\s|https?:|\bwww\.")
_LONGEST = 60
# At the end of a report these announce no result. Without a plural s.
_OPTIONAL = frozenset(("comment", "note", "remark", "todo", "to do", "appendix", "other"))


@rule("MB105", "empty-section", Severity.INFO)
def empty_section(context: Context) -> Iterator[Violation]:
    """A heading has no content before the next heading or the end of the file.

    A result was announced and never added. Fill in the section, or remove the heading.

    A heading with subheadings is not empty. A section that contains only a comment is.

    The title of the report, headings in list items, and headings that are a sentence or a link are
    not reported. Neither is a heading before one that occurs several times in the report, such as
    `Batch size = 64`: such headings divide the section, whatever their level. `Comments` or `Notes`
    at the end may stay empty.

    ```bad
    # Results

    ## «Sequence length 1024»

    ## Sequence length 2048

    Runs of 50 steps, on one node.
    ```

    ```good
    # Results

    ## Sequence length 2048

    Runs of 50 steps, on one node.
    ```
    """
    text = context.source.text
    blocks = context.document.blocks
    sections = context.document.sections
    titles = Counter(section.title for section in sections)
    for at, block in enumerate(blocks):
        # In a list, the content follows behind the item that holds the heading.
        if block.kind is not BlockKind.HEADING or block.depth:
            continue
        section = sections[block.section]
        if not _announces(section.title) or _shows_something(text, block.span.end, section.end):
            continue
        below = sections[block.section + 1].title if block.section + 1 < len(sections) else ""
        if titles[below] > 1 or (at == 0 and below):
            continue
        if not below and section.title.casefold().rstrip(":s") in _OPTIONAL:
            continue
        yield Violation(section.span, f"no content below the heading {section.title!r}")


def _announces(title: str) -> bool:
    """Whether a heading promises something: it is no sentence, and no link to its content."""
    return 0 < len(title) <= _LONGEST and _LINK.search(title) is None


def _shows_something(text: str, start: int, end: int) -> bool:
    while start < end:
        if text.startswith("<!--", start):
            closed = text.find("-->", start, end)
            start = end if closed < 0 else closed + len("-->")
        elif text[start] in _UNSEEN:
            start += 1
        else:
            return True
    return False
