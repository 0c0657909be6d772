"""Much work in one process: memory and open files stay flat, and nothing is left behind.

An hour of work is compressed: all files differ, so nothing comes from a cache.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MDBENCH = (sys.executable, "-m", "mdbench")
PATIENCE_S = 120
MOMENT_S = 30
MORE_MIB = 5
# Runs a command repeatedly on new files, and prints its memory and open files after each round.
WORK = """
import os, sys
from pathlib import Path
from mdbench.cli.main import main

folder, rounds, *words = sys.argv[1:]
head = "| Nodes | GBS | Sec/it | Samples/s |\\n|--:|--:|--:|--:|\\n"
for turn in range(int(rounds)):
    reports = Path(folder, "reports")
    reports.mkdir(exist_ok=True)
    for name in range(25):
        at = turn * 25 + name
        rows = "".join(
            f"| {n} | {n * 64} | {at % 997 + n / 7:.3f} | {n * 64 / (at % 997 + n / 7):.4f} |\\n"
            for n in range(1, 9)
        )
        text = f"# Run {at}\\n\\nRun {at} of many, dp {at % 13}.\\n\\n{head}{rows}| | | | |\\n"
        (reports / f"{name}.md").write_text(text)
    os.chdir(folder)
    code = main(words)
    assert code in (0, 1), code
    held = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    print(held, len(os.listdir("/proc/self/fd")), flush=True)
"""
COMMANDS = {
    "lint": "lint reports --no-cache -q -o out.txt",
    "lint with a cache": "lint reports --format json -o out.json",
    "lint --fix": "lint reports --no-cache --fix -q -o out.txt",
    "normalize": "normalize reports -o out.csv",
    "normalize to parquet": "normalize reports -o out.parquet",
    "render": "render reports -o clean -q",
    "render -w": "render reports -w -q",
}

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="what a process holds is not told here"
)


def soak(folder: Path, rounds: int, command: str) -> list[tuple[int, int]]:
    """The bytes and open files of the process after each round."""
    scratch = folder / "scratch"
    scratch.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", WORK, str(folder), str(rounds), *command.split()],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(scratch.iterdir()) == []
    assert list(folder.rglob("*.tmp")) == []
    pairs = [line.split() for line in done.stdout.splitlines()]
    return [(int(held), int(files)) for held, files in pairs]


def expect_flat(held: list[tuple[int, int]], warm: int) -> None:
    """Nothing grows after everything is loaded and cached."""
    (before, files), (after, files_after) = held[warm], held[-1]
    assert files_after == files
    assert (after - before) / 2**20 < MORE_MIB


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_memory_and_open_files_stay_flat(command: str, tmp_path: Path) -> None:
    expect_flat(soak(tmp_path, 18, command), 6)


class Editor:
    """Talks to `mdbench lsp` like an editor."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [*MDBENCH, "lsp"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.asked = 0

    def send(self, method: str, params: object, **more: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method: str, params: object) -> Any:
        """Wait for the answer; other messages of the server are ignored."""
        self.asked += 1
        self.send(method, params, id=self.asked)
        while True:
            message = self.receive()
            if message.get("id") == self.asked and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message

    def held(self) -> tuple[int, int]:
        place = Path("/proc") / str(self.process.pid)
        pages = int((place / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir(place / "fd"))


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    made = Editor(tmp_path)
    yield made
    made.process.kill()
    made.process.communicate(timeout=PATIENCE_S)


def test_the_memory_of_a_language_server_stays_flat(editor: Editor, tmp_path: Path) -> None:
    editor.ask("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}})
    editor.send("initialized", {})
    held = []
    for number in range(300):
        uri = (tmp_path / f"{number}.md").as_uri()
        table = f"| Nodes | TFLOPs |\n|--|--|\n| {number} | 4.5 |\n|  |  |\n"
        document = {"uri": uri, "languageId": "markdown", "version": 1, "text": f"# R\n\n{table}"}
        editor.send("textDocument/didOpen", {"textDocument": document})
        found = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert [one["code"] for one in found["items"]] == ["MB102"]
        editor.send("textDocument/didClose", {"textDocument": {"uri": uri}})
        held.append(editor.held())
    expect_flat(held, 60)
    editor.ask("shutdown", None)
    editor.send("exit", None)
    assert editor.process.wait(timeout=PATIENCE_S) == 0


def session_of(leader: int) -> list[int]:
    """The running processes of a session."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,stat=", "-s", str(leader)], capture_output=True, text=True, check=False
    )
    pairs = [line.split() for line in listed.stdout.splitlines()]
    return [int(pid) for pid, state in pairs if not state.startswith("Z")]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "told to end"])
def test_workers_end_with_the_process_that_started_them(
    end: signal.Signals, tmp_path: Path
) -> None:
    for number in range(3000):
        rows = "".join(f"| {n} | {number + n / 7:.3f} |\n" for n in range(9))
        text = f"# Run {number}\n\n| Nodes | Sec/it |\n|--:|--:|\n{rows}"
        (tmp_path / f"{number}.md").write_text(text, encoding="utf-8")
    asked = [*MDBENCH, "lint", "--no-cache", "--jobs", "2", "-q", "-o", os.devnull, str(tmp_path)]
    process = subprocess.Popen(asked, start_new_session=True, stderr=subprocess.DEVNULL)
    until = time.monotonic() + PATIENCE_S
    # The process itself, two workers, and Python's helper processes.
    while len(session_of(process.pid)) < 4 and time.monotonic() < until:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(end)
    process.wait(timeout=PATIENCE_S)
    until = time.monotonic() + MOMENT_S
    while (left := session_of(process.pid)) and time.monotonic() < until:
        time.sleep(0.05)
    assert left == []
