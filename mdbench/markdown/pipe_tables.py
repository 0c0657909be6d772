"""Where a pipe table starts and ends, according to cmark-gfm, GitHub's own parser.

A delimiter row ends a paragraph. The line above it is the header if it has the same number of
cells; if not, no other line of the paragraph is tried.
"""

from __future__ import annotations

from mdbench.markdown.pipe_row import PADDING
from mdbench.markdown.recorder import ParserState
from mdbench.regex import lazy

_DELIMITERS = lazy(
    r"\|?+[ \t\v\f]*+:?+-++:?+[ \t\v\f]*+(?:\|[ \t\v\f]*+:?+-++:?+[ \t\v\f]*+)*\|?+[ \t\v\f]*+"
)
# An underlined title or a list item, which take precedence.
_ANOTHER_BLOCK = lazy(r"-++[ \t]*+|-[ \t].*+")
_LONE_TAG = lazy(r"</?[A-Za-z][A-Za-z0-9-]*(?:[ \t][^<>]*|/)?>[ \t]*")
# How many cells may be missing, so that a few bytes cannot create thousands of cells.
_LACKING = 1024
_LACKING_PER_CHARACTER = 8


def is_delimiter_row(state: ParserState, line: int) -> bool:
    """Whether a line that may continue a paragraph is a delimiter row."""
    if state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return False
    return is_delimiter_text(line_text(state, line))


def is_delimiter_text(text: str) -> bool:
    """Whether the text of a line is a delimiter row."""
    return (
        text[:1] in {"|", "-", ":"}
        and _DELIMITERS.fullmatch(text) is not None
        and _ANOTHER_BLOCK.fullmatch(text) is None
    )


def goes_on(state: ParserState, line: int) -> bool:
    """Whether a line continues the table, judging by the line itself."""
    if state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return False
    text = line_text(state, line)
    if text[:1] == "<" and _LONE_TAG.fullmatch(text) is not None:
        return False
    return text.strip(PADDING) not in {"", "|"}


def may_be_missing(cells: int, characters: int) -> bool:
    """Whether a table of this length may have so many missing cells."""
    return cells <= _LACKING + _LACKING_PER_CHARACTER * characters


def line_text(state: ParserState, line: int) -> str:
    """A line without its prefix."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
