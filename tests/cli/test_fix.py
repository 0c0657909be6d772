"""`mdbench lint --fix` and `--diff` as they are used: what is written, shown and left alone."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
from functools import partial
from pathlib import Path

import pytest
from pytest_regressions.file_regression import FileRegressionFixture

from mdbench.files import writing as outputs
from mdbench.linting import fixer
from mdbench.linting import runner as linter
from mdbench.linting.plan import Options
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding, Fix, Safety, Severity
from mdbench.source import Edit, Span
from tests.conftest import Run

CLEAN = "| Nodes | Mem | Sec/it |\n|--|--|--|\n| 2 | 18 GB | 47.1 |\n| 4 | 19 GB | 23.6 |\n"
BLANK = f"{CLEAN}| | | |\n"
TWICE = f"{CLEAN}| 4 | 19 GB | 23.6 |\n"
BOTH = f"{TWICE}| | | |\n"
DIFF = """--- a.md
+++ a.md
@@ -2,4 +2,3 @@
 |--|--|--|
 | 2 | 18 GB | 47.1 |
 | 4 | 19 GB | 23.6 |
-| | | |
"""
UNCHECKED = "; 0 of 6 numbers could be checked"
LEFT = """a.md:5:1 MB103 warning: duplicate of the row on line 4
1 warning in 1 file; 0 of 9 numbers could be checked
fixed 1 finding in 1 file
1 fix is held back, as measurements may change: \
--fix --unsafe-fixes applies, --diff --unsafe-fixes shows
"""


@pytest.fixture
def run(run: Run) -> Run:
    """Run `mdbench lint` in an empty folder."""
    return partial(run, "lint", "--format", "concise")


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def read(name: str) -> str:
    return Path(name).read_bytes().decode()


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_safe_fixes_are_written_and_what_is_left_is_counted(run: Run) -> None:
    write("a.md", BOTH)
    result = run("a.md", "--fix")
    assert read("a.md") == TWICE
    assert result == (1, LEFT, "")


def test_unsafe_fixes_are_written_if_asked_for(run: Run) -> None:
    write("a.md", BOTH)
    result = run("a.md", "--fix", "--unsafe-fixes")
    assert read("a.md") == CLEAN
    assert result == (0, f"no findings in 1 file{UNCHECKED}\nfixed 2 findings in 1 file\n", "")


@pytest.mark.parametrize("options", [(), ("--unsafe-fixes",)], ids=["plain", "unsafe"])
def test_without_fix_nothing_is_written_and_the_way_is_told(
    run: Run, options: tuple[str, ...]
) -> None:
    write("a.md", BOTH)
    result = run("a.md", *options)
    assert read("a.md") == BOTH
    assert result.out.splitlines()[-1] == (
        "1 of them can be fixed with --fix, 1 more with --fix --unsafe-fixes"
    )


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        pytest.param(BLANK, (), 0, id="nothing left"),
        pytest.param(TWICE, (), 1, id="a warning left"),
        pytest.param(TWICE, ("--fail-on", "error"), 0, id="no error left"),
        pytest.param(TWICE, ("--unsafe-fixes",), 0, id="nothing left, unsafe"),
    ],
)
def test_the_exit_code_counts_what_is_left(
    run: Run, text: str, options: tuple[str, ...], code: int
) -> None:
    write("a.md", text)
    assert run("a.md", "--fix", *options).code == code


@pytest.mark.parametrize("options", [("--diff",), ("--diff", "--fix")], ids=["diff", "with fix"])
def test_diff_shows_and_writes_nothing(run: Run, options: tuple[str, ...]) -> None:
    write("a.md", BLANK)
    assert run("a.md", *options) == (1, DIFF, "would fix 1 finding in 1 file\n")
    assert read("a.md") == BLANK


def test_diff_of_what_needs_no_fix_is_empty(run: Run) -> None:
    write("a.md", CLEAN)
    assert run("a.md", "--diff") == (0, "", "")


def test_diff_tells_what_is_held_back(run: Run) -> None:
    write("a.md", TWICE)
    result = run("a.md", "--diff")
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith("1 fix is held back")
    shown = run("a.md", "--diff", "--unsafe-fixes")
    assert "-| 4 | 19 GB | 23.6 |\n" in shown.out


def test_diff_into_a_file(run: Run) -> None:
    write("a.md", BLANK)
    assert run("a.md", "--diff", "-o", "a.patch").out == ""
    assert read("a.patch") == DIFF


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BLANK, id="plain"),
        pytest.param(BLANK.replace("\n", "\r\n"), id="CRLF"),
        pytest.param("\ufeff" + BLANK, id="byte-order mark"),
        pytest.param(BLANK.rstrip("\n"), id="no newline at the end"),
        pytest.param(BLANK.replace("Mem", "Mem\u2028\x0c"), id="odd line separators in a line"),
    ],
)
def test_a_diff_can_be_applied(run: Run, text: str) -> None:
    write("a.md", text)
    write("a.patch", run("a.md", "--diff").out)
    subprocess.run(["git", "apply", "-p0", "a.patch"], check=True)
    patched = read("a.md")
    write("a.md", text)
    run("a.md", "--fix")
    assert patched == read("a.md") != text


def test_a_diff_in_colour(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md", BLANK.replace("Mem", "Mem\x1b[5m"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("a.md", "--diff").out
    assert "\x1b[31m-| | | |\x1b[0m\n" in out
    assert "\x1b[5m" not in out


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=["no BOM", "BOM"])
def test_line_endings_and_byte_order_mark_are_kept(run: Run, ending: str, bom: str) -> None:
    write("a.md", bom + BLANK.replace("\n", ending))
    run("a.md", "--fix")
    assert read("a.md") == bom + CLEAN.replace("\n", ending)


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_permissions_are_kept(run: Run, mode: int) -> None:
    path = write("a.md", BLANK)
    path.chmod(mode)
    run("a.md", "--fix")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert os.listdir() == ["a.md"]


def test_the_target_of_a_link_is_written_and_the_link_stays(run: Run) -> None:
    write("elsewhere/target.md", BLANK)
    Path("a.md").symlink_to("elsewhere/target.md")
    run("a.md", "--fix")
    assert Path("a.md").is_symlink()
    assert Path("elsewhere/target.md").read_text(encoding="utf-8") == CLEAN
    assert os.listdir("elsewhere") == ["target.md"]


def test_a_file_without_fixes_is_not_touched(run: Run) -> None:
    path = write("a.md", TWICE)
    before = path.stat()
    run("a.md", "--fix")
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


@pytest.mark.parametrize("other", [f"{BLANK}\nmore\n", None], ids=["changed", "removed"])
def test_a_file_that_changed_meanwhile_is_left_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch, other: str | None
) -> None:
    path = write("a.md", BLANK)
    write("b.md", BLANK)
    replace_file = outputs.replace_file

    def interfere(name: str, old: bytes, new: bytes) -> None:
        if name == "a.md":
            path.unlink() if other is None else write("a.md", other)
        replace_file(name, old, new)

    monkeypatch.setattr(linter, "replace_file", interfere)
    result = run("a.md", "b.md", "--fix")
    assert result.code == 2
    assert result.err.startswith("mdbench: a.md: ")
    assert result.err.count("\n") == 1
    assert "a.md:5:1 MB102" in result.out
    assert sorted(os.listdir()) == (["a.md", "b.md"] if other else ["b.md"])
    assert other is None or read("a.md") == other
    assert read("b.md") == CLEAN


def test_a_folder_that_cannot_be_written_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md", BLANK)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("mdbench.files.writing.os.replace", refuse)
    result = run("a.md", "--fix")
    assert (result.code, result.err) == (2, "mdbench: a.md: cannot be written: Permission denied\n")
    assert (read("a.md"), os.listdir()) == (BLANK, ["a.md"])


@pytest.mark.unix
def test_what_is_no_file_is_not_replaced(run: Run) -> None:
    # A descriptor's name stands for a pipe here, which cannot be replaced.
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(BLANK.encode())
    result = run(f"/dev/fd/{reading}", "--fix")
    os.close(reading)
    assert result.code == 2
    assert "not a regular file" in result.err


def test_a_safe_fix_that_is_not_safe_is_not_written(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.md", CLEAN)

    def check(context: Context, _options: Options) -> tuple[Finding, ...]:
        at = context.source.text.index("47.1")
        fix = Fix("t", (Edit(Span(at, at + 4), "48"),), Safety.SAFE)
        return (Finding("MB202", "n", Severity.WARNING, Span(at, at + 4), "m", fixes=(fix,)),)

    monkeypatch.setattr(fixer, "check_context", check)
    result = run("a.md", "--fix", "--format", "full")
    assert read("a.md") == CLEAN
    assert result.code == 2
    said = "line 3, Sec/it: 47.1 would become 48"
    assert f"= not fixed, because that would change a value: {said}\n" in result.out
    assert result.err == (
        f"mdbench: a.md: not fixed, because a safe fix was not safe: MB202 would change {said}\n"
    )


def test_standard_input_is_fixed_to_standard_output(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, BOTH.replace("\n", "\r\n").encode())
    result = run("-", "--fix", "--stdin-filename", "r.md")
    assert (result.code, result.out) == (1, TWICE.replace("\n", "\r\n"))
    headline = "r.md:5:1 MB103 warning: duplicate of the row on line 4\n"
    assert result.err.startswith(f"{headline}1 warning in")


def test_standard_input_without_fixes_comes_out_as_it_went_in(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, CLEAN.encode())
    assert run("-", "--fix") == (0, CLEAN, f"no findings in 1 file{UNCHECKED}\n")


def test_the_findings_of_standard_input_may_go_into_a_file(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, BOTH.encode())
    assert run("-", "--fix", "-o", "found.txt") == (1, TWICE, "")
    assert "MB103" in read("found.txt")


def test_diff_of_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, BLANK.encode())
    assert run("-", "--diff", "--stdin-filename", "a.md").out == DIFF


def test_standard_input_that_is_no_text_is_not_replaced_by_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, b"ok\n\xff\n")
    result = run("-", "--fix")
    assert (result.code, result.out) == (2, "")
    assert "is not UTF-8" in result.err


def test_json_stays_json(run: Run) -> None:
    write("a.md", BOTH)
    result = run("a.md", "--fix", "--format", "json")
    assert [one["code"] for one in json.loads(result.out)] == ["MB103"]
    assert result.err.startswith("fixed 1 finding in 1 file\n1 fix is held back")


def test_the_edits_in_json_are_those_that_are_applied(run: Run) -> None:
    table = (
        "| Nodes | Sec/it |      Mem |\n|------:|-------:|---------:|\n"
        "|     2 |   29.1 | 18.5 MiB |\n|     4 |   14.7 |      MiB |\n"
    )
    write("a.md", table)
    (found,) = json.loads(run("a.md", "--format", "json").out)
    (edit,) = found["fixes"][0]["edits"]
    lines = table.splitlines(keepends=True)
    line = lines[edit["line"] - 1]
    lines[edit["line"] - 1] = (
        line[: edit["column"] - 1] + edit["text"] + line[edit["end_column"] - 1 :]
    )
    run("a.md", "--fix")
    assert read("a.md") == "".join(lines)
    assert lines[-1] == "|     4 |   14.7 |        - |\n"


def test_a_file_that_cannot_be_read_stops_no_other(run: Run) -> None:
    write("a.md", BLANK)
    Path("b.md").write_bytes(b"\xff")
    result = run(".", "--fix")
    assert result.code == 1
    assert "b.md:1:1 MB001" in result.out
    assert read("a.md") == CLEAN
    assert Path("b.md").read_bytes() == b"\xff"


def test_statistics_are_about_the_fixed_report(run: Run) -> None:
    write("a.md", TWICE)
    out = run("a.md", "--fix", "--unsafe-fixes", "--statistics").out
    assert out.startswith("6 numbers in tables\n")


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_many_files_are_fixed_by_several_processes(run: Run) -> None:
    for number in range(70):
        write(f"many/{number:02}.md", (BLANK, CLEAN)[number % 2])
    result = run("many", "--fix", "--jobs", "2")
    reach = "; 0 of 420 numbers could be checked"
    assert result.out == f"no findings in 70 files{reach}\nfixed 35 findings in 35 files\n"
    assert {read(f"many/{number:02}.md") for number in range(70)} == {CLEAN}


def test_all_files_are_fixed_even_if_nobody_reads_along(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.md", "b.md"):
        write(name, BOTH)

    def stop(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("mdbench.output.concise.headline", stop)
    run(".", "--fix")
    assert [read(name) for name in ("a.md", "b.md")] == [TWICE, TWICE]


SAMPLES = ("bigscience-1b3", "fmengine", "fugaku-1.3b", "fugaku-30b", "nanotron-nemo")


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_fixed(
    run: Run, project: Path, file_regression: FileRegressionFixture, name: str
) -> None:
    text = (project / "reports" / f"{name}.md").read_text(encoding="utf-8")
    write(f"{name}.md", text)
    shown = run(f"{name}.md", "--diff", "--unsafe-fixes").out
    file_regression.check(shown, extension=".diff", encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "left"),
    [("bigscience-1b3", []), ("fugaku-1.3b", [("MB302", 29)]), ("fugaku-30b", [])],
)
def test_the_errors_that_are_left_in_a_sample_have_two_repairs(
    run: Run, project: Path, name: str, left: list[tuple[str, int]]
) -> None:
    text = (project / "reports" / f"{name}.md").read_text(encoding="utf-8")
    write("a.md", text)
    found = json.loads(run("a.md", "--fix", "--unsafe-fixes", "--format", "json").out)
    errors = [one for one in found if one["severity"] == "error"]
    assert [(one["code"], one["line"]) for one in errors] == left
    assert all(len(one["fixes"]) == 2 for one in errors)
