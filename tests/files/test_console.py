"""The progress bar: after a second, on a terminal, hidden while something is printed."""

from __future__ import annotations

import io
import sys

import pytest

from mdbench.files.console import Console


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    @property
    def last_line(self) -> str:
        """What is left on the line of the bar."""
        return self.getvalue().rpartition("\r")[2]


@pytest.fixture
def terminal() -> Terminal:
    # Set as standard error by each test: pytest replaces that between fixture and test.
    return Terminal()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each look at the clock be half a second later."""
    ticks = iter(range(1000))
    monkeypatch.setattr("mdbench.files.console.monotonic", lambda: next(ticks) / 2)


@pytest.mark.usefixtures("slow")
def test_after_a_second_a_bar_shows_how_much_is_done(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(Console().track(range(4), 4, "reading")) == [0, 1, 2, 3]
    assert "reading:  50%" in terminal.getvalue()
    assert "2/4" in terminal.getvalue()
    assert terminal.last_line.strip() == ""


@pytest.mark.usefixtures("slow")
def test_the_bar_is_hidden_while_an_item_is_printed(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    for item in Console().track(range(6), 6, "checking", prints=lambda one: one == 4):
        if item == 4:
            assert "checking:" in terminal.getvalue()
            assert terminal.last_line.strip() == ""


@pytest.mark.usefixtures("slow")
def test_the_bar_counts_the_size_of_items(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    assert len(list(Console().track(range(4), 40, "reading", size=lambda _: 10))) == 4
    assert "20/40" in terminal.getvalue()


def test_fast_work_shows_no_bar(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(Console().track(range(4), 4, "reading")) == [0, 1, 2, 3]
    assert terminal.getvalue() == ""


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(
    ("stream", "console"), [(io.StringIO(), Console()), (Terminal(), Console(quiet=True))]
)
def test_a_pipe_and_a_quiet_terminal_show_no_bar(
    stream: io.StringIO, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    assert len(list(console.track(range(9), 9, "reading"))) == 9
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("slow")
def test_no_bar_is_left_when_the_work_is_abandoned(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal)
    items = iter(Console().track(range(9), 9, "reading"))
    for _ in range(5):
        next(items)
    items.close()  # type: ignore[attr-defined]
    assert terminal.last_line.strip() == ""
