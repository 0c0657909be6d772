"""The capabilities of an editor, as it sends them when it connects."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol import types
from pygls.capabilities import get_capability

from mdbench.lsp.positions import Encoding


class Client(NamedTuple):
    """One editor; the defaults are what all editors support."""

    encoding: Encoding = Encoding.UTF_16
    pulls: bool = False
    """It requests diagnostics; sending them as well would show them twice."""
    related: bool = False
    """It shows related locations of a finding."""
    markdown: bool = False
    versioned: bool = False
    """Edits can contain the version of the document."""
    watches: bool = False
    """It reports changes of files on disk."""
    refreshes_findings: bool = False
    refreshes_hints: bool = False


def read_client(said: types.ClientCapabilities, encoding: str | None) -> Client:
    """Read the capabilities of an editor; the encoding was negotiated before."""
    pulls = get_capability(said, "text_document.diagnostic") is not None
    places = "diagnostic" if pulls else "publish_diagnostics"
    related = get_capability(said, f"text_document.{places}.related_information")
    formats = get_capability(said, "text_document.hover.content_format") or ()
    return Client(
        encoding=Encoding(encoding or Encoding.UTF_16),
        pulls=pulls,
        # Some editors declare it for published diagnostics only, but support it for requested ones
        # too.
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
