"""Parse what follows a quantity in its cell: markers, brackets, notes."""

import re
from decimal import Decimal
from typing import NamedTuple

from mdbench.markdown.inline import LOWERED, RAISED
from mdbench.numerals.bounds import ESTIMATE, scan_bound_after
from mdbench.numerals.digits import is_measured, read_number
from mdbench.numerals.numeral import Numeral, Style
from mdbench.numerals.scan import is_east_asian, is_letter, scan_spread
from mdbench.numerals.words import Status, read_status
from mdbench.regex import lazy

_SPACES = " \u00a0\u2009\u202f"
_SYMBOLS = frozenset("†‡§¶*^")
_MARKS = _SYMBOLS | {"#"}
_MARKER = lazy(
    r"\[\^[^\[\]\s]{1,40}\]|\[\d{1,3}\]|[†‡§¶]+|\*+|\^\d{1,2}(?!\d)|\^+|#(?!\w)",
)
_DOUBT = lazy(r"\?+|(?P<more>\+(?![\d/]))")
_DECORATIONS = "✅✓✔⚠❌🔥🚀🏆🥇🥈🥉⭐🟢🔴🟡🎉💥↑↓▲▼⬆⬇⭐✨"
# The signs of the weather, of clocks and of stars too, but no sign of multiplication, no arrow.
_DECORATION = lazy(
    f"[{_DECORATIONS}\u231a\u231b\u23e9-\u23f3\u2600-\u26ff\u2728-\u2757\U0001f300-\U0001faff]+"
)
_REMARK = lazy(
    r"(?:for|on|at|in|with|w/|w/o|without|after|before|when|during|from|by|vs\.?|per|of|if|using|via|"
    r"only|each|total|avg|average|mean|max|min|peak|and up|or more|or less|@)(?!\w)",
    re.IGNORECASE,
)
_WORDS = lazy(r"[^\W\d_][^\d/|\n]*", re.DOTALL)
_ABBREVIATION = lazy(r"(?:[VHD]?RAM|HBM\w*|GPU|CPU|MFU|HFU|OOM|MAX|AVG|FASTER|SLOWER)\b")
_SHORT_MARK = lazy(r"\d{1,2}|[a-z]|[*†‡§¶^#]+|\[\^?\w{1,8}\]")
_LISTED = lazy(r"[,;]\s")
_LONGEST_REMARK = 80


class Tail(NamedTuple):
    """The quantity with its markers and notes, the texts in brackets, and where all of it ends."""

    numeral: Numeral
    brackets: tuple[str, ...]
    end: int


class _Collector:
    """Collects what follows a number, from left to right."""

    def __init__(self, text: str, at: int, numeral: Numeral, style: Style) -> None:
        self.text, self.at, self.numeral, self.style = text, at, numeral, style
        self.markers: list[str] = []
        self.notes: list[str] = []
        self.brackets: list[str] = []
        self.spread: Decimal | None = numeral.spread
        self.bound = numeral.bound


def read_tail(text: str, at: int, numeral: Numeral, style: Style) -> Tail | None:
    """Read everything after a quantity, up to the end of its cell or its part of the cell."""
    state = _Collector(text, at, numeral, style)
    if at < len(text) and not _may_follow(text, at):
        return None
    while state.at < len(text) and _take(state):
        pass
    _drop_final_stop(state)
    return _finish(state)


def _may_follow(text: str, at: int) -> bool:
    """Letters and digits right after a number make it a name; `3534秒ほど` is not one."""
    following = text[at]
    if following == "." and at + 1 < len(text):
        return text[at + 1] in " ."
    if following == "_" or (following.isascii() and following.isalnum()):
        return False
    return not (following.isalpha() and not is_east_asian(following))


def _take(state: _Collector) -> bool:
    at = len(state.text) - len(state.text[state.at :].lstrip(_SPACES))
    if at >= len(state.text):
        state.at = at
        return False
    return (
        _take_marks(state, at)
        or _take_raised(state, at)
        or _take_bracket(state, at)
        or _take_words(state, at, spaced=at > state.at)
    )


def _take_marks(state: _Collector, at: int) -> bool:
    also = state.markers and state.text[at] == "/" and state.text[at + 1 : at + 2] in _SYMBOLS
    start = at + 1 if also else at
    marker = _MARKER.match(state.text, start) if state.text[start] in _MARKS | {"["} else None
    if marker is not None:
        state.markers.append(marker[0])
        state.at = marker.end()
        return True
    doubt = _DOUBT.match(state.text, at) if state.text[at] in "?+" else None
    if doubt is not None:
        state.bound = state.bound or (ESTIMATE if doubt["more"] is None else "≥")
        state.at = doubt.end()
        return True
    decoration = None if state.text[at].isascii() else _DECORATION.match(state.text, at)
    if decoration is not None:
        state.at = decoration.end()
    return decoration is not None


