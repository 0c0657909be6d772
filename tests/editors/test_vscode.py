"""The extension for Visual Studio Code: what it declares, and its own tests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
EXTENSION = PROJECT / "editors" / "vscode"
PACKAGE = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
SOURCES = "".join(path.read_text(encoding="utf-8") for path in (EXTENSION / "src").glob("*.ts"))
NPM = shutil.which("npm")
# A registry that is out of reach is no fault of the extension.
OFFLINE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|network|E40[134]")


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    places = [one.get("resolved", "") for one in lock["packages"].values()]
    assert not any("://" in place for place in places)
    assert lock["packages"][""]["devDependencies"] == PACKAGE["devDependencies"]
    fetched = [one for name, one in lock["packages"].items() if name.startswith("node_modules/")]
    assert all("integrity" in one or one.get("link") for one in fetched)


def test_commands_are_declared_and_implemented() -> None:
    declared = {one["command"] for one in PACKAGE["contributes"]["commands"]}
    assert declared == set(re.findall(r'registerCommand\("([\w.]+)"', SOURCES))


@pytest.mark.parametrize("page", [EXTENSION / "README.md", PROJECT / "docs" / "editors.md"])
def test_settings_are_documented(page: Path) -> None:
    listed = re.findall(
        r"^\| `(mdbench\.[\w.]+)` \| (?:`(.*?)` )?\|", page.read_text("utf-8"), re.MULTILINE
    )
    properties = PACKAGE["contributes"]["configuration"]["properties"]
    assert [name for name, _ in listed] == list(properties)
    for name, default in listed:
        stated = properties[name]["default"]
        assert default == (stated if isinstance(stated, str) else json.dumps(stated))


@pytest.mark.slow
@pytest.mark.skipif(NPM is None, reason="Node.js is not installed")
def test_it_builds_and_its_tests_pass(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("node_modules", "build", "dist")
    folder = shutil.copytree(EXTENSION, tmp_path / "vscode", ignore=ignored)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        assert NPM is not None
        environment = {**os.environ, "npm_config_update_notifier": "false"}
        return subprocess.run(
            [NPM, *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    installed = run("ci", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1")
    if installed.returncode and OFFLINE.search(installed.stderr):
        pytest.skip("the package registry is out of reach")
    assert installed.returncode == 0, installed.stderr
    for step in (("test",), ("run", "build")):
        done = run(*step)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "dist" / "extension.js").stat().st_size > 100_000
