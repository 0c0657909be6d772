"""Parse times in several parts (`1m03s`, `03:19:59`) and calendar dates."""

import re
from decimal import Decimal
from typing import NamedTuple

from mdbench.regex import lazy

_CLOCK = lazy(
    r"(?:(\d{1,3})(?:-|d[ ,]*|\s*days?,?\s+))?(\d{1,4}):([0-5]\d):([0-5]\d)(\.\d{1,9})?(?![\w:.])",
)
_MINUTES = lazy(r"(\d{1,4}):([0-5]\d)(\.\d{1,9})(?![\w:.])")
_PART = lazy(
    r"(\d{1,9}(?:\.\d{1,9})?) ?"
    r"(days?|d|天|日|hours?|hrs?|h|小时|小時|時間|minutes?|mins?|m|分钟|分鐘|分|"
    r"seconds?|secs?|s|秒|ms)(?![A-Za-z/])\.?(?:, ?| and | )?",
    re.IGNORECASE,
)
_SCALES = {"d": 86400, "天": 86400, "日": 86400, "h": 3600, "小": 3600, "時": 3600}
_YEAR = lazy(
    r"(19\d\d|20[0-3]\d)(?:([-/])(\d{1,2})\2(\d{1,2})|\.(\d\d)\.(\d\d)|年(\d{1,2})月(\d{1,2})日?)"
    r"(?:[ T]\d{1,2}:\d\d(?::\d\d)?)?(?![\w.:/-])",
)
_YEAR_ENDS = frozenset("-/.年")
_MONTH = lazy(r"(19\d\d|20[0-3]\d)-(0[1-9]|1[0-2])(?![\w.:/-])")
_LATE_YEAR = lazy(r"(\d{1,2})([./])(\d{1,2})\2(19\d\d|20[0-3]\d)(?![\w.:/-])")
_DAY = lazy(r"(\d{1,2})([-/])(\d{1,2})(?![\w.:/%-])")
_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_NAMED = lazy(
    r"(?:(\d{1,2})(?:st|nd|rd|th)? )?"
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
    r"(?: (\d{1,2})(?:st|nd|rd|th)?(?!\d))?(?:,? (19\d\d|20[0-3]\d))?(?![\w.:/-])",
    re.IGNORECASE,
)
_LONGEST_MONTH = 31
_MONTHS = 12


class Duration(NamedTuple):
    """A time in seconds, the place value of its last digit, and its end in the text."""

    seconds: Decimal
    quantum: Decimal
    end: int


class Date(NamedTuple):
    """A calendar date in ISO 8601; `--02-15` if there is no year."""

    iso: str
    end: int


def scan_duration(text: str, at: int) -> Duration | None:
    """Parse a time of two or more parts that starts at `at`."""
    clock = _CLOCK.match(text, at) if ":" in text else None
    if clock is not None:
        days, hours, minutes, seconds, fraction = clock.groups()
        whole = (int(days or 0) * 24 + int(hours)) * 3600 + int(minutes) * 60 + int(seconds)
        return _total(Decimal(f"{whole}{fraction or ''}"), clock.end())
    short = _MINUTES.match(text, at) if ":" in text else None
    if short is not None:
        whole = int(short[1]) * 60 + int(short[2])
        return _total(Decimal(f"{whole}{short[3]}"), short.end())
    return _scan_parts(text, at)


def _total(seconds: Decimal, end: int) -> Duration:
    return Duration(seconds, _place(seconds), end)


def _place(number: Decimal) -> Decimal:
    return Decimal((0, (1,), int(number.as_tuple().exponent)))


def _scan_parts(text: str, at: int) -> Duration | None:
    if not any(map(str.isdigit, text[at:].lstrip("0123456789."))):
        # There is no second part.
        return None
    total, quantum, scale = Decimal(0), Decimal(1), Decimal(10) ** 9
    count, end = 0, at
    for _ in range(5):
        part = _PART.match(text, end)
        if part is None:
            break
        smaller = _scale(part[2].lower())
        if smaller >= scale:
            break
        scale = smaller
        number = Decimal(part[1])
        total += number * scale
        quantum = _place(number) * scale
        count, end = count + 1, part.end()
    if count < 2:
        return None
    trimmed = len(text[at:end].rstrip(" ,"))
    return Duration(total, quantum, at + trimmed)


def _scale(unit: str) -> Decimal:
    if unit == "ms":
        return Decimal("0.001")
    if unit[0] in _SCALES:
        return Decimal(_SCALES[unit[0]])
    return Decimal(60) if unit[0] in {"m", "分"} else Decimal(1)


def read_date(text: str) -> str | None:
    """Return the date at the start of `text` in ISO form: `2022-02-15`, `--02-15`."""
    date = scan_date(text, loose=True)
    return None if date is None else date.iso


def scan_date(text: str, *, loose: bool) -> Date | None:
    """Parse the date at the start of `text`. If `loose`, `4/22` and `12-15` are dates too."""
    begins_with_year = text.startswith(("19", "20")) and text[4:5] in _YEAR_ENDS
    full = _YEAR.match(text) if begins_with_year else None
    if full is not None:
        month, day = (group for group in full.groups()[2:] if group is not None)
        return _date(full[1], month, day, full.end())
    late = _LATE_YEAR.match(text) if text.count(".") > 1 or text.count("/") > 1 else None
    if late is not None:
        # Behind the day stands a dot, behind the month a slash.
        month, day = (late[3], late[1]) if late[2] == "." else (late[1], late[3])
        return _find_month(late[4], month, day, late.end())
    month_only = _MONTH.match(text) if begins_with_year else None
    if month_only is not None:
        return Date(f"{month_only[1]}-{month_only[2]}", month_only.end())
    begin = text[:8].casefold()
    named = _NAMED.match(text) if any(map(begin.__contains__, _NAMES)) else None
    if named is not None and (named[1] or named[3]):
        month = str(_NAMES.index(named[2][:3].lower()) + 1)
        return _date(named[4], month, named[1] or named[3], named.end())
    # Behind one or two digits.
    short = _DAY.match(text) if "-" in text[1:3] or "/" in text[1:3] else None
    if short is not None:
        padded = short[2] == "-" and len(short[1]) == 2 and short[1][0] == "0"
        if loose or (padded and len(short[3]) == 2):
            return _find_month(None, short[1], short[3], short.end())
    return None


def _find_month(year: str | None, month: str, day: str, end: int) -> Date | None:
    """The date; the other way round where only that gives a month."""
    if int(month) > _MONTHS:
        month, day = day, month
    return _date(year, month, day, end)


def _date(year: str | None, month: str, day: str, end: int) -> Date | None:
    if not (1 <= int(month) <= _MONTHS and 1 <= int(day) <= _LONGEST_MONTH):
        return None
    return Date(f"{year or '-'}-{int(month):02}-{int(day):02}", end)
