"""The hooks as pre-commit runs them: installed from a copy of this checkout, on staged files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

PROJECT = Path(__file__).resolve().parent.parent.parent
HOOKS = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

CLEAN = "| Nodes | Sec/it |\n| ----: | -----: |\n|     2 |   47.1 |\n"
FAULTY = CLEAN + "|     2 |   47.1 |\n"

# A mirror that is out of reach is no fault of the hooks.
OFFLINE = re.compile(r"name resolution|NewConnectionError|Network is unreachable|timed out")

slow = pytest.mark.slow
needs_tools = pytest.mark.skipif(
    shutil.which("git") is None
    or find_spec("pre_commit") is None
    or not (PROJECT / ".git").exists(),
    reason="needs git, pre-commit and a checkout of the project",
)


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    # A hook or a rebase that runs these tests has set GIT_DIR and the like.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {
        f"GIT_{who}_{what}": "nobody@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    environment["PRE_COMMIT_HOME"] = str(cwd.parent / "pre-commit")
    # Few of the modules are ever loaded, and compiling all takes longer than installing them.
    environment["PIP_NO_COMPILE"] = "1"
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def git(*arguments: str, cwd: Path) -> str:
    done = run("git", *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all repositories, in which the hooks are installed once."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture(scope="module")
def hooks(place: Path) -> Path:
    """A repository with this checkout as it is now, committed."""
    copy = place / "mdbench"
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=PROJECT)
    for name in filter(None, listed.split("\0")):
        if (PROJECT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(PROJECT / name, copy / name)
    commit_all(copy)
    return copy


@pytest.fixture
def team(place: Path, hooks: Path, request: pytest.FixtureRequest) -> Path:
    """A team's repository that uses the hooks, with an old report that is faulty."""
    folder = place / str(request.node.name)
    folder.mkdir()
    (folder / "old.md").write_text(FAULTY, encoding="utf-8")
    used = [{"id": hook["id"]} for hook in HOOKS]
    revision = git("rev-parse", "HEAD", cwd=hooks).strip()
    settings = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": used}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    commit_all(folder)
    return folder


def commit_all(folder: Path) -> None:
    git("init", "--quiet", cwd=folder)
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--message", "all", cwd=folder)


def run_hooks(team: Path, report: str) -> tuple[int, str]:
    """Stage a report and run all hooks, as a commit would."""
    (team / "new.md").write_text(report, encoding="utf-8")
    git("add", "new.md", cwd=team)
    done = run(sys.executable, "-m", "pre_commit", "run", cwd=team)
    if done.returncode > 1 and OFFLINE.search(done.stdout + done.stderr):
        pytest.skip("the package registry is out of reach")
    return done.returncode, done.stdout + done.stderr


def outcomes(output: str) -> dict[str, str]:
    """What became of each hook, by its name."""
    return dict(re.findall(r"^(mdbench \w+)\.+(\w+)$", output, re.MULTILINE))


@slow
@needs_tools
def test_a_faulty_report_is_stopped_and_the_finding_shown(team: Path) -> None:
    code, output = run_hooks(team, FAULTY)
    assert code == 1, output
    assert outcomes(output)["mdbench lint"] == "Failed", output
    assert "new.md:4:1 MB103 warning: duplicate of the row on line 3" in output
    assert "old.md" not in output


@slow
@needs_tools
def test_a_clean_report_passes_whatever_is_in_others(team: Path) -> None:
    code, output = run_hooks(team, CLEAN)
    assert outcomes(output) == dict.fromkeys(
        ("mdbench lint", "mdbench fix", "mdbench render", "mdbench update"), "Passed"
    ), output
    assert code == 0


@slow
@needs_tools
def test_a_report_that_is_not_in_step_with_its_results_is_stopped(team: Path) -> None:
    (team / "mdbench.toml").write_text('[results]\nruns = "runs.json"\n', encoding="utf-8")
    (team / "runs.json").write_text('[{"nodes": 2, "step_time_s": 47.3}]', encoding="utf-8")
    bound = f"<!-- mdbench: from runs -->\n{CLEAN}"
    (team / "old.md").write_text(bound, encoding="utf-8")
    git("add", "--all", cwd=team)
    code, output = run_hooks(team, "# New\n")
    assert code == 1, output
    assert outcomes(output)["mdbench update"] == "Failed", output
    assert "old.md:4: Sec/it 47.1 -> 47.3" in output
    assert (team / "old.md").read_text(encoding="utf-8") == bound


@needs_tools
def test_the_local_hook_of_the_docs_runs_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
    start = page.index("repos:\n  - repo: local\n")
    settings = page[start : page.index("```", start)]
    team = tmp_path / "team"
    team.mkdir()
    (team / ".pre-commit-config.yaml").write_text(settings, encoding="utf-8")
    commit_all(team)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    assert run_hooks(team, CLEAN)[0] == 0
    code, output = run_hooks(team, FAULTY)
    assert (code, outcomes(output)) == (1, {"mdbench lint": "Failed"})
    assert "new.md:4:1 MB103 warning: duplicate of the row on line 3" in output


def test_there_is_a_hook_for_each_job() -> None:
    assert {hook["id"]: hook["entry"] for hook in HOOKS} == {
        "mdbench-lint": "mdbench lint --force-exclude",
        "mdbench-fix": "mdbench lint --fix --force-exclude",
        "mdbench-render": "mdbench render --check --force-exclude",
        "mdbench-update": "mdbench update --check",
    }


STAGED = [hook for hook in HOOKS if hook["id"] != "mdbench-update"]


@pytest.mark.parametrize("hook", STAGED, ids=lambda hook: str(hook["id"]))
def test_a_hook_is_about_staged_reports_only(hook: dict[str, object]) -> None:
    assert hook["types_or"] == ["markdown", "mdx"]
    assert hook.get("pass_filenames", True)
    assert not hook.get("always_run", False)
