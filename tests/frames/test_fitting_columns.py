"""Tables for a terminal fit it, and say what they leave out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdbench.cli import tables
from mdbench.frames.answers import to_terminal
from mdbench.frames.fitting_columns import fit_columns
from mdbench.markdown.widths import display_width
from tests.conftest import Run

NAMES = [f"column_{at}" for at in range(9)]
ROW = [*range(1000, 1008), None]


@pytest.mark.parametrize("room", [12, 20, 40, 60, 79])
def test_columns_in_the_middle_are_left_out(room: int) -> None:
    *lines, count = to_terminal(NAMES, [ROW, ROW], room)
    assert all(display_width(line.rstrip("\n")) <= room for line in lines)
    shown = lines[0].split()
    assert shown[0] == "column_0"
    if room < 79:
        assert "…" in shown
        assert shown[-1] == ("column_7" if room > 20 else "…")
    left = [name for name in shown if name != "…"]
    assert count == f"2 rows, 9 columns ({len(left)} shown, 1 empty)\n"


def test_what_fits_is_shown_whole() -> None:
    assert list(to_terminal(["a", "b"], [(1, "x")], 20)) == ["a  b\n", "1  x\n"]
    assert list(to_terminal(["a"], [], 20)) == ["a\n"]
    assert list(to_terminal(["a"], [(None,)], 20)) == ["1 row, 1 column (0 shown, 1 empty)\n"]


def test_a_wide_cell_is_cut() -> None:
    fitted = fit_columns([["word"], ["数" * 40]], [False], 21)
    assert fitted.grid[1] == ["数" * 10 + "…"]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A terminal of 60 columns, for one of the commands."""

    def use(command: str, width: int = 60) -> None:
        target = f"mdbench.cli.commands.{command}.terminal_width"
        monkeypatch.setattr(target, lambda _: width)

    return use


HEADERS = ("Nodes", "Mem (GB)", "TFLOPs", "Sec/it", "Samples/s", "Tokens/s", "GBS", "MBS")
TABLE = f"| {' | '.join(HEADERS)} |\n{'|--' * 8}|\n| 2 | 7 | 47.1 | 1.0 | 9 | 9000 | 9 | 1 |\n"


def test_commands_fit_the_terminal(run: Run, narrow: Callable[..., None], tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TABLE, encoding="utf-8")
    piped = run("normalize", "a.md", "--format", "table").out
    assert max(map(len, piped.splitlines())) > 60
    assert "…" not in piped
    narrow("normalize")
    shown = run("normalize", "a.md", "--format", "table").out.splitlines()
    assert max(map(display_width, shown)) <= 60
    assert "…" in shown[1]
    assert shown[-2].startswith("  1 row, ")
    assert shown[-2].endswith("empty)")
    narrow("columns", 100)
    listed = run("columns").out.splitlines()
    assert max(map(display_width, listed)) <= 100
    assert any(line.endswith(" more") for line in listed)
    assert tables.terminal_width("file") is None


def test_a_query_fits_the_terminal(run: Run, narrow: Callable[..., None], tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (tmp_path / "a.md").write_text(TABLE, encoding="utf-8")
    narrow("query")
    shown = run("query", "select * from runs", "a.md").out.splitlines()
    assert max(map(display_width, shown)) <= 60
    assert "…" in shown[0]
    assert shown[-1].startswith("1 row, ")
