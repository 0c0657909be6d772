"""Known findings, stored in a file so that only new ones are reported.

A finding is identified by its file, its rule and its text: the section, the row and the cells. It
stays known if lines move or a table is reformatted. It becomes a new one if a number changes.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mdbench.files.errors import ProblemError
from mdbench.files.relative_paths import relative_path
from mdbench.linting.results import Entry, FileResult
from mdbench.rules.findings import Finding
from mdbench.source import Source, Span

if TYPE_CHECKING:
    from mdbench.markdown.document import Document

_LONGEST = 120
_KEPT = 100
# A file that could not be read or checked does not show that anything was fixed.
_BROKEN = "MB0"


Entries = Mapping[str, Counter[Entry]]
"""The entries of each file, by its path relative to the folder of the baseline."""
Wanted = Callable[[str, str], bool]
"""Whether a rule, given by its code, is enabled for a file."""


def describe_findings(source: Source, findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """Describe each finding by what identifies it in the baseline."""
    found = tuple(findings)
    if not found:
        return ()
    # Imported lazily: needed only for findings without entries.
    from mdbench.markdown.parser import parse_document  # noqa: PLC0415

    document = parse_document(source)
    return tuple(_describe(document, one) for one in found)


def _describe(document: Document, finding: Finding) -> Entry:
    source = document.source
    row = _squeeze(source.line_text(source.line(finding.span.start))) if source.text else ""
    cells = "; ".join(_squeeze(source.cut(span)) for span in finding.cells or (finding.span,))
    section = _section(document, finding.span)
    return Entry(finding.code, _clip(section), _clip(row), "" if cells == row else _clip(cells))


def _section(document: Document, span: Span) -> str:
    """The heading above a position."""
    titles = [one.title for one in document.sections if one.start <= span.start < one.end]
    return _squeeze(titles[-1]) if titles else ""


def _squeeze(text: str) -> str:
    """Collapse the whitespace and pipes that depend on a table's layout."""
    cells = (" ".join(cell.split()) for cell in text.split("|"))
    return " | ".join(cells).strip("| ")


def _clip(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    # Imported lazily: needed only for long texts.
    from zlib import crc32  # noqa: PLC0415

    return f"{text[:_KEPT]}… {crc32(text.encode('utf-8', 'surrogatepass')):08x}"


class Baseline:
    """The known findings, and which of them were found again."""

    def __init__(self, file: str, entries: Entries | None = None) -> None:
        self.file = file
        self.entries: Entries = entries or {}
        self.met: dict[str, Counter[Entry]] = {}
        """The findings of each checked file."""
        self.known = 0
        """The number of known findings that were dropped."""
        self.unread: set[str] = set()

    def sift(self, reports: Iterable[FileResult]) -> Iterator[FileResult]:
        """Pass results through without their known findings."""
        for report in reports:
            path = self._place(report.path)
            left = Counter(self.entries.get(path, ()))
            new: list[int] = []
            for at, entry in enumerate(report.entries):
                if left[entry] > 0:
                    left[entry] -= 1
                else:
                    new.append(at)
            self.met[path] = Counter(report.entries)
            if any(one.code.startswith(_BROKEN) for one in report.entries):
                self.unread.add(path)
            known = len(report.entries) - len(new)
            self.known += known
            yield report.narrow(new) if known else report

    def gone(self, wanted: Wanted) -> Mapping[str, Counter[Entry]]:
        """The entries that no longer occur: their rule checked the file, or it was deleted."""
        found: dict[str, Counter[Entry]] = {}
        for path, entries in self.entries.items():
            looked = {one: n for one, n in entries.items() if self._looked(path, one, wanted)}
            left = Counter(looked) - self.met.get(path, Counter())
            if left:
                found[path] = left
        return found

    def renewed(self, wanted: Wanted) -> Entries:
        """The entries to write: all new ones, and the old ones that were not checked again."""
        kept = {
            path: Counter({one: n for one, n in old.items() if not self._looked(path, one, wanted)})
            for path, old in self.entries.items()
        }
        paths = sorted({*kept, *self.met})
        every = {path: kept.get(path, Counter()) + self.met.get(path, Counter()) for path in paths}
        return {path: entries for path, entries in every.items() if entries}

    def _looked(self, path: str, entry: Entry, wanted: Wanted) -> bool:
        if path in self.met:
            return path not in self.unread and wanted(entry.code, os.path.join(self.folder, path))
        return not os.path.exists(os.path.join(self.folder, path))

    @property
    def folder(self) -> str:
        """The folder that the paths of the entries are relative to."""
        return os.path.dirname(os.path.abspath(self.file))

    def _place(self, path: str) -> str:
        return relative_path(path, self.folder)


def count_entries(entries: Entries) -> int:
    """The number of findings in the entries."""
    return sum(one.total() for one in entries.values())


_VERSION = 1
_KEYS = frozenset(("code", "section", "row", "cells", "count"))


def read_baseline(file: str) -> Baseline:
    """Read a baseline file; raise `ProblemError` if it is not valid."""
    try:
        with open(file, encoding="utf-8") as opened:
            content = json.load(opened)
    except OSError as error:
        raise ProblemError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise _broken(file, "it is not JSON") from error
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise _broken(file, f"its version is not {_VERSION}")
    try:
        return Baseline(file, dict(_read_files(content["findings"])))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _broken(file, "it has an invalid entry") from error


def _broken(file: str, why: str) -> ProblemError:
    return ProblemError(f"{file}: is not a baseline: {why}; delete it or write it again")


def _read_files(files: Mapping[str, Any]) -> Iterator[tuple[str, Counter[Entry]]]:
    for path, listed in files.items():
        entries: Counter[Entry] = Counter()
        for one in listed:
            count = one.get("count", 1)
            texts = [one["code"], *(one.get(key, "") for key in ("section", "row", "cells"))]
            valid = one.keys() <= _KEYS and all(isinstance(text, str) for text in texts)
            if not valid or not isinstance(count, int) or count < 1:
                raise ValueError
            entries[Entry(*texts)] += count
        yield path, entries


def write_baseline(entries: Entries) -> Iterator[str]:
    """Format a baseline as the text of its file."""
    yield f'{{\n  "version": {_VERSION},\n  "findings": {{'
    for at, path in enumerate(sorted(entries)):
        yield f"{',' if at else ''}\n    {_dump(path)}: ["
        for place, (entry, count) in enumerate(sorted(entries[path].items())):
            said = {key: text for key, text in entry._asdict().items() if text}
            line = _dump({**said, "count": count} if count > 1 else said)
            yield f"{',' if place else ''}\n      {line}"
        yield "\n    ]"
    yield "\n  }\n}\n" if entries else "}\n}\n"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
