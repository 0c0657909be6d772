"""Columns of ticks, links and pictures: they measure nothing, whatever their headers name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdbench.numerals.numeral import Form
from mdbench.regex import lazy
from mdbench.sheets.column_cells import Cells
from mdbench.vocabulary.headers import Header
from mdbench.vocabulary.quantities import Role, quantity, squash

_NO_NAMES = (Role.MEASUREMENT, Role.SCORE, Role.IDENTITY)
# What supports a feature is still what a column is about.
_SUPPORTING = frozenset(("model", "device", "devices", "device_memory_gb"))
# How many ways a model is split.
_WAYS = frozenset(("tp", "pp", "cp", "ep"))
_FEATURES = frozenset(("feature", "features", "功能", "特性", "機能", "기능", "funktion"))
_WORD = lazy(r"\w")
_LETTER = lazy(r"[^\W\d_]")
_TICKED = lazy(r"\[[ x√✓✔]\]")
_LEADS = lazy(r"://|\]\(|[\w.~-]/[\w.~-]|(?:^|[\s`])[~.]?/\w|\w\.[a-z]\w{0,5}(?!\w)", re.IGNORECASE)
_LINK = lazy(r"(?<!!)\[([^\[\]]{1,40})\]\(([^()\s]{1,400})\)")
_LINKS = lazy(r"(?:(?<!!)\[[^\[\]]{1,40}\]\([^()\s]{1,400}\)[\s,;|/&·•-]{0,6}){1,12}")
_PICTURE = lazy(
    r"(?:<img\b[^<>]{1,400}>|!\[[^\[\]]{0,80}\]\([^()\s]{1,400}\)|\s){1,9}", re.IGNORECASE
)
_ANCHOR = lazy(r"<a\b[^<>]{0,80}href=[\"']([^\"'<>\s]{1,400})[\"'][^<>]{0,80}>([^<>]{1,40})</a>")
_LEADING = frozenset("link here log json csv graph plot code download config url paper".split())


def by_flags(header: Header, cells: Cells, siblings: Sequence[Header] = ()) -> Header:
    """Yes and no below `async` or `fp16` say of each row whether it has that: no row states it."""
    first = next((cell.form for cell in cells if cell.form is not Form.NOTHING), None)
    flags = (Form.FLAG, Form.NOTHING)
    if first is not Form.FLAG or any(cell.form not in flags for cell in cells):
        return header
    kept = tuple(one for one in header.settings if one[0] in _SUPPORTING)
    one, named = header.quantity, bool(header.quantity or header.candidates)
    ticked = _are_ticks(cells)
    listed = ticked or any(squash(other.text) in _FEATURES for other in siblings[:1])
    if one is not None and ticked and not one.flag and one.role is not Role.NOTE:
        # Not how many ways `tensor parallel` is, but whether there is any.
        header = header._replace(quantity=quantity("status"), why="its cells are ticks")
    elif one is not None and (one.role in _NO_NAMES or one.name in _WAYS):
        # `Real-time?` is no time, and `PA_CPU` no name of one.
        header = header._replace(quantity=None, why="its cells are yes or no")
    elif not named and (kept or (listed and header.text)):
        # Below the name of a model or device, they say what works with it.
        header = header._replace(quantity=quantity("status"), why="its cells are yes or no")
    return header._replace(settings=kept, statistic="")


def _are_ticks(cells: Cells) -> bool:
    """Whether yes and no are signs, not words that may be the values of a setting."""
    filled = [cell.text for cell in cells if cell.form is Form.FLAG]
    return all(_TICKED.fullmatch(text) or not _LETTER.search(text) for text in filled)


def by_links(headers: Sequence[Header], columns: Sequence[Sequence[str]]) -> tuple[Header, ...]:
    """The headers; columns whose cells only lead elsewhere are links, and so are pictures."""
    return tuple(
        header._replace(quantity=quantity("link"), candidates=(), statistic="", why=why)
        if (header.quantity is None or header.quantity.text) and (why := _leading(header, cells))
        else _without_link(header, cells)
        for header, cells in zip(headers, columns, strict=True)
    )


def _is_blank(text: str) -> bool:
    return text.lower() in ("na", "n/a") or not "".join(text.split()).strip("-–—/")


def _leading(header: Header, texts: Sequence[str]) -> str:
    """Why the cells of a column are links; empty if they are none."""
    filled = [
        _ANCHOR.sub(r"[\2](\1)", text).strip() if "<a" in text else text.strip()
        for text in texts
        if not _is_blank(text)
    ]
    if not filled:
        return ""
    if all(text[0] in "<!" and _PICTURE.fullmatch(text) for text in filled):
        return "its cells are pictures"
    if header.candidates or not all("](" in text for text in filled):
        return ""
    return "its cells are links" if _are_links(filled) else ""


def _without_link(header: Header, texts: Sequence[str]) -> Header:
    """The header; what its words take for links or files is none if no cell looks like one."""
    one = header.quantity
    if one is None or one.name != "link" or header.why != "words":
        return header
    if not any(texts) or any(map(_LEADS.search, texts)):
        return header
    return header._replace(quantity=None, why="its cells are no links")


def _are_links(texts: Sequence[str]) -> bool:
    """Whether cells are links by the same words, by signs or by numbers: not names with a link."""
    if not all(_LINKS.fullmatch(text) for text in texts):
        return False
    pairs = [(word.casefold(), place) for text in texts for word, place in _LINK.findall(text)]
    words, places = {word for word, _ in pairs}, {place for _, place in pairs}
    if words <= _LEADING or not any(map(_WORD.search, words)):
        return True
    if all(word.isdecimal() for word in words):
        # `[3](#notes)` is a reference, but `[74](run.log)` a result.
        return all(place.startswith("#") for place in places)
    each = {tuple(word for word, _ in _LINK.findall(text)) for text in texts}
    return len(each) == 1 and len(texts) > 1 and len(places) >= len(pairs)
