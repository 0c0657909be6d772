"""MB402: a setting that the text states and the table contradicts."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from mdbench.diagnosis.caption_settings import find_contradicted
from mdbench.diagnosis.numbers import Number, stated_number
from mdbench.diagnosis.odd_settings import OddSetting
from mdbench.diagnosis.run_numbers import RunNumbers
from mdbench.diagnosis.slips import with_number
from mdbench.prose.facts import Fact
from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Fix, Safety, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Measurement
from mdbench.source import Edit, Span
from mdbench.vocabulary.quantities import Role

# Values further apart than this are from another experiment rather than typos.
_NEAR = 0.05


class _Column(NamedTuple):
    """The values of a quantity in one table."""

    span: Span
    """The span of the table."""
    first: Number
    values: set[float]


@rule("MB402", "setting-mismatch", Severity.ERROR)
def setting_mismatch(context: Context) -> Iterator[Violation]:
    """The text states a setting, and the table has nearly but not exactly that value.

    `global_batch_size=8092` above a table with 8096 is a typo in one of the two. It is reported if
    the value appears in none of the tables that the statement applies to, and is too close to
    theirs to be from another experiment.

    It is a warning if a line of settings above a table contradicts a column, or if
    a setting does not fit the FLOPs of a step while another value that the report has does: `GBS
    2048 does not fit TFLOPs; 512 does, as line 14 says`. FLOPs are counted from layers, hidden
    size, sequence length and parameters. Mixtures of experts and networks that are only partly
    trained are not checked.

    ```bad
    ## Run

    - «global_batch_size=8092»

    | Nodes | Global batch size |
    |------:|------------------:|
    |     2 |              8096 |
    |     4 |              8096 |
    ```

    ```good
    ## Run

    - global_batch_size=8096

    | Nodes | Global batch size |
    |------:|------------------:|
    |     2 |              8096 |
    |     4 |              8096 |
    ```
    """
    facts = [
        fact
        for fact in context.report.facts
        if fact.quantity.integer and fact.quantity.role is Role.SETTING and not fact.conditions
    ]
    known = _gather_columns(context.diagnosis.rows, {fact.quantity.name for fact in facts})
    for fact in facts:
        stated = stated_number(fact.quantity, fact.numeral, fact)
        if stated is None:
            continue
        columns = [one for one in known.get(fact.quantity.name, ()) if _holds_for(fact, one)]
        values = {value for column in columns for value in column.values}
        if len(values) == 1 and _is_slip(stated.value, *values):
            yield _violation(fact, columns[0].first)
    odd = context.diagnosis.odd_settings
    yield from map(_odd, odd)
    blamed = {cell.cell.span for one in odd for cell in one.cells} | _blamed(context)
    for fact, cells in find_contradicted(context.report, context.diagnosis.rows):
        if not blamed.intersection(one.cell.span for one in cells):
            yield _contradicted(context, fact, cells)


def _gather_columns(
    rows: Iterable[RunNumbers], names: AbstractSet[str]
) -> dict[str, list[_Column]]:
    """The columns of each of these quantities, in the order of their tables."""
    found: dict[str, dict[int, _Column]] = {}
    for row in rows if names else ():
        for name in names & row.variables.keys():
            one = row.variables[name]
            if one.measurement is not None:
                columns = found.setdefault(name, {})
                column = columns.setdefault(
                    row.sheet.number, _Column(row.sheet.table.span, one, set())
                )
                column.values.add(one.value)
    return {name: list(columns.values()) for name, columns in found.items()}


def _holds_for(fact: Fact, column: _Column) -> bool:
    return fact.scope.start <= column.span.start and column.span.end <= fact.scope.end


def _is_slip(stated: float, printed: float) -> bool:
    return stated != printed and abs(stated - printed) <= _NEAR * max(stated, printed)


def _blamed(context: Context) -> set[Span]:
    """The cells that their own rows contradict."""
    return {
        change.measurement.cell.span
        for one in context.diagnosis.contradictions
        for repair in one.repairs
        for change in repair.changes
    }


def _contradicted(context: Context, fact: Fact, cells: Sequence[Measurement]) -> Violation:
    """A column against the line above its table: nobody can tell which one is right."""
    title, printed = cells[0].header.text, cells[0].numeral.text
    line = context.source.line(fact.span.start)
    places = tuple(one.cell.span for one in cells)
    edits = [Edit(one.cell.span, text) for one in cells if (text := with_number(one, fact.raw))]
    said = context.source.cut(fact.span)
    told = Edit(fact.span, printed.join(said.rsplit(fact.raw, 1)))
    fixes = (
        Fix(f"write {fact.raw} in the table", tuple(edits), Safety.UNSAFE),
        Fix(f"write {told.text} on line {line}", (told,), Safety.UNSAFE),
    )
    return Violation(
        Span(places[0].start, places[-1].end),
        f"{title} is {printed} in the table, but {fact.raw} on line {line} above it",
        (Evidence(f"{said} is stated here", fact.span),),
        fixes if len(edits) == len(cells) and told.text != said else (),
        places,
        Severity.WARNING,
    )


def _odd(one: OddSetting) -> Violation:
    edits = [
        Edit(cell.cell.span, text)
        for cell in one.cells
        if one.right and (text := with_number(cell, one.right)) is not None
    ]
    fix = Fix(f"write {one.right}", tuple(edits), Safety.UNSAFE)
    return Violation(
        one.span,
        one.message,
        tuple(Evidence(label, span) for label, span in one.evidence),
        (
            *((fix,) if edits and len(edits) == len(one.cells) else ()),
            *(Fix(each.title, each.edits, Safety.UNSAFE) for each in one.remedies),
        ),
        tuple(cell.cell.span for cell in one.cells),
        Severity.WARNING,
    )


def _violation(fact: Fact, cell: Number) -> Violation:
    measurement = cell.measurement
    title = measurement.header.text if measurement is not None else fact.quantity.words
    printed = measurement.numeral.text if measurement is not None else ""
    place = measurement.cell.span if measurement is not None else None
    return Violation(
        fact.span,
        f"{title} is {fact.raw} in the text, but {printed} in the table",
        (Evidence(f"{title} {printed}", place),),
    )
