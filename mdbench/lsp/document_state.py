"""A document in an editor, saved or not, and the results of checking it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from traceback import format_exc

from pygls.uris import to_fs_path

from mdbench.config.nearest import Nearest
from mdbench.config.settings import Settings
from mdbench.files.errors import ProblemError
from mdbench.files.limits import describe_too_large
from mdbench.linting.checker import check_context, report_crash, report_unreadable
from mdbench.linting.plan import Options
from mdbench.rules.context import Context
from mdbench.rules.findings import Finding
from mdbench.sheets.report import read_report
from mdbench.source import Source, SourceError
from mdbench.vocabulary.quantities import extended_vocabulary


@dataclass(frozen=True)
class Manuscript:
    """The text of a document at one moment."""

    uri: str
    text: str
    version: int | None = None

    @cached_property
    def path(self) -> str | None:
        """Its file; None if it was never saved, or is not on disk."""
        return to_fs_path(self.uri) or None

    @property
    def name(self) -> str:
        """The display name."""
        return self.path or self.uri


@dataclass(frozen=True, eq=False)
class Examination:
    """The results for a manuscript. Without a context, it was not checked."""

    manuscript: Manuscript
    source: Source
    findings: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()
    """The findings in the project's baseline, which are not reported."""
    context: Context | None = None
    options: Options = field(default_factory=Options)
    crash: str = ""
    """The traceback of a crash in mdbench, for its developers."""

    @cached_property
    def fixed(self) -> Source:
        """The report with all safe fixes, as `mdbench lint --fix` writes it."""
        from mdbench.linting.fixer import fix  # noqa: PLC0415 - needed only where there is a fix

        if self.context is None:
            return self.source
        return fix(self.source, self.options).source

    @cached_property
    def rendered(self) -> Source:
        """The report as `mdbench render` writes it."""
        from mdbench.rendering.markdown import render_markdown  # noqa: PLC0415 - needed only when asked for

        if self.context is None:
            return self.source
        vocabulary = self.context.report.vocabulary
        return render_markdown(self.source, vocabulary)


def _is_excluded(path: str, settings: Settings) -> bool:
    """Whether `lint` would leave a file out: by its own settings, or by those above."""
    try:
        return Nearest(settings, start=os.path.dirname(path)).covers(path)
    except ProblemError:
        # The settings of a folder above are broken; those of the file are not.
        return settings.exclude is not None and settings.exclude.covers(path)


def leave_alone(manuscript: Manuscript) -> Examination:
    """An empty result: the file is excluded, or the settings are broken."""
    return Examination(manuscript, Source(manuscript.name, manuscript.text))


def examine(manuscript: Manuscript, settings: Settings) -> Examination:
    """Read and check a manuscript with the settings of its project."""
    selection = settings.selection
    if manuscript.path is not None:
        if _is_excluded(os.path.realpath(manuscript.path), settings):
            return leave_alone(manuscript)
        selection = settings.per_file.narrow(selection, manuscript.path)
    options = Options(selection, settings.extensions, settings.results)
    data = manuscript.text.encode("utf-8", "surrogatepass")
    if len(data) > settings.most_bytes:
        refused = report_unreadable(describe_too_large(settings.most_bytes), options)
        return Examination(manuscript, Source(manuscript.name, ""), refused)
    try:
        source = Source.from_bytes(manuscript.name, data)
    except SourceError as error:
        empty = Source(manuscript.name, "")
        return Examination(manuscript, empty, report_unreadable(str(error), options))
    try:
        report = read_report(source, extended_vocabulary(settings.extensions))
        context = Context(report, settings.results)
        findings = check_context(context, options)
    except Exception as error:  # noqa: BLE001 - a defect must not end the server
        findings = report_crash("reading the report", error, options)
        return Examination(manuscript, source, findings, crash=format_exc())
    return Examination(
        manuscript,
        source,
        findings,
        context=context,
        options=options,
    )
