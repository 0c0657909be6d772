"""A pull request: a repository as GitHub checks it out, and an API that answers like GitHub's."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from action.pull_request import main

EVENTS = Path(__file__).parent / "events"
HEAD = "| Nodes | TP | Step time (s) |\n|--:|--:|--:|\n"


def make_report(*times: float, title: str = "Training") -> str:
    rows = (f"| {2**at} | 1 | {time:.2f} |\n" for at, time in enumerate(times, 1))
    return f"# {title}\n\n{HEAD}{''.join(rows)}"


Files = Mapping[str, str | None]
"""The content of files; None for files that are deleted."""


class Outcome(NamedTuple):
    """What the action did."""

    code: int
    out: str
    summary: str
    sarif: dict[str, Any] | None


class GitHub(ThreadingHTTPServer):
    """The comments of one pull request."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.comments: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.read_only = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def add(self, body: str, kind: str = "Bot") -> dict[str, Any]:
        comment = {"id": len(self.comments) + 1, "body": body, "user": {"type": kind}}
        self.comments.append(comment)
        return comment


class Handler(BaseHTTPRequestHandler):
    server: GitHub

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        assert path == "/repos/team/results/issues/7/comments"
        options = dict(one.split("=") for one in query.split("&"))
        start = (int(options["page"]) - 1) * int(options["per_page"])
        self.answer(200, self.server.comments[start : start + int(options["per_page"])])

    def do_POST(self) -> None:
        assert self.path == "/repos/team/results/issues/7/comments"
        body = self.body()
        if self.server.read_only:
            self.answer(403, {"message": "Resource not accessible by integration"})
        else:
            self.answer(201, self.server.add(body))

    def do_PATCH(self) -> None:
        number = int(self.path.removeprefix("/repos/team/results/issues/comments/"))
        comment = self.server.comments[number - 1]
        comment["body"] = self.body()
        self.answer(200, comment)

    def body(self) -> str:
        read = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert list(read) == ["body"]
        assert self.headers["Authorization"] == "Bearer secret"
        return str(read["body"])

    def answer(self, code: int, content: object) -> None:
        self.server.requests.append(f"{self.command} {code}")
        data = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def github() -> Iterator[GitHub]:
    server = GitHub()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def git(*arguments: str, cwd: Path) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True)
    return os.fsdecode(done.stdout).strip()


def commit(folder: Path, files: Files) -> str:
    for name, text in files.items():
        path = folder / name
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--allow-empty", "--message", "change", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder)


class Project:
    """A repository with a pull request, and its checkout by a workflow."""

    def __init__(self, folder: Path, github: GitHub) -> None:
        self.folder = folder
        self.origin = folder / "origin"
        self.checkout = folder / "checkout"
        self.github = github
        self.shas: dict[str, str] = {}

    def propose(self, before: Files, after: Files, *, merged: bool = True) -> None:
        """Commit both versions, and check the second one out with the least of history."""
        self.origin.mkdir()
        git("init", "--quiet", "--initial-branch=main", cwd=self.origin)
        # As GitHub, where any commit can be fetched.
        git("config", "uploadpack.allowAnySHA1InWant", "true", cwd=self.origin)
        self.shas["BASE_SHA"] = commit(self.origin, before)
        git("switch", "--quiet", "--create", "faster", cwd=self.origin)
        self.shas["HEAD_SHA"] = commit(self.origin, after)
        git("switch", "--quiet", "main", cwd=self.origin)
        commit(self.origin, {"elsewhere.md": make_report(1, 2, 3)})
        if merged:
            git("merge", "--quiet", "--no-ff", "--no-edit", "faster", cwd=self.origin)
        self.checkout.mkdir()
        git("init", "--quiet", cwd=self.checkout)
        git("remote", "add", "origin", self.origin.as_uri(), cwd=self.checkout)
        wanted = "main" if merged else "faster"
        git("fetch", "--quiet", "--depth=1", "origin", wanted, cwd=self.checkout)
        git("checkout", "--quiet", "FETCH_HEAD", cwd=self.checkout)

    def environment(self, event: str, **inputs: str) -> dict[str, str]:
        """What a workflow sets."""
        text = (EVENTS / f"{event}.json").read_text(encoding="utf-8")
        for name, sha in self.shas.items():
            text = text.replace(name, sha)
        (self.folder / "event.json").write_text(text, encoding="utf-8")
        files = {"GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary"}
        for name in files.values():
            (self.folder / name).write_text("", encoding="utf-8")
        return {
            **os.environ,
            **{name: str(self.folder / file) for name, file in files.items()},
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_API_URL": self.github.address,
            "GITHUB_REPOSITORY": "team/results",
            "RUNNER_TEMP": str(self.folder),
            "MDBENCH_TOKEN": "secret",
            "MDBENCH_CODE_SCANNING": "false",
            **inputs,
        }

    def read_sarif(self) -> dict[str, Any] | None:
        """The log that the action would upload."""
        output = (self.folder / "output").read_text(encoding="utf-8").strip()
        if not output:
            return None
        file = Path(output.removeprefix("sarif="))
        log: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return log


class Act:
    """Run the action."""

    def __init__(
        self, project: Project, capfd: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch
    ) -> None:
        self.project = project
        self.capfd = capfd
        self.patch = patch

    def __call__(self, event: str = "pull_request", **inputs: str) -> Outcome:
        environment = self.project.environment(event, **inputs)
        self.patch.chdir(self.project.checkout)
        self.capfd.readouterr()
        code = main(environment)
        summary = (self.project.folder / "summary").read_text(encoding="utf-8")
        return Outcome(code, self.capfd.readouterr().out, summary, self.project.read_sarif())


@pytest.fixture
def project(tmp_path: Path, github: GitHub, monkeypatch: pytest.MonkeyPatch) -> Project:
    for name in [name for name in os.environ if name.startswith(("GIT_", "MDBENCH_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    return Project(tmp_path, github)


@pytest.fixture
def act(
    project: Project, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Act:
    return Act(project, capfd, monkeypatch)
