"""How much of real reports mdbench reads: numeric cells with a value, headers with a meaning.

    python -m benchmarks.coverage [--reports] [PATH…]

Without a path, the collections of reports in `../shared` are measured, each on a line, and all of
them together. `--reports` also prints a line for each report.

A cell counts as read if the `cells` frame has a value for it, a header if it has a quantity or a
statistic.
Whether a cell is numeric is decided here by a separate rule, which does not use mdbench's reader or
the cell's column: one or more numbers, each with or without a unit, and nothing else but signs and
remarks in brackets. Dates, versions and names are not numbers. `7b` is, even as a model name.
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from mdbench.files.discovery import find_reports
from mdbench.files.reading import read_source
from mdbench.frames.frame_columns import Shape
from mdbench.frames.rows import tidy_rows
from mdbench.markdown.inline import plain_text
from mdbench.sheets.report import Report, read_report
from mdbench.source import SourceError
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()

COLLECTIONS = ("corpus", "truth/reports", "truth/wide/reports")
"""The folders of `../shared` with reports of many people."""
_MOST_COMMON = 50
_BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]")
_NO_NUMBER = re.compile(
    r"\d{4}[-/.]\d\d?[-/.]\d\d?.*|\d\d?[-/]\d\d?(?:[-/]\d{2,4})?|\d+\.\d+\.\d.*|\d+\.", re.DOTALL
)
_BETWEEN = re.compile(
    r"\s*(?:\+/-|±|[/–;&|~]|,\s|\sto\s|\sand\s|(?<![eE])-)\s*(?=[~$€£¥+−-]?\s?\.?\d)"
)
_QUANTITY = re.compile(
    r"[~≈<>≤≥+−–$€£¥*-]*\s?(?:[x×]\s?)?"
    r"(?:\d+(?::\d\d){1,2}(?:\.\d+)?|\d+(?:[,.\'’]\d+)*(?:[ _]\d{3}(?!\d))*|\.\d+)"
    r"(?:[eE][+-]?\d+|\s?[x×*]\s?10\s?\^\s?-?\d+)?(?P<unit>.*)",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]+")
_UNIT_SIGNS = re.compile(r"[\s/.·^*†‡#?!%％°$€¥↑↓-]*")
_PREFIXES = ("", *"k m g t p n u µ μ ki mi gi ti".split())
_BASES = "b bit byte bp flop op f w wh j hz s".split()
_WORDS = (
    "k m g b t million billion sec second min minute h hr hour day week tok token tp img image "
    "sample seq sequence sentence it iter iteration step req request epoch frame fp video word "
    "char character query querie qp gpu npu tpu cpu card chip node device core thread rank worker "
    "param parameter layer head expert c v usd dollar time point pp pt x per oom "
    "秒 分钟 分 小时 天 卡 张 台 个 倍 万 亿 ミリ秒 時間 枚 回 日"
)
_UNITS = frozenset(
    (*(prefix + base for prefix, base in product(_PREFIXES, _BASES)), *_WORDS.split())
)


@dataclass(slots=True)
class Tally:
    """The counts of one or more reports."""

    numeric: int = 0
    valued: int = 0
    headers: int = 0
    mapped: int = 0
    unread: Counter[str] = field(default_factory=Counter)
    unmapped: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Add the counts of another report."""
        self.numeric += other.numeric
        self.valued += other.valued
        self.headers += other.headers
        self.mapped += other.mapped
        self.unread += other.unread
        self.unmapped += other.unmapped


def looks_numeric(text: str) -> bool:
    """Whether a reader would call the cell a number."""
    bare = _BRACKETED.sub("", text).strip(" *_`^†‡")
    if not bare or _NO_NUMBER.fullmatch(bare):
        return False
    return all(_is_quantity(part) for part in _BETWEEN.split(bare) if part)


def _is_quantity(text: str) -> bool:
    match = _QUANTITY.fullmatch(text)
    if match is None or not _UNIT_SIGNS.fullmatch(_WORD.sub("", match["unit"])):
        return False
    words = (word.lower() for word in _WORD.findall(match["unit"]))
    return all(word in _UNITS or word.removesuffix("s") in _UNITS for word in words)


def tally_report(path: str) -> Tally:
    """Count one report."""
    tally = Tally()
    report = read_report(read_source(path), STANDARD)
    for text, valued in _cells(report):
        if looks_numeric(text):
            tally.numeric += 1
            tally.valued += valued
            tally.unread[text] += not valued
    for sheet in report.sheets:
        for header in (column.header for column in sheet.columns):
            if header.text:
                read = header.quantity is not None or bool(header.statistic)
                tally.headers += 1
                tally.mapped += read
                tally.unmapped[header.text] += not read
    return tally


def _cells(report: Report) -> Iterator[tuple[str, bool]]:
    """The text of every body cell, and whether the frame has a value for it."""
    valued = {
        (row["line"], row["column"])
        for row in tidy_rows(report, Shape.CELLS)
        if row["value"] is not None
    }
    cells = {
        cell.span: cell
        for table in report.document.tables
        for row in table.rows
        for cell in row.cells
        if cell.raw
    }
    for span, cell in cells.items():
        yield plain_text(cell.raw), report.source.position(span.start) in valued


def main(arguments: list[str]) -> int:
    """Print a line per path, the totals, and the most common unread cells and headers."""
    parser = ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--reports", action="store_true", help="print a line per report too")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args(arguments)
    total = Tally()
    for path in options.paths or _default_paths():
        tally = _tally_reports(path, verbose=options.reports)
        total.add(tally)
        print(f"{_shares(tally)}  {path}")
    print(f"{_shares(total)}  all")
    for title, counter in (("cells", total.unread), ("headers", total.unmapped)):
        print(f"\nunread {title}, the {_MOST_COMMON} most common:")
        for text, count in counter.most_common(_MOST_COMMON):
            print(f"{count:6}  {' '.join(text.split())[:100]}")
    return 0


def _tally_reports(path: str, *, verbose: bool) -> Tally:
    total = Tally()
    for report in find_reports([path]):
        try:
            tally = tally_report(report)
        except SourceError as error:
            print(f"{report}: {error}", file=sys.stderr)
            continue
        total.add(tally)
        if verbose:
            print(f"{_shares(tally)}  {report}")
    return total


def _default_paths() -> list[str]:
    shared = Path(__file__).resolve().parent.parent.parent / "shared"
    return [str(shared / one) for one in COLLECTIONS if (shared / one).is_dir()] or ["reports"]


def _shares(tally: Tally) -> str:
    return (
        f"cells {_share(tally.valued, tally.numeric)}  "
        f"headers {_share(tally.mapped, tally.headers)}"
    )


def _share(part: int, whole: int) -> str:
    percent = f"{100 * part / whole:5.1f} %" if whole else "      –"
    return f"{percent} of {whole:5}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
