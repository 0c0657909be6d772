"""Completion as it is used: the scripts loaded into real shells, a line typed, TAB pressed."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mdbench.cli.main import main

pytest.importorskip("pty", reason="needs a system with terminals of its own")

WAIT_S = 60.0
PAUSE_S, LONG_PAUSE_S = 0.5, 5.0
READY, ENTERED = "READY>", "ENTERED:"

# How each shell is started, and what it is told: mdbench is a function that shows its arguments.
SHELLS = {
    "bash": (
        ("bash", "--norc", "--noprofile", "-i"),
        f"""
        bind 'set enable-bracketed-paste off'
        mdbench() {{ printf '{ENTERED}%s;\\n' "$*"; }}
        source ./completion
        PS1='{READY}'
        """,
    ),
    "zsh": (
        ("zsh", "-f", "-i"),
        f"""
        unset zle_bracketed_paste
        mdbench() {{ print -r -- "{ENTERED}$*;" }}
        autoload -U compinit && compinit -u -D
        eval "$(<./completion)"
        PS1='{READY}'
        """,
    ),
}

Complete = Callable[[str, str, str], str]


@pytest.fixture
def complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Complete:
    """What a line becomes if TAB is pressed behind it; waited for longer if it is not as expected.

    Nothing tells when a shell is done with a TAB, and a busy machine may take its time.
    """
    (tmp_path / "reports of May").mkdir()
    (tmp_path / "zebra.md").touch()

    def press_tab(shell: str, line: str, expected: str) -> str:
        if shutil.which(shell) is None:
            pytest.skip(f"{shell} is not installed")
        script = tmp_path / "completion"
        assert main(["completion", shell]) == 0
        script.write_text(capsys.readouterr().out, encoding="utf-8")
        if shell == "fish":
            return ask_fish(script, line).rstrip(" /")
        command, told = SHELLS[shell]
        (tmp_path / "told").write_text(told, encoding="utf-8")
        shown = type_line(command, line, tmp_path, PAUSE_S)
        # Some shells take the slash behind a folder away again.
        if shown.rstrip(" /") != expected:
            shown = type_line(command, line, tmp_path, LONG_PAUSE_S)
        return shown.rstrip(" /")

    return press_tab


def type_line(command: tuple[str, ...], line: str, folder: Path, pause_s: float) -> str:
    """Type a line into a shell on a terminal, press TAB and ENTER, and see what is entered."""
    # A process of its own for the terminal: one with threads, as this may be, must not fork.
    spawn = "import pty, sys; pty.spawn(sys.argv[1:])"
    environment = {**os.environ, "TERM": "dumb", "HISTFILE": os.devnull, "HOME": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-c", spawn, *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as terminal:
        assert terminal.stdin is not None
        assert terminal.stdout is not None
        output = terminal.stdout.fileno()
        try:
            terminal.stdin.write(b"source ./told\n")
            read_until(output, READY)
            terminal.stdin.write(f"{line}\t".encode())
            # A TAB that lists nothing leaves no trace to wait for.
            time.sleep(pause_s)
            terminal.stdin.write(b"\n")
            shown = read_until(output, ";\r\n")
        finally:
            terminal.kill()
    return shown.partition(ENTERED)[2].partition(";\r\n")[0]


def read_until(output: int, mark: str) -> str:
    shown = ""
    deadline = time.monotonic() + WAIT_S
    while mark not in shown:
        ready, _, _ = select.select([output], [], [], max(0.0, deadline - time.monotonic()))
        piece = os.read(output, 4096).decode("utf-8", "replace") if ready else ""
        assert piece, f"waited in vain for {mark!r}: {shown!r}"
        shown += piece
    return shown


def ask_fish(script: Path, line: str) -> str:
    """fish says by itself what it would offer; the line with it if there is one offer only."""
    code = f"source {script}; complete -C {line!r}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code],
        cwd=script.parent,
        env={**os.environ, "HOME": str(script.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    offers = [offer.partition("\t")[0] for offer in done.stdout.splitlines()]
    typed = line.removeprefix("mdbench ")
    if len(offers) != 1:
        return typed
    head = typed.rpartition(" ")[0]
    return " ".join(shlex.split(f"{head} {offers[0]}"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        pytest.param("norm", "normalize", id="a command"),
        pytest.param("--quiet norm", "--quiet normalize", id="a command behind an option"),
        pytest.param("lint --stat", "lint --statistics", id="an option"),
        pytest.param("lint --format sa", "lint --format sarif", id="a value"),
        pytest.param("normalize --format pa", "normalize --format parquet", id="of its command"),
        pytest.param("lint --select MB90", "lint --select MB901", id="a code"),
        pytest.param("explain shifted", "explain shifted-row", id="the name of a rule"),
        pytest.param("help suppr", "help suppression", id="a topic"),
        pytest.param("help norm", "help normalize", id="a command as a topic"),
        pytest.param("completion f", "completion fish", id="a shell"),
        pytest.param("lint zeb", "lint zebra.md", id="a file"),
        pytest.param("lint -o zeb", "lint -o zebra.md", id="a file behind an option"),
        pytest.param("lint rep", "lint reports of May", id="a folder with blanks"),
        pytest.param("lint --jobs zeb", "lint --jobs zeb", id="no file where a number stands"),
        pytest.param("explain zeb", "explain zeb", id="no file where a code stands"),
    ],
)
def test_a_line_is_completed(complete: Complete, shell: str, typed: str, completed: str) -> None:
    assert complete(shell, f"mdbench {typed}", completed) == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_in_the_script(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "Traceback" not in script
    for word in ("lint", "normalize", "render", "unsafe-fixes", "fail-on", "stdin-filename"):
        assert word in script


def test_the_scripts_ask_nobody(tmp_path: Path) -> None:
    """Completing starts no Python: a keystroke must not wait for it."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    script = subprocess.run(
        [sys.executable, "-m", "mdbench", "completion", "bash"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    ask = "COMP_WORDS=(mdbench li); COMP_CWORD=1; _shtab_mdbench; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        [bash, "--norc", "-c", f"{script}\n{ask}"],
        cwd=tmp_path,
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("lint\n", "")
