"""Changes of the tables of a report that change nothing they say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from random import Random

import mdbench
from mdbench.markdown.document import TableKind
from mdbench.markdown.parser import parse_document
from mdbench.rules.findings import Severity
from mdbench.source import Source
from mdbench.vocabulary.headers import Header, read_header
from mdbench.vocabulary.quantities import standard_vocabulary

Row = list[str]
Change = Callable[[Sequence[Row]], Sequence[Row] | None]

STANDARD = standard_vocabulary()
_UNIT = re.compile(r"(?P<name>.*\S) ?\((?P<unit>\w+)\)\s*")
_LARGER = {"us": "ms", "µs": "ms", "ms": "s", "MB": "GB", "W": "kW", "KiB": "MiB", "MiB": "GiB"}
_WITH_UNIT = re.compile(rf"\s*(?P<number>[\d.]+)(?P<space> ?)(?P<unit>{'|'.join(_LARGER)})\s*")
_NUMBER = re.compile(r"\s*\d+(?:\.\d+)?\s*")
_NOTHING = re.compile(r"\s*[-–—]?\s*")
# Such a word says how a column is computed: it is more than a name.
_COMPUTED = re.compile(r"total|sum|average|avg|mean|overall|score", re.IGNORECASE)


def errors(text: str) -> Counter[tuple[str, str]]:
    """The errors on single cells, with what is printed there."""
    found = mdbench.lint(text)
    texts = ((one.code, text[one.span.start : one.span.end]) for one in found if _is_error(one))
    return Counter(one for one in texts if "|" not in one[1] and "\n" not in one[1])


def told_lines(text: str) -> set[str]:
    """What is written on the lines with a wrong number, wherever they stand."""
    source = Source("report.md", text)
    return {
        source.line_text(source.line(cell.start)).strip()
        for one in mdbench.lint(text)
        if one.code[:3] == "MB3" and one.severity is not Severity.INFO
        for cell in (one.span, *one.cells)
    }


def lines_with_errors(text: str) -> set[int]:
    """The lines with an error on one cell or several."""
    source = Source("report.md", text)
    return {
        source.line(cell.start)
        for one in mdbench.lint(text)
        if _is_error(one)
        for cell in (one.span, *one.cells)
    }


def _is_error(finding: mdbench.Finding) -> bool:
    return finding.severity is Severity.ERROR and finding.code[:3] in ("MB3", "MB2")


def change_tables(text: str, change: Change) -> str:
    """A text with its pipe tables changed, those left out whose lines are not plain."""
    for table in reversed(parse_document(Source("report.md", text)).tables):
        lines = text[table.span.start : table.span.end].split("\n")
        if table.kind is not TableKind.PIPE or not all(map(_is_plain, lines)):
            continue
        rows = [line.rstrip()[1:-1].split("|") for line in lines]
        changed = change(rows) if len({len(row) for row in rows}) == 1 else None
        if changed is not None:
            written = "\n".join(f"|{'|'.join(row)}|" if row else "" for row in changed)
            text = text[: table.span.start] + written + text[table.span.end :]
    return text


def _is_plain(line: str) -> bool:
    return line.startswith("|") and line.rstrip().endswith("|") and not {"\\", "`"} & {*line}


def reverse_rows(rows: Sequence[Row]) -> Sequence[Row] | None:
    """The rows from the last to the first, where none continues the one above."""
    body = rows[2:]
    return [*rows[:2], *reversed(body)] if all(row[0].strip() for row in body) else None


def shuffle_rows(random: Random) -> Change:
    """The rows in any order, where none continues the one above."""

    def change(rows: Sequence[Row]) -> Sequence[Row] | None:
        body = rows[2:]
        named = all(row[0].strip() for row in body)
        return [*rows[:2], *random.sample(body, len(body))] if named else None

    return change


def move_column(rows: Sequence[Row]) -> Sequence[Row]:
    """The last column behind the first."""
    return [[row[0], row[-1], *row[1:-1]] if len(row) > 2 else row for row in rows]


def shuffle_columns(seed: int) -> Change:
    """The columns in any order, but for the first, which names the rows.

    Tables of one header stay so.
    """

    def change(rows: Sequence[Row]) -> Sequence[Row]:
        titles = [title.strip() for title in rows[0]]
        random = Random(f"{seed} {titles}")
        order = random.sample(range(1, len(titles)), len(titles) - 1)
        return [[row[0], *(row[at] for at in order)] for row in rows]

    return change


def add_column(rows: Sequence[Row]) -> Sequence[Row]:
    """One more column, which says the same of all rows."""
    added = [" Site ", "---", *([" north "] * (len(rows) - 2))]
    return [[*row, one] for row, one in zip(rows, added, strict=True)]


def add_names(random: Random) -> Change:
    """One more column, which has a name of its own for each row."""

    def change(rows: Sequence[Row]) -> Sequence[Row]:
        at = random.randint(1, len(rows[0]))
        names = random.sample(_NAMES, len(rows) - 2) if len(rows) - 2 <= len(_NAMES) else None
        added = [" Owner ", "---", *(names or [" "] * (len(rows) - 2))]
        return [[*row[:at], one, *row[at:]] for row, one in zip(rows, added, strict=True)]

    return change


_SYLLABLES = [a + b for a in "bdfgjlnprv" for b in "aeiou"]
_NAMES = [f" {one}{other} " for one in _SYLLABLES for other in _SYLLABLES]


def cut_in_two(random: Random) -> Change:
    """Two tables with the same header."""

    def change(rows: Sequence[Row]) -> Sequence[Row] | None:
        body = rows[2:]
        if len(body) < 2:
            return None
        at = random.randint(1, len(body) - 1)
        return [*rows[:2], *body[:at], [], *rows[:2], *body[at:]]

    return change


def scale_units(text: str) -> str:
    """Numbers in a larger unit, as the header says; all their digits stay, or as many that count.

    How precise a whole number that ends in zeros is, it does not say: its column stays, and those
    of this header in other tables.
    """
    scaled, left = set[str](), set[str]()

    def look(rows: Sequence[Row]) -> None:
        for title, _, *body in zip(*rows, strict=True):
            said = _UNIT.fullmatch(title)
            if said is None or said["unit"] not in _LARGER:
                continue
            precise = all(_NOTHING.fullmatch(cell) or _is_precise(cell) for cell in body)
            (scaled if precise else left).add(title.strip())

    def change(rows: Sequence[Row]) -> Sequence[Row]:
        columns = [list(one) for one in zip(*rows, strict=True)]
        for column in columns:
            said = _UNIT.fullmatch(column[0])
            if said is not None and column[0].strip() in scaled - left:
                column[0] = f" {said['name']} ({_LARGER[said['unit']]}) "
                column[2:] = [_divide(cell, said["unit"]) for cell in column[2:]]
        return [list(one) for one in zip(*columns, strict=True)]

    change_tables(text, look)
    return change_tables(text, change)


def scale_cells(rows: Sequence[Row]) -> Sequence[Row]:
    """The same for the columns that have the unit in their cells."""
    columns = [list(one) for one in zip(*rows, strict=True)]
    for column in columns:
        said = [_WITH_UNIT.fullmatch(cell) for cell in column[2:]]
        plain = zip(column[2:], said, strict=True)
        if all(_is_precise(one["number"]) if one else _NOTHING.fullmatch(c) for c, one in plain):
            column[2:] = [
                _enlarge(one) if one else cell for cell, one in zip(column[2:], said, strict=True)
            ]
    return [list(one) for one in zip(*columns, strict=True)]


def _enlarge(said: re.Match[str]) -> str:
    number = _divide(said["number"], said["unit"]).strip()
    return f" {number}{said['space']}{_LARGER[said['unit']]} "


def _is_precise(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell)) and ("." in cell or cell.strip()[-1] != "0")


def _divide(cell: str, unit: str) -> str:
    if not _NUMBER.fullmatch(cell):
        return cell
    thousandth = Decimal(cell.strip()).scaleb(-3)
    if unit.endswith("iB"):
        # More digits would claim to be more precise.
        thousandth = (thousandth * 1000 / 1024).quantize(thousandth)
    return f" {thousandth:f} "


def translate(seed: int) -> Change:
    """Headers by other spellings of the vocabulary that mean the same."""

    def change(rows: Sequence[Row]) -> Sequence[Row]:
        header = [_translate(title, seed) for title in rows[0]]
        return [header if len({*header}) == len(header) else rows[0], *rows[1:]]

    return change


def _translate(title: str, seed: int) -> str:
    said = read_header(title.strip(), STANDARD)
    if said.quantity is None or said.why != "spelling" or _COMPUTED.search(title):
        return title
    behind = _UNIT.fullmatch(title)
    unit = f" ({behind['unit']})" if behind else ""
    others = [f"{one}{unit}" for one in said.quantity.spellings]
    alike = [one for one in others if _means(read_header(one, STANDARD)) == _means(said)]
    return f" {Random(f'{seed} {title.strip()}').choice(alike)} " if alike else title


def _means(said: Header) -> tuple[object, ...]:
    unit = said.unit and (said.unit.dimension, said.unit.scale)
    return said.quantity, unit, said.statistic, said.settings, said.candidates
