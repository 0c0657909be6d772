"""A report that takes too long is given up, and the others go on."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest

from mdbench.cli.commands import update as update_command
from mdbench.cli.main import main
from mdbench.files.timeouts import run_within
from mdbench.rendering import rendered_files
from mdbench.rendering.updating import update
from mdbench.rules.context import Context
from mdbench.rules.findings import Violation
from mdbench.rules.loading import RULES
from mdbench.sheets import report_files
from mdbench.source import Source, SourceError
from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("no_hang")

BLANK = "| Nodes | TFLOPs |\n|------:|-------:|\n|     2 |   47.0 |\n|       |        |\n"
FIXED = "| Nodes | TFLOPs |\n|------:|-------:|\n|     2 |   47.0 |\n"
UGLY = "# Ugly\n\n| Nodes | TFLOPs |\n|--:|--:|\n| 2 | 47.0 |\n| 16 |46.5|\n"
TOLD = "took longer than 30 s; use --timeout-per-file to allow more time, or 0 for no limit"
SLOW, GOOD = "a-slow.md", "good.md"
# What a command calls for a report, its options, and the file that it writes for the good one.
STEPS: dict[str, tuple[Any, str, str, str]] = {
    "normalize": (report_files, "read_report", "normalize --format csv --shape cells .", ""),
    "columns": (report_files, "read_report", "columns .", ""),
    "render": (rendered_files, "render_markdown", "render .", ""),
    "render -w": (rendered_files, "render_markdown", "render -w .", GOOD),
    "render -o": (rendered_files, "render_markdown", "render . -o clean", f"clean/{GOOD}"),
    "render to HTML": (
        *(report_files, "read_report"),
        *("render . --format html -o site", "site/index.html"),
    ),
}


def hang() -> NoReturn:
    """Never end; the time that the file may take passes in an instant."""
    left, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 20 < left <= 30
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    while True:
        pass


def slow_for_one(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which never ends for one report."""

    def call(source: Source, *rest: object) -> object:
        if Path(source.path).name == SLOW:
            hang()
        return work(source, *rest)

    return call


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    for name in (SLOW, GOOD):
        (tmp_path / name).write_text(BLANK, encoding="utf-8")
    return tmp_path


