"""Where the two versions of reports come from, and how differences are shown."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import mdbench
from mdbench.cli.main import main

BASE = ("2 | 1 | 1.62 | 30 GB", "4 | 1 | 0.86 | 28 GB", "8 | 2 | 0.45 | 15 GB")

Run = Callable[..., tuple[int, str, str]]


def make_table(*rows: str, head: str = "Nodes | TP | Step time (s) | Memory") -> str:
    rule = "|".join("---" for _ in head.split("|"))
    return "\n".join((f"| {head} |", f"|{rule}|", *(f"| {row} |" for row in rows))) + "\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Compare in an empty folder; return the exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))

    def compare_versions(*arguments: str) -> tuple[int, str, str]:
        code = main(["diff", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return compare_versions


def git(*arguments: str, cwd: Path | None = None) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True)


def save(path: str, *rows: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(f"# Training\n\n{make_table(*rows)}", encoding="utf-8")


def commit(message: str) -> None:
    git("add", "--all")
    git("commit", "--message", message)


FASTER = ("2 | 1 | 1.50 | 30 GB", *BASE[1:])
ONE_CHANGE = """\
{}
  line 5, Training: nodes 2, tp 1
    step_time_s  1.62 s → 1.50 s  -7.4 %

1 measurement changed in 1 report
"""


@pytest.fixture
def repository(run: Run) -> Run:
    """Two commits, `first` and `main`, with one change between them."""
    git("init", "--initial-branch", "main")
    save("reports/a.md", *BASE)
    save("reports/same.md", *BASE)
    commit("first")
    git("tag", "first")
    save("reports/a.md", *FASTER)
    commit("second")
    return run


def test_two_files(run: Run) -> None:
    save("old.md", *BASE)
    save("new.md", *FASTER)
    assert run("old.md", "new.md") == (1, ONE_CHANGE.format("new.md (was old.md)"), "")


def test_equal_files(run: Run) -> None:
    save("old.md", *BASE)
    save("new.md", *reversed(BASE))
    assert run("old.md", "new.md") == (0, "no measurement changed\n", "")


def test_two_folders_are_compared_file_by_file(run: Run) -> None:
    save("may/x/a.md", *BASE)
    save("june/x/a.md", *FASTER)
    save("may/b.md", *BASE)
    save("june/b.md", *BASE)
    expected = ONE_CHANGE.format("june/x/a.md (was may/x/a.md)")
    assert run("may", "june/") == (1, expected, "")


@pytest.mark.parametrize(
    "versions",
    [
        ["first", "main"],
        ["first", "HEAD"],
        ["first..main"],
        ["first..HEAD"],
        ["first.."],
        ["first...main"],
        ["HEAD~1"],
        ["HEAD~1", "--", "reports"],
        ["HEAD~1", "--", "reports/a.md"],
        ["HEAD~1..HEAD", "--", "reports/"],
        ["first", "reports/a.md"],
        ["first", "reports"],
    ],
    ids=" ".join,
)
def test_revisions(repository: Run, versions: list[str]) -> None:
    assert repository(*versions) == (1, ONE_CHANGE.format("reports/a.md"), "")


@pytest.mark.parametrize(
    "versions", [[], ["HEAD"], ["HEAD..HEAD"], ["HEAD~1", "--", "reports/same.md"]], ids=" ".join
)
def test_revisions_without_a_change(repository: Run, versions: list[str]) -> None:
    assert repository(*versions) == (0, "no measurement changed\n", "")


def test_the_working_tree_can_be_the_old_version(repository: Run) -> None:
    code, out, _ = repository("reports/a.md", "first")
    assert code == 1
    assert "1.50 s → 1.62 s  +8.0 %" in out


def test_the_default_is_head_against_the_working_tree(repository: Run) -> None:
    save("reports/a.md", *BASE)
    for arguments in ([], ["reports/a.md"], ["--", "reports"]):
        code, out, _ = repository(*arguments)
        assert (code, "1.50 s → 1.62 s" in out) == (1, True)


def test_three_dots_compare_with_the_merge_base(repository: Run) -> None:
    git("checkout", "-b", "branch", "first")
    save("reports/same.md", *FASTER)
    commit("branch")
    assert repository("main...branch")[1] == ONE_CHANGE.format("reports/same.md")
    assert "reports/a.md" in repository("main..branch")[1]


def test_a_subfolder_of_the_repository(repository: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("reports")
    assert repository("first") == (1, ONE_CHANGE.format("a.md"), "")
    assert repository("first", "--", "a.md") == (1, ONE_CHANGE.format("a.md"), "")
    monkeypatch.chdir("..")
    Path("deep/er").mkdir(parents=True)
    monkeypatch.chdir("deep/er")
    assert repository("first", "--", "../../reports")[1] == ONE_CHANGE.format("../../reports/a.md")


def test_with_paths_a_name_is_a_revision_even_if_a_folder_has_that_name(repository: Run) -> None:
    save("first/a.md", *BASE)
    assert repository("first", "--", "reports")[1] == ONE_CHANGE.format("reports/a.md")


def test_untracked_files_have_appeared(repository: Run) -> None:
    save("reports/new.md", "64 | 8 | 0.1 | 5 GB")
    code, out, _ = repository("HEAD")
    assert code == 1
    assert out.startswith("reports/new.md\n  line 5, Training: nodes 64, tp 8: appeared\n")


def test_tracked_but_ignored_files_have_not_vanished(repository: Run) -> None:
    Path(".gitignore").write_text("same.md\n", encoding="utf-8")
    assert repository("HEAD")[0] == 0


def test_the_settings_include_and_exclude_files(repository: Run) -> None:
    save("reports/draft.md", *BASE)
    save("other/b.md", *BASE)
    commit("more")
    save("reports/draft.md", *FASTER)
    save("other/b.md", *FASTER)
    Path("mdbench.toml").write_text('paths = ["other"]\nexclude = ["draft.md"]\n')
    assert repository("HEAD")[1] == ONE_CHANGE.format("other/b.md")
    assert repository("HEAD", "--", "reports")[0] == 0
    assert repository("HEAD", "--", "reports/draft.md")[0] == 1
    assert repository("HEAD", "--force-exclude", "--", "reports/draft.md")[0] == 0


def test_a_deleted_report_has_vanished(repository: Run) -> None:
    Path("reports/same.md").unlink()
    code, out, _ = repository("HEAD")
    assert code == 1
    assert out.endswith("\n6 measurements vanished in 1 report\n")


@pytest.mark.parametrize("rows", [FASTER, ("2 | 1 | 1.40 | 30 GB", *FASTER[1:])])
def test_a_renamed_file_is_followed(repository: Run, rows: Sequence[str]) -> None:
    git("rm", "reports/same.md")
    commit("one report is left")
    git("mv", "reports/a.md", "reports/better-name.md")
    save("reports/better-name.md", *rows)
    code, out, _ = repository("HEAD")
    if rows == FASTER:
        assert (code, out) == (0, "no measurement changed\n")
    else:
        assert (code, out.splitlines()[0]) == (1, "reports/better-name.md (was reports/a.md)")
        assert "1.50 s → 1.40 s" in out


def test_a_moved_file_is_followed_even_if_all_measurements_changed(run: Run) -> None:
    save("old/x/a.md", "2 | 1 | 1.0 | 1 GB", "4 | 1 | 2.0 | 2 GB")
    save("new/y/a.md", "2 | 1 | 1.1 | 3 GB", "4 | 1 | 2.1 | 4 GB")
    assert run("old", "new")[1].endswith("4 measurements changed in 1 report\n")


def test_an_ambiguous_rename_is_not_followed(run: Run) -> None:
    save("old/a.md", *BASE)
    save("new/b.md", *BASE, "16 | 4 | 0.2 | 9 GB")
    save("new/c.md", *BASE, "32 | 4 | 0.1 | 9 GB")
    assert run("old", "new")[1].endswith("16 measurements appeared, 6 vanished in 3 reports\n")


def test_a_repository_can_contain_any_bytes(repository: Run) -> None:
    Path("reports/image.md").write_bytes(bytes(range(256)))
    Path("reports/-x\n $(touch made) é.md").write_text(Path("reports/a.md").read_text())
    Path("reports/empty.md").touch()
    Path("reports/link.md").symlink_to("a.md")
    commit("odd files")
    assert repository("HEAD~1", "HEAD")[2].startswith("mdbench: reports/image.md: is not UTF-8")
    assert repository("HEAD") == (0, "no measurement changed\n", "")
    assert not Path("made").exists()


def test_an_unreadable_file_does_not_hide_the_others(repository: Run) -> None:
    Path("reports/same.md").write_bytes(b"a\0")
    code, out, err = repository("first")
    assert (code, out) == (2, ONE_CHANGE.format("reports/a.md"))
    assert err == "mdbench: reports/same.md: has a NUL byte on line 1; it is not a text file\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gone"], "gone: no such file, folder or revision"),
        (["gone..main"], "gone: no such file, folder or revision"),
        (["main..gone"], "gone: no such file, folder or revision"),
        (["main", "gone.md"], "gone.md: no such file, folder or revision"),
        (["../gone.md"], "../gone.md: no such file, folder or revision"),
        (["main; touch made"], "main; touch made: no such file, folder or revision"),
        (["main", "--", "gone.md"], "gone.md: is in neither version"),
        (["main", "--", "/"], "/: is not in the repository"),
        (
            ["reports", "reports/a.md"],
            "reports: is a folder; a file can only be compared with a file",
        ),
        (["main", "first", "reports"], "reports: only two versions can be compared; put paths"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_missing_version_is_reported_in_one_line(
    repository: Run, arguments: list[str], message: str
) -> None:
    code, out, err = repository(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"mdbench: {message}")
    assert err.count("\n") == 1
    assert not Path("made").exists()


def test_branches_without_a_common_commit(repository: Run) -> None:
    git("checkout", "--orphan", "alone")
    commit("alone")
    code, _, err = repository("main...alone")
    assert (code, err) == (2, "mdbench: main...alone: these revisions have no common commit\n")


def test_a_folder_that_is_not_a_repository(run: Run) -> None:
    code, _, err = run("main")
    assert code == 2
    assert err.startswith("mdbench: main: no such file or folder, and no revision can be read here")


def test_a_machine_without_git(
    repository: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _, err = repository("first", "main")
    assert code == 2
    assert err.endswith("reading a revision needs git, which is not installed\n")
    assert repository("reports/a.md", "reports/same.md")[0] == 1


def test_the_repository_is_not_changed(repository: Run, tmp_path: Path) -> None:
    def look() -> dict[str, tuple[int, int]]:
        files = (path for path in tmp_path.rglob("*") if path.is_file())
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}

    before = look()
    repository("first..HEAD")
    assert look() == before


def test_markdown_is_a_table_with_escaped_texts(run: Run) -> None:
    head = "Model | Step time (s)"
    for name, value in (("old.md", "1.62"), ("new.md", "1.50")):
        rows = (f"a\\|b [x] | {value}", "c | 2.0")
        Path(name).write_text(make_table(*rows, head=head), encoding="utf-8")
    code, out, _ = run("old.md", "new.md", "--format", "markdown")
    assert code == 1
    assert out == (
        "**1 measurement changed in 1 report**\n"
        "\n"
        "### new.md (was old.md)\n"
        "\n"
        "| run | measurement | old | new | change |\n"
        "|---|---|---:|---:|---:|\n"
        "| line 3: model a\\|b \\[x\\] | step_time_s | 1.62 s | 1.50 s | -7.4 % |\n"
    )


def test_json_has_both_sides_in_the_unit_of_the_frame(repository: Run) -> None:
    code, out, _ = repository("first", "main", "--format", "json")
    assert code == 1
    assert json.loads(out) == [
        {
            "kind": "changed",
            "report": "reports/a.md",
            "old_report": None,
            "section": "Training",
            "run": {"nodes": "2", "tp": "1"},
            "whole_run": False,
            "name": "step_time_s",
            "unit": "s",
            "old": {"text": "1.62 s", "value": 1.62, "status": "ok", "line": 5},
            "new": {"text": "1.50 s", "value": 1.5, "status": "ok", "line": 5},
            "change_percent": pytest.approx(-7.407407),
        }
    ]
    assert repository("main", "main", "--format", "json") == (0, "[]\n", "")


def test_a_setting_shared_by_many_runs_is_shown_once(run: Run) -> None:
    for name, length in (("old.md", 2048), ("new.md", 4096)):
        text = f"# Runs\n\n- Sequence length: {length}\n\n{make_table(*BASE)}"
        Path(name).write_text(text, encoding="utf-8")
    assert run("old.md", "new.md")[1] == (
        "new.md (was old.md)\n"
        "  setting seq_len: 2048 → 4096 (3 runs from line 7)\n"
        "\n"
        "1 setting changed in 1 report\n"
    )


def test_the_output_goes_to_a_file(repository: Run) -> None:
    assert repository("first", "-o", "out.txt") == (1, "", "")
    assert Path("out.txt").read_text(encoding="utf-8") == ONE_CHANGE.format("reports/a.md")


def test_python_gets_the_same_changes(repository: Run, tmp_path: Path) -> None:
    (change,) = mdbench.diff("first", "main", paths=[tmp_path / "reports"])
    assert isinstance(change, mdbench.Change)
    assert (change.report, change.name) == ("reports/a.md", "step_time_s")
    with pytest.raises(mdbench.ProblemError, match="gone: no such"):
        mdbench.diff("gone", "main")
    Path("reports/bad.md").write_bytes(b"\xff")
    with pytest.raises(mdbench.ProblemError, match=r"bad\.md: is not UTF-8"):
        mdbench.diff("first", "reports")
    assert repository("first", "main")[0] == 1
