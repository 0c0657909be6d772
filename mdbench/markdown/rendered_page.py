"""What a reader of a report sees: its page as HTML, without comments."""

import re
from functools import cache

from markdown_it import MarkdownIt

from mdbench.regex import lazy

_COMMENT = lazy(r"<!--.*?-->", re.DOTALL)
_TAG = lazy(r"\s*(<[^<>]{1,500}>)\s*")
_SPACE = lazy(r"\s+")


def render_page(text: str) -> str:
    """The page of a report; where only comments differ, the pages are equal."""
    html = _COMMENT.sub("", _parser().render(text))
    return _SPACE.sub(" ", _TAG.sub(r"\1", html)).strip()


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])
