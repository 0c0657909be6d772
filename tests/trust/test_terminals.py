"""Texts in reports, names, settings and options are shown, but never control the terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from mdbench.cli.main import main
from mdbench.output.terminal import show_lines

CaptureBytes = pytest.CaptureFixture[bytes]

# Clear the screen (7-bit and 8-bit), title, hyperlink, bell, backspace, delete, bidi overrides,
# unusual line ends, entities.
ORDERS = (
    "\x1b[2J\x9b2J\x1b]0;t\x07\x1b]8;;https://example.org\x1b\\\x08\x7f\u202e\u2066\u061c\u200f"
    "\x85\u2028\x0b&#27;[2J&#x9b;2J&#8238;"
)
NAME = "re\x1b[2J\x9b2J\u202e\n\rport.md"
# Colors, and clearing the line of a progress bar, come from mdbench itself.
OWN = re.compile(r"\x1b\[[0-9;]{0,5}m|\r\x1b\[K")
HARMLESS = {"\n", "\t"}


def make_report(wrong: int = 4) -> str:
    rows = "".join(
        f"| {nodes} | {nodes * 64} | {nodes / 7 + 3:.3f} "
        f"| {nodes * 64 / (nodes / 7 + 3) * (10 if nodes == wrong else 1):.2f} | {ORDERS} |\n"
        for nodes in range(1, 7)
    )
    return (
        f"# Title {ORDERS}\n\nDP {ORDERS} = 4\n\n"
        f"| Nodes | GBS | Sec/it | Samples/s | No{ORDERS}tes |\n|--:|--:|--:|--:|--|\n{rows}"
        f"| 3 | 4 | 5 | 6 | 7 | {ORDERS} |\n|  |  |  |  |  |\n\n"
        f"<table><tr><th>Nodes</th><th>TFLOPs {ORDERS}\rz</th></tr>\n"
        f"<tr><td>4</td><td>5 {ORDERS}\rz</td></tr></table>\n\n## {ORDERS}\n"
    )


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with hostile reports, one of them with a hostile name."""
    monkeypatch.chdir(tmp_path)
    for name, wrong in (("plain.md", 4), ("later.md", 5), (NAME, 4)):
        (tmp_path / name).write_text(make_report(wrong), encoding="utf-8")
    return tmp_path


def find_orders(shown: bytes) -> set[str]:
    """The control sequences that are left in an output."""
    text = OWN.sub("", shown.decode("utf-8"))
    return {
        char
        for char in text
        if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs") and char not in HARMLESS
    }


PIPED = {
    "full": "lint .",
    "concise": "lint . --format concise",
    "statistics": "lint . --statistics",
    "told in detail": "lint . -v --no-cache",
    "json": "lint . --format json",
    "sarif": "lint . --format sarif",
    "gitlab": "lint . --format gitlab",
    "github": "lint . --format github",
    "junit": "lint . --format junit",
    "check": "render . --check",
    "columns": "columns .",
    "table": "normalize . --format table",
    "cells": "normalize . --format table --shape cells",
    "jsonl": "normalize . --format jsonl",
    "diff": "diff plain.md later.md",
    "diff as Markdown": "diff plain.md later.md --format markdown",
    "diff as JSON": "diff plain.md later.md --format json",
}


@pytest.mark.parametrize("asked", PIPED.values(), ids=PIPED)
def test_human_readable_output_has_no_control_sequences(
    asked: str, capsysbinary: CaptureBytes
) -> None:
    assert main(asked.split()) in (0, 1)
    out, err = capsysbinary.readouterr()
    assert out
    assert find_orders(out) | find_orders(err) == set()


@pytest.mark.parametrize("kind", ["table", "markdown", "json"])
def test_query_results_have_no_control_sequences(kind: str, capsysbinary: CaptureBytes) -> None:
    question = f"""select *, '{ORDERS}' as "{ORDERS}" from cells"""
    assert main(["query", question, ".", "--format", kind]) == 0
    out, err = capsysbinary.readouterr()
    assert out.count(b"\n") > 20
    assert find_orders(out) | find_orders(err) == set()


