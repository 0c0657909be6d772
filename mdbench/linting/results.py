"""The results of checking one file or many."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from mdbench.linting.fail_on import USUAL, FailOn
from mdbench.rules.findings import Finding, Safety, Severity
from mdbench.source import Source


class Content(StrEnum):
    """What is in a file."""

    UNKNOWN = "unknown"
    """It could not be read."""
    EMPTY = "empty"
    TEXT = "text"
    """No tables."""
    TABLES = "tables"


class Reach(NamedTuple):
    """What is in a file, and how many of its numbers could be checked."""

    content: Content = Content.UNKNOWN
    numbers: int | None = None
    """None if no rule that recomputes numbers was run."""
    checked: int = 0
    """The numbers that a relation or a result verifies or contradicts."""


UNREACHED = Reach()


class Coverage(NamedTuple):
    """How many numbers a report has, and how many of them others confirm."""

    numbers: int = 0
    verified: int = 0
    contradicted: int = 0
    unverified: tuple[tuple[str, int], ...] = ()
    """The quantities of the numbers that nothing checks, with counts."""
    lacking: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    """Missing settings, each with the cells and relations that need it."""
    laws: tuple[tuple[str, str, int, int, int], ...] = ()
    """The laws: words, `row` or `column`, how many of these follow it, of how many, and bits."""
    compared: int = 0
    """The numbers that no relation covers, and that were compared with results."""


UNMEASURED = Coverage()


class FixOutcome(NamedTuple):
    """The result of fixing a file."""

    applied: int = 0
    """The number of fixed findings."""
    patch: tuple[str, ...] = ()
    """The lines of the diff, if one was requested."""
    problem: str = ""
    """Why something was not fixed."""


NOT_FIXED = FixOutcome()


class Tally(NamedTuple):
    """Counts of the findings in a file."""

    findings: tuple[tuple[str, str, Severity, int], ...] = ()
    """The number of findings by code, name and severity."""
    remedies: tuple[tuple[Safety, int], ...] = ()
    """The number of fixable findings by safety."""
    undecided: int = 0

    @property
    def total(self) -> int:
        """The number of findings."""
        return sum(count for *_, count in self.findings)


def tally_findings(findings: Iterable[Finding]) -> Tally:
    """Count findings."""
    kinds: Counter[tuple[str, str, Severity]] = Counter()
    remedies: Counter[Safety] = Counter()
    undecided = 0
    for one in findings:
        kinds[one.code, one.name, one.severity] += 1
        remedy = one.remedy
        if remedy is not None:
            remedies[remedy.safety] += 1
        undecided += one.is_undecided
    counted = tuple((*kind, count) for kind, count in kinds.items())
    return Tally(counted, tuple(remedies.items()), undecided)


class SuppressedBy(StrEnum):
    """What keeps a finding from being reported."""

    COMMENT = "comment"
    BASELINE = "baseline"


class Suppressed(NamedTuple):
    """A finding that is not reported."""

    finding: Finding
    by: SuppressedBy


class Entry(NamedTuple):
    """What identifies a finding within its file, independent of its line."""

    code: str
    section: str
    row: str
    cells: str


class FileResult(Protocol):
    """A file and its findings; after a fix, the remaining ones."""

    @property
    def source(self) -> Source:
        """The text."""

    @property
    def path(self) -> str:
        """The display name of the file."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings."""

    @property
    def tally(self) -> Tally:
        """The counted findings."""

    @property
    def coverage(self) -> Coverage:
        """How much was recomputed, if this run reports it."""

    @property
    def fixed(self) -> FixOutcome:
        """The result of fixing it."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The baseline entry of each finding, if requested."""

    @property
    def reach(self) -> Reach:
        """What of the file could be checked."""

    @property
    def suppressed(self) -> tuple[Suppressed, ...]:
        """The findings that a comment or the baseline suppresses."""

    def narrow(self, kept: Sequence[int]) -> "FileResult":
        """A copy with only the findings at these positions; the baseline has the others."""


