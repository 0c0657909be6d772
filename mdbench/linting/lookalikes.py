"""Comments that look like ours or markdownlint's, such as `<!-- mdbench-disable MB301 -->`.

mdbench does not obey them, so it says how they should be written. Prose that begins with the name
of the tool is left alone: there must be a verb of ours, and nothing but rules behind it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mdbench.markdown.comments import VERBS, nearest_word
from mdbench.regex import lazy
from mdbench.rules.names import is_code, read_code
from mdbench.source import Span

_COMMENT = lazy(
    r"<!--[ \t]{0,20}mdbench[-_ \t]{1,20}(?P<verb>[a-z][a-z-]{2,30})(?![a-z-])"
    r"(?P<rest>(?:[^\n>-]|-(?!->)){0,400})-->",
    re.IGNORECASE,
)
REASON = lazy(r"(?:^|\s)(?:--|[(:–—])|:(?=\s|$)")
"""Where the codes of a comment end and its reason begins."""
_SEPARATOR = lazy(r"[\s,]+")


class Lookalike(NamedTuple):
    """A comment that is not obeyed, and how to write it."""

    span: Span
    right: str


def find_lookalikes(text: str) -> Iterator[Lookalike]:
    """The comments that mdbench would obey if they were written a little differently."""
    for match in _COMMENT.finditer(text):
        reason = REASON.search(match["rest"])
        listed = match["rest"][: reason.start()] if reason else match["rest"]
        rules = [word for word in _SEPARATOR.split(listed.strip(" \t:")) if word]
        verb = match["verb"].lower()
        meant = nearest_word(verb) if rules or "-" in verb else verb
        if meant in VERBS and all(is_code(read_code(rule)) for rule in rules):
            right = " ".join((f"<!-- mdbench: {meant}", *filter(None, [", ".join(rules)]), "-->"))
            yield Lookalike(Span(match.start(), match.end()), right)
