"""MB206: different markers for a missing value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from mdbench.markdown.document import Presence
from mdbench.numerals.cell import Form, Status
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.columns import Column
from mdbench.sheets.sheet import Measurement, Sheet
from mdbench.source import Edit

_LOST = frozenset((Status.OOM, Status.FAILED))
_DASHES = frozenset("-–—―_=~")
_PLAIN = frozenset(("-", "na", "?", "??", "???", "nil", "null"))


@rule("MB206", "mixed-missing-markers", Severity.INFO)
def mixed_missing_markers(context: Context) -> Iterator[Violation]:
    """Missing values are marked in different ways.

    Two cases are reported: an empty cell in a row that is marked as failed, where most other failed
    rows have the mark in that column too; and a column that uses both `-` and `N/A`. Readers wonder
    whether one was not run and the other not possible.

    Dashes of different lengths are the same marker. Different columns may use different markers. If
    a column has two markers several times each, they may mean two things and are not reported.

    Markers without another meaning (`-`, `N/A`, `?`) are replaced by the most
    frequent one of the table; words such as `not supported` are kept. Copying a mark to an empty
    cell is a guess.

    ```bad
    | MBS | Sec/it | TFLOPs |
    |----:|-------:|-------:|
    |   4 |   28.1 |   48.7 |
    |   8 |      x |      x |
    |  16 |      x |      x |
    |  32 |      x |        «»|
    ```

    ```good
    | MBS | Sec/it | TFLOPs |
    |----:|-------:|-------:|
    |   4 |   28.1 |   48.7 |
    |   8 |      x |      x |
    |  16 |      x |      x |
    |  32 |      x |      x |
    ```

    ```bad
    | Nodes | Mem     | Sec/it |
    |------:|--------:|-------:|
    |     2 | 18.9 GB |      - |
    |     4 |       - |   48.7 |
    |     8 |     «N/A» |   24.5 |
    ```

    ```good
    | Nodes | Mem     | Sec/it |
    |------:|--------:|-------:|
    |     2 | 18.9 GB |      - |
    |     4 |       - |   48.7 |
    |     8 |       - |   24.5 |
    ```
    """
    sheets = [sheet for sheet in context.sheets if _lacks_something(sheet)]
    habits = Counter(_habits(sheets))
    for sheet in sheets:
        measured = [column for column in sheet.columns if column.is_measured]
        # In a transposed table, each column is a row of its own and has no neighbours.
        beside = () if sheet.layout.transposed else measured
        marked = [one for column in beside for one in column.mains if _is_mark(one)]
        marks = {one.row: one for one in marked}
        alone = len(marks) == len(marked)
        usual = _usual_sign(measured) if sheet.table.has_plain_cells else None
        for column in measured:
            blanks = list(_blanks_beside_marks(column, marks))
            title = column.header.text
            if blanks and (alone or habits[title, True] < habits[title, False]):
                # Then a mark stands for the whole row.
                continue
            if blanks:
                yield from (_report_blank(blank, mark, peer) for blank, mark, peer in blanks)
            else:
                # An empty cell may still be filled in.
                missing = [one for one in column.mains if _says_missing(one) and not _is_empty(one)]
                yield from _report_mixture(column, missing, usual)


def _lacks_something(sheet: Sheet) -> bool:
    others = (one for column in sheet.columns for one in column.others)
    return any(one.numeral.form is Form.NOTHING for one in others)


def _habits(sheets: Sequence[Sheet]) -> Iterator[tuple[str, bool]]:
    """For each column of a row that is marked as failed, whether it has a mark or is empty."""
    for sheet in sheets:
        mains = [one for one in sheet.measurements if not one.part]
        marked = {one.row for one in mains if _is_mark(one)}
        for one in mains:
            if one.row in marked and (_is_mark(one) or _is_empty(one)):
                yield one.header.text, _is_mark(one)


def _blanks_beside_marks(
    column: Column, marks: Mapping[int, Measurement]
) -> Iterator[tuple[Measurement, Measurement, Measurement]]:
    """Each empty cell whose row has a mark, with that mark and one in the same column."""
    peers = {one.numeral.text: one for one in column.mains if _is_mark(one)}
    for blank in column.mains:
        mark = marks.get(blank.row)
        if _is_empty(blank) and mark is not None and mark.numeral.text in peers:
            yield blank, mark, peers[mark.numeral.text]


def _is_mark(one: Measurement) -> bool:
    return one.numeral.form is Form.NOTHING and one.numeral.status in _LOST


def _is_empty(one: Measurement) -> bool:
    return not one.cell.raw.strip() and one.cell.presence is Presence.PRESENT


def _report_blank(blank: Measurement, mark: Measurement, peer: Measurement) -> Violation:
    said = mark.numeral.text
    message = f"empty cell in a row with `{said}`; another such row has `{said}` here too"
    evidence = (Evidence(f"`{said}` under {peer.header.text}", peer.cell.span),)
    fix = Fix(f"write `{said}`", (Edit(blank.cell.span, said),), Safety.UNSAFE)
    return Violation(blank.cell.span, message, evidence, (fix,))


def _report_mixture(
    column: Column, missing: Sequence[Measurement], usual: Measurement | None
) -> Iterator[Violation]:
    counts = Counter(map(_sign, missing)).most_common()
    # Several of each may mean two things: not possible, and not run.
    if not column.has_numbers or len(counts) < 2 or counts[1][1] > 1:
        return
    shown = {sign: _shown(one) for one in reversed(missing) for sign in (_sign(one),)}
    common, rare = counts[0][0], counts[-1][0]
    first = next(one for one in missing if _sign(one) == rare)
    told = ", ".join(f"{count}× {shown[sign]}" for sign, count in counts)
    message = f"{shown[rare]} where other cells have {shown[common]} for a missing value"
    evidence = (Evidence(f"{column.header.text}: {told}"),)
    fits = usual is not None and _sign(usual) == common
    fixes = tuple(_write_usual(missing, usual)) if usual is not None and fits else ()
    cells = tuple(one.cell.span for one in missing if _sign(one) != common)
    yield Violation(first.cell.span, message, evidence, fixes, cells)


def _usual_sign(measured: Sequence[Column]) -> Measurement | None:
    """A cell with the most frequent marker of the table that has no other meaning."""
    plain = [one for column in measured for one in column.mains if _is_plain_sign(one)]
    counts = Counter(map(_sign, plain)).most_common()
    spelled = [one for one in plain if counts and _sign(one) == counts[0][0]]
    texts = Counter(one.cell.raw for one in spelled).most_common()
    return next((one for one in spelled if one.cell.raw == texts[0][0]), None)


def _is_plain_sign(one: Measurement) -> bool:
    return _says_missing(one) and one.cell.raw == one.numeral.text and _sign(one) in _PLAIN


def _write_usual(missing: Sequence[Measurement], usual: Measurement) -> Iterator[Fix]:
    others = [one for one in missing if _sign(one) != _sign(usual)]
    mute = [one for one in others if _is_plain_sign(one) or not one.cell.raw]
    if mute and len(mute) == len(others):
        edits = tuple(Edit(one.cell.span, usual.cell.raw) for one in mute)
        yield Fix(f"write `{usual.cell.raw}`", edits, Safety.SAFE)


def _says_missing(one: Measurement) -> bool:
    nothing = one.numeral.form is Form.NOTHING and one.numeral.status is Status.MISSING
    return nothing and one.cell.presence is Presence.PRESENT


def _sign(one: Measurement) -> str:
    """The marker in one spelling: `n/a` equals `N.A.`, and all dashes are the same."""
    text = one.numeral.text.removesuffix(one.numeral.unit).strip().lower()
    return "-" if text and _DASHES.issuperset(text) else text.replace("/", "").replace(".", "")


def _shown(one: Measurement) -> str:
    text = one.numeral.text.removesuffix(one.numeral.unit).strip()
    return f"`{text}`" if text else "nothing"