MISTAKES: dict[str, list[str]] = {
    "a command": [ORDERS],
    "a path": ["lint", ORDERS],
    "a format": ["lint", "--format", ORDERS],
    "a rule": ["lint", "--select", ORDERS],
    "a file of settings": ["lint", "--config", ORDERS],
    "a baseline": ["lint", "--baseline", ORDERS],
    "a rule to explain": ["explain", ORDERS],
    "a topic": ["help", ORDERS],
    "a template": ["render", "plain.md", "--template", ORDERS],
    "a question": ["query", f"select {ORDERS}", "plain.md"],
    "a version": ["diff", f"{ORDERS}..{ORDERS}"],
    "a shell": ["completion", ORDERS],
    "a place to write to": ["normalize", "plain.md", "-o", f"{ORDERS}/out.csv"],
}


def run(arguments: list[str]) -> object:
    """The exit code of a command; an invalid command line exits early."""
    try:
        return main(arguments)
    except SystemExit as end:
        return end.code


@pytest.mark.parametrize("arguments", MISTAKES.values(), ids=MISTAKES)
def test_error_messages_have_no_control_sequences(
    arguments: list[str], capsysbinary: CaptureBytes
) -> None:
    assert run(arguments) == 2
    out, err = capsysbinary.readouterr()
    assert out == b""
    assert b"mdbench" in err
    assert find_orders(err) == set()


SAID = json.dumps(ORDERS.replace("\x7f", ""))
PATTERN = json.dumps(ORDERS.replace("\x7f", "").replace("[", ""))
SETTINGS = {
    "select": f"select = [{SAID}]",
    "fail-on": f"fail-on = {SAID}",
    "an unknown key": f"{SAID} = 1",
    "a relation": f"relations = [{SAID}]",
    "a quantity": f"[quantities]\n{SAID} = 's'",
    "a unit": f"[quantities]\nx_s = {SAID}",
    "a size": f"max-file-size = {SAID}",
    "no TOML": f"paths = [{ORDERS}",
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_errors_about_settings_have_no_control_sequences(
    settings: str, here: Path, capsysbinary: CaptureBytes
) -> None:
    (here / "mdbench.toml").write_text(settings, encoding="utf-8")
    assert main(["lint", "plain.md"]) == 2
    _, err = capsysbinary.readouterr()
    assert err.startswith(b"mdbench: mdbench.toml: ")
    assert find_orders(err) == set()


def test_listed_settings_have_no_control_sequences(here: Path, capsysbinary: CaptureBytes) -> None:
    (here / "mdbench.toml").write_text(
        f"exclude = [{PATTERN}]\npaths = [{SAID}]\ncache-dir = {SAID}\n"
        f"[columns]\n{SAID} = 'nodes'\n[per-file-ignores]\n{PATTERN} = ['MB1']\n",
        encoding="utf-8",
    )
    assert main(["config"]) == 0
    out, err = capsysbinary.readouterr()
    assert b"columns." in out
    assert find_orders(out) | find_orders(err) == set()


def show_on_terminal(*arguments: str) -> bytes:
    """The output that a real terminal receives."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "mdbench", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    received = b""
    # On Linux, the end of a terminal is an error.
    while piece := _read(ours):
        received += piece
    os.close(ours)
    assert process.wait() in (0, 1)
    return received.replace(b"\r\n", b"\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


EXACT_ELSEWHERE: dict[str, list[str]] = {
    "lint --diff": ["lint", "--diff", "--no-cache", "."],
    "render": ["render", "plain.md"],
    "render --template": ["render", "plain.md", "--template", "report"],
    "normalize to csv": ["normalize", ".", "--format", "csv", "--shape", "cells"],
    "query to csv": ["query", "select * from cells", ".", "--format", "csv"],
}


@pytest.mark.parametrize("arguments", EXACT_ELSEWHERE.values(), ids=EXACT_ELSEWHERE)
def test_exact_output_is_escaped_on_a_terminal(
    arguments: list[str], capsysbinary: CaptureBytes
) -> None:
    assert main(arguments) in (0, 1)
    assert "\x1b" in find_orders(capsysbinary.readouterr().out)
    shown = show_on_terminal(*arguments)
    assert b"Nodes" in shown or b"nodes" in shown
    assert find_orders(shown) == set()


@pytest.mark.parametrize("arguments", [["lint", "."], ["diff", "plain.md", "later.md"]])
def test_colors_are_the_only_control_sequences(arguments: list[str]) -> None:
    shown = show_on_terminal(*arguments)
    assert b"\x1b[" in shown
    assert find_orders(shown) == set()


def test_line_ends_and_tabs_are_kept() -> None:
    assert show_lines("a\tb\r\n量\u3000c\n\n") == "a\tb\n量\u3000c\n\n"
