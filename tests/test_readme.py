"""What the README shows is what mdbench does."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import duckdb
import pytest

import mdbench
from mdbench.cli import main

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


def shown_sessions() -> list[str]:
    """The blocks that show a command and what it prints."""
    return re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("session", shown_sessions(), ids=lambda text: text.partition("\n")[0])
def test_the_output_shown_is_what_the_command_prints(
    session: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(PROJECT)
    command, _, output = session.partition("\n")
    assert command.startswith("$ mdbench ")
    finds = command.startswith("$ mdbench lint")
    assert main(shlex.split(command)[2:]) == int(finds)
    assert capsys.readouterr().out == output


def shown_commands() -> list[str]:
    """Every command line of the plain blocks that starts mdbench."""
    blocks = re.findall(r"^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("mdbench ")]


@pytest.mark.parametrize("line", shown_commands())
def test_the_commands_shown_run(line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "reports").symlink_to(PROJECT / "reports", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line, comments=True)[1:]) in (0, 1)


def test_the_query_shown_finds_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["normalize", str(PROJECT / "reports"), "-o", "runs.parquet"]) == 0
    (query,) = re.findall(r"`(select [^`]*)`", README)
    assert len(duckdb.execute(query).fetchall()) > 5
