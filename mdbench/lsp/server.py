"""Dispatch the requests of an editor to their handlers."""

from __future__ import annotations

import logging
import signal
import sys
from functools import partial

from lsprotocol import types

from mdbench.config.files import OWN_FILE, SHARED_FILE
from mdbench.config.settings import BASELINE
from mdbench.files.errors import ProblemError
from mdbench.lsp import Address
from mdbench.lsp.actions import KINDS, Offer
from mdbench.lsp.clients import read_client
from mdbench.lsp.diagnostics import SOURCE, make_diagnostics
from mdbench.lsp.document_state import Examination
from mdbench.lsp.hover_markdown import take_out_markup
from mdbench.lsp.hovers import describe_place
from mdbench.lsp.inlay_hints import make_hints
from mdbench.lsp.positions import Ruler
from mdbench.lsp.session import PAUSE_S, Session
from mdbench.lsp.text_edits import find_changes

_WATCHED = (OWN_FILE, SHARED_FILE, BASELINE)


def run_server(address: Address | None = None) -> None:
    """Serve one editor until it disconnects."""
    logging.getLogger("pygls").setLevel(logging.ERROR)
    session = make_session()
    if address is None:
        # The thread that waits for the editor cannot be woken up, so Ctrl-C ends the process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # Standard output is reserved for the protocol: other output must not get into it.
        channel, sys.stdout = sys.stdout.buffer, sys.stderr
        session.start_io(sys.stdin.buffer, channel)
        return
    try:
        session.start_tcp(*address)
    except OSError as error:
        where = f"{address.host}:{address.port}"
        raise ProblemError(
            f"{where}: cannot listen on this address: {error.strerror or error}"
        ) from error


def make_session() -> Session:
    """A server without a connection."""
    session = Session()
    session.feature(types.INITIALIZE)(_initialize)
    session.feature(types.INITIALIZED)(_watch_files)
    session.feature(types.TEXT_DOCUMENT_DID_OPEN)(_open)
    session.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_change)
    session.feature(types.TEXT_DOCUMENT_DID_SAVE)(_save)
    session.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_close)
    session.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_recheck)
    session.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_recheck)
    session.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_recheck)
    pulled = types.DiagnosticOptions(
        inter_file_dependencies=False, workspace_diagnostics=False, identifier=SOURCE
    )
    session.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, pulled)(_diagnose)
    session.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    acted = types.CodeActionOptions(code_action_kinds=list(KINDS))
    session.feature(types.TEXT_DOCUMENT_CODE_ACTION, acted)(_act)
    session.feature(types.TEXT_DOCUMENT_FORMATTING)(_format)
    session.feature(types.TEXT_DOCUMENT_INLAY_HINT)(_hint)
    return session


def _initialize(ls: Session, params: types.InitializeParams) -> None:
    ls.client = read_client(params.capabilities, ls.workspace.position_encoding)


async def _watch_files(ls: Session, _params: types.InitializedParams) -> None:
    """Subscribe to changes of settings; without support for it, they are read at each check."""
    if not ls.client.watches:
        return
    watchers = [types.FileSystemWatcher(f"**/{name}") for name in _WATCHED]
    wanted = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    registration = types.Registration("mdbench-settings", method, wanted)
    await ls.client_register_capability_async(types.RegistrationParams([registration]))


def _open(ls: Session, params: types.DidOpenTextDocumentParams) -> None:
    ls.schedule(params.text_document.uri)


def _change(ls: Session, params: types.DidChangeTextDocumentParams) -> None:
    ls.schedule(params.text_document.uri, PAUSE_S)


def _save(ls: Session, params: types.DidSaveTextDocumentParams) -> None:
    ls.schedule(params.text_document.uri)


def _close(ls: Session, params: types.DidCloseTextDocumentParams) -> None:
    ls.close(params.text_document.uri)


def _recheck(ls: Session, _params: object) -> None:
    ls.recheck()


async def _diagnose(
    ls: Session, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport:
    make = partial(make_diagnostics, related=ls.client.related)
    found = await ls.answer(params.text_document.uri, make, fresh=True)
    return types.RelatedFullDocumentDiagnosticReport(items=found or [])


async def _hover(ls: Session, params: types.HoverParams) -> types.Hover | None:
    def make(examination: Examination, ruler: Ruler) -> types.Hover | None:
        told = describe_place(examination, ruler.offset(params.position))
        if told is None:
            return None
        if ls.client.markdown:
            content = types.MarkupContent(types.MarkupKind.Markdown, told.text)
        else:
            text = take_out_markup(told.text)
            content = types.MarkupContent(types.MarkupKind.PlainText, text)
        return types.Hover(content, ruler.range(told.span))

    return await ls.answer(params.text_document.uri, make)


async def _act(ls: Session, params: types.CodeActionParams) -> list[types.CodeAction]:
    def make(examination: Examination, ruler: Ruler) -> list[types.CodeAction]:
        offer = Offer(examination, ruler, ls.client.related, ls.client.versioned)
        marked = {(one.code, ruler.span(one.range)) for one in params.context.diagnostics}
        return offer.actions(ruler.span(params.range), params.context.only, marked)

    return await ls.answer(params.text_document.uri, make) or []


async def _format(ls: Session, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    def make(examination: Examination, ruler: Ruler) -> list[types.TextEdit]:
        edits = find_changes(examination.source, examination.rendered)
        return [ruler.edit(edit) for edit in edits]

    return await ls.answer(params.text_document.uri, make) or []


async def _hint(ls: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    def make(examination: Examination, ruler: Ruler) -> list[types.InlayHint]:
        return make_hints(examination, ruler, ruler.span(params.range))

    return await ls.answer(params.text_document.uri, make) or []
