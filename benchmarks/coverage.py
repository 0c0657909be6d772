"""How much of real reports is understood: numeric cells with a value, headers with a quantity.

    python benchmarks/coverage.py [PATH…]

What a person would call numeric is judged here by a rule of its own, not by mdbench's reader:
the text begins with a number, which may have a sign or currency before it, and goes on with no
more than a unit and remarks in brackets. Dates, versions and names that begin with a digit are not
numbers.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mdbench.discovery import find_reports
from mdbench.markup import plain_text
from mdbench.reader import read_source
from mdbench.sheet import NUMERIC, Sheet
from mdbench.source import SourceError
from mdbench.workbook import read_workbook

_MOST_COMMON = 50
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NUMBER = re.compile(
    r"[~≈<>±+$€¥*^'\"\s–-]*[x×]?\s?\d[\d,.]*(?:[eE][+-]?\d+)?(?P<tail>.*)", re.DOTALL
)
_NO_NUMBER = re.compile(
    r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/]\d\d?(?:[-/]\d{2,4})?(?!\d)|v?\d+\.\d+\.\d|[0-9a-f]{7,40}$|"
    r"\d+(?:\.\d+)?[BbMmKk]?[-_][A-Za-z]|\d+[A-Za-z]+\d|\d+\.?$(?<=\.)"
)
_UNIT_TAIL = re.compile(r"[\s*^†‡#?%]*(?:[A-Za-zµμ°$€×·'\"]+[\s/.*^%?-]*){0,4}(?:[±+/–,~x×-].*)?")


@dataclass(slots=True)
class Tally:
    """What was counted in one report."""

    numeric: int = 0
    valued: int = 0
    headers: int = 0
    mapped: int = 0
    unread: Counter[str] = field(default_factory=Counter)
    unmapped: Counter[str] = field(default_factory=Counter)


def looks_numeric(text: str) -> bool:
    """Whether a person would call a cell a number."""
    bare = _BRACKETED.sub("", text).strip()
    match = _NUMBER.fullmatch(bare)
    if match is None or _NO_NUMBER.match(bare):
        return False
    return _UNIT_TAIL.fullmatch(match["tail"]) is not None


def tally_report(path: str) -> Tally:
    """Count one report."""
    tally = Tally()
    for sheet in read_workbook(read_source(path)).sheets:
        for text, valued in _cells(sheet):
            tally.numeric += 1
            tally.valued += valued
            if not valued:
                tally.unread[text] += 1
        for header in sheet.headers:
            if header.text:
                tally.headers += 1
                tally.mapped += header.understood
                if not header.understood:
                    tally.unmapped[header.text] += 1
    return tally


def _cells(sheet: Sheet) -> Iterator[tuple[str, bool]]:
    valued: dict[tuple[int, int], bool] = {}
    texts: dict[tuple[int, int], str] = {}
    for one in sheet.measurements:
        key = (one.row, one.cell.span.start)
        texts[key] = plain_text(one.cell.raw)
        read = one.numeral.form in NUMERIC and one.numeral.value is not None
        valued[key] = valued.get(key, False) or read
    return ((text, valued[key]) for key, text in texts.items() if looks_numeric(text))


def main(paths: list[str]) -> int:
    """Print a line a report, the totals, and what was not understood."""
    total = Tally()
    for path in find_reports(paths):
        try:
            tally = tally_report(path)
        except SourceError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        total.numeric += tally.numeric
        total.valued += tally.valued
        total.headers += tally.headers
        total.mapped += tally.mapped
        total.unread += tally.unread
        total.unmapped += tally.unmapped
        print(f"{_shares(tally)}  {path}")
    print(f"{_shares(total)}  all")
    for title, counter in (("cells", total.unread), ("headers", total.unmapped)):
        print(f"\n{title} not understood, the {_MOST_COMMON} most common:")
        for text, count in counter.most_common(_MOST_COMMON):
            print(f"{count:6}  {text[:100]}")
    return 0


def _shares(tally: Tally) -> str:
    return (
        f"cells {_share(tally.valued, tally.numeric)}  "
        f"headers {_share(tally.mapped, tally.headers)}"
    )


def _share(part: int, whole: int) -> str:
    percent = f"{100 * part / whole:5.1f} %" if whole else "      –"
    return f"{percent} of {whole:5}"


if __name__ == "__main__":
    default = Path(__file__).parent.parent.parent / "shared" / "corpus"
    sys.exit(main(sys.argv[1:] or ([str(default)] if default.is_dir() else ["reports"])))