@pytest.fixture
def slow_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a rule never end for one report, whose time passes quickly."""
    check = RULES["MB102"].check

    def check_slowly(context: Context) -> Iterator[Violation]:
        if Path(context.source.path).name == SLOW:
            hang()
        yield from check(context)

    known = {**RULES, "MB102": RULES["MB102"]._replace(check=check_slowly)}
    monkeypatch.setattr("mdbench.linting.checker.RULES", known)


@pytest.mark.usefixtures("reports", "slow_rule")
def test_a_slow_report_is_unreadable_and_the_others_are_checked(run: Run) -> None:
    ended = run("lint", "--format", "json", ".")
    assert (ended.code, ended.err) == (1, "")
    assert ended.findings == [(SLOW, 1, "MB001"), (GOOD, 4, "MB102")]
    assert json.loads(ended.out)[0]["message"] == f"this file {TOLD}"


@pytest.mark.usefixtures("slow_rule")
@pytest.mark.parametrize("more", [(), ("--ignore", "MB001")], ids=["shown", "ignored"])
def test_a_slow_report_is_not_stored_in_the_cache(
    more: tuple[str, ...], reports: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("lint", "--format", "json", *more, ".")
    (reports / SLOW).write_text(f"{BLANK}\nOf its own.\n", encoding="utf-8")
    slow = [(SLOW, 1, "MB001")]
    for _ in "ab":
        assert run(*asked).findings == [*([] if more else slow), (GOOD, 4, "MB102")]
    monkeypatch.setattr("mdbench.linting.checker.RULES", RULES)
    assert run(*asked).findings == [(name, 4, "MB102") for name in (SLOW, GOOD)]


@pytest.mark.usefixtures("slow_rule")
def test_a_slow_report_is_not_fixed(reports: Path, run: Run) -> None:
    ended = run("lint", "--fix", "--format", "json", ".")
    assert (ended.code, ended.findings) == (1, [(SLOW, 1, "MB001")])
    assert (reports / SLOW).read_text("utf-8") == BLANK
    assert (reports / GOOD).read_text("utf-8") == FIXED


@pytest.mark.usefixtures("slow_rule")
def test_slow_standard_input_is_not_replaced_by_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BLANK.encode())))
    ended = run("lint", "--fix", "--stdin-filename", SLOW, "-")
    assert (ended.code, ended.out, ended.err) == (2, "", f"mdbench: {SLOW} {TOLD}\n")


@pytest.mark.parametrize(("module", "step", "asked", "target"), STEPS.values(), ids=STEPS)
def test_other_commands_leave_a_slow_report_out(  # noqa: PLR0917
    module: Any,
    step: str,
    asked: str,
    target: str,
    reports: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in (SLOW, GOOD):
        (reports / name).write_text(UGLY, encoding="utf-8")
    monkeypatch.setattr(module, step, slow_for_one(getattr(module, step)))
    ended = run(*asked.split())
    assert (ended.code, ended.err) == (2, f"mdbench: {SLOW}: {TOLD}\n")
    written = (reports / target).read_text("utf-8") if target else ended.out
    assert "Ugly" in written or "TFLOPs" in written
    assert written != UGLY
    assert SLOW not in written
    assert (reports / SLOW).read_text("utf-8") == UGLY


def test_update_leaves_a_slow_report_as_it_is(
    reports: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (reports / "mdbench.toml").write_text('[results]\nruns = "runs.json"\n', encoding="utf-8")
    (reports / "runs.json").write_text('[{"nodes": 2, "tflops": 48.1}]', encoding="utf-8")
    bound = f"<!-- mdbench: from runs -->\n{FIXED}"
    for name in (SLOW, GOOD):
        (reports / name).write_text(bound, encoding="utf-8")
    monkeypatch.setattr(update_command, "update", slow_for_one(update))
    ended = run("update", ".")
    assert (ended.code, ended.err) == (2, f"mdbench: {SLOW}: {TOLD}\n")
    assert (reports / SLOW).read_text("utf-8") == bound
    assert (reports / GOOD).read_text("utf-8") == bound.replace("47.0", "48.1")


def test_a_template_that_never_ends_is_given_up(reports: Path, run: Run) -> None:
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    (reports / "mine.md.j2").write_text(loop, encoding="utf-8")
    ended = run("render", "--template", "mine.md.j2", "--timeout-per-file", "0.5", GOOD)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"mdbench: {GOOD}: took longer than 0.5 s; ")


@pytest.mark.usefixtures("at_once")
def test_a_slow_report_does_not_stop_other_processes(reports: Path, run: Run) -> None:
    rows = "".join(f"| {1 + at % 64} | {at % 7 / 4} |\n" for at in range(500_000))
    (reports / SLOW).write_text(f"| Nodes | Sec/it |\n|--:|--:|\n{rows}", encoding="utf-8")
    names = [f"g{number:02}.md" for number in range(70)]
    for name in names:
        (reports / name).write_text(BLANK, encoding="utf-8")
    limit = ("--timeout-per-file", "4")
    ended = run("lint", "--no-cache", "--jobs", "2", *limit, "--format", "json", ".")
    assert (ended.code, ended.err) == (1, "")
    found = [(name, 4, "MB102") for name in (*names, GOOD)]
    assert ended.findings == [(SLOW, 1, "MB001"), *found]


LIMITS: dict[str, tuple[str, tuple[str, ...], float]] = {
    "default": ("", (), 30),
    "setting": ("timeout-per-file = 120", (), 120),
    "option": ("timeout-per-file = 120", ("--timeout-per-file", "90.5"), 90.5),
    "no limit": ("timeout-per-file = 120", ("--timeout-per-file", "0"), 0),
    "longer than any clock": ("", ("--timeout-per-file", "9" * 30), 1e8),
}


@pytest.mark.parametrize(("setting", "option", "limit"), LIMITS.values(), ids=LIMITS)
def test_the_limit_can_be_set(  # noqa: PLR0917
    setting: str,
    option: tuple[str, ...],
    limit: float,
    reports: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (reports / "mdbench.toml").write_text(setting, encoding="utf-8")
    left: list[float] = []

    def look(_: Context) -> Iterator[Violation]:
        left.append(signal.getitimer(signal.ITIMER_REAL)[0])
        yield from ()

    known = {"MB102": RULES["MB102"]._replace(check=look)}
    monkeypatch.setattr("mdbench.linting.checker.RULES", known)
    assert run("lint", "--no-cache", *option, GOOD).code == 0
    assert left == [pytest.approx(limit, abs=20 if limit else 0)]
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("given", ["-1", "nan", "inf", "1e3", "soon", ""])
def test_other_limits_are_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["lint", f"--timeout-per-file={given}"])
    assert f"{given!r} is not a number of seconds, such as 30" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["-1", "nan", '"30"', "true", "1e31"])
def test_other_settings_are_refused(value: str, reports: Path, run: Run) -> None:
    (reports / "mdbench.toml").write_text(f"timeout-per-file = {value}\n", encoding="utf-8")
    ended = run("lint", GOOD)
    assert ended.code == 2
    assert "is not a number of seconds, 0 for no limit" in ended.err


def spin() -> NoReturn:
    while True:
        pass


def swallow() -> str:
    """End in an ordinary way after the alarm."""
    try:
        spin()
    except BaseException:  # noqa: BLE001 - as a library might
        return "done"


def disguise() -> str:
    try:
        spin()
    except BaseException as error:
        raise ValueError("interrupted") from error


def lose() -> NoReturn:
    """Lose the first alarm, as Python does in `__del__`."""
    swallow()
    spin()


@pytest.mark.parametrize("work", [spin, swallow, disguise, lose])
def test_work_that_takes_longer_is_ended_whatever_it_does(work: Callable[[], str]) -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(SourceError, match=r"took longer than 0\.1 s"):
        run_within(0.1, work)
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_there_is_a_limit_without_interval_timers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    with pytest.raises(SourceError, match=r"took longer than 0\.1 s"):
        run_within(0.1, spin)
    assert run_within(100, lambda: "done") == "done"


def test_errors_and_results_pass() -> None:
    assert run_within(100, lambda: "done") == "done"
    with pytest.raises(ZeroDivisionError):
        run_within(100, lambda: 1 // 0)
    with pytest.raises(KeyboardInterrupt):
        run_within(100, partial(signal.raise_signal, signal.SIGINT))
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def in_thread(work: Callable[[], object]) -> object:
    """What some work returns, or raises, in another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@pytest.mark.parametrize("work", [spin, swallow, disguise, lose])
