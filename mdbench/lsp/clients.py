"""What the editor at the other end can do, as it says when it connects."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol import types
from pygls.capabilities import get_capability

from mdbench.lsp.positions import Encoding


class Client(NamedTuple):
    """One editor; as long as nothing is said, the least that all of them can do."""

    encoding: Encoding = Encoding.UTF_16
    pulls: bool = False
    """It asks for findings itself; to push them as well would show them twice."""
    related: bool = False
    """It shows other places beside a finding."""
    markdown: bool = False
    versioned: bool = False
    """Edits may say which version of a document they are for."""
    watches: bool = False
    """It tells when a file on the disk has changed."""
    refreshes_findings: bool = False
    refreshes_hints: bool = False


def read_client(said: types.ClientCapabilities, encoding: str | None) -> Client:
    """An editor by what it says, and by the encoding that was agreed on."""
    pulls = get_capability(said, "text_document.diagnostic") is not None
    places = "diagnostic" if pulls else "publish_diagnostics"
    related = get_capability(said, f"text_document.{places}.related_information")
    formats = get_capability(said, "text_document.hover.content_format") or ()
    return Client(
        encoding=Encoding(encoding or Encoding.UTF_16),
        pulls=pulls,
        # Some say it of the findings that they are sent, and mean those that they ask for too.
        related=bool(
            related or get_capability(said, "text_document.publish_diagnostics.related_information")
        ),
        markdown=types.MarkupKind.Markdown in formats,
        versioned=_can(said, "workspace.workspace_edit.document_changes"),
        watches=_can(said, "workspace.did_change_watched_files.dynamic_registration"),
        refreshes_findings=_can(said, "workspace.diagnostics.refresh_support"),
        refreshes_hints=_can(said, "workspace.inlay_hint.refresh_support"),
    )


def _can(said: types.ClientCapabilities, what: str) -> bool:
    return bool(get_capability(said, what))
