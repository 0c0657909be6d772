"""The cache of `lint`: the same output as without it, and only changed files are checked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from mdbench.cli.commands import lint
from mdbench.files import workers as pool
from mdbench.files.discovery import find_reports
from mdbench.linting.cache import index, keys, memory, signatures
from mdbench.linting.plan import Plan
from mdbench.linting.results import FileResult
from mdbench.linting.runner import lint_file
from mdbench.output import FORMATS
from mdbench.rules.loading import RULES
from tests.conftest import Run

CACHE = Path(".mdbench_cache")
CLEAN = "# Runs\n\n| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n"
WARNED = f"{CLEAN}| 2 | 47.1 |\n"
WRONG = f"{CLEAN}| 4 | 23.6 | 8 |\n"


class Checked(list[str]):
    """The paths that were checked because they were not cached."""

    def take(self) -> list[str]:
        """The paths since the last call."""
        taken = list(self)
        self.clear()
        return taken


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty current folder with the cache in its default place."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "MDBENCH_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Checked:
    """Record the files that are checked from now on."""
    seen = Checked()
    check = lint.check_files

    def watch(paths: Sequence[str], **how: Any) -> Iterator[Any]:
        seen.extend(paths)
        return check(paths, **how)

    monkeypatch.setattr(lint, "check_files", watch)
    return seen


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every file as if it was written long ago."""
    monkeypatch.setattr(signatures, "SETTLED_NS", -(10**12))


def write(name: str, text: str | bytes) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)


def change(name: str, text: str) -> None:
    """Write another text of the same length into a file, and restore its modification time."""
    before = os.stat(name)
    assert len(text.encode()) == before.st_size
    write(name, text)
    os.utime(name, ns=(before.st_atime_ns, before.st_mtime_ns))


def rows() -> dict[str, list[Any]]:
    """The index rows of each file."""
    (file,) = CACHE.glob("*.index")
    data = file.read_bytes()
    length = int(data[: index.HEADER_LENGTH].split()[-1])
    _, _, files, _ = json.loads(data[index.HEADER_LENGTH :][:length])
    assert isinstance(files, dict)
    return files


OPTIONS = {
    **{f"as {kind}": ("--format", kind) for kind in FORMATS},
    **{f"statistics, {kind}": ("--format", kind, "--statistics") for kind in ("full", "json")},
    "quiet": ("--quiet",),
    "some rules": ("--select", "MB1,MB3", "--ignore", "MB105"),
    "fail on error": ("--fail-on", "error", "--format", "concise"),
    "fail on info": ("--fail-on", "info", "--format", "concise"),
    "excluding what could not be checked": ("--ignore", "MB0"),
}


def same_in_all_ways(run: Run, *paths: str) -> None:
    for name, options in OPTIONS.items():
        without = run("lint", "--no-cache", *paths, *options)
        assert run("lint", *paths, *options) == without, name
        assert run("lint", *paths, *options) == without, f"{name}, from the cache"


def test_the_project_reports_give_the_same_output(run: Run, project: Path) -> None:
    os.mkdir("reports")
    for name in ("fmengine.md", "nanotron-nemo.md"):
        shutil.copy(project / "reports" / name, "reports")
    write("reports/broken.md", b"| a |\n|--|\n| \xff |\n")
    write("reports/clean.md", CLEAN)
    same_in_all_ways(run, "reports")


def test_corpus_reports_give_the_same_output(run: Run, corpus: Path) -> None:
    os.mkdir("corpus")
    for path in sorted(corpus.glob("*.md"))[::3]:
        shutil.copy(path, "corpus")
    run("lint", "corpus", "--format", "concise")
    paths = sorted(find_reports(["corpus"]))
    reports = [lint_file(path, Plan()) for path in paths]
    for kind in FORMATS:
        expected = "".join(FORMATS[kind].write(reports))
        for _ in range(2):
            out = run("lint", "corpus", "--format", kind).out
            end = "" if kind not in {"full", "concise"} else out.removeprefix(expected)
            assert out == expected + end
            assert end.count("\n") <= 2


