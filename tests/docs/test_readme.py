"""The README shows a finding on the first screen, is short, and has no broken links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from handbook.pages import find_fences

PROJECT = Path(__file__).resolve().parent.parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_first_screen_shows_a_finding() -> None:
    first_screen = README.splitlines()[:36]
    assert any(" MB301 error: " in line for line in first_screen)
    assert any("= help: " in line for line in first_screen)


def test_examples_do_not_scroll_sideways() -> None:
    blocks = [one.body for one in find_fences(README) if one.language in ("console", "markdown")]
    assert [line for body in blocks for line in body.splitlines() if len(line) > 88] == []


def test_it_is_short() -> None:
    assert len(README.splitlines()) < 150


def test_it_has_no_wide_tables() -> None:
    text = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    assert not re.search(r"^\|", text, re.MULTILINE)


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_links_are_not_broken(link: str) -> None:
    assert link.startswith("https://") or (PROJECT / link).is_file()


def test_the_hook_exists() -> None:
    (shown,) = re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = yaml.safe_load(shown)["repos"]
    assert {one["id"] for one in repository["hooks"]} <= {one["id"] for one in hooks}
