"""A cached result for a file, whose parts are read on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdbench.files.errors import decodable
from mdbench.linting.cache.encoding import (
    Detail,
    decode_coverage,
    decode_detail,
    decode_entries,
    decode_findings,
    decode_suppressed,
)
from mdbench.linting.cache.index import WRONG
from mdbench.linting.results import (
    UNMEASURED,
    Checked,
    Coverage,
    Entry,
    FileResult,
    FixOutcome,
    Reach,
    Suppressed,
    Tally,
)
from mdbench.rules.findings import Finding
from mdbench.source import Source

if TYPE_CHECKING:
    from mdbench.linting.cache.memory import Memory

_NOT_FIXED = FixOutcome()


class Known:
    """A result whose findings and text may not have been loaded yet."""

    def __init__(
        self, memory: Memory, asked: str, name: str, seal: str, counts: tuple[Tally, Reach]
    ) -> None:
        self._memory = memory
        self._tally, self._reach = counts
        self._loaded: FileResult | None = None
        self._detail: Detail | None = None
        self.asked = asked
        self.name = name
        self.seal = seal

    def learn(self, report: FileResult) -> Known:
        """Take over everything that is already loaded."""
        self._loaded = report
        return self

    @property
    def path(self) -> str:
        """The display name of the file."""
        return decodable(self.asked)

    @property
    def tally(self) -> Tally:
        """The counted findings."""
        return self._tally

    @property
    def reach(self) -> Reach:
        """What of the file could be checked."""
        return self._reach

    @property
    def fixed(self) -> FixOutcome:
        """Never fixed: the cache is not used for fixes."""
        return _NOT_FIXED

    @property
    def source(self) -> Source:
        """The text."""
        return self._load().source

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings."""
        return self._load().findings

    @property
    def coverage(self) -> Coverage:
        """How much was recomputed, if this run reports it."""
        if not self._memory.plan.statistics:
            return UNMEASURED
        if self._loaded is None:
            try:
                return decode_coverage(self._read_detail())
            except WRONG:
                pass
        return self._load().coverage

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The baseline entry of each finding, if this run needs them."""
        if not self._memory.plan.describe or not self._tally.findings:
            return ()
        if self._loaded is None:
            try:
                entries = decode_entries(self._read_detail())
            except WRONG:
                entries = None
            if entries is not None:
                return entries
        return self._load().entries

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        """The findings that a comment or the baseline suppresses."""
        return self._load().suppressed

    def narrow(self, kept: Sequence[int]) -> FileResult:
        """A copy with only the findings at these positions; the baseline has the others."""
        if kept or self._loaded is not None or self._memory.plan.suppressed:
            return self._load().narrow(kept)
        # Nothing is left to show, so the text is not needed.
        source = Source(self.path, "")
        return Checked(source, (), self.coverage, entries=self.entries, reach=self._reach)

    def _load(self) -> FileResult:
        if self._loaded is None:
            self._loaded = self._recall() or self._memory.check_again(self)
        return self._loaded

    def _recall(self) -> FileResult | None:
        """Load the cached result; None if the file was changed since, or the cache is broken."""
        source = self._memory.read(self)
        if source is None:
            return None
        try:
            detail = self._read_detail()
            findings = decode_findings(detail, len(source.text))
            suppressed = decode_suppressed(detail, len(source.text))
            entries = decode_entries(detail)
            coverage = decode_coverage(detail)
        except WRONG:
            return None
        report = Checked(
            source,
            findings,
            coverage,
            entries=entries or (),
            reach=self._reach,
            suppressed=suppressed,
        )
        if self._memory.plan.describe and entries is None:
            return self._memory.describe(self, report)
        return report

    def _read_detail(self) -> Detail:
        if self._detail is None:
            self._detail = decode_detail(self._memory.find_detail(self.seal))
        return self._detail