class Checked(NamedTuple):
    """The result of a file that was checked just now."""

    source: Source
    findings: tuple[Finding, ...]
    coverage: Coverage = UNMEASURED
    fixed: FixOutcome = NOT_FIXED
    entries: tuple[Entry, ...] = ()
    reach: Reach = UNREACHED
    suppressed: tuple[Suppressed, ...] = ()

    @property
    def path(self) -> str:
        """The display name of the file."""
        return self.source.path

    @property
    def tally(self) -> Tally:
        """The counted findings."""
        return tally_findings(self.findings)

    def narrow(self, kept: Sequence[int]) -> "Checked":
        """A copy with only the findings at these positions; the baseline has the others."""
        left = set(kept)
        known = tuple(
            Suppressed(one, SuppressedBy.BASELINE)
            for at, one in enumerate(self.findings)
            if at not in left
        )
        found = tuple(self.findings[at] for at in kept)
        return self._replace(findings=found, suppressed=(*self.suppressed, *known))


class Totals:
    """Counts over all files."""

    def __init__(self, fail_on: FailOn = USUAL) -> None:
        self._fail_on = fail_on
        self.failing = 0
        """The findings that fail the run."""
        self.files = 0
        self.empty = 0
        self.without_tables = 0
        """Files without a table, the empty ones included."""
        self.checkable: int | None = None
        """The numbers of the files whose numbers were recomputed; None if there is no such file."""
        self.checked = 0
        """The numbers that a relation or a result verifies or contradicts."""
        self.severities: Counter[Severity] = Counter()
        self.codes: Counter[tuple[str, str]] = Counter()
        self.numbers = 0
        self.verified = 0
        self.contradicted = 0
        self.compared = 0
        """The numbers that no relation covers, and that were compared with results."""
        self.unverified: Counter[str] = Counter()
        self.lacking: Counter[str] = Counter()
        self.waiting: dict[str, dict[str, None]] = {}
        """The relations that could be checked if a setting were stated."""
        self.laws: dict[tuple[str, str], tuple[int, int, int]] = {}
        """How many rows or columns follow each law, of how many, and bits."""
        self.fixed = 0
        self.fixed_files = 0
        self.remedies: Counter[Safety] = Counter()
        """The number of fixable findings by safety."""
        self.undecided = 0

    def watch(self, reports: Iterable[FileResult]) -> Iterator[FileResult]:
        """Pass results through and count them."""
        for report in reports:
            self.files += 1
            self._add(report.path, report.tally)
            self._add_reach(report.reach)
            self._add_coverage(report.coverage)
            self.fixed += report.fixed.applied
            self.fixed_files += report.fixed.applied > 0
            yield report

    def _add(self, path: str, tally: Tally) -> None:
        for code, name, severity, count in tally.findings:
            self.failing += count if self._fail_on.fails(path, severity) else 0
            self.severities[severity] += count
            self.codes[code, name] += count
        for safety, count in tally.remedies:
            self.remedies[safety] += count
        self.undecided += tally.undecided

    def _add_reach(self, reach: Reach) -> None:
        self.empty += reach.content is Content.EMPTY
        self.without_tables += reach.content in (Content.EMPTY, Content.TEXT)
        if reach.numbers is not None:
            self.checkable = (self.checkable or 0) + reach.numbers
            self.checked += reach.checked

    def _add_coverage(self, coverage: Coverage) -> None:
        if coverage is UNMEASURED:
            return
        self.numbers += coverage.numbers
        self.verified += coverage.verified
        self.contradicted += coverage.contradicted
        self.compared += coverage.compared
        self.unverified.update(dict(coverage.unverified))
        for setting, cells, relations in coverage.lacking:
            self.lacking[setting] += cells
            self.waiting.setdefault(setting, {}).update(dict.fromkeys(relations))
        for law, across, *counts in coverage.laws:
            known = self.laws.get((law, across), (0, 0, 0))
            holding, count, bits = map(sum, zip(known, counts, strict=True))
            self.laws[law, across] = holding, count, bits
