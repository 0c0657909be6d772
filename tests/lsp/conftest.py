"""An editor for testing `mdbench lsp`: it starts the server and sends real requests."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from mdbench.lsp.positions import Encoding, Ruler
from mdbench.source import Edit, Source

COMMAND = (sys.executable, "-m", "mdbench", "lsp", "--stdio")


class Client(LanguageClient):
    """A client that records all diagnostics and watched files."""

    def __init__(self) -> None:
        super().__init__(converter_factory=default_converter)
        self.published: list[types.PublishDiagnosticsParams] = []
        self.registered: list[types.Registration] = []
        register_lsp_features(
            self,
            {
                **DEFAULT_CLIENT_FEATURES,
                types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _keep_findings,
                types.CLIENT_REGISTER_CAPABILITY: _keep_registrations,
            },
        )


def _keep_findings(ls: Client, params: types.PublishDiagnosticsParams) -> None:
    ls.published.append(params)


def _keep_registrations(ls: Client, params: types.RegistrationParams) -> None:
    ls.registered += params.registrations


def modern(
    encodings: Sequence[types.PositionEncodingKind] = (), *, pulls: bool = False
) -> types.ClientCapabilities:
    """The capabilities of most current editors."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=list(encodings) or None),
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True
            ),
            diagnostic=types.DiagnosticClientCapabilities() if pulls else None,
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
        ),
        workspace=types.WorkspaceClientCapabilities(
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
                dynamic_registration=True
            ),
        ),
    )


@dataclass
class Editor:
    """An editor with one document at a time."""

    client: Client
    folder: Path
    encoding: Encoding = Encoding.UTF_16
    uri: str = ""
    text: str = ""
    version: int = 0

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for the server."""
        for _ in range(3000):
            if condition():
                return
            await asyncio.sleep(0.02)
        raise AssertionError("the server does not answer")

    def open(self, text: str, name: str = "report.md", *, uri: str = "") -> None:
        self.uri, self.text, self.version = uri or (self.folder / name).as_uri(), text, 1
        item = types.TextDocumentItem(self.uri, "markdown", self.version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, text: str) -> None:
        self.text, self.version = text, self.version + 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    def save(self) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.document))

    def close(self) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.document))

    def touch(self, path: Path) -> None:
        """Report a changed file on disk."""
        event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
        params = types.DidChangeWatchedFilesParams([event])
        self.client.workspace_did_change_watched_files(params)

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    @property
    def ruler(self) -> Ruler:
        return Ruler(Source("", self.text), self.encoding)

    @property
    def published(self) -> list[types.PublishDiagnosticsParams]:
        return [one for one in self.client.published if one.uri == self.uri]

    async def findings(self, times: int = 1) -> Sequence[types.Diagnostic]:
        """The latest findings, after the open version was checked this many times."""

        def is_checked() -> bool:
            return [one.version for one in self.published].count(self.version) >= times

        await self.until(is_checked)
        return self.published[-1].diagnostics

    async def codes(self, times: int = 1) -> list[Any]:
        return [one.code for one in await self.findings(times)]

    async def pull(self) -> list[Any]:
        """Request the diagnostics; return their codes."""
        params = types.DocumentDiagnosticParams(self.document)
        report = await self.client.text_document_diagnostic_async(params)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return [one.code for one in report.items]

    def at(self, text: str) -> types.Position:
        return self.ruler.position(self.text.index(text))

    async def hover(self, text: str) -> str:
        params = types.HoverParams(self.document, self.at(text))
        answer = await self.client.text_document_hover_async(params)
        if answer is None:
            return ""
        assert isinstance(answer.contents, types.MarkupContent)
        return answer.contents.value

    async def actions(self, text: str, *only: str) -> list[types.CodeAction]:
        place = types.Range(self.at(text), self.at(text))
        context = types.CodeActionContext([], list(only) or None)
        params = types.CodeActionParams(self.document, place, context)
        answer = await self.client.text_document_code_action_async(params)
        return [one for one in answer or () if isinstance(one, types.CodeAction)]

    async def format(self) -> Sequence[types.TextEdit]:
        options = types.FormattingOptions(tab_size=4, insert_spaces=True)
        params = types.DocumentFormattingParams(self.document, options)
        return await self.client.text_document_formatting_async(params) or []

    async def hints(self, first: int = 0, last: int = 1000) -> dict[int, list[Any]]:
        """The labels of the hints on each line, counted from 1."""
        stretch = types.Range(types.Position(first, 0), types.Position(last, 0))
        params = types.InlayHintParams(self.document, stretch)
        found: dict[int, list[Any]] = {}
        for one in await self.client.text_document_inlay_hint_async(params) or ():
            found.setdefault(one.position.line + 1, []).append(one.label)
        return found

    def apply(self, edits: Iterable[Any]) -> str:
        """Apply edits to the text like an editor."""
        made = [Edit(self.ruler.span(one.range), one.new_text) for one in edits]
        return Source("", self.text).edited(made).text

    def carry_out(self, action: types.CodeAction) -> str:
        assert action.edit is not None
        if action.edit.changes is not None:
            return self.apply(action.edit.changes[self.uri])
        (change,) = action.edit.document_changes or ()
        assert isinstance(change, types.TextDocumentEdit)
        assert (change.text_document.uri, change.text_document.version) == (self.uri, self.version)
        return self.apply(change.edits)


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(server_command=list(COMMAND), client_factory=Client), scope="module"
)
async def client(lsp_client: Client) -> AsyncIterator[None]:
    """A server shared by several tests, each with its own documents."""
    await lsp_client.initialize_session(types.InitializeParams(capabilities=modern()))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: Client, tmp_path: Path) -> Editor:
    """An editor with its own folder."""
    return Editor(client, tmp_path)


Connect = Callable[..., AbstractAsyncContextManager[Editor]]


@pytest.fixture
def connect(tmp_path: Path) -> Connect:
    """Start a server for a single test."""

    @asynccontextmanager
    async def start(
        *encodings: types.PositionEncodingKind,
        pulls: bool = False,
        said: types.ClientCapabilities | None = None,
        command: Sequence[str] = COMMAND,
        folders: Sequence[Path] = (),
    ) -> AsyncIterator[Editor]:
        client = await ClientServerConfig(list(command), Client).start()
        assert isinstance(client, Client)
        params = types.InitializeParams(
            capabilities=modern(encodings, pulls=pulls) if said is None else said,
            workspace_folders=[types.WorkspaceFolder(one.as_uri(), one.name) for one in folders],
        )
        answer = await client.initialize_session(params)
        agreed = Encoding(answer.capabilities.position_encoding or Encoding.UTF_16)
        yield Editor(client, tmp_path, agreed)
        await client.shutdown_session()
        await client.stop()  # type: ignore[no-untyped-call]

    return start
