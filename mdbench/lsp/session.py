"""The session of one editor: its documents, when they are checked, and what is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from traceback import format_exc
from typing import TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from mdbench import __version__
from mdbench.lsp.clients import Client
from mdbench.lsp.diagnostics import make_diagnostics
from mdbench.lsp.document_state import Examination, Manuscript
from mdbench.lsp.positions import Ruler
from mdbench.lsp.workspace import Desk

PAUSE_S = 0.25
"""The pause after typing before a document is checked."""

T = TypeVar("T")


class Session(LanguageServer):
    """A server for one editor. It waits in one thread and works in another."""

    def __init__(self) -> None:
        # Sync the full text with every change: incremental changes in pygls fail on lines that
        # contain other separators than line feeds.
        kind = types.TextDocumentSyncKind.Full
        super().__init__("mdbench", __version__, text_document_sync_kind=kind)
        self.client = Client()
        self._desk = Desk()
        self._worker = ThreadPoolExecutor(max_workers=1)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._checks: set[asyncio.Task[None]] = set()

    def manuscript(self, uri: str) -> Manuscript | None:
        """The current document; None if it is not open."""
        document = self.workspace.text_documents.get(unquote(uri))
        if document is None:
            return None
        return Manuscript(document.uri, document.source, document.version)

    async def answer(
        self, uri: str, make: Callable[[Examination, Ruler], T], *, fresh: bool = False
    ) -> T | None:
        """Compute an answer from the current document; a crash is logged and answers None.

        `fresh` also reads the settings again.
        """
        manuscript = self.manuscript(uri)
        if manuscript is None:
            return None
        folders = [folder.uri for folder in self.workspace.folders.values()]
        self._desk.folders = folders or [self.workspace.root_uri or ""]
        encoding = self.client.encoding

        def work() -> T | None:
            if fresh:
                examination = self._desk.examine(manuscript)
            elif self.manuscript(uri) == manuscript:
                examination = self._desk.recall(manuscript)
            else:
                # The document changed while the request waited: the editor asks again.
                return None
            return make(examination, Ruler(examination.source, encoding))

        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work)
        except Exception:  # noqa: BLE001 - whatever it is, the editor goes on
            self.log(f"{manuscript.name}: {format_exc()}")
            return None
        finally:
            self._pass_on_notices()

    def schedule(self, uri: str, delay: float = 0.0) -> None:
        """Check a document soon, unless it changes before."""
        if self.client.pulls:
            return
        key = unquote(uri)
        self._stop_timer(key)
        loop = asyncio.get_running_loop()
        self._timers[key] = loop.call_later(delay, self._start_check, uri)

    def recheck(self) -> None:
        """Check all documents again, because something other than their text changed."""
        for document in list(self.workspace.text_documents.values()):
            self.schedule(document.uri)
        if self.client.pulls and self.client.refreshes_findings:
            self.workspace_diagnostic_refresh(None)
        if self.client.refreshes_hints:
            self.workspace_inlay_hint_refresh(None)

    def close(self, uri: str) -> None:
        """Forget a document, and clear its diagnostics."""
        self._stop_timer(unquote(uri))
        self._worker.submit(self._desk.forget, uri)
        if not self.client.pulls:
            self._publish(uri, [])

    def log(self, text: str) -> None:
        """Log an error for developers."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log errors that pygls would show to the user."""
        self.log(f"{getattr(source, '__name__', source)}: {error}")

    def shutdown(self) -> None:
        """Stop, and drop pending work."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        super().shutdown()  # type: ignore[no-untyped-call]

    def _stop_timer(self, key: str) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()

    def _start_check(self, uri: str) -> None:
        self._timers.pop(unquote(uri), None)
        check = asyncio.get_running_loop().create_task(self._check(uri))
        # Keep a reference: otherwise a task may be garbage-collected before it is done.
        self._checks.add(check)
        check.add_done_callback(self._checks.discard)

    async def _check(self, uri: str) -> None:
        before = self.manuscript(uri)
        make = partial(make_diagnostics, related=self.client.related)
        found = await self.answer(uri, make, fresh=True)
        now = self.manuscript(uri)
        if found is not None and before is not None and now == before:
            self._publish(now.uri, found, now.version)

    def _publish(self, uri: str, found: list[types.Diagnostic], version: int | None = None) -> None:
        params = types.PublishDiagnosticsParams(uri, found, version)
        self.text_document_publish_diagnostics(params)

    def _pass_on_notices(self) -> None:
        for notice in self._desk.take_notices():
            if notice.shown:
                kind = types.MessageType.Error
                self.window_show_message(types.ShowMessageParams(kind, f"mdbench: {notice.text}"))
            else:
                self.log(notice.text)
