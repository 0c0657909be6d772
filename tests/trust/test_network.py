"""No network access: every command is monitored while it runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mdbench.cli.main import main

MDBENCH = (sys.executable, "-m", "mdbench")
REPORTS = Path(__file__).resolve().parent.parent.parent / "reports"
WATCHED = """
import os, sys

ASKING = {
    "socket.bind",
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyaddr",
    "socket.gethostbyname",
    "socket.getnameinfo",
    "socket.sendmsg",
    "socket.sendto",
    "urllib.Request",
}

def watch(event, arguments):
    if event in ASKING:
        os.write(2, f"asked the network: {event} {arguments}\\n".encode())
        os._exit(99)

sys.addaudithook(watch)
"""
BOUND = """
<!-- mdbench: from times -->
| Nodes | Step time (s) |
|------:|--------------:|
|     2 |           1.7 |
"""
COMMANDS = [
    ("lint", "reports"),
    ("lint", "many", "--jobs", "2", "--no-cache"),
    ("lint", "reports", "--format", "sarif"),
    ("lint", "reports", "--diff"),
    ("lint", "many", "--fix"),
    ("lint", "reports", "--write-baseline"),
    ("normalize", "reports", "--format", "csv"),
    ("normalize", "reports", "--format", "parquet", "-o", "out.parquet"),
    ("render", "reports", "-o", "clean"),
    ("render", "reports", "--template", "report"),
    ("render", "reports", "--format", "html", "-o", "site"),
    ("query", "select count(*) from runs", "reports"),
    ("update", "bound.md", "--check"),
    ("table", "times.json"),
    ("diff", "reports", "reports"),
    ("columns", "reports/fmengine.md"),
    ("explain", "MB301"),
    ("rules",),
    ("config",),
    ("clean",),
    ("completion", "bash"),
    ("help", "exit-codes"),
    ("lsp", "--stdio"),
]


@pytest.fixture
def watched(tmp_path: Path) -> dict[str, str]:
    """An environment where Python exits as soon as it accesses the network."""
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCHED, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path / "watch")}


def speak(*messages: dict[str, object]) -> bytes:
    """The messages of an editor."""
    bodies = [json.dumps({"jsonrpc": "2.0", **one}).encode() for one in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


GOODBYE = speak(
    {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}},
    {"method": "initialized", "params": {}},
    {"id": 2, "method": "shutdown"},
    {"method": "exit"},
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_accesses_the_network(
    tmp_path: Path, watched: dict[str, str], command: tuple[str, ...]
) -> None:
    (tmp_path / "reports").symlink_to(REPORTS)
    (tmp_path / "times.json").write_text('[{"nodes": 2, "step_time_s": 1.6}]', encoding="utf-8")
    (tmp_path / "mdbench.toml").write_text('[results]\ntimes = "times.json"\n', encoding="utf-8")
    (tmp_path / "bound.md").write_text(BOUND, encoding="utf-8")
    if "many" in command:
        (tmp_path / "many").mkdir()
        for number in range(80):
            text = f"| Nodes | TFLOPs |\n|--|--|\n| {number} | 4.5 |\n|  |  |\n"
            (tmp_path / "many" / f"{number}.md").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [*MDBENCH, *command],
        cwd=tmp_path,
        input=GOODBYE,
        capture_output=True,
        env=watched,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr.decode()


def test_every_command_is_monitored(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = capsys.readouterr().out.partition("COMMAND\n")[2].partition("\noptions:")[0]
    names = {line.split()[0] for line in listed.splitlines() if line[4:5].strip()}
    assert {command[0] for command in COMMANDS} == names


@pytest.mark.parametrize(
    "asking",
    [
        "import socket; socket.socket().connect(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
    ],
)
def test_the_monitor_detects_network_access(watched: dict[str, str], asking: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", asking], capture_output=True, env=watched, check=False
    )
    assert done.returncode == 99
