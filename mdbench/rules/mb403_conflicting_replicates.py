"""MB403: two runs with the same settings and different results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from mdbench.diagnosis.numbers import Number
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.markdown.document import Document, Presence
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.sheet import Sheet
from mdbench.vocabulary.quantities import Role

_FEWEST_SETTINGS = 3
_APART = 0.05
_Key = tuple[tuple[str, str], ...]
_Words = tuple[str, int, tuple[str, ...]]


@rule("MB403", "conflicting-replicates", Severity.INFO)
def conflicting_replicates(context: Context) -> Iterator[Violation]:
    """Two rows have the same settings, but measurements that differ by more than 5 %.

    Both may be right: a second try. But readers cannot tell which one counts, and often one of the
    settings was not updated. Everything the report states around its tables counts as a setting,
    and so do dates and every unknown column. Rows of different tables are only compared if
    the same headings and text are above both, since these may be the only difference.

    ```bad
    | Nodes | TP | DP | GBS | Sec/it |
    |------:|---:|---:|----:|-------:|
    |     4 |  4 |  1 | 256 |  2533.0 |
    |     8 |  4 |  2 | 256 |  1301.0 |
    |     4 |  4 |  1 | 256 |  «2857.8» |
    ```

    ```good
    | Nodes | TP | DP | GBS | Sec/it |
    |------:|---:|---:|----:|-------:|
    |     4 |  4 |  1 | 256 |  2533.0 |
    |     8 |  4 |  2 | 256 |  1301.0 |
    |     4 |  4 |  1 | 256 |  2537.8 |
    ```
    """
    seen: dict[tuple[_Words, _Key], RunNumbers] = {}
    rows = list(_alike(context.diagnosis.rows))
    keys = [_settings(row) for row in rows]
    if len(set(keys)) == len(keys):
        return
    above = list(_words_above(context.document, context.sheets))
    for row, key in zip(rows, keys, strict=True):
        first = seen.setdefault((above[row.sheet.number], key), row)
        if first is not row:
            yield from _compare(first, row)


def _alike(rows: Iterable[RunNumbers]) -> Iterator[RunNumbers]:
    """The rows with several settings whose numbers another row has too."""
    groups: dict[frozenset[tuple[str, object]], list[RunNumbers]] = {}
    for row in rows:
        settings = [pair for pair in row.variables.items() if pair[1].quantity.role is Role.SETTING]
        if sum(one.measurement is not None for _, one in settings) >= _FEWEST_SETTINGS:
            numbers = frozenset((name, one.value) for name, one in settings)
            groups.setdefault(numbers, []).append(row)
    return chain.from_iterable(group for group in groups.values() if len(group) > 1)


def _words_above(document: Document, sheets: Iterable[Sheet]) -> Iterator[_Words]:
    """Each table's headers, a number for the text before it in its section, and all headings."""
    numbers: dict[tuple[int, tuple[str, ...]], int] = {}
    said: dict[int, int] = {}
    blocks = list(reversed(document.blocks))
    for sheet in sheets:
        table = sheet.table
        while blocks and blocks[-1].span.start < table.span.start:
            block = blocks.pop()
            folded = tuple(
                _fold(line.text) for line in block.lines if not line.text.startswith("<!--")
            )
            for section in _sections_around(document, block.section) if folded else ():
                # All text so far is one number, so that keys do not grow with the report.
                step = said.get(section, 0), folded
                said[section] = numbers.setdefault(step, len(numbers) + 1)
        parents = _sections_around(document, table.section)
        headings = tuple(_fold(document.sections[at].title) for at in parents if at >= 0)
        yield _fold(" ".join(table.titles)), said.get(table.section, 0), headings


def _sections_around(document: Document, section: int) -> Iterator[int]:
    while section >= 0:
        yield section
        section = document.sections[section].parent
    yield section


def _fold(text: str) -> str:
    return text.replace("\\", "/").casefold()


def _settings(row: RunNumbers) -> _Key:
    found: dict[str, str] = {
        name: repr(one.value)
        for name, one in row.variables.items()
        if one.quantity.role is Role.SETTING
    }
    for fact in row.run.facts:
        found.setdefault(fact.quantity.name, fact.raw.casefold())
    for stated in row.run.settings:
        found.setdefault(stated.quantity.name, stated.raw.casefold())
    for one in row.run.measurements:
        quantity = one.quantity
        if one.cell.presence is Presence.SURPLUS:
            continue
        if quantity is not None and quantity.role in (Role.MEASUREMENT, Role.SCORE):
            continue
        name = quantity.name if quantity is not None else one.header.text
        if one.numeral.note or name not in found:
            found[f"{name} {one.part}"] = one.cell.raw.casefold()
    if row.run.label:
        found["label"] = row.run.label
    return tuple(sorted(found.items()))


def _compare(first: RunNumbers, second: RunNumbers) -> Iterator[Violation]:
    for name, one in second.variables.items():
        other = first.variables.get(name)
        if other is None or one.quantity.role is not Role.MEASUREMENT:
            continue
        if one.measurement is None or other.measurement is None or not _differ(one, other):
            continue
        title = one.measurement.header.text
        yield Violation(
            one.measurement.cell.span,
            f"same settings as another row, but {title} {one.measurement.numeral.text} "
            f"instead of {other.measurement.numeral.text}: is a setting wrong or missing?",
            (
                Evidence(
                    f"{title} {other.measurement.numeral.text} with the same settings",
                    other.measurement.cell.span,
                ),
            ),
        )
        return


def _differ(one: Number, other: Number) -> bool:
    largest = max(abs(one.value), abs(other.value))
    apart = max(one.low, other.low) > min(one.high, other.high)
    return apart and abs(one.value - other.value) > _APART * largest
