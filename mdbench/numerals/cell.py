"""Parse the text of a cell: value, printed precision, unit, status, markers and note."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from mdbench.markdown.inline import LOWERED, RAISED, flatten, plain_text
from mdbench.numerals.digits import NUMBER, ParsedNumber, column_style, read_number
from mdbench.numerals.durations import read_date, scan_date
from mdbench.numerals.numeral import Form, Numeral, Style
from mdbench.numerals.remarks import read_tail, split_brackets
from mdbench.numerals.scan import scan_quantity
from mdbench.numerals.units import parse_unit
from mdbench.numerals.words import (
    Status,
    is_bare_status,
    is_crossed_out,
    read_flag,
    read_status,
    says_missing,
)
from mdbench.regex import lazy

__all__ = [
    "NUMBER", "Form", "Numeral", "ParsedNumber", "Status", "Style",
    "column_style", "plain_text", "read_cell", "read_date", "read_flag", "read_number",
]  # fmt: skip

# No number is written `-02`: that is an option.
_PLAIN = lazy(r"(?!-0\d)-?\d{1,40}(?:\.(\d{1,40}))?")
_OPTION = lazy(r"-0\d(?![\d.,:/-])")
# `88.5 (± 0.2) %` is `88.5% (± 0.2%)`.
_SPREAD_BEFORE_SHARE = lazy(r"^([\d.]{1,12}) ?\((± ?[\d.]{1,12})\) ?%$")
_ONE = Decimal(1)
_QUANTA = [Decimal((0, (1,), -places)) for places in range(41)]
"""The place value of the last digit, by how many digits stand behind the decimal point."""
_LONGEST = 400
_SHORT = 64
_PLACEHOLDER = lazy(r"(?:[-–—?]+|n/?a)\s*(?=[^\s\d])", re.IGNORECASE)
_LEADING = lazy(
    rf"(?:{RAISED}[^{LOWERED}]*{LOWERED}|\[\^?\w+\](?!\()|[†‡§]|[✅✓✔⚠❌🔥🚀🏆🥇🥈🥉⭐🟢🔴🟡↑↓▲▼⬆⬇]+)\s*",
)
_SEPARATOR = lazy(r"\s*(?:/|\||&|,|;|\n|->|→|=>|vs\.?(?= )|and(?= )|or(?= ))\s*")
_THROUGH = lazy(r"\s*(?:-|–|—|~|\.{2,3}|…|至|到|(?<= )to(?= ))\s*")
_COUNT = lazy(r"(\d{1,7})(?: ?[x×*]|X) ?((?=\d{1,4} ?[GT]i?B)\S.*|[A-Za-z].*)", re.DOTALL)
_DEVICE_COUNT = lazy(r"(\d{1,5}) ([A-Z]+\d{2,4}[a-z]?(?![\w.]).*)", re.DOTALL)
_NAMED_COUNT = lazy(r"(?=[A-Z]|.*\d)")
_STATUS_WORD = lazy(r"[^\d\s/|,;]{1,12} ?(?=[/|,;\n]|$)")
_MOST_PARTS = 16
# What criterion prints: the ends of a confidence interval, and the estimate between them.
_NUMBER_AND_UNIT = r"([-+−]?\d[\d.,]{0,20} ?[^\s\d.,\]]{1,12})"
_ESTIMATED = lazy(rf"\[{_NUMBER_AND_UNIT} {_NUMBER_AND_UNIT} {_NUMBER_AND_UNIT}\]")
_DEFAULT = Style()
_QUOTES = ("'", '"')
_BARE_UNIT = lazy(r"[KkMmGgTt]i?[Bb]|%|ms|[MG]Hz")


def read_cell(raw: str, style: Style = _DEFAULT) -> tuple[Numeral, ...]:
    """Return everything that a cell contains, the main value first; never empty."""
    return _read_often(raw, style) if len(raw) <= _SHORT else _read_cell(raw, style)


def _read_cell(raw: str, style: Style) -> tuple[Numeral, ...]:
    bare = raw.strip()
    plain = _PLAIN.fullmatch(bare)
    if plain is not None and bare.isascii():
        places = len(plain[1]) if plain[1] else 0
        return (Numeral(Form.NUMBER, bare, Decimal(bare), _QUANTA[places]),)
    text = flatten(raw)
    if "±" in text and text[-1] == "%":
        text = _SPREAD_BEFORE_SHARE.sub(r"\1% (\2%)", text)
    if text[:1] in _QUOTES and text[-1:] == text[0] and text[1:2].isdigit():
        # Some tools print texts as a program writes them: '149.83 ± 1.47%'.
        text = text[1:-1]
    if not text:
        if "![" in raw or "<img" in raw:
            return (Numeral(Form.TEXT, bare),)
        return (Numeral(Form.NOTHING, "", status=Status.MISSING),)
    if len(text) > _LONGEST:
        return (Numeral(Form.TEXT, plain_text(raw)),)
    return _read_words(text) or _read_text(text, style) or (_as_text(raw, text),)


# Many cells of a table are equal, and trying a repair reads the same cells again.
_read_often = lru_cache(maxsize=16384)(_read_cell)


def _as_text(raw: str, text: str) -> Numeral:
    status = read_status(text)
    words = plain_text(raw)
    if status is Status.OK:
        return Numeral(Form.TEXT, words)
    return Numeral(Form.NOTHING, words, status=status, note="" if is_bare_status(words) else words)


def _read_words(text: str) -> tuple[Numeral, ...] | None:
    """Read a cell that is one word: missing, crossed out, yes or no, a unit without a number."""
    if says_missing(text):
        return (Numeral(Form.NOTHING, text, status=Status.MISSING),)
    if is_crossed_out(text):
        return (Numeral(Form.NOTHING, text, status=Status.OOM),)
    flag, bracket, remark = text.partition("(")
    if read_flag(flag) is not None:
        note = remark.strip().removesuffix(")") if bracket else ""
        return (Numeral(Form.FLAG, flag.strip(), note=note),)
    if any(map(str.isdigit, text)):
        return None
    placeholder = _PLACEHOLDER.match(text) if text[0] in "-–—?nN" else None
    words = text[placeholder.end() :].lstrip("?") if placeholder is not None else text
    known = parse_unit(words) is not None if placeholder is not None else _BARE_UNIT.fullmatch(text)
    if known:
        return (Numeral(Form.NOTHING, text, unit=words, status=Status.MISSING),)
    return None


def _read_text(text: str, style: Style) -> tuple[Numeral, ...] | None:
    if not any(map(str.isdigit, text)):
        return None
    if text[0] == "-" and _OPTION.match(text):
        return None
    date = scan_date(text, loose=style.dates)
    if date is not None:
        note = text[date.end :].strip(" ,;:()\n")
        return (Numeral(Form.DATE, text[: date.end], note=note, status=read_status(note)),)
    if text[0] == "(" and text[-1] == ")" and text.count("(") == 1:
        text = text[1:-1].strip()
    return _read_count(text) or _read_estimate(text, style) or _read_sequence(text, style)


def _read_count(text: str) -> tuple[Numeral, ...] | None:
    if not text[:1].isdigit():
        return None
    count = _COUNT.fullmatch(text) or _DEVICE_COUNT.fullmatch(text)
    if count is None or _NAMED_COUNT.match(count[2]) is None:
        return None
    value = Decimal(count[1])
    return (Numeral(Form.COUNT, text, value, Decimal(1), "x", note=count[2]),)


def _read_estimate(text: str, style: Style) -> tuple[Numeral, ...] | None:
    """Read `[1.1 ms 1.2 ms 1.3 ms]`: the number in the middle, then the ends of its interval."""
    match = _ESTIMATED.fullmatch(text) if text.startswith("[") else None
    if match is None:
        return None
    parts = [_read_sequence(part, style) for part in match.groups()]
    values = [part[0].value for part in parts if part is not None and len(part) == 1]
    low, middle, high = (part[0] for part in parts if part) if len(values) == 3 else (None,) * 3
    if low is None or middle is None or high is None or middle.value is None:
        return None
    return middle, low._replace(form=Form.RANGE), high._replace(form=Form.RANGE)


def _read_sequence(text: str, style: Style) -> tuple[Numeral, ...] | None:
    """Read one quantity, a range or a list; None unless all of the text is understood."""
    markers: list[str] = []
    at = 0
    while not text[at : at + 1].isalnum() and (lead := _LEADING.match(text, at)) is not None:
        _keep_marker(markers, lead[0])
        at = lead.end()
    first = _read_part(text, at, style)
    if first is None:
        return _read_status_first(text, style)
    numerals, at = first
    main = numerals[0]._replace(markers=(*markers, *numerals[0].markers))
    through = _THROUGH.match(text, at) if at < len(text) else None
    if through is not None:
        return _read_range(main, text, through.end(), style)
    found = [main, *numerals[1:]]
    mains = 1
    while at < len(text):
        separator = _SEPARATOR.match(text, at)
        part = None if separator is None else _read_next(text, separator.end(), style)
        if part is None or mains > _MOST_PARTS:
            return None
        more, at = part
        found += more
        mains += 1
    if mains > 1 and not _are_different(found):
        found = list(map(_as_pair, found))
    return tuple(found)


def _are_different(found: list[Numeral]) -> bool:
    """Whether the numbers are of different quantities by their units: `120 ms / 3.4 GB`."""
    units = [parse_unit(one.unit) for one in found]
    dimensions = {unit.dimension for unit in units if unit is not None}
    return len(dimensions) == len(found)


def _as_pair(numeral: Numeral) -> Numeral:
    return numeral if numeral.value is None else numeral._replace(form=Form.PAIR)


def _read_next(text: str, at: int, style: Style) -> tuple[list[Numeral], int] | None:
    part = _read_part(text, at, style)
    if part is not None:
        return part
    words = _STATUS_WORD.match(text, at)
    status = _read_status_word(words[0].strip()) if words is not None else None
    return None if status is None or words is None else ([status], words.end())


def _read_status_word(word: str) -> Numeral | None:
    """Read a part without a number, as in `66.5 s / OOM`."""
    status = Status.MISSING if says_missing(word) else read_status(word)
    if status is Status.OK:
        return None
    return Numeral(Form.NOTHING, word, status=status)


def _keep_marker(markers: list[str], lead: str) -> None:
    marker = lead.strip().strip(RAISED + LOWERED)
    if marker and (marker[0] in "[†‡§" or marker.isalnum()):
        markers.append(marker)


def _read_part(text: str, at: int, style: Style) -> tuple[list[Numeral], int] | None:
    scan = scan_quantity(text, at, style)
    if scan is None:
        return None
    tail = read_tail(text, scan.end, scan.numeral, style)
    if tail is None:
        return None
    return [tail.numeral, *_read_bracketed(tail.brackets, style)], tail.end


def _read_bracketed(brackets: tuple[str, ...], style: Style) -> list[Numeral]:
    """Read quantities in brackets: with a unit or a sign that says what they are, or decimals."""
    found: list[Numeral] = []
    for piece in split_brackets(brackets):
        scan = scan_quantity(piece, 0, style)
        if scan is None or not _is_quantity(scan.numeral):
            continue
        tail = read_tail(piece, scan.end, scan.numeral, style)
        if tail is not None and tail.end == len(piece):
            found.append(tail.numeral)
    return found


def _is_quantity(numeral: Numeral) -> bool:
    """Whether a number in brackets tells something: a whole one may be the mark of a footnote."""
    if numeral.unit:
        return parse_unit(numeral.unit) is not None
    return numeral.text[0] in "+-\u2212\u2013" or (numeral.quantum or _ONE) < 1


def _read_range(low: Numeral, text: str, at: int, style: Style) -> tuple[Numeral, ...] | None:
    part = _read_part(text, at, style)
    if part is None or part[1] < len(text):
        return None
    high = part[0][0]
    if low.value is None or high.value is None or low.value >= high.value:
        return None
    if low.unit not in {"", high.unit}:
        return None
    low = low._replace(form=Form.RANGE, unit=high.unit)
    return (low, high._replace(form=Form.RANGE), *part[0][1:])


def _read_status_first(text: str, style: Style) -> tuple[Numeral, ...] | None:
    """Read a pair whose first part has no number: `OOM / 66.5 s`."""
    word = _STATUS_WORD.match(text)
    separator = None if word is None else _SEPARATOR.match(text, word.end())
    status = None if word is None else _read_status_word(word[0].strip())
    if separator is None or status is None:
        return None
    rest = _read_sequence(text[separator.end() :], style)
    return None if rest is None else (status, *map(_as_pair, rest))
