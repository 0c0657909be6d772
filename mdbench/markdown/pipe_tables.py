"""Where a pipe table begins and where it ends, as cmark-gfm has it, GitHub's own parser.

A paragraph is read until a row of delimiters comes. Its last line is then the header, if it has as
many cells; if not, no other line of the paragraph is tried.
"""

from __future__ import annotations

from mdbench.markdown.pipe_row import PADDING, split_line
from mdbench.markdown.recorder import ParserState
from mdbench.regex import lazy

_DELIMITERS = lazy(
    r"\|?+[ \t\v\f]*+:?+-++:?+[ \t\v\f]*+(?:\|[ \t\v\f]*+:?+-++:?+[ \t\v\f]*+)*\|?+[ \t\v\f]*+"
)
# An underlined title or the item of a list, which are looked for first.
_ANOTHER_BLOCK = lazy(r"-++[ \t]*+|-[ \t].*+")
_LONE_TAG = lazy(r"</?[A-Za-z][A-Za-z0-9-]*(?:[ \t][^<>]*|/)?>[ \t]*")
# Cells that the rows of a table may lack, so that a few bytes cannot ask for thousands of them.
_LACKING = 1024
_LACKING_PER_CHARACTER = 8


def is_delimiter_row(state: ParserState, line: int) -> bool:
    """Whether a line that might go on with a paragraph is one of delimiters."""
    if state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return False
    text = line_text(state, line)
    return (
        text[:1] in {"|", "-", ":"}
        and _DELIMITERS.fullmatch(text) is not None
        and _ANOTHER_BLOCK.fullmatch(text) is None
    )


def count_cells(state: ParserState, line: int) -> int:
    """How many cells a line has as a row of a table."""
    return len(split_line(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line]))


def goes_on(state: ParserState, line: int) -> bool:
    """Whether a line is one more row, as far as the line itself can tell."""
    if state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return False
    text = line_text(state, line)
    if text[:1] == "<" and _LONE_TAG.fullmatch(text) is not None:
        return False
    return text.strip(PADDING) not in {"", "|"}


def may_lack(cells: int, characters: int) -> bool:
    """Whether so many cells may be lacking from a table of this length."""
    return cells <= _LACKING + _LACKING_PER_CHARACTER * characters


def line_text(state: ParserState, line: int) -> str:
    """A line without its prefix."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
