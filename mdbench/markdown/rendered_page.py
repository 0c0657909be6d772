"""What a reader of a report sees: its page as HTML, without comments."""

from functools import cache

from markdown_it import MarkdownIt

from mdbench.regex import lazy

_SPACE = lazy(r"\s+")


def render_page(text: str) -> str:
    """The page of a report; where only comments differ, the pages are equal."""
    html = _SPACE.sub(" ", _drop_comments(_parser().render(text)))
    return html.replace(" <", "<").replace("> ", ">").strip()


def _drop_comments(html: str) -> str:
    first, *others = html.split("<!--")
    return first + "".join(one.partition("-->")[2] if "-->" in one else one for one in others)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])
