"""Numbers that are not exact: bounds (`<`, `>`, `≤`, `≥`) and estimates (`~`)."""

from __future__ import annotations

import re

from mdbench.regex import lazy

ESTIMATE = "~"

_SIGNS = {"<": "<", ">": ">", "≤": "≤", "≥": "≥", "<=": "≤", ">=": "≥", "⩽": "≤", "⩾": "≥"}
_ABOUT = (
    r"about|approx(?:imately|\.)?|ca\.?|circa|around|roughly|nearly|almost|est\.?|estimated|"
    "大约|大約|约|約|およそ"
)
_WORDS = (
    ("<", "less than|fewer than|under|below|小于|低于|不到|不足"),
    (">", "more than|greater than|over|above|大于|高于|超过|超過"),
    ("≤", "up to|at most|no more than|not more than|最多|不超过|至多"),
    ("≥", "at least|no less than|not less than|至少|不低于|不少于"),
    (ESTIMATE, _ABOUT),
)
_STARTS = frozenset(word[0] for _, words in _WORDS for word in words.split("|")).union("~≈≃≅<>≤≥⩽⩾")
_BEFORE = lazy(
    r"(?P<sign>[~≈≃≅<>≤≥⩽⩾]=?)\s*|(?:"
    + "|".join(f"(?P<w{at}>{words})" for at, (_, words) in enumerate(_WORDS))
    + r")(?=\s?[~$€¥£\d.xX×])\s*",
    re.IGNORECASE,
)
_AFTER = lazy(
    r"(?P<w0>(?:or|and) (?:more|above|up|higher)\b|以上)|"
    r"(?P<w1>or (?:less|fewer|below|lower)\b|以下)|"
    r"(?P<w2>未満|以内)|(?P<w3>左右|上下|程度|ほど|前後)",
    re.IGNORECASE,
)
_AFTERWARDS = ("≥", "≤", "<", ESTIMATE)


def scan_bound(text: str, at: int) -> tuple[str, int]:
    """The bound that the words or the sign before a number state, and where they end."""
    match = _BEFORE.match(text, at) if text[at : at + 1].lower() in _STARTS else None
    if match is None:
        return "", at
    sign = match["sign"]
    if sign is not None:
        return _SIGNS.get(sign, ESTIMATE), match.end()
    which = next(at for at in range(len(_WORDS)) if match[f"w{at}"] is not None)
    return _WORDS[which][0], match.end()


def scan_bound_after(text: str, at: int) -> tuple[str, int]:
    """The same of the words after a number: `10 or more`, `10 以上`."""
    match = _AFTER.match(text, at)
    if match is None:
        return "", at
    which = next(at for at in range(len(_AFTERWARDS)) if match[f"w{at}"] is not None)
    return _AFTERWARDS[which], match.end()
