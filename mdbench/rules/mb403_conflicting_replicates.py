"""MB403: two runs with the same settings and different results."""

from __future__ import annotations

from collections.abc import Iterator

from mdbench.diagnosis.variables import Row, Variable
from mdbench.document import Document
from mdbench.findings import Evidence, Remark, Severity
from mdbench.grid import Presence, Table
from mdbench.numerals import Form
from mdbench.quantities import Role
from mdbench.review import Review
from mdbench.rules.registry import rule

_FEWEST_SETTINGS = 3
_APART = 0.05
_Key = tuple[tuple[str, str], ...]


@rule("MB403", "conflicting-replicates", Severity.INFO)
def conflicting_replicates(review: Review) -> Iterator[Remark]:
    """Two rows have the same settings, and measurements that differ by more than 5 %.

    Both may be right: a second try, another day. But a reader cannot tell which one counts, and
    often one of the settings was not updated. All that the report states around its tables counts
    as a setting, and so does each column that is not understood. Rows of two tables are compared
    only if the same words stand above both: what is said there may be all that tells them apart.

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
    seen: dict[tuple[str, _Key], Row] = {}
    above = {id(sheet): _words_above(review.document, sheet.table) for sheet in review.sheets}
    for row in review.diagnosis.rows:
        if _count_settings(row) < _FEWEST_SETTINGS:
            continue
        first = seen.setdefault((above[id(row.sheet)], _settings(row)), row)
        if first is not row:
            yield from _compare(first, row)


def _words_above(document: Document, table: Table) -> str:
    """The headers of a table and all that its section says before it, for comparing."""
    section = document.sections[table.section] if table.section >= 0 else None
    start = section.start if section is not None else 0
    words = [
        line.text
        for block in document.blocks
        if start <= block.span.start < table.span.start
        for line in block.lines
        if not line.text.startswith("<!--")
    ]
    return " ".join((*table.titles, *words)).replace("\\", "/").casefold()


def _count_settings(row: Row) -> int:
    """How many numbers of the row itself are settings."""
    return sum(
        one.quantity.role is Role.SETTING and one.measurement is not None
        for one in row.variables.values()
    )


def _settings(row: Row) -> _Key:
    found: dict[str, str] = {
        name: repr(one.value)
        for name, one in row.variables.items()
        if one.quantity.role is Role.SETTING
    }
    for fact in row.record.facts:
        found.setdefault(fact.quantity.name, fact.raw.casefold())
    for stated in row.record.settings:
        found.setdefault(stated.quantity.name, stated.raw.casefold())
    for one in row.record.measurements:
        quantity = one.quantity
        if one.cell.presence is Presence.SURPLUS:
            continue
        if quantity is not None and quantity.role in (Role.MEASUREMENT, Role.SCORE):
            continue
        if quantity is not None and quantity.name == "date":
            continue
        if quantity is not None and quantity.role is Role.NOTE and one.numeral.form is Form.DATE:
            continue
        name = quantity.name if quantity is not None else one.header.text
        if one.numeral.note or name not in found:
            found[f"{name} {one.part}"] = one.cell.raw.casefold()
    if row.record.label:
        found["label"] = row.record.label
    return tuple(sorted(found.items()))


def _compare(first: Row, second: Row) -> Iterator[Remark]:
    for name, one in second.variables.items():
        other = first.variables.get(name)
        if other is None or one.quantity.role is not Role.MEASUREMENT:
            continue
        if one.measurement is None or other.measurement is None or not _differ(one, other):
            continue
        title = one.measurement.header.text
        yield Remark(
            one.measurement.cell.span,
            f"the same settings as another row, and {title} {one.measurement.numeral.text} "
            f"instead of {other.measurement.numeral.text}",
            (
                Evidence(
                    f"{title} {other.measurement.numeral.text} with the same settings",
                    other.measurement.cell.span,
                ),
            ),
        )
        return


def _differ(one: Variable, other: Variable) -> bool:
    largest = max(abs(one.value), abs(other.value))
    apart = max(one.low, other.low) > min(one.high, other.high)
    return apart and abs(one.value - other.value) > _APART * largest
