"""The README shows at once what mdbench is for, and leads on. Its commands run with the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

PROJECT = Path(__file__).resolve().parent.parent.parent
README = (PROJECT / "README.md").read_text(encoding="utf-8")
FIRST_SCREEN = README.splitlines()[:30]


def test_the_first_screen_shows_a_row_of_a_report_and_what_is_wrong_with_it() -> None:
    report = (PROJECT / "reports" / "fugaku-1.3b.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in report if line.startswith("|   256 |")]
    assert any(line.endswith(f"| {row}") for line in FIRST_SCREEN)
    assert any(" MB302 error: " in line for line in FIRST_SCREEN)
    assert any("= help: " in line for line in FIRST_SCREEN)


def test_it_is_short() -> None:
    assert len(README.splitlines()) < 150


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)]+)\)", README))
def test_its_links_lead_somewhere(link: str) -> None:
    assert link.startswith("https://") or (PROJECT / link).is_file()


def test_the_hook_that_it_shows_exists() -> None:
    (shown,) = re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = yaml.safe_load(shown)["repos"]
    assert {one["id"] for one in repository["hooks"]} <= {one["id"] for one in hooks}