def _take_raised(state: _Collector, at: int) -> bool:
    if state.text[at] != RAISED:
        return False
    end = state.text.find(LOWERED, at)
    end = len(state.text) if end < 0 else end
    inside = state.text[at + 1 : end].strip()
    if _take_spread(state, inside):
        pass
    elif _SHORT_MARK.fullmatch(inside):
        state.markers.append(inside)
    elif inside:
        state.notes.append(inside)
    state.at = min(end + 1, len(state.text))
    return True


def _take_bracket(state: _Collector, at: int) -> bool:
    opening = state.text[at]
    if opening not in "([":
        return False
    end = _closing(state.text, at, opening, ")" if opening == "(" else "]")
    inside = state.text[at + 1 : end].strip()
    if _take_spread(state, inside):
        pass
    elif inside[:1] in _MARKS and _SHORT_MARK.fullmatch(inside):
        state.markers.append(inside)
    elif not state.numeral.unit and is_measured(inside):
        # `2884 (KB)`
        state.numeral = state.numeral._replace(unit=inside)
    elif inside:
        state.notes.append(inside)
        state.brackets.append(inside)
    state.at = min(end + 1, len(state.text))
    return True


def _take_spread(state: _Collector, inside: str) -> bool:
    """Whether the text in brackets is a spread: `(± 0.4)`, `(std 0.3)`."""
    numeral = state.numeral
    if numeral.value is None or state.spread is not None:
        return False
    bare = read_number(inside) if state.style.spreads else None
    if bare is not None:
        state.spread = bare.value
        return True
    spread = scan_spread(inside, 0, (numeral.value, numeral.unit), state.style)
    if spread is None or spread.end < len(inside) or spread.unit != numeral.unit:
        return False
    state.spread = spread.amount
    return True


def _closing(text: str, at: int, opening: str, closing: str) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if depth == 0:
            return place
    return len(text)


def _take_words(state: _Collector, at: int, *, spaced: bool) -> bool:
    """Take words up to the next separator, unless they may be part of a name."""
    text = state.text
    bound, end = scan_bound_after(text, at)
    if bound and not state.bound:
        state.bound, state.at = bound, end
        return True
    comma = text[at] in ",;:" and text[at + 1 : at + 2] in {" ", ""}
    if comma:
        at = len(text) - len(text[at + 1 :].lstrip())
        if at >= len(text) or text[at].isdigit() or text[at] in "~$+-.<>≈":
            return False
    remark = _REMARK.match(text, at)
    end = _remark_end(text, at)
    words = text[at:end].strip()
    if not words or len(words) > _LONGEST_REMARK:
        return False
    if comma or (remark is not None and spaced and not is_name_part(state.numeral, words)):
        accepted = remark is not None or _WORDS.fullmatch(words) is not None
    else:
        accepted = _is_plain_remark(state.numeral, words, spaced=spaced)
    if accepted:
        state.notes.append(words)
        state.at = end
    return accepted


def is_name_part(numeral: Numeral, words: str) -> bool:
    """Whether number and words are more likely a name, as in `70b chat`."""
    return is_letter(numeral.unit) and _REMARK.match(words) is None


def _is_plain_remark(numeral: Numeral, words: str, *, spaced: bool) -> bool:
    if words[0] == "←" or (spaced and _ABBREVIATION.match(words) is not None):
        return True
    if _WORDS.fullmatch(words) is None or is_letter(numeral.unit):
        return False
    if is_east_asian(words):
        return True
    return spaced and not words[0].isupper() and len(words.split()) <= 4


def _remark_end(text: str, at: int) -> int:
    for place in range(at, len(text)):
        if text[place] in "\n;([|" + RAISED or text[place : place + 2] == ", ":
            return place
        if text[place] == "/" and text[place - 1 : place] == " ":
            return place
    return len(text)


def _drop_final_stop(state: _Collector) -> None:
    if state.text[state.at :].strip() in {".", ",", ";"}:
        state.at = len(state.text)


def _finish(state: _Collector) -> Tail:
    note = "; ".join(state.notes)
    status = read_status(note) if note else Status.OK
    numeral = state.numeral._replace(
        markers=tuple(state.markers),
        note=note,
        status=status,
        spread=state.spread,
        bound=state.bound,
    )
    return Tail(numeral, tuple(state.brackets), state.at)


def split_brackets(brackets: tuple[str, ...]) -> list[str]:
    """Split bracketed texts into parts that may be quantities of their own."""
    pieces = (piece.strip() for text in brackets for piece in _LISTED.split(text))
    return [piece for piece in pieces if piece]
