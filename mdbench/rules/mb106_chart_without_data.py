"""MB106: a chart on another site without a table of its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mdbench.markdown.document import Block, BlockKind, Document
from mdbench.regex import lazy
from mdbench.rules.context import Context
from mdbench.rules.findings import Severity, Violation
from mdbench.rules.registry import rule
from mdbench.sheets.sheet import Sheet
from mdbench.source import Span
from mdbench.vocabulary.quantities import Role

_FRAME = lazy(
    r"<(?P<tag>iframe|embed|object)\b(?P<attributes>[^<>]*)>(?:[^<>]*</(?P=tag)\s*>)?",
    re.IGNORECASE,
)
_CHART = lazy(
    r"chart|graph|plot|spreadsheet|datawrapper|flourish|infogram|tableau|wandb\.ai|grafana|"
    r"observablehq|powerbi|looker|datastudio|tensorboard|comet\.|neptune\.ai",
    re.IGNORECASE,
)
_SHOWN = frozenset((BlockKind.HTML, BlockKind.PARAGRAPH, BlockKind.ITEM))


@rule("MB106", "chart-without-data", Severity.INFO)
def chart_without_data(context: Context) -> Iterator[Violation]:
    """A chart is embedded from another site, and its section has no table with the numbers.

    If the site disappears, so do the results, and no one can check or reuse numbers that only a
    picture shows. A table below the chart keeps them in the report.

    A table that only has settings does not contain what the chart shows. Videos and other embedded
    pages are not reported.

    ```bad
    ## Tokens per second

    «<iframe src="https://charts.example.org/chart/17"></iframe>»
    ```

    ```good
    ## Tokens per second

    <iframe src="https://charts.example.org/chart/17"></iframe>

    | Nodes | Tokens/s |
    |------:|---------:|
    |     2 |    32200 |
    ```
    """
    for block in context.document.blocks:
        if block.kind not in _SHOWN or context.source.text.find("<", *block.span) < 0:
            continue
        for frame in _FRAME.finditer(context.source.cut(block.span)):
            if _CHART.search(frame["attributes"]) is None:
                continue
            if _has_table(context.document, block, context.sheets):
                continue
            start = block.span.start + frame.start()
            span = Span(start, start + len(frame[0]))
            yield Violation(span, "chart on another site, but no table with its numbers")


def _has_table(document: Document, block: Block, sheets: Sequence[Sheet]) -> bool:
    whole = Span(0, len(document.source.text))
    section = document.sections[block.section] if block.section >= 0 else None
    body = whole if section is None else Span(section.start, section.end)
    inside = (one for one in sheets if body.start <= one.table.span.start < body.end)
    return any(map(_measures, inside))


def _measures(sheet: Sheet) -> bool:
    return any(
        one.amount is not None
        and one.quantity is not None
        and one.quantity.role in (Role.MEASUREMENT, Role.SCORE)
        for one in sheet.measurements
    )
