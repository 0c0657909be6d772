"""The open documents, and the latest results for each.

Everything here is slow compared with a keystroke, so it runs in one worker thread.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import unquote

from mdbench.config.settings import Settings
from mdbench.files.errors import ProblemError
from mdbench.linting.baseline import describe_findings, read_baseline
from mdbench.linting.results import Checked
from mdbench.lsp.document_state import Examination, Manuscript, examine, leave_alone
from mdbench.lsp.projects import Projects, find_folder
from mdbench.markdown.comments import may_bind

_BROKEN_RULE = "MB000"


class Notice(NamedTuple):
    """A message: errors of the user are shown, bugs in mdbench are logged."""

    text: str
    shown: bool


class _Done(NamedTuple):
    """The results, the settings used, and which of them were reported."""

    settings: Settings | None
    examination: Examination
    told: Examination


class Desk:
    """Examines documents."""

    def __init__(self) -> None:
        self.folders: Sequence[str] = ()
        """The URIs of the workspace folders."""
        self._projects = Projects()
        self._done: dict[str, _Done] = {}
        self._notices: deque[Notice] = deque()

    def examine(self, manuscript: Manuscript) -> Examination:
        """Check a document with its current text and settings."""
        settings, problem = self._projects.load(find_folder(manuscript, self.folders))
        self._show(problem)
        last = self._done.get(unquote(manuscript.uri))
        if last is not None and last.settings == settings and _is_current(last, manuscript):
            examination = _renew(last.examination, manuscript)
        else:
            examination = self._look_at(manuscript, settings)
        told = examination
        if settings is not None:
            told = self._leave_out_known(examination, settings)
        self._done[unquote(manuscript.uri)] = _Done(settings, examination, told)
        return told

    def recall(self, manuscript: Manuscript) -> Examination:
        """The latest results of a document, if its text is unchanged."""
        last = self._done.get(unquote(manuscript.uri))
        if last is None or not _is_about(last, manuscript):
            return self.examine(manuscript)
        return _renew(last.told, manuscript)

    def forget(self, uri: str) -> None:
        """Forget a closed document."""
        self._done.pop(unquote(uri), None)

    def take_notices(self) -> Iterator[Notice]:
        """The messages since the last call; safe to call from another thread."""
        while self._notices:
            yield self._notices.popleft()

    def _show(self, problem: str) -> None:
        if problem:
            self._notices.append(Notice(problem, shown=True))

    def _look_at(self, manuscript: Manuscript, settings: Settings | None) -> Examination:
        if settings is None:
            return leave_alone(manuscript)
        done = examine(manuscript, settings)
        broken = (one.message for one in done.findings if one.code == _BROKEN_RULE)
        for text in filter(None, (*broken, done.crash)):
            self._notices.append(Notice(f"{manuscript.name}: {text}", shown=False))
        return done

    def _leave_out_known(self, done: Examination, settings: Settings) -> Examination:
        """Drop the findings in the nearest baseline."""
        path = done.manuscript.path
        if not done.findings or path is None:
            return done
        file = settings.baseline_of(os.path.dirname(os.path.abspath(path)))
        if file is None:
            return done
        try:
            baseline = read_baseline(file)
        except ProblemError as error:
            self._show(self._projects.complain(file, str(error)))
            return done
        self._projects.settle(file)
        entries = describe_findings(done.source, done.findings)
        report = Checked(done.source, done.findings, entries=entries)
        (sifted,) = baseline.sift([report])
        new = set(sifted.findings)
        known = tuple(one for one in done.findings if one not in new)
        return replace(done, findings=sifted.findings, known=known) if known else done


def _is_current(last: _Done, manuscript: Manuscript) -> bool:
    """Whether a document has to be checked no more: what is bound may have other results now."""
    return _is_about(last, manuscript) and not may_bind(manuscript.text)


def _is_about(last: _Done, manuscript: Manuscript) -> bool:
    return last.examination.manuscript.text == manuscript.text


def _renew(done: Examination, manuscript: Manuscript) -> Examination:
    """The same results for the editor's current version, which edits must refer to."""
    return done if done.manuscript == manuscript else replace(done, manuscript=manuscript)
