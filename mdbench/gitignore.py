"""The patterns of .gitignore files, as git reads them.

Written here because the libraries for it cost more at start-up than a whole lint of one report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class _Pattern:
    expression: re.Pattern[str]
    takes_back: bool
    folders_only: bool


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """One .gitignore: its patterns hold below its folder, the last one that matches decides."""

    folder: Path
    patterns: tuple[_Pattern, ...]

    @classmethod
    def read(cls, folder: Path) -> IgnoreFile | None:
        """The .gitignore of a folder, if it has one."""
        try:
            text = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        return cls(folder, tuple(_read_patterns(text)))

    def verdict(self, path: Path, is_folder: bool) -> bool | None:
        """True if ignored, False if a `!` pattern takes it back, None if no pattern matches."""
        relative = path.relative_to(self.folder).as_posix()
        for pattern in reversed(self.patterns):
            if pattern.folders_only and not is_folder:
                continue
            if pattern.expression.fullmatch(relative):
                return not pattern.takes_back
        return None


def read_above(folder: Path) -> Iterator[IgnoreFile]:
    """The .gitignore files from the repository's root down to above a folder."""
    chain = (folder, *folder.parents)
    depth = next((at for at, parent in enumerate(chain) if (parent / ".git").exists()), 0)
    for parent in reversed(chain[1 : depth + 1]):
        found = IgnoreFile.read(parent)
        if found is not None:
            yield found


def is_ignored(path: Path, is_folder: bool, files: Sequence[IgnoreFile]) -> bool:
    """Whether the innermost .gitignore that speaks of a path ignores it."""
    for file in reversed(files):
        verdict = file.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False


def _read_patterns(text: str) -> Iterator[_Pattern]:
    for line in text.splitlines():
        glob = re.sub(r"(?<!\\) +$", "", line)
        if not glob or glob.startswith("#"):
            continue
        takes_back = glob.startswith("!")
        if takes_back:
            glob = glob[1:]
        folders_only = glob.endswith("/")
        glob = glob.rstrip("/")
        if not glob:
            continue
        try:
            yield _Pattern(re.compile(_translate(glob)), takes_back, folders_only)
        except re.error:
            # git, too, passes over a pattern that it cannot read.
            continue


def _translate(glob: str) -> str:
    """A glob as a regular expression over the path below the .gitignore's folder."""
    anchored = "/" in glob
    parts = glob.lstrip("/").split("/")
    pieces = [] if anchored else [r"(?:.*/)?"]
    for at, part in enumerate(parts):
        last = at == len(parts) - 1
        if part == "**":
            pieces.append(".+" if last else "(?:.*/)?")
        else:
            pieces.append(_translate_part(part) + ("" if last else "/"))
    return "".join(pieces)


_TOKEN = re.compile(r"\\(?P<escaped>.)|(?P<stars>\*+)|(?P<any>\?)|\[(?P<set>[!^]?\]?[^\]]*)\]")


def _translate_part(part: str) -> str:
    pieces: list[str] = []
    done = 0
    for match in _TOKEN.finditer(part):
        pieces.append(re.escape(part[done : match.start()]))
        done = match.end()
        if match["escaped"]:
            pieces.append(re.escape(match["escaped"]))
        elif match["stars"]:
            pieces.append("[^/]*")
        elif match["any"]:
            pieces.append("[^/]")
        else:
            inside = match["set"].replace("\\", r"\\")
            negated = inside[:1] in ("!", "^")
            pieces.append(f"(?!/)[{'^' if negated else ''}{inside[negated:]}]")
    return "".join((*pieces, re.escape(part[done:])))
