"""The documentation in a real browser: it opens from a disk, is searched, and fits any screen."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROJECT = Path(__file__).resolve().parent.parent.parent
NAMES = ("index", "thinking", "commands", "frames", "comparison", "rules/MB302")


class Watching(Protocol):
    """What the page did so far."""

    requests: list[str]
    complaints: list[str]


@pytest.fixture(scope="module")
def docs(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built documentation, if there is a browser for it."""
    assert browser
    folder = tmp_path_factory.mktemp("docs")
    shutil.copy(PROJECT / "zensical.toml", folder)
    shutil.copytree(PROJECT / "docs", folder / "docs")
    command = [sys.executable, "-m", "zensical", "build", "--clean"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "build" / "docs"


@pytest.mark.parametrize("name", NAMES)
def test_it_opens_without_a_complaint_and_without_the_network(
    page: Page, watch: Watching, docs: Path, name: str
) -> None:
    page.goto((docs / f"{name}.html").as_uri())
    page.locator("h1").wait_for()
    assert watch.complaints == []
    assert [one for one in watch.requests if not one.startswith(("file:", "data:"))] == []


def test_the_search_works_from_a_disk(page: Page, watch: Watching, docs: Path) -> None:
    page.goto((docs / "index.html").as_uri())
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search").fill("shifted")
    page.get_by_role("option").filter(has_text="MB302 shifted-row").first.click()
    page.wait_for_url("**/rules/MB302.html*")
    assert watch.complaints == []


def test_findings_have_the_colours_of_a_terminal(page: Page, docs: Path) -> None:
    page.goto((docs / "thinking.html").as_uri())
    assert page.locator(".terminal-error").first.inner_text() == "MB301 error"
    assert page.locator(".terminal-help").first.inner_text().startswith("= help: change to")


def test_a_copied_command_is_the_command(page: Page, docs: Path) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto((docs / "diff.html").as_uri())
    block = page.locator("div.highlight", has_text="$ mdbench diff")
    block.locator("button").click()
    assert page.evaluate("navigator.clipboard.readText()") == "mdbench diff old.md new.md"


@pytest.mark.parametrize("name", NAMES)
def test_a_narrow_screen_is_wide_enough(page: Page, docs: Path, name: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto((docs / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
