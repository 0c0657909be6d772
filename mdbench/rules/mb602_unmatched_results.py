"""MB602: rows and results that do not belong to each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdbench.rules.context import Context
from mdbench.rules.findings import Evidence, Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.measurements import Run

if TYPE_CHECKING:
    from mdbench.results.comparison import BoundTable, Conflict
    from mdbench.results.groups import Group

_MOST_TOLD = 3


@rule("MB602", "unmatched-results", Severity.WARNING)
def unmatched_results(context: Context) -> Iterator[Violation]:
    """A row has no result, a result has no row, or the results of a comment cannot be read.

    Rows are matched by their settings, never by position. Several results for one row are combined
    into their median. If they differ too much to be repetitions of one run, name an aggregate in
    the comment, such as `aggregate: min`, or select fewer results with `where`. `mdbench update
    --add-rows` adds the rows that are missing, and `--prune` removes those without a result.

    ```bad
    <!-- mdbench: select * from (values (2, 1.618), (4, 0.821)) as runs(nodes, step_time_s) -->
    | Nodes | Step time (s) |
    |------:|--------------:|
    |     2 |          1.62 |
    |     4 |          0.82 |
    |     «8 |          0.41» |
    ```

    ```bad
    The best run reaches «<!-- mdbench: = max(tokens_per_s) from runs -->»46,200<!-- / --> tokens/s.
    ```

    ```good
    <!-- mdbench: select * from (values (2, 1.618), (4, 0.821)) as runs(nodes, step_time_s) -->
    | Nodes | Step time (s) |
    |------:|--------------:|
    |     2 |          1.62 |
    |     4 |          0.82 |
    ```
    """
    comparison = context.comparison
    if comparison is None:
        return
    for table in comparison.tables:
        if table.problem:
            yield Violation(table.binding.span, f"the table cannot be compared: {table.problem}")
        bound = (Evidence("the table is bound here", table.binding.span),)
        for run, where in table.lacking:
            yield Violation(run.span, f"no result has {where}", bound)
        for where, runs in _by_words(table.alike).items():
            told = f"{len(runs)} rows have {where or 'the same settings'}"
            yield Violation(runs[0].span, f"{told}: nothing tells their results apart", bound)
        for conflict in table.conflicts:
            yield _conflict(table, conflict)
        for one in table.unsaid:
            told = f"the cell cannot be compared: {one.why} for {one.where}"
            yield Violation(one.cell.cell.span, told, bound)
        if table.surplus:
            yield Violation(table.binding.span, _surplus(table.surplus))
    for number in comparison.numbers:
        if number.problem:
            yield Violation(number.binding.span, f"the number cannot be compared: {number.problem}")


def _by_words(alike: Sequence[tuple[Run, str]]) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = {}
    for run, where in alike:
        found.setdefault(where, []).append(run)
    return found


def _conflict(table: BoundTable, one: Conflict) -> Violation:
    where = f" for {one.where}" if one.where else ""
    return Violation(
        one.cell.cell.span,
        f"{one.times} results{where} range from {one.least:f} to {one.most:f}: narrow them with "
        "`where`, or name an aggregate, such as `aggregate: median`",
        (Evidence("the table is bound here", table.binding.span),),
    )


def _surplus(groups: Sequence[Group]) -> str:
    told = [one.where for one in groups[:_MOST_TOLD]]
    more = f" and {len(groups) - _MOST_TOLD} more" if len(groups) > _MOST_TOLD else ""
    return f"no row shows the results of {'; '.join(told)}{more}"
