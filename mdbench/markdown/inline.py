"""Strip Markdown and HTML from the text of a cell."""

from __future__ import annotations

import re
from functools import lru_cache

from mdbench.regex import lazy

RAISED, LOWERED = "\ue000", "\ue001"
"""The characters that `flatten` puts around superscript and subscript text."""

_SCRIPTS = "".join(map(chr, range(0x2070, 0x209A)))
_MARKED = frozenset(f"*_~`[]<>&\\$\ue000\ue001{_SCRIPTS}¹²³\ufeff\u200b\ufe0f")
_BREAK = lazy(r"<(?:br|/?p|/?div|/?li|/?ul|hr)\b[^<>]*>", re.IGNORECASE)
_RAISE = lazy(r"<su[pb]\b[^<>]*>", re.IGNORECASE)
_LOWER = lazy(r"</su[pb]\s*>", re.IGNORECASE)
_STRUCK_TAG = lazy(r"</?(?:del|s|strike)\s*>", re.IGNORECASE)
# `<batch_size, length>` is no tag.
_TAG = lazy(r"<!--[^<>]*-->|</?[A-Za-z][A-Za-z0-9-]*(?:[\s/][^<>]*)?>")
_STRUCK = lazy(r"~~[^~]+~~")
_LINK = lazy(r"!?\[((?:[^\[\]\\]|\\.)*)\](?:\([^()]*(?:\([^()]*\)[^()]*)?\)|\[[^\[\]^]*\])")
_AUTOLINK = lazy(r"<(https?:[^<>\s]*)>")
_RUN = lazy(r"\\.|\*+|_+|~~")
_MATH = lazy(r"\$([^$\n]*)\$")
_SUPERSCRIPT = lazy("[⁻⁺]?[⁰¹²³⁴-⁹]+")
_LONGEST_MARK = 3
_SHORT = 40
_PUNCTUATION = frozenset("+*!\"#$%&'(),-./:;<=>?@[\\]^_`{|}~")
_PLURAL = lazy(r"(?<=[A-Za-z])\(s\)")
_TEX = {
    "times": "×", "pm": "±", "approx": "≈", "sim": "~", "dagger": "†", "ddagger": "‡",
    "cdot": "·", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "mu": "μ", "to": "→",
    "uparrow": "↑", "downarrow": "↓", "infty": "∞", "rightarrow": "→",
}  # fmt: skip
_TEX_WORD = lazy(r"\\([A-Za-z]+)")
_WIDE = str.maketrans(
    {chr(0xFF01 + i): chr(0x21 + i) for i in range(94)}
    | {"\u3000": " ", "\ufeff": None, "\u200b": None, "\ufe0f": None, "\u2060": None}
    | dict.fromkeys("−\u2011\u2012\ufe63", "-")
    | {"\u2044": "/", "\u2215": "/", "\u223c": "~", "\u301c": "~"}
    | {"￥": "¥", "、": ",", "。": "."}
)


def plain_text(raw: str) -> str:
    """The text of a cell without bold, code, links, tags, entities and escapes."""
    # Most cells are short, and are asked for by many.
    return _short_text(raw) if len(raw) <= _SHORT else _plain_text(raw)


@lru_cache(maxsize=8192)
def _short_text(raw: str) -> str:
    return _plain_text(raw)


def _plain_text(raw: str) -> str:
    if _MARKED.isdisjoint(raw):
        return " ".join(raw.split())
    return " ".join(_unmark(raw).replace(RAISED, "").replace(LOWERED, "").split())


def flatten(raw: str) -> str:
    """Like `plain_text`, for parsing numbers: ASCII forms, lines and superscripts separated."""
    text = raw if _MARKED.isdisjoint(raw) else _unmark(_drop_struck(raw))
    if not text.isascii():
        text = text.translate(_WIDE)
        text = _SUPERSCRIPT.sub(lambda m: RAISED + _digits(m[0]) + LOWERED, text)
    if "(s)" in text:
        text = _PLURAL.sub("s", text)
    if text[:1] == RAISED and text.find(LOWERED) == len(text) - 1 > _LONGEST_MARK:
        # A whole cell in small print is no mark of a footnote.
        text = text[1:-1]
    lines = (" ".join(line.split(" ")).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _digits(superscript: str) -> str:
    return superscript.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+"))


def _drop_struck(raw: str) -> str:
    struck = _STRUCK_TAG.sub("~~", raw) if "<" in raw else raw
    if "~~" not in struck:
        return raw
    kept = _STRUCK.sub(" ", struck)
    return kept if kept.strip() else struck


def _unmark(raw: str) -> str:
    text = raw.replace(RAISED, "").replace(LOWERED, "")
    if "<" in text:
        text = _AUTOLINK.sub(r"\1", _BREAK.sub("\n", text))
        text = _TAG.sub("", _LOWER.sub(LOWERED, _RAISE.sub(RAISED, text)))
    if "](" in text or "][" in text:
        text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    if "$" in text:
        text = _MATH.sub(_read_math, text)
    text = _drop_emphasis(text.replace("`", ""))
    if "&" not in text:
        return text
    # It loads all entity names, and few reports have any.
    from html import unescape  # noqa: PLC0415

    return unescape(text)


def _read_math(match: re.Match[str]) -> str:
    """Convert TeX between dollar signs; `$5 to $6` is money and is kept."""
    body = match[1]
    alone = match[0] == match.string.strip()
    if not alone and not any(character in body for character in "\\^{"):
        return match[0]
    words = _TEX_WORD.sub(lambda m: _TEX.get(m[1], ""), body)
    return words.replace("{", "").replace("}", "").replace("\\", "")


def _drop_emphasis(text: str) -> str:
    """Remove paired `*`, `_` and `~~`; keep a single star, which is a footnote marker."""
    cut: list[tuple[int, int, str]] = []
    opened: dict[str, tuple[int, int]] = {}
    for run in _RUN.finditer(text):
        mark, (start, end) = run[0], run.span()
        if mark[0] == "\\":
            # Before anything else, such as a blank, it is a backslash.
            if mark[1] in _PUNCTUATION:
                cut.append((start, end, mark[1]))
            continue
        before, after = text[start - 1 : start], text[end : end + 1]
        word = mark[0] == "_" and before.isalnum() and after.isalnum()
        if word:
            continue
        if mark in opened and before and not before.isspace():
            cut.append((*opened.pop(mark), ""))
            cut.append((start, end, ""))
        elif after and not after.isspace():
            opened[mark] = (start, end)
    pieces: list[str] = []
    at = 0
    for start, end, kept in sorted(cut):
        pieces += (text[at:start], kept)
        at = end
    return "".join([*pieces, text[at:]])
