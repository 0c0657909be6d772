"""Properties of all output: programs can parse it, and it cannot control a terminal."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

from mdbench.frames.frame_columns import Shape, fields
from mdbench.frames.rows import judged_rows
from mdbench.frames.text import to_csv, to_jsonl, to_tables
from mdbench.linting.plan import Plan
from mdbench.linting.runner import lint_source
from mdbench.output import FORMATS
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary

STANDARD = standard_vocabulary()


def hold_formats(source: Source) -> None:
    """Every format of `lint` is valid and contains every finding."""
    report = lint_source(source, Plan())
    count = len(report.findings)
    found = read_json("".join(FORMATS["json"].write([report])))
    assert len(found) == count
    for one in found:
        _hold_place(source, one)
        for place in (*one["evidence"], *(edit for fix in one["fixes"] for edit in fix["edits"])):
            _hold_place(source, place)
    assert len(read_json("".join(FORMATS["gitlab"].write([report])))) == count
    (run,) = read_json("".join(FORMATS["sarif"].write([report])))["runs"]
    assert sum(not one.get("suppressions") for one in run["results"]) == count
    suite = ET.fromstring("".join(FORMATS["junit"].write([report])))
    assert suite.tag == "testsuites"
    commands = "".join(FORMATS["github"].write([report])).splitlines()
    assert [line[:2] for line in commands] == ["::"] * count
    concise = "".join(FORMATS["concise"].write([report]))
    assert len(concise.splitlines()) == count
    for text in (concise, "".join(FORMATS["full"].write([report])), *commands):
        _hold_printable(text)


def hold_exports(source: Source) -> None:
    """Exported rows have one line each, and the right columns."""
    report = read_report(source, STANDARD)
    for shape in Shape:
        rows = judged_rows(report, shape)
        columns = fields(shape, STANDARD)
        names = [field.name for field in columns]
        lines = "".join(to_jsonl(rows, columns)).split("\n")[:-1]
        assert [list(read_json(line)) for line in lines] == [names] * len(rows)
        table = list(csv.reader(StringIO("".join(to_csv(rows, columns)), newline="")))
        assert [len(line) for line in table] == [len(names)] * (len(rows) + 1)
        _hold_printable("".join(to_tables(rows, columns)))


def read_json(text: str) -> Any:
    """Parse strict JSON that can be encoded as UTF-8."""
    text.encode()
    return json.loads(text, parse_constant=_refuse)


def _hold_printable(text: str) -> None:
    # Python does not consider a wide space printable, but it is harmless.
    assert all(line.isprintable() for line in text.replace("\u3000", "").split("\n"))


def _refuse(name: str) -> NoReturn:
    raise AssertionError(f"{name} is no JSON")


def _hold_place(source: Source, place: dict[str, Any]) -> None:
    start = place["line"], place["column"]
    end = place["end_line"], place["end_column"]
    assert (1, 1) <= start <= end
    assert end[0] <= len(source.line_starts)
