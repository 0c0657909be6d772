"""What action.yml runs: lint the changed reports of a pull request and comment what changed.

Everything comes from the environment of a GitHub workflow. Names of files are passed to programs
as arguments, never through a shell. mdbench escapes the texts of reports in the comment.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SUFFIXES = (".md", ".markdown", ".mdx")
MARKER = "<!-- changed measurements, by mdbench -->"
_TITLE = "### Changed measurements"
_MOST_CHARACTERS = 60_000
"""GitHub takes comments of 65,536 characters."""
_MOST_PATHS = 300
"""The longest command line on Windows has 32,767 characters."""
_TIMEOUT_S = 30
_PER_PAGE = 100
_FOUND, _COULD_NOT_RUN = 1, 2
_FORBIDDEN = (401, 403, 404)
_NEVER = "never"
# GitHub notifies people, links issues and makes addresses links even in escaped text.
_ACTIVE = re.compile(r"[@#](?=\w)|\bGH-(?=\d)|://(?=\S)|\bwww(?=\.)", re.IGNORECASE)
_WORD_JOINER = "\u2060"


class Settings(NamedTuple):
    """The inputs of the action and what the workflow says of itself."""

    paths: tuple[str, ...]
    changed_only: bool
    comment: bool
    code_scanning: bool
    fail_on: str
    token: str
    api: str
    repository: str
    event: Mapping[str, Any]
    temporary: Path

    @property
    def pull_request(self) -> Mapping[str, Any]:
        """The pull request; empty for other events."""
        found = self.event.get("pull_request")
        return found if isinstance(found, dict) else {}

    @property
    def is_from_fork(self) -> bool:
        """Whether another repository asks for the change; then the token may only read."""
        head = self.pull_request.get("head", {}).get("repo") or {}
        return bool(self.pull_request) and head.get("full_name") != self.repository


class Changes(NamedTuple):
    """The reports of a pull request that are there, and all paths that have changed."""

    base: str
    present: tuple[str, ...]
    touched: tuple[str, ...]


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings of this run."""
    event_file = environment.get("GITHUB_EVENT_PATH", "")
    event = json.loads(Path(event_file).read_text(encoding="utf-8")) if event_file else {}

    def is_on(name: str) -> bool:
        return environment.get(name, "true").strip().lower() == "true"

    return Settings(
        tuple(environment.get("MDBENCH_PATHS", "").split()),
        is_on("MDBENCH_CHANGED_ONLY"),
        is_on("MDBENCH_COMMENT"),
        is_on("MDBENCH_CODE_SCANNING"),
        environment.get("MDBENCH_FAIL_ON", "").strip(),
        environment.get("MDBENCH_TOKEN", ""),
        environment.get("GITHUB_API_URL", "https://api.github.com").rstrip("/"),
        environment.get("GITHUB_REPOSITORY", ""),
        event if isinstance(event, dict) else {},
        Path(environment.get("RUNNER_TEMP") or os.curdir),
    )


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Lint and compare; the exit code of `mdbench lint`."""
    settings = read_settings(environment)
    changes = _find_changes(settings) if settings.pull_request else None
    everything = changes is None or not settings.changed_only or len(changes.touched) > _MOST_PATHS
    code = 0
    if changes is not None and not changes.touched:
        _say("notice", "this pull request changes no report")
    if everything or (changes is not None and changes.present):
        paths = settings.paths if everything or changes is None else changes.present
        code = _lint(settings, paths, environment)
    if changes is not None and settings.comment:
        _tell_changes(settings, changes, environment)
    return code


def _say(kind: str, message: str) -> None:
    """A message in the log and beside the run."""
    shown = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    sys.stdout.write(f"::{kind}::mdbench: {shown}\n")
    sys.stdout.flush()


def _run(*command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, check=False)


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return _run("git", "--no-pager", *arguments)


def _mdbench(*arguments: str, capture: bool) -> subprocess.CompletedProcess[bytes]:
    # Isolated: no module in the checked repository is taken for one of ours.
    command = [sys.executable, "-I", "-m", "mdbench", *arguments]
    return subprocess.run(command, stdout=subprocess.PIPE if capture else None, check=False)


def _find_changes(settings: Settings) -> Changes | None:
    """The changed reports; None if git cannot tell."""
    base = _find_base(settings)
    if base is None:
        _say("warning", "the base of the pull request cannot be fetched; all reports are checked")
        return None
    plain = ("--no-ext-diff", "--no-textconv", "--find-renames", "--name-status", "-z")
    done = _git("diff", *plain, base, "HEAD")
    if done.returncode:
        _say("warning", "git cannot list the changed files; all reports are checked")
        return None
    places = [posixpath.normpath(path) for path in settings.paths or _default_paths()]
    listed = list(_read_changes(done.stdout))
    present = [new for _, new in listed if new and _is_wanted(new, places)]
    touched = [path for pair in listed for path in pair if path and _is_wanted(path, places)]
    return Changes(base, tuple(dict.fromkeys(present)), tuple(dict.fromkeys(touched)))


def _find_base(settings: Settings) -> str | None:
    """The commit that the pull request would change, fetched if it is not here."""
    stated = str(settings.pull_request.get("base", {}).get("sha", ""))
    head = str(settings.pull_request.get("head", {}).get("sha", ""))
    commit = _git("cat-file", "commit", "HEAD").stdout.partition(b"\n\n")[0].decode("latin-1")
    parents = re.findall(r"^parent ([0-9a-f]+)$", commit, re.MULTILINE)
    # GitHub checks out a merge of both, whose first parent is the base.
    is_merge = len(parents) == 2 and parents[1] == head
    base = parents[0] if is_merge else stated
    if not re.fullmatch(r"[0-9a-f]{40,64}", base):
        return None
    if _git("cat-file", "-e", f"{base}^{{commit}}").returncode:
        _git("fetch", "--quiet", "--no-tags", "--depth=1", "origin", base)
    if _git("cat-file", "-e", f"{base}^{{commit}}").returncode:
        return None
    fork = "" if is_merge else _git("merge-base", base, "HEAD").stdout.decode("ascii").strip()
    return fork or base


def _read_changes(listing: bytes) -> Iterator[tuple[str, str]]:
    """The old and the new path of each changed file; the new one is empty if it was deleted."""
    fields = iter(os.fsdecode(listing).split("\0"))
    for status in fields:
        if not status:
            return
        old = next(fields)
        if status[0] in "RC":
            yield old if status[0] == "R" else "", next(fields)
        else:
            yield (old, "") if status == "D" else ("", old)


def _is_wanted(path: str, places: Sequence[str]) -> bool:
    inside = any(place in (".", path) or path.startswith(f"{place}/") for place in places)
    return inside and path.lower().endswith(SUFFIXES)


def _default_paths() -> Sequence[str]:
    """The paths that `mdbench lint` would take: those of the configuration, or its own."""
    done = _mdbench("config", capture=True)
    stated = tomllib.loads(done.stdout.decode("utf-8")).get("paths") if not done.returncode else ()
    return stated or (("reports",) if os.path.isdir("reports") else (".",))


def _lint(settings: Settings, paths: Sequence[str], environment: Mapping[str, str]) -> int:
    """Annotate the findings, and write them for code scanning."""
    options = ["--force-exclude", "--no-cache"]
    code = 0
    if settings.code_scanning and not settings.is_from_fork:
        log = settings.temporary / "mdbench.sarif"
        code = _mdbench(
            "lint", *options, "--quiet", "--format", "sarif", "-o", str(log), "--", *paths,
            capture=False,
        ).returncode  # fmt: skip
        if code != _COULD_NOT_RUN:
            _drop_suppressed(log)
            _append(environment, "GITHUB_OUTPUT", f"sarif={log}\n")
    if settings.fail_on not in ("", _NEVER):
        options += ["--fail-on", settings.fail_on]
    shown = _mdbench("lint", *options, "--format", "github", "--", *paths, capture=False)
    passes = settings.fail_on == _NEVER and shown.returncode == _FOUND
    return 0 if passes else shown.returncode


def _drop_suppressed(log: Path) -> None:
    """Remove suppressed findings, which GitHub would show as open alerts."""
    content = json.loads(log.read_text(encoding="utf-8"))
    for run in content["runs"]:
        run["results"] = [one for one in run["results"] if not one["suppressions"]]
    log.write_text(json.dumps(content), encoding="utf-8")


def _append(environment: Mapping[str, str], name: str, text: str) -> None:
    """Add to a file that the workflow reads."""
    if path := environment.get(name):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


def _tell_changes(settings: Settings, changes: Changes, environment: Mapping[str, str]) -> None:
    """Put the changed measurements into the summary of the run, and into a comment."""
    table = _compare(settings, changes) if changes.touched else ""
    if table is None:
        _say("warning", "the two versions cannot be compared; see the log")
        return
    if table:
        _append(environment, "GITHUB_STEP_SUMMARY", f"{_TITLE}\n\n{table}\n")
    body = f"{MARKER}\n{_TITLE}\n\n{table or 'No measurement changed.'}\n"
    try:
        found = _find_comment(settings)
        if found is not None:
            _call(settings, "PATCH", f"issues/comments/{found}", {"body": body})
        elif table:
            _call(settings, "POST", f"{_thread(settings)}/comments", {"body": body})
    except (OSError, ValueError) as error:
        _say("notice", f"no comment was written: {_explain(error)}; see the summary of this run")


def _explain(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError) and error.code in _FORBIDDEN:
        return "the token may not write, as in pull requests from forks"
    return str(error)


def _compare(settings: Settings, changes: Changes) -> str | None:
    """The changes as Markdown; empty if there are none, None if there was an error."""
    paths = changes.touched if len(changes.touched) <= _MOST_PATHS else settings.paths
    versions = f"{changes.base}..HEAD"
    done = _mdbench(
        "diff", "--force-exclude", "--format", "markdown", versions, "--", *paths, capture=True
    )
    if done.returncode == _COULD_NOT_RUN:
        return None
    return _shorten(_deactivate(done.stdout.decode("utf-8"))) if done.returncode else ""


def _deactivate(markdown: str) -> str:
    """Markdown that looks the same but mentions nobody and links nothing."""
    return _ACTIVE.sub(lambda match: f"{match[0][:1]}{_WORD_JOINER}{match[0][1:]}", markdown)


def _shorten(markdown: str) -> str:
    """As many whole lines as a comment can have."""
    if len(markdown) <= _MOST_CHARACTERS:
        return markdown.strip()
    kept = markdown[:_MOST_CHARACTERS].rpartition("\n")[0]
    left = markdown[len(kept) :].count("\n") - 1
    return f"{kept.strip()}\n\n… and {left} more lines. `mdbench diff` shows all."


def _thread(settings: Settings) -> str:
    return f"issues/{int(settings.pull_request['number'])}"


def _find_comment(settings: Settings) -> int | None:
    """Our comment. People can copy the marker, but they are no bots."""
    page = 1
    while True:
        query = f"comments?per_page={_PER_PAGE}&page={page}"
        found = _call(settings, "GET", f"{_thread(settings)}/{query}")
        for one in found:
            is_ours = (one.get("user") or {}).get("type") == "Bot"
            if is_ours and str(one.get("body", "")).startswith(MARKER):
                return int(one["id"])
        if len(found) < _PER_PAGE:
            return None
        page += 1


def _call(settings: Settings, method: str, path: str, body: object = None) -> Any:
    """Ask the API of GitHub."""
    request = urllib.request.Request(
        f"{settings.api}/repos/{settings.repository}/{path}",
        data=None if body is None else json.dumps(body).encode(),
        method=method,
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {settings.token}",
            "Content-Type": "application/json",
            "User-Agent": "mdbench",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )
    with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main())
