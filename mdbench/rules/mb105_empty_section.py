"""MB105: a heading with nothing below it."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.markdown.document import BlockKind
from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule

# Block quote marks and rules are not content.
_UNSEEN = " \t\r\n>*_-"


@rule("MB105", "empty-section", Severity.INFO)
def empty_section(context: Context) -> Iterator[Violation]:
    """A heading has no content before the next heading or the end of the file.

    A result was announced and never added. Fill in the section, or remove the heading.

    A heading with subheadings is not empty. A section that contains only a comment is.

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
    for block in context.document.blocks:
        if block.kind is not BlockKind.HEADING:
            continue
        section = context.document.sections[block.section]
        if section.title and not _shows_something(text, block.span.end, section.end):
            yield Violation(section.span, f"no content below the heading {section.title!r}")


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
