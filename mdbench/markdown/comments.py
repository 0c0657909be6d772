"""Comments that speak to mdbench, such as `<!-- mdbench: ignore MB301 -->`, outside of code."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mdbench.files.nearest import find_nearest
from mdbench.markdown.document import BlockKind, Document
from mdbench.regex import lazy
from mdbench.source import Source, Span

_OPENING = lazy(r"<!--\s*+mdbench:", re.IGNORECASE)
_TICKS = lazy(r"`+")
_CODE_BLOCKS = frozenset((BlockKind.FENCE, BlockKind.CODE))
_CLOSING = "-->"
_BINDING = lazy(r"\s*+(?:=|(?:from|select|with)\b)", re.IGNORECASE)
_BOUND = lazy(rf"{_OPENING.pattern}{_BINDING.pattern}", re.IGNORECASE)
VERBS = ("ignore", "ignore-file", "disable", "enable", "disable-next-line")
"""What a comment about rules begins with."""
_WORDS = (*VERBS, "from", "select", "with")
_MEANT = {
    "disable-line": "ignore",
    "ignore-line": "ignore",
    "ignore-next-line": "disable-next-line",
    "disable-file": "ignore-file",
}
"""What other tools call it."""
_FIRST_WORD = lazy(r"\s*([^\s>:(]*)")
_NO_COLON = lazy(r"<!--[ \t]{0,20}mdbench[ \t]{1,20}(?=(?:from|select)\b|=)", re.IGNORECASE)
_RULE = lazy(r"\bMB\d", re.IGNORECASE)
_NEAR = 0.5
# What is longer is a text with an opening that nothing closes.
_LONGEST = 10_000


class Comment(NamedTuple):
    """A comment, and what stands in it behind `mdbench:`."""

    span: Span
    body: str


def speaks_to_us(text: str) -> bool:
    """Whether a text may have such comments."""
    return "mdbench:" in text.lower()


def mentions_us(text: str) -> bool:
    """Whether a text may have comments that are meant for us, well written or not."""
    return "mdbench" in text.lower()


def may_bind(text: str) -> bool:
    """Whether a text may have comments that bind something to results."""
    return speaks_to_us(text) and _BOUND.search(text) is not None


def binds(body: str) -> bool:
    """Whether what a comment says binds a table or a number to results."""
    return _BINDING.match(body) is not None


def find_mistyped(document: Document) -> Iterator[tuple[Span, str]]:
    """The comments that were meant to bind something and do not, and what is wrong with each."""
    for comment in find_comments(document):
        wrong = judge_comment(comment.body)
        if wrong and not _is_about_rules(comment.body):
            yield comment.span, wrong
    text = document.source.text
    for match in _NO_COLON.finditer(text) if "<!--" in text else ():
        if not in_code(document.source, match.start(), code_spans(document)):
            yield (
                Span(match.start(), match.end()),
                "`mdbench` needs a colon: `<!-- mdbench: from …`",
            )


def _is_about_rules(body: str) -> bool:
    named = _RULE.search(body) is not None
    return named or nearest_word(_first_word(body)) in VERBS


def judge_comment(body: str) -> str:
    """What is wrong with the first word of a comment; empty if it is a known one."""
    word = _first_word(body)
    if word.lower() in _WORDS or binds(body):
        return ""
    near = nearest_word(word)
    advice = f"did you mean `{near}`?" if near else f"known are {', '.join(_WORDS)} and ="
    return f"`{word}` is no word that mdbench knows; {advice}"


def _first_word(body: str) -> str:
    match = _FIRST_WORD.match(body)
    return match[1] if match is not None else ""


def nearest_word(word: str) -> str:
    """The word that somebody meant at the beginning of a comment; empty if that is unclear."""
    return _MEANT.get(word.lower()) or find_nearest(word, _WORDS, _NEAR)


def find_comments(document: Document) -> Iterator[Comment]:
    """All such comments of a report, except examples in code."""
    text = document.source.text
    if not speaks_to_us(text):
        return
    hidden = code_spans(document)
    for match in _OPENING.finditer(text):
        end = text.find(_CLOSING, match.end(), match.end() + _LONGEST)
        if end >= 0 and not in_code(document.source, match.start(), hidden):
            yield Comment(Span(match.start(), end + len(_CLOSING)), text[match.end() : end])


def code_spans(document: Document) -> list[Span]:
    """The blocks in which a comment is text like any other, in order."""
    blocks = [block.span for block in document.blocks if block.kind in _CODE_BLOCKS]
    tables = [table.span for table in document.tables if not table.takes_comments]
    return sorted(blocks + tables)


def in_code(source: Source, offset: int, hidden: Sequence[Span]) -> bool:
    """Whether a place is in a block of code, or between backticks."""
    if _lies_within(offset, hidden):
        return True
    position = source.position(offset)
    return _lies_within(position.column - 1, _inline_code(source.line_text(position.line)))


def _lies_within(offset: int, spans: Sequence[Span]) -> bool:
    at = bisect_right(spans, offset, key=lambda span: span.start)
    return at > 0 and offset < spans[at - 1].end


@lru_cache(maxsize=4)
def _inline_code(line: str) -> tuple[Span, ...]:
    """The spans between two runs of backticks of the same length."""
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(line)]
    alike: dict[int, list[int]] = {}
    for at, (start, end) in enumerate(runs):
        alike.setdefault(end - start, []).append(at)
    found: list[Span] = []
    at = 0
    while at < len(runs):
        start, end = runs[at]
        places = alike[end - start]
        following = bisect_right(places, at)
        if following < len(places):
            at = places[following]
            found.append(Span(end, runs[at][0]))
        at += 1
    return tuple(found)
