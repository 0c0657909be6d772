"""`mdbench lint`, `explain` and `rules` as they are used: files in, findings out, exit codes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from mdbench.rules.loading import RULES
from tests.conftest import Run

CLEAN = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n"
WARNED = f"{CLEAN}| 2 | 47.1 |\n"
WRONG = f"{CLEAN}| 4 | 23.6 | 8 |\n"
NOTED = f"{CLEAN}\n## Later\n"


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "fail_on", "code"),
    [
        pytest.param(CLEAN, "info", 0, id="nothing found"),
        pytest.param(NOTED, None, 0, id="an info does not fail by default"),
        pytest.param(NOTED, "info", 1, id="an info fails if asked for"),
        pytest.param(WARNED, None, 1, id="a warning fails by default"),
        pytest.param(WARNED, "error", 0, id="a warning does not fail on error"),
        pytest.param(WRONG, None, 1, id="an error fails"),
        pytest.param(WRONG, "error", 1, id="an error fails on error"),
    ],
)
def test_the_exit_code(run: Run, text: str, fail_on: str | None, code: int) -> None:
    write("a.md", text)
    options = () if fail_on is None else ("--fail-on", fail_on)
    assert run("lint", "a.md", "--select", "MB1", *options).code == code


def test_findings_and_their_number_are_shown(run: Run) -> None:
    write("a.md", WARNED)
    write("b.md", CLEAN)
    result = run("lint", "--select", "MB1", "--format", "concise", ".")
    assert result.out == (
        "a.md:4:1 MB103 warning: duplicate of the row on line 3\n"
        "1 warning in 2 files\n"
        "1 of them can be fixed with --fix --unsafe-fixes\n"
    )


def test_clean_files_are_said_to_be_clean(run: Run) -> None:
    write("a.md", CLEAN)
    assert run("lint", "--select", "MB1").out == "no findings in 1 file\n"


def test_a_path_that_is_not_there_could_not_be_checked(run: Run) -> None:
    write("a.md", WARNED)
    result = run("lint", "a.md", "missing.md", "--format", "concise")
    assert result.code == 2
    assert "missing.md" in result.err
    assert "MB103" in result.out


def test_a_file_that_cannot_be_read_is_an_error_and_stops_no_other(run: Run) -> None:
    write("a.md", WARNED)
    Path("b.md").write_bytes(b"ok\n\xff\xfe\x00")
    result = run("lint", ".", "--format", "json", "--select", "MB1")
    found = json.loads(result.out)
    assert [(one["path"], one["code"]) for one in found] == [("a.md", "MB103"), ("b.md", "MB001")]
    assert "UTF-8" in found[1]["message"]
    assert result.code == 1


def test_files_are_sorted_by_path(run: Run) -> None:
    for name in ("b.md", "a/z.md", "a.md"):
        write(name, WARNED)
    result = run("lint", "b.md", "a", "a.md", "--format", "json", "--select", "MB1")
    assert [one["path"] for one in json.loads(result.out)] == ["a.md", "a/z.md", "b.md"]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        pytest.param((), ["MB103", "MB102"], id="all of a family"),
        pytest.param(("--ignore", "MB102"), ["MB103"], id="one ignored"),
        pytest.param(("--ignore", "mb102,MB103"), [], id="two ignored, in any case"),
        pytest.param(("--ignore", "MB102", "--ignore", "MB103"), [], id="given twice"),
    ],
)
def test_rules_are_selected(run: Run, options: tuple[str, ...], codes: list[str]) -> None:
    write("a.md", f"{WARNED}| | |\n")
    result = run("lint", "a.md", "--select", "MB1", "--format", "json", *options)
    assert [one["code"] for one in json.loads(result.out)] == codes


@pytest.mark.parametrize("code", ["MB999", "E501", "blank-rows"])
def test_a_code_that_no_rule_has_is_refused(run: Run, code: str) -> None:
    write("a.md", CLEAN)
    result = run("lint", "a.md", "--select", code)
    assert (result.code, result.out) == (2, "")
    assert code in result.err


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WARNED.encode())))
    result = run("lint", "-", "--stdin-filename", "r.md", "--select", "MB1", "--format", "concise")
    assert result.out.startswith("r.md:4:1 MB103")


def test_findings_go_into_a_file(run: Run) -> None:
    write("a.md", WARNED)
    result = run("lint", "a.md", "-o", "found.json", "--format", "json", "--select", "MB1")
    assert (result.code, result.out) == (1, "")
    assert json.loads(Path("found.json").read_text(encoding="utf-8"))[0]["code"] == "MB103"


def test_statistics_stand_behind_the_findings(run: Run) -> None:
    write("a.md", "| GPUs | TP | DP |\n|--|--|--|\n| 8 | 2 | 4 |\n| 16 | 2 | 8 |\n| 32 | 4 | 8 |\n")
    lines = run("lint", "a.md", "--statistics").out.splitlines()
    assert lines[0] == "9 numbers in tables"
    assert lines[1].endswith("verified by a relation (100 %)")
    assert lines[-1] == "no findings in 1 file; 9 of 9 numbers could be checked"


PRODUCTS = "| GPUs | TP | DP |\n|--|--|--|\n| 8 | 2 | 4 |\n| 16 | 2 | 8 |\n| 32 | 4 | {} |\n"


def test_a_contradicted_number_was_checked(run: Run) -> None:
    write("a.md", PRODUCTS.format(9))
    result = run("lint", "a.md", "--statistics")
    assert "\n  6 verified by a relation (67 %)\n" in result.out
    assert "\n  3 contradicted by a relation (33 %)\n" in result.out
    assert "\n1 error in 1 file; 9 of 9 numbers could be checked\n" in result.out


def test_a_finding_that_is_ignored_was_checked(run: Run) -> None:
    write("a.md", "<!-- mdbench: ignore-file MB301 -->\n\n" + PRODUCTS.format(9))
    assert run("lint", "a.md").out == "no findings in 1 file; 9 of 9 numbers could be checked\n"


@pytest.mark.parametrize("options", [(), ("--no-cache",), ("--jobs", "2"), ("--fix",)])
def test_the_summary_says_how_many_numbers_were_checked(run: Run, options: tuple[str, ...]) -> None:
    write("a.md", PRODUCTS.format(8))
    write("b.md", CLEAN)
    write("c.md", "Text.\n")
    write("d.md", "")
    told = "no findings in 4 files; 9 of 11 numbers could be checked; 2 of 4 files have no tables\n"
    assert run("lint", ".", *options).out == told
    assert run("lint", ".", *options).out == told


def test_standard_input_is_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PRODUCTS.format(8).encode())))
    assert run("lint", "-").out == "no findings in 1 file; 9 of 9 numbers could be checked\n"


def test_numbers_are_not_counted_if_no_rule_recomputes_them(run: Run) -> None:
    write("a.md", PRODUCTS.format(8))
    assert run("lint", "a.md", "--select", "MB101").out == "no findings in 1 file\n"
    assert run("lint", "a.md", "--select", "MB301").out.endswith(
        "9 of 9 numbers could be checked\n"
    )


@pytest.mark.parametrize(
    ("text", "told"), [("", "is empty"), (" \n", "is empty"), ("Text.\n", "has no tables")]
)
def test_a_file_without_tables_says_so(run: Run, text: str, told: str) -> None:
    write("a.md", text)
    assert run("lint", "a.md").out == f"no findings in 1 file, which {told}\n"


def test_statistics_do_not_get_into_the_json(run: Run) -> None:
    write("a.md", WARNED)
    result = run("lint", "a.md", "--format", "json", "--statistics", "--select", "MB1")
    assert len(json.loads(result.out)) == 1
    assert "4 numbers in tables" in result.err


@pytest.mark.slow
def test_many_files_are_checked_by_several_processes_alike(run: Run) -> None:
    texts = (CLEAN, WARNED, WRONG, NOTED)
    for number in range(80):
        write(f"many/{number:02}.md", texts[number % 4])
    options = ("--format", "json", "--select", "MB1")
    alone = run("lint", "many", "--jobs", "1", *options)
    assert len(json.loads(alone.out)) == 60
    assert run("lint", "many", "--jobs", "3", *options) == alone


def test_colour_if_forced_and_none_if_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md", WARNED)
    assert "\x1b[" not in run("lint", "a.md").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1;33mMB103 warning" in run("lint", "a.md").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("lint", "a.md").out


def test_lint_loads_nothing_big(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(WARNED, encoding="utf-8")
    code = (
        "import sys\nfrom mdbench.cli.main import main\nmain(['lint', 'a.md', '--statistics'])\n"
        "print(*{'pandas', 'numpy', 'pyarrow', 'jinja2'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == ""


def test_explain_says_what_why_and_how(run: Run) -> None:
    result = run("explain", "MB102")
    assert result.code == 0
    assert result.out.startswith("# MB102 blank-row\n\nSeverity: warning\n\nAll cells of a row are")
    assert "report.md:4:1 MB102 warning: every cell of this row is empty\n" in result.out
    assert "«" not in result.out


@pytest.mark.parametrize("asked", ["mb102", "blank-row", " MB102 "])
def test_explain_takes_codes_and_names(run: Run, asked: str) -> None:
    assert run("explain", asked).out == run("explain", "MB102").out


@pytest.mark.parametrize(("asked", "hint"), [("blank-rows", "blank-row?"), ("MB1O2", "MB1")])
def test_explain_of_an_unknown_rule_says_what_may_be_meant(run: Run, asked: str, hint: str) -> None:
    result = run("explain", asked)
    assert (result.code, result.out) == (2, "")
    assert hint in result.err


def test_rules_lists_every_rule_once(run: Run) -> None:
    lines = run("rules").out.splitlines()
    assert [line.split()[0] for line in lines] == list(RULES)
    assert lines[3].split(maxsplit=3) == [
        "MB102",
        "warning",
        "blank-row",
        "All cells of a row are empty.",
    ]


def test_a_files_findings_do_not_depend_on_the_files_before_it(run: Run) -> None:
    def report(introduction: str) -> str:
        rows = "".join(f"| {n} | {n * 10}.0 | {n * 20480} |\n" for n in (1, 2, 4))
        head = "| Nodes | Samples/s | Tokens/s |\n|--:|--:|--:|\n"
        wrong = "| 8 | 80.0 | 99999 |\n"
        stated = "# Results\n\nSequence length is 2048.\n\n"
        return f"{stated}{introduction}\n\n## Runs\n\n{head}{rows}{wrong}"

    write("long.md", report("Words that say nothing. " * 180))
    write("short.md", report("Short words."))
    alone = {name: run("lint", "--format", "json", name).out for name in ("long.md", "short.md")}
    both = run("lint", "--jobs", "1", "--format", "json", "long.md", "short.md").out
    assert json.loads(both) == [one for out in alone.values() for one in json.loads(out)]
    assert alone["short.md"] != "[]\n"
