"""The settings in docs/ci.md are valid, and their commands run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from mdbench.cli.main import main

PROJECT = Path(__file__).resolve().parent.parent.parent
PAGE = (PROJECT / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = PROJECT / "action.yml"
TESTS = PROJECT / ".github" / "workflows" / "tests.yml"
FENCED = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETTINGS = FENCED.findall(PAGE)
(UPDATING,) = FENCED.findall((PROJECT / "docs" / "generated-tables.md").read_text("utf-8"))
COMMANDS = re.findall(r"^    - (mdbench .+)$", PAGE, re.MULTILINE)
STORE = "https://json.schemastore.org"
GITLAB = "https://gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema"

Published = Callable[[str], dict[str, Any]]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        pytest.param(ACTION.read_text(encoding="utf-8"), f"{STORE}/github-action.json"),
        pytest.param(TESTS.read_text(encoding="utf-8"), f"{STORE}/github-workflow.json"),
        pytest.param(SETTINGS[0], f"{STORE}/pre-commit-config.json"),
        pytest.param(SETTINGS[1], f"{STORE}/pre-commit-config.json"),
        pytest.param(SETTINGS[2], f"{STORE}/github-workflow.json"),
        pytest.param(SETTINGS[3], f"{GITLAB}/ci.json"),
        pytest.param(UPDATING, f"{STORE}/github-workflow.json"),
    ],
    ids=[
        "action",
        "our tests",
        "pre-commit",
        "local hooks",
        "a workflow that uses it",
        "GitLab",
        "updating",
    ],
)
def test_settings_are_valid(text: str, url: str, published_schema: Published) -> None:
    # YAML 1.1 reads the key `on` as a boolean; GitHub does not.
    read = yaml.safe_load(text.replace("\non:", '\n"on":'))
    for step in read.get("runs", {}).get("steps", ()):
        # GitHub has known it since 2022, the shipped schema does not.
        assert step.pop("continue-on-error", True) is True
    jsonschema.Draft7Validator(published_schema(url)).validate(read)


def test_the_hooks_exist() -> None:
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = yaml.safe_load(SETTINGS[0])["repos"]
    assert {one["id"] for one in repository["hooks"]} <= {one["id"] for one in hooks}
    assert set(re.findall(r"`(mdbench-\w+)` \|", PAGE)) == {one["id"] for one in hooks}


def test_the_local_hook_does_the_same() -> None:
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = yaml.safe_load(SETTINGS[1])["repos"]
    (local,) = repository["hooks"]
    (published,) = (one for one in hooks if one["id"] == local["id"])
    del published["description"]
    assert local == {**published, "language": "system"}


def test_the_inputs_of_the_action_are_documented() -> None:
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \|", PAGE, re.MULTILINE)
    listed = [(name, default) for name, default in rows if name in action["inputs"]]
    assert [name for name, _ in listed] == list(action["inputs"])
    for name, default in listed:
        stated = str(action["inputs"][name]["default"])
        assert default == f"`{stated}`" or (not stated or "github.token" in stated)
    (job,) = yaml.safe_load(SETTINGS[2])["jobs"].values()
    (step,) = (one for one in job["steps"] if one["uses"] == "OWNER/mdbench@VERSION")
    assert set(step["with"]) <= set(action["inputs"])


def test_inputs_reach_the_script_as_variables_only() -> None:
    steps = yaml.safe_load(ACTION.read_text(encoding="utf-8"))["runs"]["steps"]
    assert not any("${{" in step.get("run", "") for step in steps)
    (check,) = (step for step in steps if step.get("id") == "check")
    script = (PROJECT / "action" / "pull_request.py").read_text(encoding="utf-8")
    named = set(re.findall(r"MDBENCH_\w+", script))
    assert named == {name for name in check["env"] if name.startswith("MDBENCH_")}


def test_the_page_says_from_how_many_reports_on_all_are_checked() -> None:
    script = (PROJECT / "action" / "pull_request.py").read_text(encoding="utf-8")
    (most,) = re.findall(r"_MOST_PATHS = (\d+)", script)
    assert f"more than {most} reports" in PAGE


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "reports").symlink_to(PROJECT / "reports", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    command = shlex.split(line)
    assert main(command[1:]) in (0, 1)
    written = [name for option, name in pairwise(command) if option == "-o"]
    assert all((tmp_path / name).stat().st_size for name in written)


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 1
