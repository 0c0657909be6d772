"""The baseline: known findings are hidden and do not fail; new and fixed ones are reported."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Run

FILE = ".mdbench-baseline.json"
HEAD = "# Runs\n\n| Nodes | Sec/it |\n|------:|-------:|\n"
REPORT = f"{HEAD}| 2 | 47.1 |\n| 4 | 23.6 | 8 |\n"


@pytest.fixture
def run(run: Run) -> Run:
    """Run the rules of structure in an empty folder."""
    return partial(run, "lint", "--select", "MB1", "--format", "concise")


def write(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


def recorded(name: str = FILE) -> dict[str, list[dict[str, object]]]:
    files: dict[str, list[dict[str, object]]] = json.loads(Path(name).read_text())["findings"]
    return files


def test_known_findings_neither_fail_nor_are_shown(run: Run) -> None:
    write("a.md", REPORT)
    assert run("a.md").code == 1
    written = run("a.md", "--write-baseline")
    assert written == (0, "", f"{FILE}: recorded 1 finding in 1 file\n")
    after = run("a.md")
    assert after.code == 0
    assert after.out == "no findings in 1 file\n"
    assert after.err == f"1 known finding suppressed by {FILE}\n"


def test_the_file_is_small_and_readable(run: Run) -> None:
    write("a.md", REPORT)
    run("a.md", "--write-baseline")
    assert recorded() == {
        "a.md": [{"code": "MB101", "section": "Runs", "row": "4 | 23.6 | 8", "cells": "8"}]
    }


def test_one_finding_that_is_dropped_is_told(run: Run) -> None:
    write("a.md", REPORT)
    run(".", "--write-baseline")
    write("a.md", HEAD + "| 2 | 47.1 |\n")
    again = run(".", "--write-baseline").err
    assert again == f"{FILE}: recorded 0 findings in 0 files; removed 1 that no longer occurs\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"Words.\n\nMore.\n\n{REPORT}", id="lines above"),
        pytest.param(
            REPORT.replace("| 2 | 47.1 |\n", "| 1 | 94 |\n| 2 | 47.1 |\n"), id="a row above"
        ),
        pytest.param(REPORT.replace("| 4 | 23.6 |", "|     4 |   23.6 |"), id="new layout"),
        pytest.param(REPORT.replace("\n", "\r\n"), id="other line endings"),
    ],
)
def test_a_moved_finding_is_still_known(run: Run, text: str) -> None:
    write("a.md", REPORT)
    run("a.md", "--write-baseline")
    Path("a.md").write_bytes(text.encode())
    assert run("a.md").code == 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(REPORT.replace("| 8 |", "| 9 |"), id="the cell itself"),
        pytest.param(REPORT.replace("23.6", "23.7"), id="another number in the row"),
        pytest.param(REPORT.replace("# Runs", "# Other runs"), id="its section"),
        pytest.param(f"{REPORT}| 4 | 23.6 | 8 |\n", id="repeated"),
    ],
)
def test_a_changed_finding_is_new(run: Run, text: str) -> None:
    write("a.md", REPORT)
    run("a.md", "--write-baseline")
    write("a.md", text)
    result = run("a.md")
    assert result.code == 1
    assert "MB101" in result.out


def test_repeated_findings_are_counted(run: Run) -> None:
    row = "| 4 | 23.6 | 8 |\n"
    write("a.md", f"{HEAD}| 2 | 47.1 |\n{row}{row}")
    run("a.md", "--write-baseline", "--ignore", "MB103")
    assert recorded()["a.md"][0]["count"] == 2
    assert run("a.md", "--ignore", "MB103").code == 0
    write("a.md", f"{HEAD}| 2 | 47.1 |\n{row}{row}{row}")
    result = run("a.md", "--ignore", "MB103")
    assert result.out.startswith("a.md:8:14 MB101")
    assert result.out.endswith("1 error in 1 file\n")


def test_a_fixed_finding_is_reported_and_dropped(run: Run) -> None:
    write("a.md", REPORT)
    write("b.md", REPORT)
    run(".", "--write-baseline")
    write("a.md", HEAD + "| 2 | 47.1 |\n")
    Path("b.md").unlink()
    result = run(".")
    assert result.code == 0
    assert result.err.splitlines() == [
        f"no longer found but listed in {FILE} (--write-baseline removes them):",
        "  a.md: MB101 8",
        "  b.md: MB101 8",
    ]
    again = run(".", "--write-baseline").err
    assert again == f"{FILE}: recorded 0 findings in 0 files; removed 2 that no longer occur\n"
    assert recorded() == {}
    assert run(".") == (0, "no findings in 1 file\n", "")


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("b.md",), id="another file is checked"),
        pytest.param(("a.md", "b.md", "--ignore", "MB101"), id="its rule is not checked"),
    ],
)
def test_unchecked_findings_are_neither_fixed_nor_dropped(
    run: Run, options: tuple[str, ...]
) -> None:
    write("a.md", REPORT)
    write("b.md", HEAD)
    run(".", "--write-baseline")
    before = recorded()
    assert "no longer" not in run(*options).err
    run(*options, "--write-baseline")
    assert recorded() == before


def test_an_unreadable_file_does_not_count_as_fixed(run: Run) -> None:
    write("a.md", REPORT)
    run("a.md", "--write-baseline")
    Path("a.md").write_bytes(b"\xff")
    result = run("a.md")
    assert result.code == 1
    assert "no longer" not in result.err


def test_the_file_is_next_to_the_configuration(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("mdbench.toml", "")
    write("in/a.md", REPORT)
    monkeypatch.chdir(tmp_path / "in")
    run("a.md", "--write-baseline")
    assert list(recorded(f"../{FILE}")) == ["in/a.md"]
    assert run("a.md").code == 0
    monkeypatch.chdir(tmp_path)
    assert run("in").code == 0


def test_another_file_or_none_can_be_used(run: Run) -> None:
    write("a.md", REPORT)
    run("a.md", "--write-baseline", "--baseline", "known.json")
    assert not Path(FILE).exists()
    assert run("a.md").code == 1
    assert run("a.md", "--baseline", "known.json").code == 0
    run("a.md", "--write-baseline")
    assert run("a.md", "--no-baseline").code == 1


def test_machine_readable_formats_have_new_findings_only(run: Run) -> None:
    write("a.md", REPORT)
    run("a.md", "--write-baseline")
    write("a.md", f"{REPORT}| 8 | 12.1 | 9 |\n")
    result = run("a.md", "--format", "json")
    assert [one["line"] for one in json.loads(result.out)] == [7]
    assert "1 known finding" in result.err


def test_standard_input_is_identified_by_its_name(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("a.md", REPORT)
    run("a.md", "--write-baseline")
    with (tmp_path / "a.md").open(encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert run("-", "--stdin-filename", "a.md").code == 0


def test_known_findings_are_fixed_too(run: Run) -> None:
    write("a.md", f"{HEAD}| 2 | 47.1 |\n|  |  |\n| 4 | 23.6 |\n")
    run("a.md", "--write-baseline")
    result = run("a.md", "--fix")
    assert result.code == 0
    assert "MB102" in result.err
    assert run("a.md", "--no-baseline").out == "no findings in 1 file\n"


def test_the_order_of_files_does_not_matter(run: Run) -> None:
    for name in ("b.md", "a.md", "c/d.md"):
        write(name, f"{REPORT}| 8 | 12.1 | 9 |\n")
    run("c", "b.md", "a.md", "--write-baseline")
    first = Path(FILE).read_bytes()
    Path(FILE).unlink()
    run("a.md", "b.md", "c", "--write-baseline", "--jobs", "1")
    assert Path(FILE).read_bytes() == first
    run(".", "--write-baseline")
    assert Path(FILE).read_bytes() == first


def test_a_long_row_is_truncated_but_still_unique(run: Run) -> None:
    long = "x" * 500
    write("a.md", f"{HEAD}| 2 | 47.1 | {long} |\n")
    run("a.md", "--write-baseline")
    assert Path(FILE).stat().st_size < 600
    assert run("a.md").code == 0
    write("a.md", f"{HEAD}| 2 | 47.1 | {long}y |\n")
    assert run("a.md").code == 1


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param("{", "it is not JSON", id="not JSON"),
        pytest.param("[]", "its version is not 1", id="other JSON"),
        pytest.param('{"version": 2, "findings": {}}', "its version is not 1", id="later version"),
        pytest.param('{"version": 1}', "it has an invalid entry", id="incomplete"),
        pytest.param(
            '{"version": 1, "findings": {"a.md": [{"code": 3}]}}',
            "it has an invalid entry",
            id="invalid entry",
        ),
        pytest.param(
            '{"version": 1, "findings": {"a.md": [{"code": "MB101", "count": 0}]}}',
            "it has an invalid entry",
            id="zero count",
        ),
    ],
)
def test_an_invalid_baseline_is_an_error_and_can_be_written_again(
    run: Run, content: str, why: str
) -> None:
    write("a.md", REPORT)
    write(FILE, content)
    told = f"mdbench: {FILE}: is not a baseline: {why}; delete it or write it again\n"
    assert run("a.md") == (2, "", told)
    assert run("a.md", "--write-baseline").code == 0
    assert run("a.md").code == 0


def test_a_foreign_file_is_not_overwritten(run: Run) -> None:
    write("a.md", REPORT)
    assert run("a.md", "--write-baseline", "--baseline", "a.md").code == 2
    assert Path("a.md").read_text(encoding="utf-8") == REPORT


def test_a_named_file_must_exist(run: Run) -> None:
    write("a.md", REPORT)
    result = run("a.md", "--baseline", "no.json")
    assert result == (2, "", "mdbench: no.json: cannot be read: No such file or directory\n")


@pytest.mark.parametrize("option", [("--fix",), ("--diff",), ("-o", "out.txt")])
def test_write_baseline_cannot_be_combined(run: Run, option: tuple[str, ...]) -> None:
    write("a.md", REPORT)
    result = run("a.md", "--write-baseline", *option)
    assert result == (2, "", "mdbench: --write-baseline cannot be used with --fix, --diff or -o\n")
    assert not Path(FILE).exists()


def test_each_report_has_the_nearest_baseline(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("a.md", REPORT)
    write("sub/b.md", REPORT)
    write("sub/deep/c.md", REPORT)
    monkeypatch.chdir(tmp_path / "sub")
    assert run(".", "--write-baseline").code == 0
    monkeypatch.chdir(tmp_path)
    first = run(".")
    assert first.code == 1
    assert [line.partition(":")[0] for line in first.out.splitlines()[:-1]] == ["a.md"]
    assert first.err == f"2 known findings suppressed by sub/{FILE}\n"
    written = run(".", "--write-baseline").err.splitlines()
    assert written == [
        f"{FILE}: recorded 1 finding in 1 file",
        f"sub/{FILE}: recorded 2 findings in 2 files",
    ]
    assert (list(recorded()), list(recorded(f"sub/{FILE}"))) == (["a.md"], ["b.md", "deep/c.md"])
    for folder, paths in ((".", ["."]), ("sub/deep", ["c.md", "../b.md", "../../a.md"])):
        monkeypatch.chdir(tmp_path / folder)
        assert run(*paths).code == 0


def test_a_baseline_above_counts_below_another_configuration(run: Run) -> None:
    write("sub/a.md", REPORT)
    run(".", "--write-baseline")
    write("sub/mdbench.toml", 'ignore = ["MB9"]\n')
    assert run(".").code == 0
    assert run("sub/a.md").code == 0
    assert run("sub/a.md", "--isolated").code == 0


def test_a_chosen_baseline_is_that_of_all_reports(run: Run) -> None:
    write("a.md", REPORT)
    write("sub/b.md", REPORT)
    run("sub/b.md", "--write-baseline", "--baseline", f"sub/{FILE}")
    run(".", "--write-baseline", "--baseline", "every.json")
    assert list(recorded("every.json")) == ["a.md", "sub/b.md"]
    assert run(".", "--baseline", "every.json").err == (
        "2 known findings suppressed by every.json\n"
    )
