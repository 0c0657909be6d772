"""Rows as text: CSV that is safe to open in a spreadsheet, JSON lines, a terminal table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mdbench.files.errors import disarm, printable
from mdbench.frames.fitting_columns import count_columns, fit_columns
from mdbench.frames.frame_columns import Field, TidyRow, Value, is_empty
from mdbench.markdown.widths import display_width
from mdbench.output.json import dump
from mdbench.regex import lazy

_CALM = r"[-+\w\s.,:%±×/°^*~]*+\Z"
# The full-width characters come from Japanese and Chinese keyboards.
_FORMULA = lazy(rf"'*+\s*+(?:[=@\uff1d\uff20]|[-+\uff0d\uff0b](?!{_CALM}))")


def calm(text: str) -> str:
    """Escape a text so that no spreadsheet runs it as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


_WIDEST = 32
_COLUMN_GAP = "  "


def to_csv(
    rows: Iterable[TidyRow], fields: Sequence[Field], *, exact: bool = False
) -> Iterator[str]:
    """CSV with a header; lists and maps are written as JSON.

    Unless `exact`, texts that a spreadsheet would run as formulas are escaped.
    """
    names = [field.name for field in fields]
    yield csv_line(names)
    for row in rows:
        yield csv_line([_csv_text(row.get(name), exact=exact) for name in names])


def to_jsonl(rows: Iterable[TidyRow], fields: Sequence[Field]) -> Iterator[str]:
    """One JSON object per line, with all columns."""
    names = [field.name for field in fields]
    for row in rows:
        yield dump({name: row.get(name) for name in names}) + "\n"


def to_tables(
    rows: Iterable[TidyRow], fields: Sequence[Field], room: int | None = None
) -> Iterator[str]:
    """One table per report for people, without empty columns; in a given width, if there is one."""
    report: list[TidyRow] = []
    for row in rows:
        if report and row["report"] != report[0]["report"]:
            yield from _table(report, fields, room)
            report = []
        report.append(row)
    if report:
        yield from _table(report, fields, room)


def csv_line(texts: Iterable[str]) -> str:
    """One line of CSV, quoted if necessary."""
    # Not the csv module: before Python 3.13 it does not quote a lone carriage return.
    return ",".join(map(_quoted, texts)) + "\n"


def _quoted(text: str) -> str:
    if any(char in text for char in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _csv_text(value: Value, *, exact: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return dump(value) if value else ""
    return calm(value) if isinstance(value, str) and not exact else str(value)


def _table(rows: Sequence[TidyRow], fields: Sequence[Field], room: int | None) -> Iterator[str]:
    names = [field.name for field in fields if field.name != "report"]
    used = [name for name in names if any(not is_empty(row.get(name)) for row in rows)]
    grid = [used, *([_shown(row.get(name)) for name in used] for row in rows)]
    hidden = 0
    if room is not None and used:
        fitted = fit_columns(grid, [False] * len(used), room - len(_COLUMN_GAP))
        grid, hidden = fitted.grid, len(used) - fitted.shown
    widths = [max(display_width(line[at]) for line in grid) for at in range(len(grid[0]))]
    yield printable(str(rows[0]["report"])) + "\n"
    for line in grid:
        padded = (pad(text, width) for text, width in zip(line, widths, strict=True))
        yield f"  {_COLUMN_GAP.join(padded)}".rstrip() + "\n"
    if room is not None:
        shown, empty = len(used) - hidden, len(names) - len(used)
        yield from (f"  {told}" for told in count_columns(len(rows), shown, hidden, empty))
    yield "\n"


def _shown(value: Value) -> str:
    if isinstance(value, float):
        text = f"{value:.15g}"
    elif isinstance(value, dict):
        text = ", ".join(f"{key}={one}" for key, one in value.items())
    elif isinstance(value, list):
        text = " ".join(value)
    else:
        text = "" if value is None else str(value)
    text = disarm("".join(char if char.isprintable() else " " for char in text))
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def pad(text: str, width: int) -> str:
    """Pad a text with spaces to a display width."""
    return text + " " * (width - display_width(text))
