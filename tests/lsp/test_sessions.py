"""`mdbench lsp` with projects, different editors and its own crashes."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from pygls.capabilities import get_capability
from pytest_lsp import client_capabilities

from mdbench.cli.main import main

if TYPE_CHECKING:
    from tests.lsp.conftest import Connect, Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")

WRONG = """\
| seqlen | Tokens/s | Samples/s | Iter/s | Global bsz |
|-------:|---------:|----------:|-------:|-----------:|
|   2048 |   413696 |       202 |   0.20 |       1024 |
|   1024 |   524288 |       512 |   0.50 |       1024 |
|    512 |   597504 |      1167 |   1.18 |       1024 |
"""
TWICE = f"{WRONG}|        |          |           |        |            |\n"
OWN = """\
| Wobble | Wibble | Wubble |
|---|---|---|
| 2.00 | 3.00 | 6.00 |
| 4.00 | 5.00 | 21.00 |
"""
DIALECT = """
relations = ["wubble = wobble * wibble"]
[quantities]
wobble = ""
wibble = ""
wubble = ""
"""
# A server with a bug, which is injected before it starts.
BROKEN = """
import sys
import mdbench.{module} as broken
def fail(*_, **__):
    print("noise on standard output")
    raise RuntimeError("it broke")
broken.{name} = fail
from mdbench.cli.main import main
sys.exit(main(["lsp"]))
"""


@pytest.mark.parametrize(
    ("name", "settings", "codes"),
    [
        ("mdbench.toml", 'select = ["MB1"]', ["MB102"]),
        ("mdbench.toml", 'ignore = ["MB102"]', ["MB301"]),
        ("pyproject.toml", '[tool.mdbench]\nselect = ["MB3"]', ["MB301"]),
        ("mdbench.toml", '[per-file-ignores]\n"report.md" = ["MB3"]', ["MB102"]),
        ("mdbench.toml", '[per-file-ignores]\n"other.md" = ["MB3"]', ["MB301", "MB102"]),
        ("mdbench.toml", 'exclude = ["report.md"]', []),
    ],
)
async def test_settings_are_those_of_the_project(
    editor: Editor, name: str, settings: str, codes: list[str]
) -> None:
    (editor.folder / name).write_text(settings, encoding="utf-8")
    editor.open(TWICE)
    assert await editor.codes() == codes


async def test_excluded_files_are_not_checked(editor: Editor) -> None:
    (editor.folder / "mdbench.toml").write_text('exclude = ["*.md"]', encoding="utf-8")
    editor.open(TWICE)
    assert await editor.codes() == []
    assert await editor.hover("1.18") == ""
    assert await editor.actions("1.18") == []
    assert await editor.format() == []
    assert await editor.hints() == {}


async def test_headers_and_relations_of_the_project_are_used(editor: Editor) -> None:
    (editor.folder / "mdbench.toml").write_text(DIALECT, encoding="utf-8")
    editor.open(OWN)
    assert await editor.codes() == ["MB301"]
    assert await editor.hints() == {4: ["⇒ 20.00"]}
    told = await editor.hover("6.00")
    assert "Verified by:\n\n- `the relation wubble = wobble * wibble`" in told


async def test_the_nearest_settings_are_used(editor: Editor) -> None:
    (editor.folder / "deep").mkdir()
    (editor.folder / "mdbench.toml").write_text('select = ["MB1"]', encoding="utf-8")
    (editor.folder / "deep" / "mdbench.toml").write_text('select = ["MB3"]', encoding="utf-8")
    editor.open(TWICE)
    assert await editor.codes() == ["MB102"]
    editor.open(TWICE, "deep/report.md")
    assert await editor.codes() == ["MB301"]


async def test_changed_settings_apply_immediately(editor: Editor) -> None:
    settings = editor.folder / "mdbench.toml"
    editor.open(WRONG)
    assert await editor.codes() == ["MB301"]
    settings.write_text('ignore = ["MB301"]', encoding="utf-8")
    editor.touch(settings)
    assert await editor.codes(times=2) == []
    settings.unlink()
    editor.save()
    assert await editor.codes(times=3) == ["MB301"]


async def test_broken_settings_are_reported_once_and_the_last_valid_ones_are_used(
    editor: Editor,
) -> None:
    settings = editor.folder / "mdbench.toml"
    settings.write_text('select = ["MB1"]', encoding="utf-8")
    editor.open(TWICE)
    assert await editor.codes() == ["MB102"]
    settings.write_text('slect = ["MB3"]', encoding="utf-8")
    told = len(editor.client.messages)
    for times in (2, 3):
        editor.save()
        assert await editor.codes(times) == ["MB102"]
    (message,) = editor.client.messages[told:]
    assert message.type is types.MessageType.Error
    assert "mdbench.toml: slect: no such setting" in message.message
    settings.write_text('select = ["MB3"]', encoding="utf-8")
    editor.save()
    assert await editor.codes(times=4) == ["MB301"]
    settings.write_text('slect = ["MB3"]', encoding="utf-8")
    editor.save()
    assert await editor.codes(times=5) == ["MB301"]
    assert len(editor.client.messages) == told + 2


async def test_settings_that_were_never_valid_give_no_diagnostics(editor: Editor) -> None:
    (editor.folder / "mdbench.toml").write_text("select = [", encoding="utf-8")
    told = len(editor.client.messages)
    editor.open(WRONG)
    assert await editor.codes() == []
    (message,) = editor.client.messages[told:]
    assert "mdbench.toml: invalid TOML" in message.message


async def test_findings_in_the_baseline_are_not_shown(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    (editor.folder / "report.md").write_text(WRONG, encoding="utf-8")
    monkeypatch.chdir(editor.folder)
    assert main(["lint", "report.md", "--write-baseline"]) == 0
    editor.open(TWICE)
    assert await editor.codes() == ["MB102"]
    (editor.folder / ".mdbench-baseline.json").write_text("{", encoding="utf-8")
    told = len(editor.client.messages)
    editor.save()
    assert await editor.codes(times=2) == ["MB301", "MB102"]
    assert [".mdbench-baseline.json: is not a baseline" in one.message
            for one in editor.client.messages[told:]] == [True]  # fmt: skip


async def test_a_baseline_above_counts_as_in_the_terminal(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = editor.folder / "own"
    own.mkdir()
    (own / "report.md").write_text(WRONG, encoding="utf-8")
    monkeypatch.chdir(editor.folder)
    assert main(["lint", "own/report.md", "--write-baseline"]) == 0
    # Neither the settings of its own folder nor the place of the server change this.
    (own / "mdbench.toml").write_text("", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    editor.open(WRONG, uri=(own / "report.md").as_uri())
    assert await editor.codes() == []
    assert main(["lint", str(own / "report.md")]) == 0


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "vscode-vfs://github/a/b/report.md"])
async def test_an_unsaved_document_uses_the_settings_of_the_workspace(
    connect: Connect, tmp_path: Path, uri: str
) -> None:
    (tmp_path / "mdbench.toml").write_text('ignore = ["MB102"]', encoding="utf-8")
    async with connect(folders=[tmp_path]) as editor:
        editor.open(TWICE, uri=uri)
        assert await editor.codes() == ["MB301"]
        assert "0.195 and 0.205" in await editor.hover("0.20")
        fix, *_ = await editor.actions("1.18")
        assert editor.carry_out(fix) == TWICE.replace("1.18", "1.14")
        assert editor.client.messages == []


async def test_the_server_watches_settings_files(connect: Connect) -> None:
    async with connect() as editor:
        await editor.until(lambda: editor.client.registered)
        (watched,) = editor.client.registered
        assert watched.method == "workspace/didChangeWatchedFiles"
        options = watched.register_options or {}
        assert [one["globPattern"] for one in options["watchers"]] == [
            "**/mdbench.toml",
            "**/pyproject.toml",
            "**/.mdbench-baseline.json",
        ]


async def test_an_editor_that_pulls_diagnostics_is_not_sent_them(connect: Connect) -> None:
    async with connect(pulls=True) as editor:
        editor.open(WRONG)
        assert await editor.pull() == ["MB301"]
        settings = editor.folder / "mdbench.toml"
        settings.write_text('ignore = ["MB301"]', encoding="utf-8")
        editor.touch(settings)
        await editor.until(lambda: editor.client.diagnostic_refresh_count)
        assert await editor.pull() == []
        editor.close()
        assert await editor.pull() == []
        assert editor.client.published == []


async def test_an_editor_with_few_capabilities_is_supported(connect: Connect) -> None:
    async with connect(said=types.ClientCapabilities()) as editor:
        editor.open(WRONG.replace("|   2048", "|  **2048**"))
        (found,) = await editor.findings()
        assert found.related_information is None
        assert (await editor.hover("413696")).startswith("Tokens/s is `tokens_per_s`")
        fix, *_ = await editor.actions("1.18")
        assert fix.edit is not None
        assert fix.edit.document_changes is None
        assert editor.carry_out(fix) == editor.text.replace("1.18", "1.14")
        assert editor.client.registered == []


@pytest.mark.parametrize("name", ["visual_studio_code", "neovim", "emacs"])
async def test_well_known_editors_are_supported(connect: Connect, name: str) -> None:
    said = client_capabilities(name)
    async with connect(said=said) as editor:
        editor.open(WRONG)
        if get_capability(said, "text_document.diagnostic") is None:
            assert await editor.codes() == ["MB301"]
        else:
            assert await editor.pull() == ["MB301"]
        assert "Iter/s 1.18 should be 1.14" in await editor.hover("1.18")
        fix, *_ = await editor.actions("1.18")
        assert editor.carry_out(fix) == WRONG.replace("1.18", "1.14")
        assert await editor.hints() == {5: ["⇒ 1.14"]}


@pytest.mark.parametrize(
    ("module", "name", "codes"),
    [
        ("lsp.document_state", "read_report", ["MB000"]),
        ("lsp.workspace", "examine", None),
        ("lsp.server", "describe_place", ["MB301"]),
    ],
)
async def test_a_crash_is_logged_and_the_server_continues(
    connect: Connect, module: str, name: str, codes: list[str] | None
) -> None:
    command = (sys.executable, "-c", BROKEN.format(module=module, name=name))
    async with connect(command=command) as editor:
        editor.open(WRONG)
        if codes is not None:
            assert await editor.codes() == codes
        assert await editor.hover("1.18") == ""
        assert any("it broke" in one.message for one in editor.client.log_messages)
        assert editor.client.messages == []
        editor.change(f"{WRONG}\n")
        assert await editor.hover("1.18") == ""
        assert await editor.hints() == ({} if codes != ["MB301"] else {5: ["⇒ 1.14"]})


async def test_an_unreadable_text_is_a_finding(editor: Editor) -> None:
    editor.open("a\0b")
    (found,) = await editor.findings()
    assert (found.code, found.range.start) == ("MB001", types.Position(0, 0))


async def test_a_document_that_is_not_open_has_no_answers(editor: Editor) -> None:
    editor.text, editor.uri = WRONG, (editor.folder / "closed.md").as_uri()
    assert await editor.hover("1.18") == ""
    assert await editor.actions("1.18") == []
    assert await editor.format() == []


async def test_the_server_can_listen_on_a_port() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "mdbench", "lsp", "--tcp", f"127.0.0.1:{port}"]
    server = await asyncio.create_subprocess_exec(*command)
    for _ in range(3000):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            break
        except ConnectionRefusedError:
            await asyncio.sleep(0.02)
    asked = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(asked), asked))
    header = await reader.readline()
    assert header.startswith(b"Content-Length: ")
    writer.close()
    await writer.wait_closed()
    assert await server.wait() == 0


def run(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    run = f"sys.exit(main({list(arguments)}))"
    code = f"{before}\nimport sys; from mdbench.cli.main import main; {run}"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, input="", capture_output=True, text=True, check=False)


async def test_without_pygls_one_line_says_what_to_install() -> None:
    done = run("lsp", before="import sys; sys.modules['pygls'] = None")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.rstrip().endswith("pip install '.[lsp]'")


@pytest.mark.parametrize("asked", ["port", "localhost:", "1.2.3.4:0", "65536", "::1:٣"])
async def test_an_invalid_port_is_rejected(asked: str) -> None:
    done = run("lsp", "--tcp", asked)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--tcp {asked}: not a port" in done.stderr


async def test_a_port_in_use_is_reported() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run("lsp", "--tcp", str(taken.getsockname()[1]))
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot listen on this address" in done.stderr


async def test_the_server_ends_when_the_editor_disconnects() -> None:
    done = run("lsp")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


async def test_an_interrupt_ends_the_server(connect: Connect) -> None:
    async with connect() as editor:
        editor.open(WRONG)
        assert await editor.codes() == ["MB301"]
        server = editor.client._server  # noqa: SLF001 - to stop it from outside
        assert server is not None
        server.send_signal(signal.SIGINT)
        assert await server.wait() == -signal.SIGINT
        editor.client.capabilities = None
