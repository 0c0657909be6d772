"""The bar of long work: after a second, on a terminal, out of the way of what is printed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from mdbench.files.progress import show_progress


class Terminal(io.StringIO):
    """Standard error that people look at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    # Not standard error itself, which pytest puts back before the test begins.
    shown = Terminal()
    monkeypatch.setattr("mdbench.files.progress.sys", SimpleNamespace(stderr=shown))
    return shown


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock finds it half a second later."""
    ticks = iter(range(1000))
    monkeypatch.setattr("mdbench.files.progress.time.monotonic", lambda: next(ticks) / 2)


def work(count: int) -> Iterator[int]:
    yield from range(count)


@pytest.mark.usefixtures("slow")
def test_after_a_second_a_bar_says_how_much_is_done(terminal: Terminal) -> None:
    assert list(show_progress(work(4), 4, "reading")) == [0, 1, 2, 3]
    bars = terminal.getvalue().split("\r\x1b[K")
    assert bars == ["", f"reading [{'#' * 12}{' ' * 12}] 2/4", *bars[2:4], ""]
    assert bars[3] == f"reading [{'#' * 24}] 4/4"


@pytest.mark.usefixtures("slow")
def test_it_gives_way_to_what_is_printed(terminal: Terminal) -> None:
    for item in show_progress(work(4), 4, "checking", lambda one: one == 2):
        if item == 2:
            assert terminal.getvalue().endswith("\r\x1b[K")
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_quick_work_shows_none(terminal: Terminal) -> None:
    assert list(show_progress(work(4), 4, "reading")) == [0, 1, 2, 3]
    assert terminal.getvalue() == ""


@pytest.mark.usefixtures("slow")
def test_a_pipe_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = io.StringIO()
    monkeypatch.setattr("mdbench.files.progress.sys", SimpleNamespace(stderr=pipe))
    assert len(list(show_progress(work(9), 9, "reading"))) == 9
    assert pipe.getvalue() == ""


@pytest.mark.usefixtures("slow")
def test_it_is_gone_when_the_work_is_given_up(terminal: Terminal) -> None:
    items = show_progress(work(9), 9, "reading")
    for _ in range(4):
        next(items)
    items.close()  # type: ignore[attr-defined]
    assert terminal.getvalue().endswith("\r\x1b[K")