def test_colored_output_is_cached_separately(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md", WARNED)
    plain = run("lint", "a.md")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run("lint", "a.md", "--no-cache")
    assert run("lint", "a.md") == coloured != plain
    assert run("lint", "a.md") == coloured
    monkeypatch.delenv("FORCE_COLOR")
    assert run("lint", "a.md") == plain


@pytest.mark.usefixtures("settled")
def test_unchanged_files_are_neither_checked_nor_read(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.md", WARNED)
    write("b.md", WRONG)
    first = run("lint", ".")
    assert checked.take() == ["a.md", "b.md"]
    monkeypatch.setattr(memory, "seal", None)
    assert run("lint", ".") == first
    assert checked.take() == []


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("kind", FORMATS)
def test_a_change_with_a_restored_modification_time_is_detected(
    run: Run, checked: Checked, kind: str
) -> None:
    write("a.md", WARNED)
    write("b.md", WRONG)
    run("lint", ".", "--format", kind)
    checked.clear()
    change("a.md", WARNED.replace("47.1 |\n| 2", "47.1 |\n| 3"))
    after = run("lint", ".", "--format", kind)
    assert checked.take() == ["a.md"]
    assert after == run("lint", ".", "--format", kind, "--no-cache")


def test_a_recently_written_file_is_read_again(run: Run, checked: Checked) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    assert rows()["a.md"][0] == [], "its clock may not have ticked since"
    assert run("lint", "a.md").code == 1
    assert checked.take() == ["a.md"]


def test_a_change_within_one_clock_tick_is_detected(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signatures.Names, "find", lambda *_: ("a.md", [len(WARNED), 1, 1, 1]))
    write("a.md", WARNED)
    assert run("lint", "a.md").code == 1
    write("a.md", WARNED.replace("47.1 |\n| 2", "47.1 |\n| 3"))
    assert run("lint", "a.md").code == 0


def test_a_known_file_is_trusted_once_it_has_settled(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    monkeypatch.setattr(signatures, "SETTLED_NS", -(10**12))
    run("lint", "a.md")
    status = os.stat("a.md")
    assert rows()["a.md"][0] == signatures.sign(status)
    assert checked.take() == ["a.md"]


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("kind", FORMATS)
def test_a_change_during_the_lookup_does_no_harm(
    run: Run, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(signatures, "sign", lambda status: [status.st_size, 1, 1, 1])
    write("a.md", f"{WARNED}{' ' * 80}\n")
    run("lint", "a.md", "--format", "gitlab")
    change("a.md", f"{CLEAN}{' ' * 80}\n".ljust(len(WARNED) + 81))
    after = run("lint", "a.md", "--format", kind)
    text = after.out + after.err
    assert "MB103" not in text or kind == "sarif"
    assert "Traceback" not in text


def test_copied_and_renamed_files_are_recognized_by_content(run: Run, checked: Checked) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    checked.clear()
    shutil.copy("a.md", "copy.md")
    os.rename("a.md", "moved.md")
    result = run("lint", ".", "--format", "concise")
    assert checked.take() == []
    assert [line.split(":")[0] for line in result.out.splitlines()[:2]] == ["copy.md", "moved.md"]


def test_a_file_is_shown_by_its_requested_name(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("pyproject.toml", "")
    write("r/a.md", WARNED)
    assert run("lint", "r", "--format", "concise").out.startswith("r/a.md:6:")
    checked.clear()
    monkeypatch.chdir("r")
    assert run("lint", ".", "--format", "concise").out.startswith("a.md:6:")
    absolute = str(Path("a.md").resolve())
    assert run("lint", absolute, "--format", "json").out.count(absolute) > 0
    assert checked.take() == []


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        pytest.param("", "[constants]\nvocab = 5\n", True, id="what is known"),
        pytest.param("", 'ignore = ["MB103"]\n', True, id="which rules"),
        pytest.param("", '[per-file-ignores]\n"a.md" = ["MB1"]\n', True, id="rules for files"),
        pytest.param('fail-on = "error"\n', 'fail-on = "info"\n', False, id="what fails"),
        pytest.param("", 'exclude = ["x/"]\npaths = ["a.md"]\n', False, id="which files"),
    ],
)
def test_a_change_of_the_settings(
    run: Run, checked: Checked, before: str, after: str, again: bool
) -> None:
    write("a.md", WARNED)
    write("mdbench.toml", before)
    first = run("lint", "a.md")
    checked.clear()
    write("mdbench.toml", after)
    assert run("lint", "a.md") == run("lint", "a.md", "--no-cache")
    assert (checked.take() == ["a.md", "a.md"]) is again
    write("mdbench.toml", before)
    assert run("lint", "a.md") == first
    assert checked.take() == []


@pytest.mark.parametrize(
    "wrong", ["selct = []\n", "cache-dir = 3\n", 'relations = ["a = b * c"]\n', "paths = 1\n"]
)
def test_invalid_settings_are_reported_even_if_all_files_are_cached(run: Run, wrong: str) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    write("mdbench.toml", wrong)
    result = run("lint", "a.md")
    assert (result.code, result.out) == (2, "")
    assert run("lint", "a.md") == result


def test_unknown_codes_are_reported_even_if_all_files_are_cached(run: Run) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    for _ in range(2):
        assert run("lint", "a.md", "--select", "MB777").code == 2


def test_other_rules_are_cached_separately(run: Run, checked: Checked) -> None:
    write("a.md", f"{WARNED}<!-- mdbench: ignore MB301 -->\n")
    for options in ((), ("--select", "MB1"), ("--ignore", "MB103"), ("--select", "MB9,MB301")):
        expected = run("lint", "a.md", *options, "--no-cache")
        checked.clear()
        assert run("lint", "a.md", *options) == expected
        assert checked.take() == ["a.md"]
        assert run("lint", "a.md", *options) == expected
        assert checked.take() == []


def test_a_moved_file_is_checked_with_the_rules_of_its_new_place(run: Run) -> None:
    write("mdbench.toml", '[per-file-ignores]\n"old/" = ["MB1"]\n')
    write("old/a.md", WARNED)
    assert run("lint", ".", "--format", "concise").code == 0
    shutil.copytree("old", "new")
    assert run("lint", ".", "--format", "concise").out.startswith("new/a.md:6:")


def test_another_version_checks_again(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    monkeypatch.setattr(keys, "__version__", "99.0")
    run("lint", "a.md")
    assert checked.take() == ["a.md", "a.md"]


def test_changed_code_invalidates_the_cache_but_another_location_does_not(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for place in ("here", "there"):
        write(f"{place}/rules/one.py", "1")
        monkeypatch.setattr(keys, "_PACKAGE", str(tmp_path / place))
        write("a.md", WARNED)
        run("lint", "a.md")
    assert checked.take() == ["a.md"]
    write("there/rules/one.py", "2")
    run("lint", "a.md")
    assert checked.take() == ["a.md"]


def test_results_of_code_edited_during_the_run_are_not_stored(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys.InstalledCode, "is_unchanged", lambda _: False)
    write("a.md", WARNED)
    run("lint", "a.md")
    run("lint", "a.md")
    assert checked.take() == ["a.md", "a.md"]


def test_a_baseline_gives_the_same_output(run: Run, checked: Checked) -> None:
    write("a.md", WARNED)
    write("b.md", WRONG)
    run("lint", ".")
    checked.clear()
    assert run("lint", ".", "--write-baseline").err.startswith(
        ".mdbench-baseline.json: recorded 2 f"
    )
    for text in (WARNED, f"{WARNED}| 4 | 23.6 | 8 |\n"):
        write("a.md", text)
        for kind in FORMATS:
            expected = run("lint", ".", "--format", kind, "--no-cache")
            assert run("lint", ".", "--format", kind) == expected
            assert run("lint", ".", "--format", kind) == expected
    known = run("lint", ".", "--no-baseline", "--format", "json")
    assert len(json.loads(known.out)) == 3


def test_only_statistics_need_the_count_of_numbers(run: Run, checked: Checked) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    counted = run("lint", "a.md", "--statistics")
    assert checked.take() == ["a.md", "a.md"]
    assert run("lint", "a.md", "--statistics") == counted
    assert run("lint", "a.md").code == counted.code
    assert checked.take() == []


def test_standard_input_is_not_cached(home: Path) -> None:
    for text, code in ((WARNED, 1), (CLEAN, 0)):
        done = run_alone("lint", "-", "--stdin-filename", "a.md", text=text)
        assert done.returncode == code
    assert not (home / CACHE).exists()


def test_failed_checks_are_tried_again(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.md", WARNED)
    write("broken.md", b"\xff")

    def crash(_: object) -> Iterator[Any]:
        yield 1 / 0

    with monkeypatch.context() as patch:
        broken = {**RULES, "MB103": RULES["MB103"]._replace(check=crash)}
        patch.setattr("mdbench.linting.checker.RULES", broken)
        assert "MB000" in run("lint", "a.md").out
    for path, expected in (("a.md", ["a.md"]), ("broken.md", ["broken.md", "broken.md"])):
        checked.clear()
        assert "MB000" not in run("lint", path).out
        run("lint", path)
        assert checked.take() == expected


def test_results_before_an_interrupt_are_kept(
    run: Run, checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("a.md", WARNED)
    write("b.md", WRONG)

    def interrupt(path: str, plan: Plan) -> FileResult:
        if path == "b.md":
            raise KeyboardInterrupt
        return lint_file(path, plan)

    with monkeypatch.context() as patch:
        patch.setattr("mdbench.linting.runner.lint_file", interrupt)
        assert run("lint", ".").code == 130
    checked.clear()
    run("lint", ".")
    assert checked.take() == ["b.md"]


def test_a_file_above_the_new_limit_is_not_served_from_the_cache(run: Run) -> None:
    write("a.md", WARNED)
    run("lint", "a.md")
    assert "MB001" in run("lint", "a.md", "--max-file-size", "10").out
    assert "MB001" not in run("lint", "a.md").out


def test_fixing_does_not_use_the_cache(run: Run, checked: Checked) -> None:
    text = f"{CLEAN}|  |  |\n"
    write("a.md", text)
    run("lint", "a.md")
    for options in (("--diff",), ("--fix",)):
        checked.clear()
        result = run("lint", "a.md", *options)
        assert "fix 1 finding" in result.err or "fixed 1 finding" in result.out
        assert checked.take() == ["a.md"]
    assert Path("a.md").read_text() == CLEAN


def test_few_files_start_no_processes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(80):
        write(f"r/{number}.md", f"{CLEAN}\n{number}\n")
    run("lint", "r", "--jobs", "1")
    write("r/7.md", WARNED)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("one file is not worth a process")

    monkeypatch.setattr(pool, "_map_with_processes", refuse)
    assert run("lint", "r", "--jobs", "2", "--format", "concise").out.startswith("r/7.md:6:")


def run_alone(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mdbench", *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


UNNEEDED = {
    "mdbench.linting.checker",
    "mdbench.diagnosis.diagnosis",
    "mdbench.markdown.parser",
    "mdbench.linting.runner",
    "mdbench.numerals.cell",
    "mdbench.files.workers",
    "mdbench.vocabulary.quantities",
    "mdbench.files.reading",
    "mdbench.rules.loading",
    "markdown_it",
    "concurrent.futures",
    "multiprocessing",
}


def test_a_fully_cached_run_imports_no_rules(run: Run) -> None:
    settings = ("", 'relations = ["devices = nodes * 8"]\nselect = ["MB"]\n')
    for number, stated in enumerate(settings):
        write(f"{number}/mdbench.toml", stated)
        write(f"{number}/a.md", WARNED)
        write(f"{number}/b.md", CLEAN)
    time.sleep(signatures.SETTLED_NS / 1e9 + 0.1)
    shapes = ((), ("--format", "concise"), ("--format", "json"), ("-q",))
    for number, options in product(range(len(settings)), shapes):
        place = ("--config", f"{number}/mdbench.toml", str(number))
        command = ["lint", "--select", "MB1", *options, *place]
        for _ in range(2):
            first = run(*command)
        code = (
            "import sys\nfrom mdbench.cli.main import main\n"
            f"code = main({command})\n"
            "print(*sys.modules, file=sys.stderr)\nsys.exit(code)"
        )
        warm = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert (warm.returncode, warm.stdout) == (first.code, first.out)
        assert not UNNEEDED.intersection(warm.stderr.split()), command
