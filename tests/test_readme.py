"""What the README shows is what mdbench does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import mdbench

PROJECT = Path(__file__).resolve().parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def shown_block(language: str) -> str:
    """The one code block of the README in that language."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert isinstance(block, str)
    return block


def test_the_row_shown_is_a_row_of_the_report() -> None:
    report = (PROJECT / "reports" / "fugaku-1.3b.md").read_text(encoding="utf-8")
    line = json.loads(shown_block("json"))["line"]
    assert report.splitlines()[line - 1] == shown_block("markdown").rstrip("\n")


def test_the_run_shown_is_what_that_row_becomes() -> None:
    shown = json.loads(shown_block("json"))
    runs = mdbench.normalize([PROJECT / "reports" / "fugaku-1.3b.md"], shape="runs")
    (run,) = runs[runs["line"] == shown["line"]].to_dict(orient="records")
    assert {name: run[name] for name in shown} == shown


def test_the_python_shown_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    names: dict[str, object] = {}
    exec(compile(shown_block("python"), "README.md", "exec"), names)
    assert {"runs", "report"} <= names.keys()
