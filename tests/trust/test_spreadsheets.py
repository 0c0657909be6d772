"""CSV files contain nothing that a spreadsheet would run, and no data is lost."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdbench.cli.main import main
from mdbench.frames.text import calm

CaptureText = pytest.CaptureFixture[str]

FORMULAS = [
    "=cmd()",
    '=HYPERLINK("https://example.org?"&A1,"x")',
    "=cmd|' /C calc'!A0",
    "+cmd|' /C calc'!A0",
    "-cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "+HYPERLINK(A1)",
    "-SUM(A1:A9)",
    "+[other.xlsx]Sheet!A1",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=cmd()",
    "\r=cmd()",
    "\n=cmd()",
    " \t =cmd()",
    "\u3000=cmd()",
    "\u00a0@cmd()",
    "\uff1dcmd()",
    "\uff0bcmd()",
    "\uff0dcmd()",
    "\uff20cmd()",
]
HARMLESS = [
    "",
    "-",
    "--",
    "-5",
    "-5.25e-3",
    "+3",
    "-5 ms",
    "-12.5 %",
    "- n/a",
    "+/- 2",
    "a=b",
    "me@example.org",
    "1+1",
    "'quoted'",
    "--overlap-grad-reduce",
    "(x)",
]


def would_run(text: str) -> bool:
    """Whether a spreadsheet might do more with a text than show it or compute with its numbers."""
    first = text.strip()[:1]
    signs = set("(|!'\"[{\\&#;$<>=@")
    return first in set("=@\uff1d\uff20") or (
        first in set("+-\uff0b\uff0d") and bool(first and signs & set(text))
    )


def undo(written: str) -> str:
    """The original text, without an apostrophe that `calm` added."""
    put = written.startswith("'") and calm(written[1:]) == written
    return written[1:] if put else written


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def normalize(capsys: CaptureText, *arguments: str) -> list[dict[str, str]]:
    assert main(["normalize", ".", "--format", "csv", *arguments]) == 0
    return read_csv(capsys.readouterr().out)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_report(folder: Path, cell: str, name: str = "a.md") -> str:
    """Write a report with a text as title, header and cell; return the text as written."""
    typed = " ".join(cell.split()).replace("|", "\\|")
    (folder / name).write_text(
        f"# {typed}\n\n| Nodes | Loss | {typed} |\n|--|--|--|\n| 2 | -1.5 | {typed} |\n",
        encoding="utf-8",
    )
    return typed


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_gets_an_apostrophe(text: str) -> None:
    assert would_run(text)
    assert calm(text) == f"'{text}"


@pytest.mark.parametrize("text", HARMLESS)
def test_other_texts_are_unchanged(text: str) -> None:
    assert calm(text) == text


@given(st.text(alphabet="'=+-@\t\r\n (|!a1.\uff1d\uff0b", max_size=8))
def test_no_formula_is_run_and_no_text_is_lost(text: str) -> None:
    written = calm(text)
    assert not would_run(written)
    assert written in (text, f"'{text}")
    assert undo(written) == text


@pytest.mark.parametrize("shape", ["runs", "cells"])
@pytest.mark.parametrize("text", FORMULAS)
def test_no_field_of_a_frame_is_run(text: str, shape: str, here: Path, capsys: CaptureText) -> None:
    typed = write_report(here, text, "=cmd().md")
    rows = normalize(capsys, "--shape", shape)
    fields = [field for row in rows for field in row.values()]
    assert not any(map(would_run, fields))
    assert any(typed in field or json.dumps(typed)[1:-1] in field for field in fields)


def test_negative_numbers_stay_numbers(here: Path, capsys: CaptureText) -> None:
    write_report(here, "=cmd()")
    values = {row["header"]: row["value"] for row in normalize(capsys, "--shape", "cells")}
    assert values["Loss"] == "-1.5"


def test_exact_output_on_request(here: Path, capsys: CaptureText) -> None:
    write_report(here, "=cmd()")
    raws = {row["raw"] for row in normalize(capsys, "--shape", "cells", "--exact-csv")}
    assert "=cmd()" in raws
    raws = {row["raw"] for row in normalize(capsys, "--shape", "cells")}
    assert "'=cmd()" in raws


@pytest.mark.parametrize("exact", [False, True])
def test_query_results_are_escaped_unless_exact(
    exact: bool, here: Path, capsys: CaptureText
) -> None:
    write_report(here, "=cmd()")
    question = """select raw as "=head()", -1.5 as "number", ['=x'] as "list" from cells
                  where raw like '=%'"""
    asked = ["query", question, ".", "--format", "csv", *(["--exact-csv"] if exact else [])]
    assert main(asked) == 0
    (row,) = read_csv(capsys.readouterr().out)
    mark = "" if exact else "'"
    assert row == {f"{mark}=head()": f"{mark}=cmd()", "number": "-1.5", "list": '["=x"]'}
