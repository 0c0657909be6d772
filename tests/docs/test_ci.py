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
WORKFLOW = PROJECT / ".github" / "workflows" / "mdbench.yml"
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
        pytest.param(WORKFLOW.read_text(encoding="utf-8"), f"{STORE}/github-workflow.json"),
        pytest.param(SETTINGS[0], f"{STORE}/pre-commit-config.json"),
        pytest.param(SETTINGS[1], f"{STORE}/github-workflow.json"),
        pytest.param(SETTINGS[2], f"{GITLAB}/ci.json"),
        pytest.param(UPDATING, f"{STORE}/github-workflow.json"),
    ],
    ids=["the reusable workflow", "pre-commit", "a workflow that calls it", "GitLab", "updating"],
)
def test_settings_are_valid(text: str, url: str, published_schema: Published) -> None:
    # YAML 1.1 reads the key `on` as a boolean; GitHub does not.
    read = yaml.safe_load(text.replace("\non:", '\n"on":'))
    jsonschema.Draft7Validator(published_schema(url)).validate(read)


def test_the_hooks_exist() -> None:
    hooks = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = yaml.safe_load(SETTINGS[0])["repos"]
    assert {one["id"] for one in repository["hooks"]} <= {one["id"] for one in hooks}
    assert set(re.findall(r"`(mdbench-\w+)` \|", PAGE)) == {one["id"] for one in hooks}


def test_the_workflow_is_called_with_known_inputs() -> None:
    taken = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8").replace("\non:", '\n"on":'))
    (job,) = yaml.safe_load(SETTINGS[1])["jobs"].values()
    assert set(job["with"]) <= set(taken["on"]["workflow_call"]["inputs"])
    assert job["uses"].endswith(f"{WORKFLOW.relative_to(PROJECT).as_posix()}@VERSION")


def workflow_commands() -> list[str]:
    """The commands of the workflow, with its variables filled in."""
    steps = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["lint"]["steps"]
    lines = [step["run"].partition(" || ")[0] for step in steps if "run" in step]
    named = [line.replace('${FAIL_ON:+--fail-on "$FAIL_ON"}', "--fail-on error") for line in lines]
    return [line.replace("$REPORTS", "reports") for line in named if line.startswith("mdbench")]


@pytest.mark.parametrize("line", [*COMMANDS, *workflow_commands()])
def test_the_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "reports").symlink_to(PROJECT / "reports", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    command = shlex.split(line)
    assert main(command[1:]) in (0, 1)
    written = [name for option, name in pairwise(command) if option == "-o"]
    assert all((tmp_path / name).stat().st_size for name in written)


def test_there_are_commands() -> None:
    assert len(COMMANDS) == 1
    assert len(workflow_commands()) == 2