def test_work_in_another_thread_is_ended_too(work: Callable[[], str]) -> None:
    with pytest.raises(SourceError, match=r"took longer than 0\.1 s"):
        in_thread(partial(run_within, 0.1, work))


def test_errors_and_results_of_another_thread_pass() -> None:
    assert in_thread(partial(run_within, 100, lambda: "done")) == "done"
    with pytest.raises(ZeroDivisionError):
        in_thread(partial(run_within, 100, lambda: 1 // 0))


def test_a_limit_ends_nothing_later_in_the_same_thread() -> None:
    def work_often() -> list[str]:
        """Many pieces of work that end when their time does, and what came of each."""
        ended = []
        for _ in range(200):
            try:
                ended.append(run_within(0.002, partial(keep_busy, 0.002)))
            except SourceError:
                ended.append("too slow")
        keep_busy(0.1)
        return ended

    ended = in_thread(work_often)
    assert isinstance(ended, list)
    assert set(ended) <= {"done", "too slow"}
    assert len(ended) == 200


def keep_busy(seconds: float) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
    return "done"


PROFILED = """
import sys
from threading import Thread
from mdbench.files.timeouts import run_within

thread = Thread(target=lambda: run_within(5, lambda: 1))
thread.start()
thread.join()

def count():
    return sum(len(str(number)) for number in range(5))

sys.setprofile(lambda *_: None)
print(count())
"""


def test_a_profiler_can_be_used_after_work_in_another_thread() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROFILED], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "5\n"
