"""Why a table cannot be compared with its results, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from mdbench.markdown.inline import plain_text
from mdbench.results.bindings import SAID
from mdbench.results.matching import UnboundColumn
from mdbench.results.scans import FILE
from mdbench.results.tables import ResultColumn
from mdbench.sheets.sheet import Sheet

_MOST_NAMED = 8


def why_nothing_is_shown(unbound: Sequence[UnboundColumn], results: Sequence[ResultColumn]) -> str:
    """Why no column of a table shows a number of its results."""
    known = _list_names([one.name for one in results if one.is_number])
    reasons = "; ".join(
        f"{plain_text(one.column.header.text)}: {one.why}"
        for one in unbound
        if one.column.has_numbers
    )
    numbers = f"their numbers are {known}" if known else "they have no numbers"
    told = f" ({reasons})" if reasons else ""
    return (
        f"no column of the table shows a number of the results, {numbers}{told}; name one in the "
        'comment: `columns: "Header" = name`'
    )


def why_rows_are_alike(sheet: Sheet, results: Sequence[ResultColumn]) -> str:
    """Why it is not known which result belongs to which row."""
    texts = [one.name for one in results if not one.is_number and one.name != FILE]
    names = _list_names(texts)
    title = plain_text(sheet.columns[0].header.text) if sheet.columns else "Header"
    wanted = f"such as {names}" if names else "and the results have no text or setting that does"
    column = f'`columns: "{title}" = {texts[0] if texts else "…"}`'
    return (
        "no column of the table says which result a row shows: it needs one that the results have "
        f"too, {wanted}; rename a column, or write {column}"
    )


def _list_names(names: Sequence[str]) -> str:
    kept = [name.removeprefix(SAID) for name in names]
    more = ", …" if len(kept) > _MOST_NAMED else ""
    return ", ".join(kept[:_MOST_NAMED]) + more
