"""Each file has the settings nearest to it, wherever a command is started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mdbench.config import files
from tests.conftest import Run

TABLE = "| Nodes | Sec/it |\n|--|--|\n| 2 | 47.1 |\n| 2 | 47.1 |\n"


def write(path: str, text: str = TABLE) -> None:
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


@pytest.fixture
def found(run: Run) -> list[str]:
    write("top.md")
    write("sub/a.md")
    write("sub/deep/b.md")
    write("other/c.md")
    write("sub/mdbench.toml", 'ignore = ["MB103"]\n')
    return lint(run, ".")


def lint(run: Run, *arguments: str) -> list[str]:
    """The files with a finding."""
    result = run("lint", "--format", "json", *arguments)
    assert result.err == ""
    return [one["path"] for one in json.loads(result.out)]


def test_a_configuration_counts_for_the_files_below_it(run: Run, found: list[str]) -> None:
    assert found == ["other/c.md", "top.md"]
    assert lint(run, ".") == found, "with a cache"
    assert lint(run, "sub/a.md", "top.md", "--no-cache") == ["top.md"]


@pytest.mark.usefixtures("found")
def test_it_is_the_same_from_every_folder(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("sub")
    assert lint(run, "a.md", "../top.md") == ["../top.md"]
    monkeypatch.chdir("deep")
    assert lint(run, str(Path("b.md").resolve()), "../../other/c.md") == ["../../other/c.md"]


@pytest.mark.usefixtures("found")
def test_the_command_line_counts_for_more(run: Run) -> None:
    every = ["other/c.md", "sub/a.md", "sub/deep/b.md", "top.md"]
    assert lint(run, ".", "--select", "MB103") == every
    assert lint(run, ".", "--isolated") == every
    assert lint(run, ".", "--config", "sub/mdbench.toml") == []


def test_nothing_is_inherited(run: Run) -> None:
    write("mdbench.toml", 'ignore = ["MB103"]\n')
    write("sub/mdbench.toml", "")
    write("top.md")
    write("sub/a.md")
    assert lint(run, ".") == ["sub/a.md"]


@pytest.mark.usefixtures("found")
def test_the_cache_notices_other_settings(run: Run) -> None:
    for _ in range(2):
        write("sub/mdbench.toml", 'select = ["MB103"]\n')
        assert "sub/a.md" in lint(run, ".")
        write("sub/mdbench.toml", 'ignore = ["MB103"]\n')
        assert "sub/a.md" not in lint(run, ".")
    write("sub/deep/mdbench.toml", "")
    assert lint(run, ".") == ["other/c.md", "sub/deep/b.md", "top.md"]
    Path("sub/deep/mdbench.toml").unlink()
    assert lint(run, ".") == ["other/c.md", "top.md"]


def test_the_cache_keeps_files_of_several_configurations(
    run: Run, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run("lint", ".", "--verbose", "--format", "json")
    assert ": 4 of 4 known" in result.err
    # What was checked before is not checked again.
    monkeypatch.setattr("mdbench.cli.commands.lint.check_settings", None)
    assert lint(run, ".") == found


def test_relations_and_limits_are_those_of_the_nearest_file(run: Run) -> None:
    table = "| GPUs | Time (h) | Bill |\n|--|--|--|\n| 2 | 1.0 | 20 |\n| 4 | 3.0 | 130 |\n"
    write("a.md", table)
    write("sub/b.md", table)
    write("tiny/c.md", table)
    relation = 'relations = ["cost_usd = time_s / 3600 * devices * 10"]'
    write("sub/mdbench.toml", f'{relation}\n[columns]\nBill = "cost_usd"\n')
    write("tiny/mdbench.toml", 'max-file-size = "10"\n')
    result = run("lint", ".", "--format", "json", "--select", "MB3")
    assert result.findings == [("sub/b.md", 4, "MB301"), ("tiny/c.md", 1, "MB001")]
    assert run("lint", ".", "--format", "json", "--select", "MB3") == result


def test_what_is_excluded_is_what_the_nearest_file_says(run: Run) -> None:
    write("mdbench.toml", 'exclude = ["drafts/"]\n')
    for folder in ("drafts", "sub/drafts", "sub/old", "old"):
        write(f"{folder}/a.md")
    write("sub/mdbench.toml", 'exclude = ["old/"]\n')
    assert lint(run, ".") == ["old/a.md", "sub/drafts/a.md"]
    named = [str(path) for path in Path().rglob("*.md")]
    assert len(lint(run, *named)) == 4
    assert lint(run, *named, "--force-exclude") == ["old/a.md", "sub/drafts/a.md"]


def test_a_severity_fails_where_its_configuration_says_so(run: Run) -> None:
    write("a.md", "Text.\n")
    write("sub/b.md")
    write("sub/mdbench.toml", 'fail-on = "error"\n')
    assert run("lint", ".").code == 0
    assert run("lint", ".", "--fail-on", "warning").code == 1
    write("a.md")
    assert run("lint", ".").code == 1


def test_a_broken_file_is_named(run: Run) -> None:
    write("a.md")
    write("sub/b.md")
    write("sub/mdbench.toml", "exclude = 3\n")
    result = run("lint", ".")
    said = "mdbench: sub/mdbench.toml: exclude: 3 is not a list of patterns\n"
    assert (result.code, result.out, result.err) == (2, "", said)
    assert run("lint", "a.md").code == 1


def test_standard_input_has_the_settings_of_its_name(
    run: Run, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io  # noqa: PLC0415

    assert found
    for name, codes in (("sub/x.md", []), ("x.md", ["MB103"])):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
        result = run("lint", "-", "--stdin-filename", name, "--format", "json")
        assert [one["code"] for one in json.loads(result.out)] == codes


def test_other_commands_read_a_file_by_its_settings(run: Run) -> None:
    table = "| Nodes | Wait |\n|--|--|\n| 1 | 2 |\n| 4 | 3 |\n"
    write("a.md", table)
    write("sub/b.md", table)
    write("sub/mdbench.toml", '[quantities]\nqueue_s = { unit = "s", spellings = ["Wait"] }\n')
    rows = run("normalize", ".", "--format", "jsonl").out.splitlines()
    waits = [(one["report"], one["queue_s"]) for one in map(json.loads, rows)]
    assert waits == [("a.md", None)] * 2 + [("sub/b.md", 2), ("sub/b.md", 3)]
    assert "queue_s [s" in run("columns", "sub/b.md").out
    assert "queue_s" not in run("columns", "a.md").out


def test_a_folder_is_looked_into_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    find = files.find_own

    def watch(folder: str) -> files.ConfigFile | None:
        looked.append(folder)
        return find(folder)

    for name in "abcdefgh":
        write(f"x/y/{name}.md", "Text.\n")
    monkeypatch.setattr("mdbench.config.nearest.find_own", watch)
    run("lint", ".")
    assert len(looked) == len(set(looked)) == 2
