"""Code actions: safe and unsafe fixes, all safe fixes at once, and ignore comments."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types

from mdbench.lsp.diagnostics import make_diagnostic
from mdbench.lsp.document_state import Examination
from mdbench.lsp.ignores import find_silences
from mdbench.lsp.places import touches
from mdbench.lsp.positions import Ruler
from mdbench.lsp.text_edits import find_changes
from mdbench.rules.findings import Finding, Fix, Safety
from mdbench.source import Edit, Span

QUICK_FIX = types.CodeActionKind.QuickFix.value
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.mdbench"
KINDS = (QUICK_FIX, FIX_ALL)

Mark = tuple[str | int | None, Span]
"""How an editor identifies a finding: its code and position."""


class Offer(NamedTuple):
    """The input for actions: an examined document, and how the editor wants its edits."""

    examination: Examination
    ruler: Ruler
    related: bool = True
    """Whether the editor shows related locations of a finding."""
    versioned: bool = True
    """Whether edits contain the version of the document."""

    def actions(
        self, span: Span, only: Sequence[str] | None = None, marked: Collection[Mark] = ()
    ) -> list[types.CodeAction]:
        """All actions for the findings at a span, or for the diagnostics that the editor sends."""
        found: list[types.CodeAction] = []
        if _is_wanted(QUICK_FIX, only):
            near = [
                one
                for one in self.examination.findings
                if any(touches(place, span) for place in (one.span, *one.cells))
                or (one.code, one.span) in marked
            ]
            found += (action for one in near for action in self._fix(one))
            found += (action for one in near for action in self._silence(one))
        if _is_wanted(FIX_ALL, only):
            found += self._fix_all()
        return found

    def _fix(self, finding: Finding) -> Iterator[types.CodeAction]:
        for fix in finding.fixes:
            if fix.safety is Safety.DISPLAY or not fix.edits:
                continue
            preferred = fix.safety is Safety.SAFE and finding.remedy is fix
            yield self._act(_name(finding, fix), finding, fix.edits, preferred=preferred)

    def _silence(self, finding: Finding) -> Iterator[types.CodeAction]:
        for where, edit in find_silences(self.examination, finding):
            yield self._act(f"Ignore {finding.code} {where}", finding, (edit,), preferred=False)

    def _act(
        self, title: str, finding: Finding, edits: Iterable[Edit], *, preferred: bool
    ) -> types.CodeAction:
        related = self.related
        diagnostic = make_diagnostic(self.examination, finding, self.ruler, related=related)
        return types.CodeAction(
            title=title,
            kind=QUICK_FIX,
            diagnostics=[diagnostic],
            is_preferred=preferred,
            edit=self._edit(edits),
        )

    def _fix_all(self) -> Iterator[types.CodeAction]:
        every = (*self.examination.findings, *self.examination.known)
        remedies = (one.remedy for one in every)
        if not any(one is not None and one.safety is Safety.SAFE for one in remedies):
            return
        edits = find_changes(self.examination.source, self.examination.fixed)
        if edits:
            title = "Apply all safe fixes (mdbench)"
            yield types.CodeAction(title=title, kind=FIX_ALL, edit=self._edit(edits))

    def _edit(self, edits: Iterable[Edit]) -> types.WorkspaceEdit:
        manuscript = self.examination.manuscript
        made = [self.ruler.edit(edit) for edit in edits]
        if not self.versioned:
            return types.WorkspaceEdit(changes={manuscript.uri: made})
        document = types.OptionalVersionedTextDocumentIdentifier(
            uri=manuscript.uri, version=manuscript.version
        )
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, made)])


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether an editor requests this kind: `source` includes all kinds below it."""
    if only is None:
        return True
    return any(not one or kind == one or kind.startswith(f"{one}.") for one in only)


def _name(finding: Finding, fix: Fix) -> str:
    unsafe = ", unsafe" if fix.safety is Safety.UNSAFE else ""
    return f"{fix.title[:1].upper()}{fix.title[1:]} ({finding.code}{unsafe})"
