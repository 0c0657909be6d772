"""The manual page says what the help says, and man can show it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from mdbench.cli import main as cli
from tests.conftest import Run


def test_every_command_and_option_is_on_the_page(run: Run) -> None:
    page = run("help", "--man").out
    assert page.startswith(".TH MDBENCH 1")
    plain = page.replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
    for name, command in cli.make_parser().commands.items():
        assert f".SS mdbench {name}" in plain
        for argument in command.arguments:
            assert all(option in plain for option in argument.option_strings)


def test_no_line_is_taken_for_a_request(run: Run) -> None:
    known = (".TH ", ".SH ", ".SS ", ".TP", ".PP", ".nf", ".fi")
    for line in run("help", "--man").out.splitlines():
        assert not line.startswith("'")
        assert not line.startswith(".") or line.startswith(known)


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_man_shows_it_without_complaint(run: Run) -> None:
    page = run("help", "--man").out
    done = subprocess.run(
        ["man", "--warnings", "-l", "-"], input=page, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "mdbench - check the benchmark tables" in done.stdout
