"""Every command in README.md and docs/ runs and prints what the page shows."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from handbook.pages import Fence, find_fences, list_pages
from handbook.sessions import RUN, check_codes, needs_running, run_fence, write_body
from mdbench.cli import main as cli

PROJECT = Path(__file__).resolve().parent.parent.parent
TEXTS = {path.relative_to(PROJECT).as_posix(): path.read_text("utf-8") for path in list_pages()}
FENCES = [(name, fence) for name, text in TEXTS.items() for fence in find_fences(text)]
LANGUAGES = {
    *RUN,
    "ini",
    "jinja",
    "json",
    "jsonl",
    "lisp",
    "lua",
    "markdown",
    "pyi",
    "text",
    "toml",
    "yaml",
}
READERS: dict[str, Callable[[str], object]] = {
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
    "json": json.loads,
}
# Commands of workflows and hooks: tests/docs/test_ci.py runs them.
ELSEWHERE = {"yaml"}


def named(fences: list[tuple[str, Fence]]) -> list[object]:
    return [pytest.param(name, fence, id=f"{name}:{fence.line}") for name, fence in fences]


@pytest.mark.parametrize(("name", "fence"), named([one for one in FENCES if needs_running(one[1])]))
def test_an_example_is_current(name: str, fence: Fence) -> None:
    steps = run_fence(TEXTS[name], fence)
    assert steps
    check_codes(fence, steps)
    assert write_body(fence, steps) == fence.body, "stale: run `make docs`"


def test_every_block_has_a_known_language() -> None:
    unknown = [f"{name}:{one.line}" for name, one in FENCES if one.language not in LANGUAGES]
    assert unknown == []


def test_no_block_is_indented() -> None:
    indented = [name for name, text in TEXTS.items() if re.search(r"^[ >]+```", text, re.MULTILINE)]
    assert indented == []


def test_only_known_reasons_skip_a_block() -> None:
    reasons = {one.remarks["not run"] for _, one in FENCES if "not run" in one.remarks}
    assert reasons <= {
        "installs packages, which needs a network",
        "changes the settings of a shell",
        "part of a file of mdbench",
        "there is no such bucket and no such cluster",
    }


def test_commands_are_in_blocks_that_run() -> None:
    hidden = [
        f"{name}:{one.line}"
        for name, one in FENCES
        if one.language not in (*RUN, *ELSEWHERE)
        and re.search(r"^(?:\$ )?mdbench [a-z]+ (?![\[A-Z])", one.body, re.MULTILINE)
    ]
    assert hidden == []


@pytest.mark.parametrize(
    ("name", "fence"),
    named([one for one in FENCES if one[1].language in READERS]),
)
def test_settings_can_be_parsed(name: str, fence: Fence) -> None:
    assert name in TEXTS
    assert READERS[fence.language](fence.body)


def inline_commands() -> list[str]:
    """The commands in running text."""
    found: dict[str, None] = {}
    for text in TEXTS.values():
        for fence in reversed(list(find_fences(text))):
            text = text[: fence.start] + text[fence.end :]  # noqa: PLW2901 - the page without its blocks
        for words in re.findall(r"`(mdbench [^`]+)`", text.replace("\n", " ")):
            found[words] = None
    return list(found)


@pytest.mark.parametrize("line", inline_commands())
def test_inline_commands_are_valid(line: str) -> None:
    words = shlex.split(line.replace("…", "").replace("\\|", "|").partition(" > ")[0])[1:]
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.suppress(SystemExit):
        cli.parse(words)
    complaint = errors.getvalue()
    # A command may be mentioned without its arguments.
    assert not complaint or "the following arguments are required" in complaint
    assert "invalid choice" not in complaint


def test_there_are_commands() -> None:
    languages = [one.language for _, one in FENCES if needs_running(one)]
    assert languages.count("console") > 20
    assert languages.count("sh") > 5
    assert len(inline_commands()) > 15
