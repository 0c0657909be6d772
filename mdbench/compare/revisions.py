"""Read files from a git revision. Never changes a repository and never runs a shell."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdbench.files.errors import ProblemError, decodable

_FILES = frozenset((b"100644", b"100755", b"100664"))


class Blob(NamedTuple):
    """A file of a revision: its path from the repository root, and its object name."""

    path: str
    key: str
    size: int


class FileVersion(NamedTuple):
    """A commit that changed a file, and the path that the file had then."""

    commit: str
    day: str
    subject: str
    path: str


class Repository(NamedTuple):
    """The repository of a folder."""

    top: str

    def find_tree(self, revision: str) -> str | None:
        """The tree of a revision, or None if there is no such revision."""
        return self._resolve(f"{revision}^{{tree}}")

    def find_fork(self, one: str, other: str) -> str | None:
        """The merge base of two revisions."""
        commits = [self._resolve(f"{revision}^{{commit}}") for revision in (one, other)]
        known = [commit for commit in commits if commit is not None]
        if len(known) < len(commits):
            return None
        done = _run_git(["merge-base", *known], self.top)
        return done.out.decode("ascii").strip() if done.code == 0 else None

    def list_blobs(self, tree: str, paths: Sequence[str]) -> list[Blob]:
        """The files below some paths, relative to the repository root; `` means all of it."""
        wanted = [path for path in paths if path]
        below = ["--", *wanted] if len(wanted) == len(paths) else []
        done = _run_git(["ls-tree", "-r", "-z", "-l", "--full-tree", tree, *below], self.top)
        if done.code:
            raise ProblemError(f"git cannot list files: {done.complaint}")
        return list(_read_listing(done.out))

    def read_blobs(self, blobs: Iterable[Blob]) -> Iterator[tuple[Blob, bytes]]:
        """Read the content of files with a single git process."""
        asked = list(blobs)
        keys = "".join(f"{blob.key}\n" for blob in asked).encode()
        done = _run_git(["cat-file", "--batch"], self.top, keys)
        if done.code:
            raise ProblemError(f"git cannot read files: {done.complaint}")
        at = 0
        for blob in asked:
            end = done.out.index(b"\n", at)
            *_, kind, size = done.out[at:end].split(b" ")
            if kind != b"blob":
                raise ProblemError(f"{decodable(blob.path)}: git does not have its content here")
            start, at = end + 1, end + 2 + int(size)
            yield blob, done.out[start : start + int(size)]

    def date_change(self, paths: Sequence[str]) -> str:
        """The day of the last commit of some files; empty if they differ from what it has."""
        plain = ("--quiet", "--no-ext-diff", "--no-textconv")
        same = _run_git(["diff", *plain, "HEAD", "--", *paths], self.top).code == 0
        done = _run_git(["log", "-1", "--format=%cs", "--", *paths], self.top)
        return done.out.decode("ascii").strip() if same and done.code == 0 else ""

    def list_changes(self, paths: Sequence[str], most: int) -> list[tuple[str, str]]:
        """The last commits of some files, newest first, and the day of each."""
        done = _run_git(["log", f"-{most}", "--format=%H %cs", "--", *paths], self.top)
        lines = done.out.decode("ascii").splitlines() if done.code == 0 else []
        return [(commit, day) for commit, _, day in (line.partition(" ") for line in lines)]

    def follow_file(self, path: str, most: int) -> list[FileVersion]:
        """The last commits that changed a file, newest first, under its earlier names too."""
        shown = ("-z", "--name-only", "--no-merges", "--format=%H %cs %s")
        done = _run_git(["log", f"-{most}", "--follow", *shown, "--", path], self.top)
        if done.code:
            return []
        told = [os.fsdecode(one).lstrip("\n") for one in done.out.split(b"\0")]
        return [
            FileVersion(*_read_commit(head), name)
            for head, name in zip(told[::2], told[1::2], strict=False)
        ]

    @property
    def is_shallow(self) -> bool:
        """Whether it has only the last commits of its history."""
        done = _run_git(["rev-parse", "--is-shallow-repository"], self.top)
        return done.out.strip() == b"true"

    def _resolve(self, name: str) -> str | None:
        if name.startswith("-"):
            # It would be parsed as an option.
            return None
        done = _run_git(["rev-parse", "--verify", "--quiet", name], self.top)
        return done.out.decode("ascii").strip() if done.code == 0 else None


class _Finished(NamedTuple):
    code: int
    out: bytes
    complaint: str


def find_repository(folder: str = ".") -> Repository:
    """The repository of a folder; raise `ProblemError` if there is none, or no git."""
    done = _run_git(["rev-parse", "--show-toplevel"], folder)
    if done.code:
        raise ProblemError(f"no revision can be read here: {done.complaint}")
    return Repository(os.path.realpath(os.fsdecode(done.out.rstrip(b"\r\n"))))


def _run_git(arguments: Sequence[str], folder: str, given: bytes = b"") -> _Finished:
    import subprocess  # noqa: PLC0415 - only revisions need it

    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}
    try:
        done = subprocess.run(
            ["git", "--no-pager", "--literal-pathspecs", *arguments],
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            check=False,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise ProblemError("reading a revision needs git, which is not installed") from error
    lines = done.stderr.decode("utf-8", "replace").splitlines() or ["git failed"]
    return _Finished(done.returncode, done.stdout, lines[0].removeprefix("fatal: "))


def _read_commit(head: str) -> tuple[str, str, str]:
    commit, _, rest = head.partition(" ")
    day, _, subject = rest.partition(" ")
    return commit, day, decodable(subject)


def _read_listing(listing: bytes) -> Iterator[Blob]:
    for entry in filter(None, listing.split(b"\0")):
        facts, _, path = entry.partition(b"\t")
        mode, _, key, size = facts.split()
        # Links and submodules are not files.
        if mode in _FILES:
            yield Blob(os.fsdecode(path), key.decode("ascii"), int(size))
