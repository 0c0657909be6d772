"""The settings in docs/editors.md are well-formed and start the server."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from mdbench.cli import main as cli
from mdbench.cli.topics import read_topic
from mdbench.lsp.actions import FIX_ALL

PROJECT = Path(__file__).resolve().parent.parent.parent
PAGE = (PROJECT / "docs" / "editors.md").read_text(encoding="utf-8")


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


CODE, SUBLIME = map(json.loads, snippets("json"))
HELIX, HINTS = map(tomllib.loads, snippets("toml"))
LUA, OLDER_LUA = snippets("lua")
(LISP,) = snippets("lisp")


def words(text: str) -> list[str]:
    """The quoted strings."""
    return re.findall(r'"([^"]*)"', text)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(SUBLIME["clients"]["mdbench"]["command"], id="Sublime Text"),
        pytest.param(
            [HELIX["language-server"]["mdbench"]["command"],
             *HELIX["language-server"]["mdbench"]["args"]],
            id="Helix",
        ),
        pytest.param(words(LUA.partition("cmd = ")[2].partition("\n")[0]), id="Neovim"),
        pytest.param(
            words(OLDER_LUA.partition("cmd = ")[2].partition("\n")[0]), id="older Neovim"
        ),
        pytest.param(words(LISP), id="Emacs"),
        *(line.split() for line in re.findall(r"`(mdbench lsp[^`]*)`", PAGE)),
    ],
)  # fmt: skip
def test_the_commands_start_the_server(command: list[str]) -> None:
    assert command[:2] == ["mdbench", "lsp"]
    assert cli.parse(command[1:]).command == "lsp"


def test_snippets_use_the_server_they_define() -> None:
    (markdown,) = HELIX["language"]
    assert set(HELIX["language-server"]) <= set(markdown["language-servers"])
    assert HINTS == {"editor": {"lsp": {"display-inlay-hints": True}}}
    assert 'vim.lsp.config("mdbench"' in LUA
    assert 'vim.lsp.enable("mdbench")' in LUA
    for text in (LUA, OLDER_LUA, LISP):
        assert all(text.count(left) == text.count(right) for left, right in ("()", "{}"))


def test_the_fix_all_action_has_the_documented_name() -> None:
    assert list(CODE["[markdown]"]["editor.codeActionsOnSave"]) == [FIX_ALL]
    assert f"`{FIX_ALL}`" in PAGE


def test_the_help_topic_has_the_same_settings() -> None:
    topic = read_topic("editors")
    helix = re.search(r"(?:^    \[language-server.*\n(?:(?:    .*)?\n)+)", topic, re.MULTILINE)
    assert helix is not None
    read = tomllib.loads(helix[0].replace("\n    ", "\n").removeprefix("    "))
    assert read["language-server"] == HELIX["language-server"]
    assert 'cmd = { "mdbench", "lsp" }' in topic


def test_linked_pages_exist() -> None:
    links = re.findall(r"\]\((?!http)([^)]+)\)", PAGE)
    assert links
    assert all((PROJECT / "docs" / link.partition("#")[0]).is_file() for link in links)
