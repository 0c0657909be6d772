"""A report as plain data for a template: only dicts, lists, texts and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from mdbench.frames.frame_columns import IN_RUNS, Shape, TidyRow
from mdbench.frames.rows import tidy_rows
from mdbench.linting.checker import check_context
from mdbench.linting.plan import WITHOUT_RESULTS
from mdbench.rendering.highlights import find_best, find_scaling
from mdbench.rendering.printed_digits import show_value
from mdbench.rendering.templates import make_table
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Severity, mark_cells
from mdbench.sheets.report import Report, read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import Role, Vocabulary

Plain = dict[str, object]

_ARITHMETIC = ("MB3", "MB4")
_BESIDES = ("status", "date", "markers", "notes")


def describe_report(source: Source, vocabulary: Vocabulary) -> Plain:
    """All data of a report that a template can use."""
    context = Context(read_report(source, vocabulary))
    found = check_context(context, WITHOUT_RESULTS)
    report = context.report
    marks = mark_cells(found, context.diagnosis.verified)
    runs = [dict(row) for row in tidy_rows(report, Shape.RUNS, marks)]
    cells = [dict(row) for row in tidy_rows(report, Shape.CELLS, marks)]
    experiments = [
        _experiment(report, members, cells, _wrong_lines(source, found))
        for members in _by_table(runs).values()
    ]
    return {
        "report": {
            "path": source.path,
            "name": PurePath(source.path).stem,
            "title": _title(report),
        },
        "settings": list(_settings(cells, vocabulary)),
        "experiments": experiments,
        "tables": [one["table"] for one in experiments],
        "statements": [_statement(run, vocabulary) for run in runs if run["table"] is None],
        "findings": [_plain_finding(source, finding) for finding in found],
        "counts": {
            severity.value: sum(one.severity is severity for one in found) for severity in Severity
        },
        "runs": runs,
        "cells": cells,
    }


def _title(report: Report) -> str:
    top = min(report.document.sections, key=lambda one: (one.level, one.start), default=None)
    if top is None:
        return PurePath(report.source.path).stem
    return report.section_title(report.document.sections.index(top))


def _by_table(runs: Sequence[TidyRow]) -> dict[object, list[TidyRow]]:
    tables: dict[object, list[TidyRow]] = {}
    for run in runs:
        if run["table"] is not None:
            tables.setdefault(str(run["table"]), []).append(run)
    return tables


def _statement(run: TidyRow, vocabulary: Vocabulary) -> Plain:
    """A measurement in a sentence."""
    known = vocabulary.quantities
    measured = (
        name
        for name, value in run.items()
        if value is not None and name in known and known[name].role is Role.MEASUREMENT
    )
    name = next(measured, "")
    said = {key: run[key] for key in ("line", "section", "model", "device", "devices")}
    return {**said, "quantity": name, "value": run.get(name)}


def _settings(cells: Sequence[TidyRow], vocabulary: Vocabulary) -> Iterator[Plain]:
    """The settings in the text, once per place, with the tables that they apply to."""
    places: dict[tuple[object, ...], Plain] = {}
    known = vocabulary.quantities
    for cell in cells:
        if cell["row"] is not None or cell["quantity"] not in known or cell["table"] is None:
            continue
        place = cell["line"], cell["column"], cell["quantity"]
        if place not in places:
            names = ("quantity", "raw", "value", "unit", "line")
            places[place] = {**{name: cell[name] for name in names}, "tables": []}
        tables = places[place]["tables"]
        if isinstance(tables, list) and cell["table"] not in tables:
            tables.append(cell["table"])
    yield from places.values()


def _experiment(
    report: Report,
    runs: Sequence[TidyRow],
    cells: Sequence[TidyRow],
    wrong: frozenset[int],
) -> Plain:
    """The runs of one table in canonical columns, with their common settings separate."""
    number = int(str(runs[0]["table"]))
    sheet = report.sheets[number - 1]
    mine = [cell for cell in cells if cell["table"] == number and cell["row"]]
    printed = {cell["quantity"] for cell in mine}
    printed |= {one.quantity.name for run in sheet.runs for one in run.settings}
    known = [name for name, one in report.vocabulary.quantities.items() if one.role in IN_RUNS]
    names = [name for name in known if any(run.get(name) is not None for run in runs)]
    common = {name: runs[0][name] for name in names if name not in printed and _same(runs, name)}
    columns = [name for name in names if name not in common]
    extras = dict.fromkeys(title for run in runs for title in _extra(run))
    besides = [name for name in _BESIDES if any(_tells(run, name) for run in runs)]
    sound = [run for run in runs if run["status"] == "ok" and run["line"] not in wrong]
    titles = {name: name for name in (*columns, *besides, *extras)}
    rows: list[Plain] = [
        {**{name: show_value(run, name, mine) for name in (*columns, *besides)}, **_extra(run)}
        for run in runs
    ]
    return {
        "number": number,
        "title": report.section_title(sheet.table.section),
        "line": report.source.line(sheet.table.span.start),
        "source": sheet.table.kind.value,
        "settings": common,
        "table": make_table(rows, titles),
        "runs": list(runs),
        "best": find_best(sound, columns, report.vocabulary),
        "scaling": find_scaling(sound),
    }


def _same(runs: Sequence[TidyRow], name: str) -> bool:
    return all(run[name] == runs[0][name] for run in runs)


def _extra(run: TidyRow) -> dict[str, str]:
    extra = run["extra"]
    return extra if isinstance(extra, dict) else {}


def _tells(run: TidyRow, name: str) -> bool:
    return run[name] != "ok" if name == "status" else bool(run[name])


def _wrong_lines(source: Source, findings: Sequence[Finding]) -> frozenset[int]:
    """The lines with a number that contradicts others."""
    return frozenset(
        source.line(span.start)
        for finding in findings
        if finding.severity is Severity.ERROR and finding.code.startswith(_ARITHMETIC)
        for span in (finding.span, *finding.cells)
    )


def _plain_finding(source: Source, finding: Finding) -> Plain:
    line, column = source.position(finding.span.start)
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence,
        "line": line,
        "column": column,
        "message": " ".join(finding.message.split()),
        "evidence": [
            {"label": one.label, "line": source.line(one.span.start) if one.span else None}
            for one in finding.evidence
        ],
        "fixes": [{"title": one.title, "safety": one.safety.value} for one in finding.fixes],
    }
