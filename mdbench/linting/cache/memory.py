"""The cache of `lint`: the findings of unchanged files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from zlib import crc32

from mdbench.files.discovery import STANDARD_INPUT
from mdbench.files.errors import is_tame
from mdbench.linting.cache.cached_result import Known
from mdbench.linting.cache.encoding import (
    decode_reach,
    decode_tally,
    encode_detail,
    encode_reach,
    encode_tally,
)
from mdbench.linting.cache.index import MOST_BYTES, WRONG, Index
from mdbench.linting.cache.keys import InstalledCode, spell
from mdbench.linting.cache.place import INDEX_SUFFIX, list_indexes, prepare_folder
from mdbench.linting.cache.signatures import Names, Signature, seal, sign_again
from mdbench.linting.plan import Plan
from mdbench.linting.results import UNMEASURED, Checked, FileResult
from mdbench.markdown.comments import may_bind
from mdbench.source import Source, SourceError

Check = Callable[[Sequence[str]], Iterable[FileResult]]
"""Checks files for the first time, in their order."""
Write = Callable[[FileResult], str]
"""Writes the findings of one file, independent of all others."""
Log = Callable[[str], None]
"""Prints a step with `--verbose`."""

MOST_INDEXES = 8
# How many numbers of a signature are about the file, not its configuration.
_SIGNED = 4
# What could not be checked is tried again.
_FAILED = "MB0"
_CRASHED = "MB000"


class _Missing(NamedTuple):
    """A file that is not in the cache."""

    name: str
    signature: Signature


class Memory:
    """An index, how a run uses it, and what the run adds to it."""

    def __init__(self, root: str, code: InstalledCode, key: str, voucher: str, log: Log) -> None:
        self.plan = Plan()
        self._check: Check | None = None
        self._code = code
        self._folder = code.folder
        self._names = Names(root)
        self._key = key
        self._voucher = voucher
        self._log = log
        self._file = os.path.join(code.folder, f"{crc32(key.encode()):08x}{INDEX_SUFFIX}")
        self._index = Index.read(self._file, key)
        self._own: dict[str, None] = {}
        self._more: list[str] = []
        self._is_changed = not self.vouches
        self._room = MOST_BYTES

    @property
    def vouches(self) -> bool:
        """Whether the settings are known to be valid."""
        return self._voucher in self._index.vouchers

    def vouches_for(self, stated: Mapping[str, Any]) -> bool:
        """Whether the settings of another folder are known to be valid; they will be, next time."""
        voucher = spell(stated)
        self._more.append(voucher)
        return voucher in self._index.vouchers

    def check(self, paths: Sequence[str], plan: Plan, check: Check) -> Iterator[FileResult]:
        """The results for files; `check` is called for those that are not cached."""
        self.plan, self._check = plan, check
        found = deque((path, self._find(path)) for path in paths)
        missing = [path for path, one in found if not isinstance(one, Known)]
        self._log(f"cache {self._folder}: {len(paths) - len(missing)} of {len(paths)} known")
        checked = iter(check(missing)) if missing else iter(())
        while found:
            path, one = found.popleft()
            if isinstance(one, Known):
                yield one
            else:
                report = next(checked)
                yield report if one is None else self._keep(path, one, report)

    def show(self, reports: Iterable[FileResult], look: str, write: Write) -> Iterator[str]:
        """The output of `write` for each result, cached if possible."""
        for report in reports:
            if not isinstance(report, Known):
                yield write(report)
            elif report.tally.findings:
                yield self._recall_text(report, look) or self._write_text(report, look, write)

    def save(self) -> None:
        """Store new results, if there are any; errors are logged only."""
        try:
            if self._own and self._is_changed and self._code.is_unchanged():
                self._write()
            elif self._own:
                # The timestamp keeps indexes in use when old ones are removed.
                os.utime(self._file)
            if self._own:
                self._code.keep()
        except OSError as error:
            self._log(f"cache {self._folder}: cannot be written: {error.strerror or error}")

    def read(self, known: Known) -> Source | None:
        """The text of a file; None if it has changed since the check, or cannot be read."""
        try:
            with open(known.asked, "rb") as file:
                content = file.read(self.plan.for_file(known.asked).most_bytes + 1)
            if self._seal(known.asked, content) == known.seal:
                return Source.from_bytes(known.path, content)
        except (OSError, SourceError):
            pass
        return None

    def find_detail(self, sealed: str) -> bytes:
        """The cached details of a content. Raises one of `WRONG`."""
        return self._index.piece(self._index.contents[sealed][3])

    def check_again(self, known: Known) -> FileResult:
        """Check a file again that was just changed, or whose cached result is broken."""
        assert self._check is not None
        (report,) = self._check((known.asked,))
        known.seal = ""
        with suppress(OSError):
            kept = self._keep(known.asked, _Missing(*self._sign(known.asked)), report)
            known.seal = kept.seal if isinstance(kept, Known) else ""
        return report

    def describe(self, known: Known, report: Checked) -> Checked:
        """A copy of a result with the baseline entry of each finding, cached from now on."""
        # Imported lazily: needed only for a baseline.
        from mdbench.linting.baseline import describe_findings  # noqa: PLC0415

        entries = describe_findings(report.source, report.findings)
        described = report._replace(entries=entries)
        measured = report.coverage is not UNMEASURED
        detail = encode_detail(described, measured=measured, described=True)
        counts = encode_tally(known.tally), encode_reach(known.reach)
        self._index.contents[known.seal] = [*counts, measured, detail]
        self._is_changed = True
        return described

    def _find(self, path: str) -> Known | _Missing | None:
        """The cached result of a file; None if it is too large, or cannot be read twice."""
        if path == STANDARD_INPUT:
            return None
        try:
            name, signature = self._sign(path)
        except OSError:
            return None
        if not signature or signature[0] > self.plan.for_file(path).most_bytes:
            return None
        try:
            kept, sealed, _ = self._index.files[name]
            known = self._recognize(path, name, sealed) if kept == signature else None
        except WRONG:
            known = None
        return known or self._find_content(path, name, signature) or _Missing(name, signature)

    def _find_content(self, path: str, name: str, signature: Signature) -> Known | None:
        """The cached result for a file that was changed or renamed."""
        if not self._index.contents:
            return None
        try:
            with open(path, "rb") as file:
                content = file.read(self.plan.for_file(path).most_bytes + 1)
            sealed = self._seal(path, content)
            known = self._recognize(path, name, sealed)
        except (OSError, *WRONG):
            return None
        if known is not None:
            self._note(path, name, sealed, signature)
        return known

    def _recognize(self, path: str, name: str, sealed: str) -> Known | None:
        """The cached result of a content, if it is complete. Raises one of `WRONG`."""
        tally, reach, measured, _ = self._index.contents[sealed]
        if self.plan.statistics and not measured:
            return None
        self._own[name] = None
        return Known(self, path, name, sealed, (decode_tally(tally), decode_reach(reach)))

    def _keep(self, path: str, missing: _Missing, report: FileResult) -> FileResult:
        """Store the result for a file, if every run would get the same."""
        content = report.source.to_bytes()
        failed = any(one.code.startswith(_FAILED) for one in report.findings)
        hidden = not self.plan.for_file(path).selection.includes(_CRASHED)
        bound = may_bind(report.source.text)
        if failed or hidden or bound or missing.signature[:1] != [len(content)] or self._room < 0:
            return report
        tally = report.tally
        sealed = self._seal(path, content)
        measured, described = self.plan.statistics, self.plan.describe
        detail = encode_detail(report, measured=measured, described=described)
        counts = encode_tally(tally), encode_reach(report.reach)
        self._index.contents[sealed] = [*counts, measured, detail]
        self._is_changed = True
        self._room -= len(detail)
        self._own[missing.name] = None
        self._note(path, missing.name, sealed, missing.signature)
        return Known(self, path, missing.name, sealed, (tally, report.reach)).learn(report)

    def _note(self, path: str, name: str, sealed: str, before: Signature) -> None:
        """Store the seal of a file, and its signature if it did not change while reading."""
        signature = before if sign_again(path) == before[:_SIGNED] else []
        old = self._index.files.get(name)
        row = [signature, sealed, {}]
        with suppress(*WRONG):
            if old is not None and old[1] == sealed:
                row[2] = dict(old[2])
        if row != old:
            self._index.files[name] = row
            self._is_changed = True

    def _sign(self, path: str) -> tuple[str, Signature]:
        """The name of a file, and its signature with the mark of its configuration."""
        name, signature = self._names.find(path)
        mark = self.plan.for_file(path).mark if self.plan.folders else 0
        return name, [*signature, mark] if mark and signature else signature

    def _seal(self, path: str, content: bytes) -> str:
        plan = self.plan.for_file(path)
        return seal(content, plan.selection, plan.mark)

    def _recall_text(self, known: Known, look: str) -> str | None:
        try:
            shown, place = self._index.files[known.name][2][look]
            text = self._index.piece(place).decode()
        except WRONG:
            return None
        # A cache shipped with a project must not control the terminal of its users.
        return text if shown == known.path and is_tame(text) else None

    def _write_text(self, known: Known, look: str, write: Write) -> str:
        text = write(known)
        with suppress(*WRONG):
            _, sealed, looks = self._index.files[known.name]
            if sealed == known.seal and self._room > 0:
                looks[look] = [known.path, text.encode()]
                self._room -= len(text)
                self._is_changed = True
        return text

    def _write(self) -> None:
        prepare_folder(self._folder)
        # Another process may have written it since it was read.
        others = Index.read(self._file, self._key)
        for name in [one for one in others.files if self._names.is_gone(one)]:
            del others.files[name]
        self._index.write(self._file, [self._voucher, *self._more], self._own, others)
        for old in list_indexes(self._folder)[MOST_INDEXES:]:
            with suppress(OSError):
                os.unlink(old.path)
