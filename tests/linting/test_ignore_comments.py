"""`lint --add-ignores`: afterwards there are no findings, and nothing else has changed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mdbench.markdown.rendered_page import render_page
from mdbench.sheets.equality import differences
from mdbench.sheets.report import read_report
from mdbench.source import Source
from mdbench.vocabulary.quantities import standard_vocabulary
from tests.conftest import Run

HEAD = "| Nodes | Sec/it |\n|--|--|\n"
TWICE = "| 2 | 47.1 |\n| 2 | 47.1 |\n"


def assert_unchanged(before: str, after: str) -> None:
    assert render_page(before) == render_page(after)
    books = [read_report(Source("a.md", text), standard_vocabulary()) for text in (before, after)]
    assert not differences(*books)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{HEAD}{TWICE}", id="row"),
        pytest.param(f"{HEAD}{TWICE}{TWICE}", id="several rows"),
        pytest.param(f"{HEAD}{TWICE}".replace("|\n", "\n"), id="no pipe at the end"),
        pytest.param(f"{HEAD}{TWICE}| | |\n", id="a blank row"),
        pytest.param(f"{HEAD}{TWICE}".replace("\n", "\r\n"), id="CRLF"),
        pytest.param(f"{HEAD}{TWICE}".rstrip("\n"), id="no line end"),
        pytest.param("# Later\n\n## Never\n", id="headings"),
        pytest.param(f"```\n{HEAD}{TWICE}```\n", id="in code"),
        pytest.param("> " + f"{HEAD}{TWICE}".rstrip().replace("\n", "\n> ") + "\n", id="quote"),
        pytest.param("Batch: 2 * 16 * 32 = 1000  \nnext line\n", id="a hard line break"),
        pytest.param("- Batch: 2 * 16 * 32 = 1000\n- more\n", id="list"),
    ],
)
def test_it_is_silent_afterwards(run: Run, text: str) -> None:
    path = Path("a.md")
    path.write_bytes(text.encode())
    shown = run("lint", "a.md", "--add-ignores", "--diff")
    assert path.read_bytes() == text.encode()
    done = run("lint", "a.md", "--add-ignores")
    after = path.read_bytes().decode()
    assert run("lint", "a.md", "--format", "json").findings == []
    assert_unchanged(text, after)
    assert "+" in shown.out
    assert "would be ignored; 1 file to rewrite, 0 unchanged" in shown.err
    assert "ignored; 1 file rewritten, 0 unchanged" in done.out
    assert run("lint", "a.md", "--add-ignores").out.endswith(
        "0 findings ignored; 0 files rewritten, 1 unchanged\n"
    )


def test_the_reports_of_the_project(run: Run, project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "reports", tmp_path / "reports")
    assert run("lint", "--no-cache").code == 1
    result = run("lint", "--add-ignores")
    assert result.code == 0
    assert "5 files rewritten, 0 unchanged" in result.out
    assert run("lint", "--format", "json").findings == []
    for path in (project / "reports").glob("*.md"):
        after = (tmp_path / "reports" / path.name).read_text(encoding="utf-8")
        assert_unchanged(path.read_text(encoding="utf-8"), after)


def test_what_a_comment_may_not_hide_is_left(run: Run) -> None:
    text = f"<!-- mdbench: ignore MB205 -->\n{HEAD}{TWICE}"
    Path("a.md").write_text(text, encoding="utf-8")
    run("lint", "a.md", "--add-ignores")
    assert [code for *_, code in run("lint", "a.md", "--format", "json").findings] == ["MB901"]


def test_it_is_not_mixed_with_fixes(run: Run) -> None:
    result = run("lint", "--add-ignores", "--fix")
    assert result.err == "mdbench: --add-ignores cannot be used with --fix or --write-baseline\n"
